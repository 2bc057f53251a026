/*
 * ending HOW - allocates 1000 blocks of 100 bytes, frees 400 and ends: by return,
 * exit, _exit, kill (SIGKILL), segv or abort.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void *block[1000];

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "return";
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	for (int i = 0; i < 1000; i++)
		block[i] = malloc(100);
	for (int i = 0; i < 400; i++)
		free(block[i]);
	if (strcmp(how, "exit") == 0)
		exit(7);
	if (strcmp(how, "_exit") == 0)
		_exit(7);
	if (strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(how, "segv") == 0)
		raise(SIGSEGV);
	if (strcmp(how, "abort") == 0)
		abort();
	return 7;
}
