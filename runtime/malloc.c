/*
 * malloc.c - malloc and its family, counted and handed on.
 *
 * Preloaded, our functions stand in front of the program's allocator, whichever
 * that is: each call goes to the next definition of the same name in the order
 * of symbol search (dlsym, RTLD_NEXT), so that glibc's malloc, jemalloc or
 * mimalloc do what they always do.
 *
 * dlsym may itself allocate, and the dynamic linker allocates before anything
 * is initialised.  Such requests, made while the next allocator is not known,
 * are served from a small static arena and never given back; free() and
 * realloc() recognise its blocks by their address.  They are not counted: they
 * belong to us, not to the program.
 *
 * No lock is taken anywhere; counters are relaxed atomics (run.c).
 *
 * Where it errs: bytes are usable sizes, a little more than was asked for, and
 * a block that one thread resizes while another frees it may be counted twice
 * (the program is broken then anyway).
 */
#include "run.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define COUNT(field, n) \
	atomic_fetch_add_explicit(&run_shard()->field, (n), memory_order_relaxed)

EXPORT const char *plumb_runtime_version(void);

EXPORT const char *plumb_runtime_version(void)
{
	return PLUMB_VERSION;
}

/*
 * The next allocator
 */

static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	void (*free)(void *);
	size_t (*usable)(void *);
} next;

enum { UNKNOWN, SEARCHING, KNOWN };
static _Atomic int next_state;

static void find_next(void)
{
	int was = UNKNOWN, saved = errno;

	if (!atomic_compare_exchange_strong(&next_state, &was, SEARCHING))
		return;
	next.malloc = dlsym(RTLD_NEXT, "malloc");
	next.calloc = dlsym(RTLD_NEXT, "calloc");
	next.realloc = dlsym(RTLD_NEXT, "realloc");
	next.memalign = dlsym(RTLD_NEXT, "memalign");
	next.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
	next.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
	next.valloc = dlsym(RTLD_NEXT, "valloc");
	next.pvalloc = dlsym(RTLD_NEXT, "pvalloc");
	next.free = dlsym(RTLD_NEXT, "free");
	next.usable = dlsym(RTLD_NEXT, "malloc_usable_size");
	if (next.malloc == NULL || next.calloc == NULL || next.realloc == NULL ||
	    next.free == NULL || next.usable == NULL)
		abort();	/* no allocator behind us: nothing could go on */
	atomic_store_explicit(&next_state, KNOWN, memory_order_release);
	errno = saved;
}

/* May next be used?  If not, somebody is searching for it right now. */
static inline bool have_next(void)
{
	if (__builtin_expect(atomic_load_explicit(&next_state, memory_order_acquire) == KNOWN, 1))
		return true;
	find_next();
	return atomic_load_explicit(&next_state, memory_order_acquire) == KNOWN;
}

/*
 * The arena of early start-up.  A block is preceded by its size.
 */

#define EARLY_ALIGN 16
static char early[64 * 1024] __attribute__((aligned(4096)));
static _Atomic size_t early_used;

static inline bool is_early(const void *p)
{
	return (uintptr_t)p - (uintptr_t)early < sizeof(early);
}

static size_t early_size(const void *p)
{
	size_t n;

	memcpy(&n, (const char *)p - EARLY_ALIGN, sizeof(n));
	return n;
}

/* n zeroed bytes at a multiple of align (a power of two), or NULL. */
static void *early_alloc(size_t align, size_t n)
{
	size_t room, pos, at;

	if (align < EARLY_ALIGN)
		align = EARLY_ALIGN;
	if (align > 4096 || n > sizeof(early))
		return errno = ENOMEM, NULL;
	room = (n + align + 2 * EARLY_ALIGN - 1) & ~(size_t)(EARLY_ALIGN - 1);
	pos = atomic_load(&early_used);
	do
		if (pos + room > sizeof(early))
			return errno = ENOMEM, NULL;
	while (!atomic_compare_exchange_weak(&early_used, &pos, pos + room));
	at = (pos + EARLY_ALIGN + align - 1) & ~(align - 1);
	memcpy(early + at - EARLY_ALIGN, &n, sizeof(n));
	return early + at;
}

/*
 * Counting
 */

static inline void *counted(void *p)
{
	if (p == NULL) {
		COUNT(failures, 1);
		return NULL;
	}
	COUNT(allocations, 1);
	COUNT(bytes_allocated, next.usable(p));
	return p;
}

EXPORT void *malloc(size_t n)
{
	return have_next() ? counted(next.malloc(n)) : early_alloc(0, n);
}

EXPORT void *calloc(size_t count, size_t size)
{
	size_t n;

	if (have_next())
		return counted(next.calloc(count, size));
	if (__builtin_mul_overflow(count, size, &n))
		return errno = ENOMEM, NULL;
	return early_alloc(0, n);
}

EXPORT void free(void *p)
{
	if (p == NULL || is_early(p))
		return;
	if (!have_next())
		return;		/* cannot be: a block of next before next is known */
	COUNT(frees, 1);
	COUNT(bytes_freed, next.usable(p));
	next.free(p);
}

/* A block of the arena moves to the real allocator at its first resize. */
static void *early_resize(void *p, size_t n)
{
	size_t old = early_size(p);
	void *q;

	if (n == 0)
		return NULL;	/* as glibc: realloc(p, 0) is free(p) */
	q = malloc(n);
	if (q != NULL)
		memcpy(q, p, old < n ? old : n);
	return q;
}

EXPORT void *realloc(void *p, size_t n)
{
	size_t old;
	void *q;

	if (p == NULL)
		return malloc(n);
	if (is_early(p))
		return early_resize(p, n);
	if (!have_next())
		return errno = ENOMEM, NULL;
	old = next.usable(p);
	q = next.realloc(p, n);
	if (q != NULL) {
		COUNT(resizes, 1);
		COUNT(bytes_allocated, next.usable(q));
		COUNT(bytes_freed, old);
	} else if (n == 0) {
		COUNT(frees, 1);
		COUNT(bytes_freed, old);
	} else {
		COUNT(failures, 1);
	}
	return q;
}

EXPORT void *reallocarray(void *p, size_t count, size_t size)
{
	size_t n;

	if (__builtin_mul_overflow(count, size, &n))
		return errno = ENOMEM, NULL;
	return realloc(p, n);
}

EXPORT void *memalign(size_t align, size_t n)
{
	if (!have_next())
		return early_alloc(align, n);
	return next.memalign ? counted(next.memalign(align, n)) : (errno = ENOMEM, NULL);
}

EXPORT void *aligned_alloc(size_t align, size_t n)
{
	if (!have_next())
		return early_alloc(align, n);
	return next.aligned_alloc ? counted(next.aligned_alloc(align, n)) : (errno = ENOMEM, NULL);
}

EXPORT int posix_memalign(void **out, size_t align, size_t n)
{
	int err;

	if (!have_next()) {
		*out = early_alloc(align, n);
		return *out ? 0 : ENOMEM;
	}
	if (next.posix_memalign == NULL)
		return ENOMEM;
	err = next.posix_memalign(out, align, n);
	counted(err ? NULL : *out);
	return err;
}

EXPORT void *valloc(size_t n)
{
	if (!have_next())
		return early_alloc(4096, n);
	return next.valloc ? counted(next.valloc(n)) : (errno = ENOMEM, NULL);
}

EXPORT void *pvalloc(size_t n)
{
	if (!have_next())
		return early_alloc(4096, n);
	return next.pvalloc ? counted(next.pvalloc(n)) : (errno = ENOMEM, NULL);
}

EXPORT size_t malloc_usable_size(void *p)
{
	if (p == NULL)
		return 0;
	if (is_early(p))
		return early_size(p);
	return have_next() ? next.usable(p) : 0;
}
