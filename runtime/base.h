/*
 * base.h - what every file of the library uses: asserts, a lock, memory for tables.
 *
 * The library stands between the program and its memory.  It may be called before
 * libc is initialised and after it has gone, in any thread, in a forked child of a
 * threaded process.  So nothing here allocates with malloc or uses stdio, errno is
 * kept where a system call is made on the program's behalf, and each lock is taken
 * before fork and released on both sides (fork.c).
 *
 * vocabulary of the library
 *	context		the innermost return addresses of a call of malloc
 *	site		a context that was seen: site.h
 *	class		a slot size: heap.h
 *	span		one or more pages, with slots of one class, or one large object
 *	bin		where a thread keeps the spans of one site and class
 *	common		spans shared by the sites of a thread that have few objects
 *	tick		the periodic look at the heap: age.h
 */
#ifndef RUNTIME_BASE_H
#define RUNTIME_BASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_SHIFT 12
#define PAGE ((size_t)1 << PAGE_SHIFT)

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define EXPORT __attribute__((visibility("default")))

/* Ends the process with a line on standard error. */
_Noreturn void base_broken(const char *what, const char *file, int line);

#ifdef PLUMB_DEBUG
#define check(x) ((x) ? (void)0 : base_broken(#x, __FILE__, __LINE__))
#else
#define check(x) ((void)sizeof((x) ? 1 : 0))
#endif

/* A number that one thread changes and others may read: no bus lock. */
#define counter_add(p, n) \
	atomic_store_explicit((p), atomic_load_explicit((p), memory_order_relaxed) + (n), \
			      memory_order_relaxed)
#define counter_get(p) atomic_load_explicit((p), memory_order_relaxed)
#define counter_set(p, n) atomic_store_explicit((p), (n), memory_order_relaxed)

/* A mutex on a futex.  0: free, 1: taken, 2: taken and waited for. */
struct lock {
	_Atomic int v;
};

/* Locks that this thread holds: a signal handler must not wait for one of them. */
extern __thread int base_locks __attribute__((tls_model("initial-exec")));

void lock_wait(struct lock *l);
void lock_wake(struct lock *l);

static inline bool lock_try(struct lock *l)
{
	int zero = 0;

	base_locks++;
	if (likely(atomic_compare_exchange_strong_explicit(&l->v, &zero, 1, memory_order_acquire,
							   memory_order_relaxed)))
		return true;
	base_locks--;
	return false;
}

static inline void lock_take(struct lock *l)
{
	if (unlikely(!lock_try(l)))
		lock_wait(l);
}

static inline void lock_give(struct lock *l)
{
	if (unlikely(atomic_exchange_explicit(&l->v, 0, memory_order_release) == 2))
		lock_wake(l);
	base_locks--;
}

/* n zeroed bytes, 16-aligned, for the library's own tables, never given back; NULL
 * without memory.  Takes a lock of its own. */
void *meta_alloc(size_t n);
/* The same, at the start of a cache line. */
void *meta_alloc_lines(size_t n);
size_t meta_used(void);
extern struct lock meta_lock;

/* Fresh zeroed memory of n bytes (a multiple of PAGE), or NULL.  errno is kept.  Takes a lock
 * of its own, the last of all. */
void *os_map(size_t n);
extern struct lock break_lock;
/* mmap has failed, and what can be done without a new mapping should be. */
extern _Atomic bool os_few_mappings;
/* At the beginning: keeps what os_map() gives back when there are no mappings left. */
void os_keep_spare(void);
void os_unmap(void *p, size_t n);

/* System calls by number: libc's functions of that name may be ours (wrap.c).  The result,
 * or -1 with errno set. */
long os_syscall(long number, long a, long b, long c, long d, long e, long f);
int os_close(int fd);
int os_madvise(void *p, size_t n, int advice);

/* The process has its system calls filtered (seccomp): none must be made that malloc of
 * libc would not make. */
extern _Atomic bool os_filtered;

/* ns of CLOCK_MONOTONIC, exact or to a few ms. */
uint64_t os_now(void);
uint64_t os_now_coarse(void);
/* From now on these two stand still, and move only by calls of this: by ns. */
uint64_t os_step(uint64_t ns);
bool os_is_stepped(void);
/* ns of CPU time of this thread. */
uint64_t os_cpu(void);

#endif
