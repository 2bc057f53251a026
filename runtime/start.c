/*
 * start.c - the library's beginning and end, and fork.
 *
 * Everything that allocation needs is set up by the first allocation.  Here is what
 * comes with the process: the environment, the run file, handlers of fork and exit.
 *
 * fork: all locks are taken before, in their order (threads, slots, site, age, pages,
 * meta, break), and given back on both sides, so that the child finds every table whole.  What other
 * threads did without a lock (their own bins) is rebuilt in the child.
 */
#include "age.h"
#include "exec.h"
#include "heap.h"
#include "prim.h"
#include "run.h"
#include "site.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <unistd.h>

static struct lock *const locks[] = { &threads_lock, &slots_lock, &site_lock,
				      &age_lock, &pages_lock, &meta_lock, &break_lock };
#define NLOCKS (sizeof(locks) / sizeof(locks[0]))

static bool had_threads;	/* when it forked */

static void before_fork(void)
{
	had_threads = !__libc_single_threaded;
	age_before_fork();
	for (size_t i = 0; i < NLOCKS; i++)
		lock_take(locks[i]);
	pages_freeze();
}

static void after_fork_parent(void)
{
	for (size_t i = NLOCKS; i-- > 0;)
		lock_give(locks[i]);
}

static void after_fork_child(void)
{
	for (size_t i = NLOCKS; i-- > 0;)
		atomic_store(&locks[i]->v, 0);
	base_locks -= (int)NLOCKS;
	heap_fork_child(had_threads);
	run_fork_child();
	prim_fork_child();
	pages_fork_child();
	age_fork_child();
}

static void at_exit(int status, void *arg)
{
	(void)arg;
	age_final();
	run_end(RUN_EXITED, status);
}

static unsigned read_depth(const char *s)
{
	unsigned n = 0;

	if (s == NULL)
		return 4;
	for (; *s >= '0' && *s <= '9' && n <= RUN_FRAMES; s++)
		n = n * 10 + (unsigned)(*s - '0');
	return n < 1 ? 1 : n > RUN_FRAMES ? RUN_FRAMES : n;
}

/* Seconds with a fraction, "0.5", as nanoseconds; 0 if there is nothing of use. */
static uint64_t read_seconds(const char *s)
{
	uint64_t ns = 0, unit = 1000000000;

	if (s == NULL)
		return 0;
	for (; *s >= '0' && *s <= '9' && ns < UINT64_MAX / 100; s++)
		ns = ns * 10 + (uint64_t)(*s - '0') * unit;
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++)
			ns += (uint64_t)(*s - '0') * (unit /= 10);
	return ns;
}

__attribute__((constructor(101))) static void start(void)
{
	free(malloc(1));	/* the tables are there, whatever the program does */
	if (run == NULL)
		return;		/* no memory at all: the program will notice, too */
	site_depth = read_depth(secure_getenv("PLUMB_DEPTH"));
	run->depth = site_depth;
	atomic_fetch_add(&site_epoch, 1);
	heap_start();
	run_start();
	exec_left_out = run_program_left_out;
	age_set_interval(read_seconds(secure_getenv("PLUMB_INTERVAL")));
	age_start();
	pthread_atfork(before_fork, after_fork_parent, after_fork_child);
	on_exit(at_exit, NULL);
}

/* fork without its handlers.  It may be called in a signal handler: if that came upon us
 * with a lock in our hands, nothing can be done but to go on. */
EXPORT pid_t _Fork(void);

EXPORT pid_t _Fork(void)
{
	static pid_t (*_Atomic next)(void);
	pid_t pid;

	if (next == NULL)
		next = (pid_t(*)(void))dlsym(RTLD_NEXT, "_Fork");
	if (next == NULL || base_locks > 0)
		return next ? next() : -1;
	before_fork();
	pid = next();
	if (pid == 0)
		after_fork_child();
	else
		after_fork_parent();
	return pid;
}
