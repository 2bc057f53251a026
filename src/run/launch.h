/*
 * launch.h - a program run on the user's behalf, as if the user had started it.
 *
 * It has our standard streams and terminal.  Signals that ask us to end go to the
 * program.  We also wait for what the program leaves running in the background
 * (orphans become our children), so that whatever they write is complete.
 */
#ifndef RUN_LAUNCH_H
#define RUN_LAUNCH_H

/* Runs argv with the settings "NAME=value" of env (ends with NULL) added to the
 * environment.  *status is the program's own, as from waitpid.  Negative: it
 * could not be started. */
int launch(int *status, char *const argv[], char *const env[]);

/* "exit 3", "signal 9"; a static buffer. */
const char *launch_ending(int status);

/* Ends this process as the program ended: with its exit code, or by its signal. */
_Noreturn void launch_exit(int status);

#endif
