/*
 * heap.h - objects: classes, pools, bins, threads.
 *
 * The way of an allocation: malloc.c (entry points) -> heap_alloc() -> the thread's
 * cache of contexts (struct chain), or unwind.h and site.h -> the thread's bin of
 * that site and class -> the bin's pool -> a free slot of the pool's current span.
 * The way of a free: the page map (pages.h) -> the span -> its bit.
 */
#ifndef RUNTIME_HEAP_H
#define RUNTIME_HEAP_H

#include "pages.h"
#include "site.h"
#include "unwind.h"

#define NCLASSES 56
#define SMALL_MAX 8192		/* larger objects are large spans */
#define CLASS_LARGE NCLASSES
#define OWN_OBJECTS 64		/* live objects, or ... */
#define OWN_BYTES 16384		/* ... bytes at which a bin gets pages of its own */

extern const uint16_t class_size[NCLASSES];
extern uint8_t class_of_size[SMALL_MAX / 16 + 1];	/* by (bytes + 15) / 16 */

/* Another allocator, for the objects of chosen sites (site->alt) and for address
 * ranges announced with pages_adopt() (span->alt).  All members are needed.  None
 * may call malloc. */
struct heap_alt {
	/* n bytes at a multiple of align (at least 16); *zero: are they zeros?  NULL:
	 * the heap shall serve the request. */
	void *(*alloc)(struct site *site, size_t n, size_t align, bool *zero);
	void (*free)(struct span *s, void *p);
	size_t (*usable)(struct span *s, void *p);
};

struct pool {
	struct span *current;	/* never NULL */
	struct span *resting;	/* current again at the next allocation, or NULL */
	struct span *partial, *drained;
	uint32_t npartial, ndrained;
	uint32_t nspans;	/* all */
	uint32_t cls;
	uint64_t seen;		/* what the current span was like at the last pool_rest() */
};

/* Of one thread, one site, one class. */
struct bin {
	struct pool *pool;	/* its own, or the thread's common one */
	struct run_bin *count;
	uint32_t index;		/* of count */
	uint32_t key;		/* site << 6 | class */
	struct site *site;
	struct pool own;
};

/* A context seen lately, by return address and stack pointer of the call.  Several
 * contexts may agree in these: a set has room for four. */
struct chain {
	uintptr_t ra, sp;
	uintptr_t bp;		/* counts only if uses_bp */
	struct site *site;
	struct bin *bin;	/* for class cls, or NULL */
	uint16_t cls;
	uint8_t nchecks;
	bool uses_bp;
	uint32_t unused;
	struct unwind_check checks[UNWIND_CHECKS];
};

_Static_assert(sizeof(struct chain) == 128, "two cache lines");

#define CHAIN_SETS 64
#define CHAIN_WAYS 4
#define CACHED_PAGES 16
#define KEPT_SPANS 8
#define KEPT_PAGES 64		/* in all of a thread's kept spans */

struct thread {
	uint32_t countdown;	/* allocations until the next look at the clock */
	uint32_t epoch;		/* site_epoch when chains were valid */
	uint64_t rested;	/* run->ticks at the last pool_rest_all() */
	struct unwind_stack stack;
	struct pool common[NCLASSES];
	struct bin **bins;	/* open addressing, by key */
	uint32_t nbins, bins_cap;
	uint32_t ncached;
	struct span *cached[CACHED_PAGES];	/* empty small spans of one page */
	uint32_t nkept, kept_pages;
	struct span *kept[KEPT_SPANS];	/* of large objects, free */
	struct span *_Atomic pending;
	struct thread *next;	/* all threads */
	_Atomic bool idle;	/* its thread has ended; under threads_lock */
	uint32_t victim;	/* the way of a chain to be replaced next */
	struct chain chains[CHAIN_SETS][CHAIN_WAYS] __attribute__((aligned(64)));
};

extern __thread struct thread *heap_self __attribute__((tls_model("initial-exec")));
extern struct lock threads_lock, slots_lock;

/* All of these as their namesakes of libc; frame is __builtin_frame_address(0) of the
 * exported function. */
void *heap_alloc(size_t n, const uintptr_t *frame);
void *heap_alloc_zero(size_t n, const uintptr_t *frame);
void *heap_alloc_aligned(size_t align, size_t n, const uintptr_t *frame);
void *heap_realloc(void *p, size_t n, const uintptr_t *frame);
void heap_free(void *p);
size_t heap_usable(void *p);

/* The calling thread's struct; NULL without memory. */
struct thread *thread_get(void);
/* At the end of every call that may have used thread_get(): a thread that allocates after
 * it has given its struct up (in destructors of thread data that run late) has one for
 * the call only. */
void thread_put_back(void);

/* Gives back what a thread keeps for large objects. */
void heap_drop_kept(struct thread *t);

void heap_start(void);
void heap_thread_end(void);
/* In a forked child: only this thread is left. */
void heap_fork_child(bool had_threads);

/* Live objects of a small span: slots neither free nor remotely freed. */
unsigned span_live(const struct span *s);

/* Is [p, p + n) in a large object whose pages are not ordinary private memory? */
bool heap_is_shared(const void *p, size_t n);

/* Calls f for the drained spans of this thread's bins. */
void heap_drained(void (*f)(struct span *s, void *arg), void *arg);

/* Allocations so far, over all bins: the clock of allocation time. */
uint64_t heap_allocations(void);

#endif
