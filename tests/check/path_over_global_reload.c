// A configuration in globals is read again on a signal.
#include <stdlib.h>
#include <string.h>

static char *log_path, *pid_path;

int reload_ok(const char *log)
{
	char *p = strdup(log);

	if (!p)
		return -1;
	free(log_path);
	log_path = p;
	return 0;
}

int reload_pid_bad(const char *pid)
{
	char *p = strdup(pid); // FN(path): LEAK(overwritten)

	if (!p)
		return -1;
	pid_path = p;
	return 0;
}

int uses_default(void)
{
	return !log_path || !pid_path;
}
