/*
 * pages WHAT - what a program wants of the pages of its heap stays as it is.
 *
 *	protect	read-only pages stay read-only, executable ones executable
 *	drop	pages dropped by madvise are zero
 *	filter	nothing is called that a filter of system calls would kill for
 *	strict	the same with the kernel's own strict filter
 *
 * Exit code 0: as it should be.
 */
#include "step.inc"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES 8
#define SIZE ((size_t)PAGES * 4096)

static void *volatile sink;

/* Long enough for everything to become stale that may. */
static void pass_time(void)
{
	for (int i = 0; i < 20; i++) {
		for (int k = 0; k < 1000; k++)
			sink = malloc(100);
		step(500);
	}
}

static char *aligned(int fill)
{
	char *p = aligned_alloc(4096, SIZE);

	memset(p, fill, SIZE);
	return p;
}

/* Does a write end a child? */
static int is_writable(char *p)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		*(volatile char *)p = 1;
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return status == 0;
}

static int protect(int late)
{
	static const unsigned char code[] = { 0xb8, 42, 0, 0, 0, 0xc3 };	/* return 42 */
	char *ro = aligned(1), *x = aligned(2);
	int (*f)(void) = (int (*)(void))x;

	if (late)
		pass_time();	/* they are stale by now */
	memcpy(x, code, sizeof(code));
	if (mprotect(ro, SIZE, PROT_READ) < 0 || mprotect(x, SIZE, PROT_READ | PROT_EXEC) < 0)
		return 1;
	pass_time();
	if (f() != 42 || is_writable(ro) || is_writable(x) || ro[SIZE - 1] != 1)
		return 2;
	pass_time();
	if (f() != 42 || mprotect(ro, SIZE, PROT_READ | PROT_WRITE) < 0)
		return 3;
	ro[0] = 2;
	pass_time();
	free(ro);
	return 0;
}

static int drop(int late)
{
	char *p = aligned(1);
	int status = 0;

	if (late)
		pass_time();
	if (fork() == 0)	/* frozen pages are yet another kind */
		_exit(madvise(p, SIZE, MADV_DONTNEED) < 0 || p[0] != 0 || p[SIZE - 1] != 0);
	wait(&status);
	if (status != 0 || p[0] != 1)
		return 4;
	if (madvise(p + 4096, SIZE - 8192, MADV_DONTNEED) < 0)
		return 5;
	for (size_t i = 4096; i < SIZE - 4096; i++)
		if (p[i] != 0)
			return 6;
	pass_time();
	return p[0] == 1 && p[SIZE - 1] == 1 && p[5000] == 0 ? 0 : 7;
}

#define ALLOW(nr) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Kills for everything but what malloc of libc does. */
static int filter(int by_syscall)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_mmap), ALLOW(SYS_munmap), ALLOW(SYS_brk), ALLOW(SYS_mremap),
		ALLOW(SYS_write), ALLOW(SYS_exit_group), ALLOW(SYS_rt_sigreturn),
		ALLOW(SYS_futex),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	pass_time();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if ((by_syscall ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) :
			  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog)) < 0)
		return 8;
	pass_time();
	for (int i = 0; i < 200000; i++) {	/* the clock goes, too */
		char *p = malloc((size_t)i % 3000);

		p[0] = 1;
		if (i % 3)
			free(p);
	}
	return 0;
}

static int strict(void)
{
	pass_time();
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) < 0)
		return 8;
	for (int i = 0; i < 100000; i++)
		free(malloc(100));
	syscall(SYS_exit, 0);
	return 9;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int ret;

	if (strcmp(what, "protect") == 0)
		return (ret = protect(0)) ? ret : protect(1);
	if (strcmp(what, "drop") == 0)
		return (ret = drop(0)) ? ret : drop(1);
	if (strcmp(what, "filter") == 0)
		return filter(argc > 2);
	if (strcmp(what, "strict") == 0)
		return strict();
	return 9;
}
