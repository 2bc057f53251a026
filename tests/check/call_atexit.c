// atexit and signal handlers free what globals hold.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static char *pidfile;
static char *unused_copy;

static void at_end(void)
{
	free(pidfile);
	pidfile = NULL;
}

static void on_signal(int sig)
{
	(void)sig;
	free(unused_copy);
}

int setup_ok(const char *path)
{
	if (pidfile || unused_copy)
		return 0;
	pidfile = strdup(path);
	if (!pidfile)
		return -1;
	unused_copy = strdup(path);
	signal(SIGUSR1, on_signal);
	return atexit(at_end);
}

int setup_bad(const char *path)
{
	char *copy = strdup(path); // LEAK(never-freed)

	atexit(at_end);
	return copy ? 0 : -1;
}
