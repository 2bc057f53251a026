// exec and _exit in a child.
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

int spawn_ok(const char *cmd)
{
	char *copy = strdup(cmd);
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", copy, (char *)NULL);
		_exit(127);
	}
	free(copy);
	return pid < 0 ? -1 : 0;
}

int spawn_bad(const char *cmd)
{
	char *copy = strdup(cmd); // LEAK(conditional)
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", copy, (char *)NULL);
		_exit(127);
	}
	free(copy);
	return 0;
}
