/*
 * launch.h - running the user's program under one of our libraries, and getting
 * out of its way: standard streams, terminal, signals and exit status are its own.
 */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include "cli/opt.h"

#include <stdbool.h>
#include <sys/types.h>

/* One of our run-time libraries as LD_PRELOAD takes it: its path has neither spaces
 * nor colons, if need be through a link in `dir`.  The caller's, for free(); NULL and
 * error_last() if it is not installed. */
char *launch_library(const char *name, const char *dir);

/* Can a preloaded library get into the program?  prog is looked for in PATH; of a
 * script the interpreter is asked.  NULL: yes, as far as can be told beforehand.
 * Else the reason in a few words ("is statically linked"), in a static buffer.
 * *harms: the program would complain or end, and must not be given the library. */
const char *launch_obstacle(const char *prog, bool *harms);
/* The same for Valgrind, under which it would not start. */
const char *launch_valgrind_obstacle(const char *prog);

struct launch {
	char *const *argv;		/* ends with NULL */
	unsigned argc;
	const char *preload;		/* put in front of LD_PRELOAD; NULL: none */
	const char *const *env;		/* "NAME=VALUE", ends with NULL; added to ours */
	double interval;		/* seconds between calls of tick; 0: never */
	void (*tick)(void *ctx);
	void *ctx;
	bool wait_all;			/* also for processes that outlive the program */
	pid_t pid;			/* of the program, once it is started */
};

/* Sets argv and argc from a command line: PROG ARGS..., behind -- or not. */
int launch_command(struct launch *l, const struct opt_result *args);

/* Runs the program to its end.  0: *status is as from waitpid.  Negative: it could
 * not be started.  Signals that we are sent are sent on; those that the terminal
 * sends reach the program by themselves. */
int launch_run(struct launch *l, int *status);

/* "exit 3", "signal 9"; a static buffer. */
const char *launch_ending(int status);

/* The exit code for such a status; if the program was killed by a signal, this
 * process ends by the same one. */
int launch_exit(int status);

#endif
