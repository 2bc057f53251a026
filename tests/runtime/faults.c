/*
 * faults WHAT - a program in trouble: fill, limit, stack, abort, handler, maps, fds,
 * listed, chroot, locked.  Exit code 0: as it should be.
 */
#include "step.inc"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static void *volatile sink;

/* Blocks until there is no memory; all of them freed; some again.  Prints MB. */
static int fill(void)
{
	struct block {
		struct block *next;
		char data[];
	} *all = NULL, *b;
	size_t total = 0, n = 0;

	while ((b = malloc(n = 100 + total % 50000)) != NULL) {
		b->next = all;
		b->data[n - 100] = 1;
		all = b;
		total += n;
	}
	if (errno != ENOMEM)
		return 1;
	while (all != NULL) {
		b = all->next;
		free(all);
		all = b;
	}
	for (int i = 0; i < 100; i++)
		if ((sink = malloc(10000)) == NULL)
			return 2;
	printf("%zu\n", total >> 20);
	return 0;
}

static int limit(void)
{
	struct rlimit l = { 300 << 20, 300 << 20 };
	void *p, *q;

	setrlimit(RLIMIT_AS, &l);
	for (int i = 0; i < 1000; i++)
		if ((sink = malloc(50000)) == NULL)
			return 1;	/* 50 of 300 MB */
	p = malloc((size_t)400 << 20);
	if (p != NULL || errno != ENOMEM)
		return 2;
	q = malloc(100);
	p = realloc(q, (size_t)400 << 20);
	if (p != NULL)
		return 3;
	free(q);
	return 0;
}

static int recurse(int n)
{
	volatile char frame[10000];

	frame[0] = (char)n;
	sink = malloc(100);
	if (sink == (void *)&frame)
		return 0;	/* never */
	return recurse(n + 1) + frame[0];
}

static sigjmp_buf back;
static volatile int handled;

static void on_segv(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	handled += info->si_addr == (void *)16;
	siglongjmp(back, 1);
}

static int handler(void)
{
	struct sigaction sa = { .sa_sigaction = on_segv, .sa_flags = SA_SIGINFO | SA_ONSTACK }, old;
	stack_t st = { .ss_sp = malloc(65536), .ss_size = 65536 };

	sigaltstack(&st, NULL);
	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGSEGV, NULL, &old);
	if (old.sa_sigaction != on_segv)
		return 1;
	for (volatile int i = 0; i < 10; i++) {
		for (int k = 0; k < 1000; k++)
			sink = malloc(100);
		step(500);
		if (sigsetjmp(back, 1) == 0)
			*(volatile char *)16 = 1;
	}
	return handled == 10 ? 0 : 2;
}

static void *nothing(void *arg)
{
	return arg;
}

/* Takes all mappings but a few, allocates, waits to be watched, and starts a thread. */
static int maps(void)
{
	static char *p[70000];
	int n = 0;
	pthread_t t;

	while (n < 70000) {
		p[n] = mmap(NULL, 4096, n % 2 ? PROT_READ : PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p[n] == MAP_FAILED)
			break;
		n++;
	}
	for (int r = 0; r < 5; r++) {
		for (int i = 0; i < 500; i++)
			if ((sink = malloc(400)) == NULL)
				break;		/* the kernel gives nothing more */
		step(500);
	}
	for (int i = 0; i < 400; i++)
		munmap(p[--n], 4096);
	for (int r = 0; r < 5; r++) {
		for (int i = 0; i < 5000; i++)
			if ((sink = malloc(400)) == NULL)
				return 1;
		step(500);
	}
	if (pthread_create(&t, NULL, nothing, NULL) != 0)
		return 2;
	pthread_join(t, NULL);
	return 0;
}

static int fds(void)
{
	int n = 0, fd;

	for (int i = 0; i < 20; i++) {
		for (int k = 0; k < 2000; k++)
			sink = malloc(100);
		step(500);
	}
	for (int i = 3; i < 4096; i++)
		close(i);
	while ((fd = dup(2)) >= 0)
		if (fd != 3 + n++ && fd < 500)
			return 1;	/* somebody sits in between */
	closefrom(3);
	for (int i = 0; i < 20; i++) {
		for (int k = 0; k < 2000; k++)
			sink = malloc(100);
		step(500);
	}
	return dup(2) == 3 ? 0 : 2;
}

static int allocate_for_a_while(void)
{
	for (int i = 0; i < 20; i++) {
		for (int k = 0; k < 2000; k++)
			sink = malloc(100);
		step(500);
	}
	return 0;
}

/* Descriptors that are not ours, while pages are watched: none up to the limit, if it
 * may be raised, and few in all. */
static int listed(void)
{
	struct rlimit l, more;
	int n = 0, entries = 0, may_raise;
	DIR *d;

	getrlimit(RLIMIT_NOFILE, &l);
	more = (struct rlimit){ l.rlim_cur + 8, l.rlim_max > l.rlim_cur ? l.rlim_max : l.rlim_cur + 8 };
	may_raise = setrlimit(RLIMIT_NOFILE, &more) == 0;
	setrlimit(RLIMIT_NOFILE, &l);
	allocate_for_a_while();
	for (int fd = 3; fd < (int)l.rlim_cur && fd < 100000; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	d = opendir("/proc/self/fd");
	while (d && readdir(d))
		entries++;
	printf("%d up to the limit, %d in all\n", n, entries - 6);	/* . .. 0 1 2 and d */
	return (may_raise && n > 0) || entries - 6 > 2;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	if (strcmp(what, "fill") == 0)
		return fill();
	if (strcmp(what, "limit") == 0)
		return limit();
	if (strcmp(what, "stack") == 0)
		return recurse(0);
	if (strcmp(what, "abort") == 0)
		abort();
	if (strcmp(what, "handler") == 0)
		return handler();
	if (strcmp(what, "maps") == 0)
		return maps();
	if (strcmp(what, "fds") == 0)
		return fds();
	if (strcmp(what, "listed") == 0)
		return listed();
	if (strcmp(what, "chroot") == 0) {
		allocate_for_a_while();
		if (chroot(".") < 0 && errno != EPERM)
			return 1;
		return allocate_for_a_while();
	}
	if (strcmp(what, "locked") == 0) {
		mlockall(MCL_CURRENT | MCL_FUTURE);
		return allocate_for_a_while();
	}
	return 9;
}
