/*
 * leaving HOW DIR - a daemon that leaves all behind that it had when it started: its parent,
 * its descriptors, and, if it is root, its root folder (for DIR) and its user.
 *
 *	closefrom, loop	closes all descriptors by calls of libc
 *	raw		the same by a system call of its own, which nobody can stand before
 *
 * After that the daemon allocates at a thousand places, and so does a child that it forks.
 * Prints the process ids of both.
 */
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile sink;

static __attribute__((noinline)) void keep(size_t n)
{
	sink = malloc(n);
}

#define PLACE keep(100);
#define TEN(x) x x x x x x x x x x
#define THOUSAND TEN(TEN(TEN(PLACE)))

static __attribute__((noinline)) void at_many_places(void)
{
	THOUSAND
}

static __attribute__((noinline)) void at_others(void)
{
	THOUSAND
}

static void close_all(const char *how)
{
	long ret = 0;

	if (!strcmp(how, "closefrom"))
		closefrom(0);
	else if (!strcmp(how, "loop"))
		for (int i = 0; i < 66000; i++)
			close(i);
	else
		__asm__ volatile("syscall" : "=a"(ret)
				 : "a"((long)SYS_close_range), "D"(0L), "S"(~0u), "d"(0L)
				 : "rcx", "r11", "memory");
	if (ret != 0)
		_exit(10);
}

static int daemon_main(const char *how, const char *dir, int out)
{
	int root = geteuid() == 0, status;
	char text[64];
	pid_t pid;

	setsid();
	if (root && (chroot(dir) < 0 || chdir("/") < 0 || setgroups(0, NULL) < 0 ||
		     setgid(65534) < 0 || setuid(65534) < 0))
		return 11;
	/* what is said is said now, as no descriptor is left afterwards */
	if (write(out, text, (size_t)snprintf(text, sizeof(text), "%d\n", (int)getpid())) < 0)
		return 12;
	close_all(how);
	at_many_places();
	pid = fork();
	if (pid == 0) {
		at_others();
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status != 0)
		return 13;
	kill(getpid(), 9);
	return 14;
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc < 3)
		return 1;
	keep(10);
	pid = fork();
	if (pid == 0)
		_exit(daemon_main(argv[1], argv[2], 1));
	if (waitpid(pid, &status, 0) != pid)
		return 2;
	return WIFSIGNALED(status) ? WTERMSIG(status) : 100 + WEXITSTATUS(status);
}
