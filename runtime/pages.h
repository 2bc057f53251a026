/*
 * pages.h - spans: runs of pages, and the way from an address to its span.
 */
#ifndef RUNTIME_PAGES_H
#define RUNTIME_PAGES_H

#include "base.h"

struct bin;
struct thread;
struct heap_alt;

enum span_kind {
	SPAN_FREE,		/* in the lists of free runs */
	SPAN_SMALL,		/* slots of one class */
	SPAN_LARGE,		/* one object, at the span's start */
	SPAN_KEPT,		/* was that; free, and kept by a thread for the next one */
	SPAN_ALT,		/* another allocator's range: alt */
};

/* What kind of memory is under the pages; prim.h tells more. */
enum span_mem {
	MEM_PRIVATE,		/* anonymous */
	MEM_SHARED,		/* of the memfd: touches can be seen */
	MEM_FROZEN,		/* a private view of a memfd that nobody writes any more */
	MEM_KINDS,
};

enum span_where {		/* of a small span, known to its owner */
	AT_NOWHERE,		/* (nearly) full, or in a cache of empty pages */
	AT_CURRENT,		/* its pool allocates from it */
	AT_REST,		/* did so, and will again; meanwhile it ages */
	AT_PARTIAL,		/* on its pool's list: an eighth to three quarters free */
	AT_DRAINED,		/* on its pool's other list: more is free */
};

enum span_age {			/* age.h; under age_lock */
	AGE_NONE, AGE_ACTIVE, AGE_INACTIVE,
	AGE_PINNED,		/* the program has plans with its pages: never watched */
};

struct span {
	/* What is seldom needed: a cache line. */
	struct span *next, *prev;	/* free runs; a list of its pool */
	struct span *older, *newer;	/* aging queue */
	struct span *pending;	/* the owner's list of remotely freed spans */
	uint32_t npages;
	uint32_t since;		/* inactive: since when, ms since the watch began */
	uint32_t since_allocations;	/* in units of AGE_ALLOCATIONS (age.h) */
	_Atomic uint16_t remote_done;	/* remote frees that are complete; wraps */
	uint16_t collected;	/* remote frees that the owner has taken in; wraps */
	_Atomic uint8_t queued;	/* 1: on the pending list */
	uint8_t mem, cls;
	uint8_t age;
	bool dirty;		/* pages may hold other than zeros */
	_Atomic bool in_use;	/* drained: was found touched since */
	uint16_t merge;		/* shares a page with others (merge.h); 0: does not */

	/* What every allocation needs: with the bits of up to 64 slots, a cache line. */
	struct thread *owner;	/* small: who allocates from it */
	union {
		struct bin *bin;	/* small: whose slots these are; NULL: common */
		const struct heap_alt *alt;
	};
	union {
		uint32_t *slot_bin;	/* small and common: RUN_BINS index of each slot */
		uint64_t large_bin;	/* large: RUN_BINS index */
		void *alt_data;
	};
	uintptr_t base;
	uint32_t recip;		/* slot = offset * recip >> 32 */
	uint16_t size;		/* of a slot */
	uint16_t nslots;
	uint16_t nfree;		/* the owner's: remotely freed slots are not in it */
	uint8_t kind;
	uint8_t words;
	uint8_t word;		/* where to look for a free slot first */
	uint8_t where;
	uint16_t trigger;	/* free slots at which it changes its list; not if current */
	_Atomic uint64_t bits[];	/* free slots [words], remotely freed [words] */
};

_Static_assert(offsetof(struct span, owner) == 64, "a cache line");
_Static_assert(offsetof(struct span, bits) == 64 + 48, "two cache lines with 64 slots");

/*
 * The page map: root -> table (256 GB of addresses) -> leaf (32 MB).  The first table in use is
 * at hand without the root: as a rule there is no other.
 */
#define LEAF_SHIFT 25
#define TABLE_SHIFT 38
#define LEAF_PAGES ((size_t)1 << (LEAF_SHIFT - PAGE_SHIFT))
#define TABLE_LEAVES ((size_t)1 << (TABLE_SHIFT - LEAF_SHIFT))
#define ROOTS ((size_t)1 << (47 - TABLE_SHIFT))

struct leaf {
	struct span *_Atomic span[LEAF_PAGES];
	_Atomic uint64_t shared[LEAF_PAGES / 64];	/* pages of the memfd (not frozen ones) */
	_Atomic uint64_t watched[LEAF_PAGES / 64];	/* pages of inactive spans; age_lock */
	_Atomic uint64_t ours[LEAF_PAGES / 64];	/* pages that we have, in use or free */
	size_t low, high;	/* which of the pages have ever been ours */
};

struct leaf_table {
	struct leaf *_Atomic leaf[TABLE_LEAVES];
};

extern struct leaf_table *_Atomic pages_root[ROOTS];
extern struct leaf_table pages_home;
extern _Atomic uintptr_t pages_home_root;	/* which of the roots leads to it */
extern size_t pages_low, pages_high;	/* numbers of the leaves that are in use lie here */

struct leaf *pages_leaf_away(uintptr_t a);

/* The leaf of an address; NULL: nothing there is ours. */
static inline struct leaf *pages_leaf(uintptr_t a)
{
	if (unlikely(a >> TABLE_SHIFT != counter_get(&pages_home_root)))
		return pages_leaf_away(a);
	return atomic_load_explicit(&pages_home.leaf[a >> LEAF_SHIFT & (TABLE_LEAVES - 1)],
				    memory_order_acquire);
}

/* The span that p lies in, as far as the span's first page (or, small spans, any
 * page) goes; NULL if p is none of ours.  Any address may be asked for. */
static inline struct span *span_of(const void *p)
{
	uintptr_t a = (uintptr_t)p;
	struct leaf *leaf = pages_leaf(a);

	if (unlikely(leaf == NULL))
		return NULL;
	return atomic_load_explicit(&leaf->span[a >> PAGE_SHIFT & (LEAF_PAGES - 1)],
				    memory_order_acquire);
}

extern struct lock pages_lock;

/* A span of npages, kind not set, base a multiple of align; words 64-bit words of
 * slots.  NULL without memory.  span->dirty tells whether the pages may hold
 * anything but zeros. */
struct span *pages_alloc(size_t npages, size_t align, unsigned words);
/* Takes the span out of the map and gives its pages back. */
void pages_free(struct span *s);
/* Makes a span larger at its end; false if that is not possible. */
bool pages_extend(struct span *s, size_t npages);
/* Cuts a span's end off. */
void pages_shrink(struct span *s, size_t npages);
/* Gives so many pages of free runs back to the kernel, addresses included: there is a limit
 * to what the process may have, and something else needs them.  False: there are not as many. */
bool pages_unmap(size_t npages);
/* The first page of ours in [a, end), or end.  Takes no lock, and passes quickly over what
 * is not ours. */
uintptr_t pages_next(uintptr_t a, uintptr_t end);
/* The span that a page of ours lies in, free or not.  Unlike span_of(), pages within a
 * large object lead to it.  The caller has the lock. */
struct span *pages_around(uintptr_t a);
/* The number of the first leaf in use from this one on, or pages_high. */
size_t pages_next_leaf(size_t number);
/* The last span that begins before the leaf of this number; NULL: none. */
struct span *pages_before(size_t number);
/* Makes all pages (not only first and last) lead to the span. */
void pages_map_all(struct span *s);
/* A span for another allocator's memory; NULL without memory. */
struct span *pages_adopt(void *base, size_t npages);
/* Makes sure that a span may have the pages of a large array zeroed cheaply:
 * gives them back to the kernel.  After that it is clean. */
void pages_purge(struct span *s);

/* Calls f for every span in use (not the free ones); the caller has the lock. */
void pages_each(void (*f)(struct span *s, void *arg), void *arg);

/* Sets or clears the bits of pages in leaf->shared or leaf->watched. */
void pages_mark_shared(uintptr_t base, size_t npages, bool on);
void pages_mark_watched(uintptr_t base, size_t npages, bool on);

/* Would it cost too many mappings to make these pages shared? */
bool pages_too_many_mappings(uintptr_t base, size_t npages);

/* Right before fork: no shared memory is left after it.  The caller has the lock.
 * False: some could not be made private. */
bool pages_freeze(void);
/* In a forked child, after prim_fork_child(). */
void pages_fork_child(void);

/* Bytes of pages in spans, and in free runs that hold memory. */
size_t pages_used(void);
size_t pages_dirty_free(void);

#endif
