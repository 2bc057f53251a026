/*
 * launch.c - a program run on the user's behalf, as if the user had started it.
 */
#include "run/launch.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t program;

/* The terminal sends SIGINT and SIGQUIT to the program itself; the others reach
 * only us. */
static const int ignored[] = { SIGINT, SIGQUIT };
static const int forwarded[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT, SIGWINCH };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void forward(int sig)
{
	if (program > 0)
		kill(program, sig);
}

static void start(char *const argv[], char *const env[], int fail, const sigset_t *mask)
{
	int err;

	for (size_t i = 0; env[i]; i++)
		putenv(env[i]);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	err = errno;
	if (write(fail, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* The exit status of the program; others that end meanwhile are only reaped. */
static int wait_for_all(pid_t pid)
{
	int status, result = 0;
	pid_t who;

	while ((who = waitpid(-1, &status, 0)) > 0 || errno == EINTR)
		if (who == pid) {
			result = status;
			program = 0;
		}
	return result;
}

int launch(int *status, char *const argv[], char *const env[])
{
	struct sigaction sa = { .sa_handler = forward, .sa_flags = SA_RESTART };
	struct sigaction old_ignored[COUNT(ignored)], old_forwarded[COUNT(forwarded)];
	int fail[2], err = 0;
	sigset_t mask, old;
	pid_t pid;

	if (pipe2(fail, O_CLOEXEC) < 0)
		return error_sys("cannot start %s", argv[0]);
	fflush(NULL);
	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigfillset(&mask);
	sigprocmask(SIG_BLOCK, &mask, &old);	/* until the handlers know the program */
	pid = fork();
	if (pid == 0)
		start(argv, env, fail[1], &old);
	close(fail[1]);
	if (pid < 0 || read(fail[0], &err, sizeof(err)) == (ssize_t)sizeof(err)) {
		errno = pid < 0 ? errno : err;
		error_sys("cannot start %s", argv[0]);
		close(fail[0]);
		sigprocmask(SIG_SETMASK, &old, NULL);
		return -1;
	}
	close(fail[0]);
	program = pid;
	for (size_t i = 0; i < COUNT(forwarded); i++)
		sigaction(forwarded[i], &sa, &old_forwarded[i]);
	sa.sa_handler = SIG_IGN;
	for (size_t i = 0; i < COUNT(ignored); i++)
		sigaction(ignored[i], &sa, &old_ignored[i]);
	sigprocmask(SIG_SETMASK, &old, NULL);
	*status = wait_for_all(pid);
	for (size_t i = 0; i < COUNT(forwarded); i++)
		sigaction(forwarded[i], &old_forwarded[i], NULL);
	for (size_t i = 0; i < COUNT(ignored); i++)
		sigaction(ignored[i], &old_ignored[i], NULL);
	return 0;
}

const char *launch_ending(int status)
{
	static char text[32];

	if (WIFSIGNALED(status))
		snprintf(text, sizeof(text), "signal %d", WTERMSIG(status));
	else
		snprintf(text, sizeof(text), "exit %d", WEXITSTATUS(status));
	return text;
}

_Noreturn void launch_exit(int status)
{
	if (WIFSIGNALED(status)) {
		struct rlimit none = { 0, 0 };
		sigset_t set;

		/* The program's core is worth having, ours is not. */
		setrlimit(RLIMIT_CORE, &none);
		signal(WTERMSIG(status), SIG_DFL);
		sigemptyset(&set);
		sigaddset(&set, WTERMSIG(status));
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		fflush(NULL);
		raise(WTERMSIG(status));
		exit(128 + WTERMSIG(status));
	}
	exit(WEXITSTATUS(status));
}
