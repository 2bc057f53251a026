/*
 * run.c - the run page: how counters get into the run file.
 *
 * The counters live at a fixed address, in a page of our own .bss.  Allocation
 * starts long before environment variables can be read, so that page counts
 * from the first instruction on; once the library is initialised, the run file
 * is mapped over the very same page.  The fast path thus needs no pointer and
 * no question whether a file is there, and without one it costs the same.
 *
 * What can go wrong must stay ours: no file, a full disk or pages of another size
 * only mean that nothing is left behind.  The page is written before it is mapped,
 * so that its blocks exist and a later store cannot raise SIGBUS; a file system
 * that copies on write breaks that promise when it is full.
 *
 * After fork the child would count in its parent's file.  A handler of
 * pthread_atfork gives it a fresh page and a file of its own.  A child made by
 * a bare clone system call is not seen: it counts for its parent.
 *
 * Nothing here allocates or uses stdio, and all of it may be called in a forked
 * child of a threaded process.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct run_page run_page __attribute__((aligned(RUN_PAGE)));

static char run_name[4096];	/* absolute; "" without a run file */
static _Atomic unsigned next_shard;
static __thread unsigned my_shard;	/* index + 1 */

struct run_shard *run_shard(void)
{
	if (my_shard == 0)
		my_shard = 1 + atomic_fetch_add_explicit(&next_shard, 1, memory_order_relaxed) %
				       RUN_SHARDS;
	return &run_page.shards[my_shard - 1];
}

/* Appends s to the string in buf, of size n; false if it does not fit. */
static bool append(char *buf, size_t n, const char *s)
{
	size_t len = strlen(buf), k = strlen(s);

	if (len + k >= n)
		return false;
	memcpy(buf + len, s, k + 1);
	return true;
}

static bool append_number(char *buf, size_t n, unsigned long v)
{
	char digits[24], *p = digits + sizeof(digits) - 1;

	*p = 0;
	do
		*--p = (char)('0' + v % 10);
	while ((v /= 10) != 0);
	return append(buf, n, p);
}

/* Keeps the name that the environment gives, made absolute: the program may
 * change its folder before it forks. */
static void set_name(const char *name)
{
	run_name[0] = 0;
	if (name == NULL || *name == 0)
		return;
	if (*name != '/' &&
	    (getcwd(run_name, sizeof(run_name) - 1) == NULL ||
	     !append(run_name, sizeof(run_name), "/"))) {
		run_name[0] = 0;
		return;
	}
	if (!append(run_name, sizeof(run_name), name))
		run_name[0] = 0;
}

/* A new file, by the rule of names in runfile.h; its descriptor or -1. */
static int create_file(bool first)
{
	char name[sizeof(run_name) + 64];
	int fd = -1;

	for (unsigned try = first ? 0 : 1; try < 100; try++) {
		strcpy(name, run_name);
		if (try > 0 && (!append(name, sizeof(name), ".") ||
				!append_number(name, sizeof(name), (unsigned long)getpid())))
			return -1;
		if (try > 1 && (!append(name, sizeof(name), ".") ||
				!append_number(name, sizeof(name), try)))
			return -1;
		fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Copies the page into fd and maps that over the page. */
static void map_file(int fd)
{
	const char *p = (const char *)&run_page;
	size_t left = RUN_PAGE;

	while (left > 0) {
		ssize_t k = write(fd, p, left);

		if (k <= 0)
			return;
		p += k;
		left -= (size_t)k;
	}
	if (mmap(&run_page, RUN_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
	    MAP_FAILED)
		return;		/* MAP_FIXED has failed before it unmapped */
	atomic_thread_fence(memory_order_release);
	memcpy(run_page.magic, RUN_MAGIC, sizeof(run_page.magic));
}

static void describe_process(void)
{
	struct timespec now = { 0, 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	run_page.version = 1;
	run_page.nshards = RUN_SHARDS;
	run_page.pid = (uint32_t)getpid();
	run_page.start_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	atomic_store(&run_page.state, RUN_LIVE);
}

static void open_file(bool first)
{
	int saved = errno, fd;

	describe_process();
	if (run_name[0] != 0 && getauxval(AT_PAGESZ) == RUN_PAGE &&
	    (fd = create_file(first)) >= 0) {
		map_file(fd);
		close(fd);
	}
	errno = saved;
}

/* The child's page is its parent's: leave that, and begin anew. */
static void after_fork(void)
{
	int saved = errno;

	if (run_name[0] != 0 && mmap(&run_page, RUN_PAGE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
				     0) != MAP_FAILED)
		open_file(false);
	errno = saved;
}

__attribute__((constructor(101))) static void run_start(void)
{
	set_name(secure_getenv("PLUMB_RUN_FILE"));
	open_file(true);
	pthread_atfork(NULL, NULL, after_fork);
}

__attribute__((destructor(101))) static void run_end(void)
{
	atomic_store(&run_page.state, RUN_EXITED);
}
