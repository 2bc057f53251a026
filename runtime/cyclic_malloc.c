/*
 * cyclic_malloc.c - malloc and its family for `plumb run`: cyclic buffers for the
 * sites of the plan, the program's own allocator for everything else.
 *
 * Preloaded (libplumb-run.so), our functions stand in front of whatever allocator
 * the program has, found by dlsym(RTLD_NEXT).  A call looks up its site by the
 * return addresses on the stack; a free looks at the address.  An object of a
 * cyclic buffer may be given to realloc, which makes a new object at the site of
 * that call, as in training.
 *
 * Requests that come before the next allocator is known (dlsym may allocate) are
 * served from a small static arena and never given back.
 */
#include "cyclic.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * The next allocator
 */

static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void *(*memalign)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void (*free)(void *);
	size_t (*usable)(void *);
	int (*dlclose)(void *);
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
	next.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
	next.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
	next.free = dlsym(RTLD_NEXT, "free");
	next.usable = dlsym(RTLD_NEXT, "malloc_usable_size");
	next.dlclose = dlsym(RTLD_NEXT, "dlclose");
	if (next.malloc == NULL || next.calloc == NULL || next.realloc == NULL ||
	    next.free == NULL || next.usable == NULL)
		abort();	/* no allocator behind us: nothing could go on */
	atomic_store_explicit(&next_state, KNOWN, memory_order_release);
	errno = saved;
}

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

static char early[32 * 1024] __attribute__((aligned(4096)));
static _Atomic size_t early_used;

static inline bool is_early(const void *p)
{
	return (uintptr_t)p - (uintptr_t)early < sizeof(early);
}

static size_t early_size(const void *p)
{
	size_t n;

	memcpy(&n, (const char *)p - CYCLIC_ALIGN, sizeof(n));
	return n;
}

static void *early_alloc(size_t n)
{
	size_t room = (n + 2 * CYCLIC_ALIGN - 1) & ~(size_t)(CYCLIC_ALIGN - 1), at;

	if (n > sizeof(early))
		return errno = ENOMEM, NULL;
	at = atomic_fetch_add(&early_used, room);
	if (at + room > sizeof(early))
		return errno = ENOMEM, NULL;
	memcpy(early + at, &n, sizeof(n));
	return early + at + CYCLIC_ALIGN;
}

/*
 * The site of a call.  These must be the bodies of the exported functions: their
 * own frame is where the walk begins.
 */

/* A block of the cyclic buffer of the calling function's site, or NULL. */
#define TRY(align, n) \
	(__builtin_expect(cyclic_plan != NULL, 1) ? \
	 try_cyclic(__builtin_frame_address(0), (align), (n)) : NULL)

static inline __attribute__((always_inline)) void *try_cyclic(const uintptr_t *frame, size_t align,
							      size_t n)
{
	struct cyclic_site *s = cyclic_plan_find(frame);

	return s != NULL ? cyclic_alloc(s, align, n) : NULL;
}

EXPORT void *malloc(size_t n)
{
	void *p = TRY(0, n);

	if (p != NULL)
		return p;
	return have_next() ? next.malloc(n) : early_alloc(n);
}

EXPORT void *calloc(size_t count, size_t size)
{
	size_t n;
	void *p;

	if (__builtin_mul_overflow(count, size, &n))
		return errno = ENOMEM, NULL;
	p = TRY(0, n);
	if (p != NULL)
		return memset(p, 0, n);
	return have_next() ? next.calloc(count, size) : early_alloc(n);
}

EXPORT void free(void *p)
{
	if (cyclic_owns(p)) {
		cyclic_free(p);
		return;
	}
	if (p == NULL || is_early(p))
		return;
	if (have_next())
		next.free(p);
}

static size_t size_of(void *p)
{
	if (cyclic_owns(p))
		return cyclic_size(p);
	return is_early(p) ? early_size(p) : next.usable(p);
}

/* p moves to q, which has room for n bytes.  They may overlap: both can be in the
 * same cyclic buffer. */
static void *move(void *q, void *p, size_t n)
{
	size_t old = size_of(p);

	memmove(q, p, old < n ? old : n);
	free(p);
	return q;
}

EXPORT void *realloc(void *p, size_t n)
{
	void *q;

	if (p != NULL && n == 0) {	/* as glibc */
		free(p);
		return NULL;
	}
	if (p != NULL && (q = TRY(0, n)) != NULL)
		return move(q, p, n);
	if (p == NULL && (q = TRY(0, n)) != NULL)
		return q;
	if (!have_next())
		return p == NULL ? early_alloc(n) : NULL;
	if (p == NULL || (!cyclic_owns(p) && !is_early(p)))
		return next.realloc(p, n);
	q = next.malloc(n);
	return q != NULL ? move(q, p, n) : NULL;
}

EXPORT void *memalign(size_t align, size_t n)
{
	void *p = (align & (align - 1)) == 0 ? TRY(align, n) : NULL;

	if (p != NULL)
		return p;
	return have_next() && next.memalign ? next.memalign(align, n) : (errno = ENOMEM, NULL);
}

EXPORT void *aligned_alloc(size_t align, size_t n)
{
	void *p = (align & (align - 1)) == 0 ? TRY(align, n) : NULL;

	if (p != NULL)
		return p;
	return have_next() && next.aligned_alloc ? next.aligned_alloc(align, n) :
						   (errno = ENOMEM, NULL);
}

EXPORT int posix_memalign(void **out, size_t align, size_t n)
{
	void *p = NULL;

	if (align >= sizeof(void *) && (align & (align - 1)) == 0)
		p = TRY(align, n);
	if (p != NULL)
		return *out = p, 0;
	return have_next() && next.posix_memalign ? next.posix_memalign(out, align, n) : ENOMEM;
}

EXPORT size_t malloc_usable_size(void *p)
{
	if (p == NULL || !have_next())
		return 0;
	return size_of(p);
}

/*
 * operator new of C++.  Training takes it for a function that allocates, so that the site is
 * that of its caller; libstdc++'s would call malloc, with itself as the caller.  If
 * the site has no buffer, libstdc++ does its work, and throws what there is to
 * throw.  (Aligned ones are not known to all versions of Valgrind: then their calls of
 * aligned_alloc are sites.)  operator delete calls free.
 */

typedef struct cxx_nothrow cxx_nothrow;	/* only passed on */

static void *next_of(const char *name, _Atomic(void *) *known)
{
	void *f = atomic_load_explicit(known, memory_order_acquire);

	if (f == NULL) {
		f = dlsym(RTLD_NEXT, name);
		if (f == NULL)
			abort();	/* who calls it has a C++ library */
		atomic_store_explicit(known, f, memory_order_release);
	}
	return f;
}

#define OPERATOR_NEW(name, align, params, ...) \
	EXPORT void *name params; \
	EXPORT void *name params \
	{ \
		static _Atomic(void *) known; \
		void *p = TRY((align), n); \
\
		return p != NULL ? p : ((void *(*)params)next_of(#name, &known))(__VA_ARGS__); \
	}

OPERATOR_NEW(_Znwm, 0, (size_t n), n)
OPERATOR_NEW(_Znam, 0, (size_t n), n)
OPERATOR_NEW(_ZnwmRKSt9nothrow_t, 0, (size_t n, const cxx_nothrow *t), n, t)
OPERATOR_NEW(_ZnamRKSt9nothrow_t, 0, (size_t n, const cxx_nothrow *t), n, t)
OPERATOR_NEW(_ZnwmSt11align_val_t, align, (size_t n, size_t align), n, align)
OPERATOR_NEW(_ZnamSt11align_val_t, align, (size_t n, size_t align), n, align)
OPERATOR_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, align, (size_t n, size_t align, const cxx_nothrow *t),
	     n, align, t)
OPERATOR_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, align, (size_t n, size_t align, const cxx_nothrow *t),
	     n, align, t)

/* What is unloaded may come back as something else. */
EXPORT int dlclose(void *handle)
{
	int ret = have_next() && next.dlclose ? next.dlclose(handle) : -1;

	cyclic_plan_forget();
	return ret;
}

/*
 * fork
 */

static void before_fork(void)
{
	if (cyclic_plan == NULL)
		return;
	cyclic_lock();
	cyclic_watch_before_fork();
}

static void after_fork(void)
{
	if (cyclic_plan != NULL)
		cyclic_unlock();
}

static void in_child(void)
{
	if (cyclic_plan == NULL)
		return;
	cyclic_lock_reset();
	atomic_fetch_add(&cyclic_plan->processes, 1);
}

__attribute__((constructor(102))) static void start(void)
{
	have_next();
	cyclic_note = (void (*)(void *, size_t))dlsym(RTLD_DEFAULT, "plumb_guard_note");
	pthread_atfork(before_fork, after_fork, in_child);
}
