/*
 * forked.c - a forked child, which works until it ends, loses memory; its parent does not.
 *
 * LEAK child_task
 * FINE hot_start
 */
#include "leaks.h"

#include <sys/wait.h>
#include <unistd.h>

NOINLINE static size_t child_task(const char *text)
{
	char *copy = strcpy(checked(malloc(150)), text);

	return strlen(copy);
}

int main(int argc, char **argv)
{
	double end = work_until(argc, argv);
	size_t sum = 0;
	pid_t pid;

	hot_start();
	pid = fork();
	if (pid < 0)
		return 2;
	for (; now() < end; end_round())
		for (int i = 0; i < 20; i++)
			sum += hot_use() + (pid ? 0 : child_task("a task"));
	hot_end();
	if (!pid)
		exit(0);
	waitpid(pid, NULL, 0);
	return sum == 0;
}
