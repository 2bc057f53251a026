/*
 * guard.h - the library of programs that `plumb cc --oblivious` has compiled.
 *
 *	guard_heap.c	malloc and its family; from an address to its object
 *	guard.c		the checks that compiled code calls; what they report
 *	guard_libc.c	the library functions that write where they are told
 *	guard_loop.c	how often loops go round
 *
 * Compiled code (src/front/oblivious.c writes the calls) asks before each access that may
 * be to the heap, and gets the address to use: the one it had, or a place where a
 * store does no harm and a load finds zeroes.
 *
 * A heap *object* is a block that malloc gave, without the room around it.  The
 * *base* of an access is the pointer that its address was computed from.
 */
#ifndef RUNTIME_GUARD_H
#define RUNTIME_GUARD_H

#include "base.h"

/*
 * guard_heap.c
 */

#define GUARD_UNIT 16
#define GUARD_ADDRESS_BITS 47
#define GUARD_LEAF_BITS 28	/* address bits below a leaf of the table */
#define GUARD_LEAF_PAGES (1u << (GUARD_LEAF_BITS - PAGE_SHIFT))
#define GUARD_WORDS (PAGE / GUARD_UNIT / 64)

/* In front of an object.  The second half is as in cyclic.h. */
struct guard_head {
	void *raw;		/* what glibc knows */
	uint64_t unused;
	uint64_t size;
	uint64_t check;
};

/* What the side table has for a page. */
struct guard_page {
	_Atomic uint64_t starts[GUARD_WORDS];	/* bit n: an object begins in unit n */
	_Atomic uintptr_t reaching;	/* the object that began on an earlier page; 0: none */
};

extern struct guard_page *_Atomic guard_table[1u << (GUARD_ADDRESS_BITS - GUARD_LEAF_BITS)];

static inline struct guard_head *guard_head_of(uintptr_t p)
{
	return (struct guard_head *)p - 1;
}

static inline uint64_t guard_check_of(uintptr_t p)
{
	return guard_head_of(p)->size ^ (p - GUARD_UNIT) ^ UINT64_C(0x9e3779b97f4a7c15);
}

static inline struct guard_page *guard_page_of(uintptr_t a)
{
	struct guard_page *leaf;

	if (unlikely(a >> GUARD_ADDRESS_BITS != 0))
		return NULL;
	leaf = atomic_load_explicit(&guard_table[a >> GUARD_LEAF_BITS], memory_order_acquire);
	return leaf != NULL ? &leaf[(a >> PAGE_SHIFT) % GUARD_LEAF_PAGES] : NULL;
}

/* The object that begins last at or before a, as far as a's page knows; 0: none. */
static inline uintptr_t guard_begin_before(const struct guard_page *page, uintptr_t a)
{
	uintptr_t unit = a % PAGE / GUARD_UNIT;
	uint64_t mask = ~UINT64_C(0) >> (63 - unit % 64);

	for (int w = (int)(unit / 64); w >= 0; w--, mask = ~UINT64_C(0)) {
		uint64_t bits = atomic_load_explicit(&page->starts[w], memory_order_acquire) & mask;

		if (bits != 0)
			return (a & ~(PAGE - 1)) +
			       ((uintptr_t)w * 64 + 63 - (uintptr_t)__builtin_clzll(bits)) * GUARD_UNIT;
	}
	return atomic_load_explicit(&page->reaching, memory_order_acquire);
}

enum guard_where {
	GUARD_ELSEWHERE,	/* no page of the heap, as far as we know */
	GUARD_GAP,		/* on a page of the heap, but in no object */
	GUARD_OBJECT,
};

/* Of a page on which no object begins before some address. */
enum guard_where guard_without_object(const struct guard_page *page);

/* What is at a?  GUARD_OBJECT: an object begins at *lo, at or before a, and ends
 * before *hi; a may be behind that, in the room that follows it. */
static inline enum guard_where guard_find(uintptr_t a, uintptr_t *lo, uintptr_t *hi)
{
	struct guard_page *page = guard_page_of(a);
	uintptr_t p;

	*lo = *hi = 0;
	if (page == NULL)
		return GUARD_ELSEWHERE;
	p = guard_begin_before(page, a);
	if (unlikely(p == 0))
		return guard_without_object(page);
	if (unlikely(guard_head_of(p)->check != guard_check_of(p)))
		return GUARD_ELSEWHERE;		/* overwritten by code that does not ask */
	*lo = p;
	*hi = p + guard_head_of(p)->size;
	return GUARD_OBJECT;
}

/*
 * guard.c
 */

enum guard_event { GUARD_STORE, GUARD_LOAD, GUARD_FREE, GUARD_LOOP, GUARD_EVENTS };

/* Something was left out, on behalf of the code before return address pc. */
void guard_event(enum guard_event e, const void *pc);

/* The bytes that may be accessed from a on, seen from base; SIZE_MAX: no end is known. */
size_t guard_room(const void *base, const void *a);

#endif
