/*
 * cyclic.h - cyclic memory allocation.  Inside the library of `plumb run` only.
 *
 *	cyclic_malloc.c		malloc and its family, in front of the program's own
 *	cyclic_plan.c		which sites: the plan, modules, walks up the stack (unwind.c)
 *	cyclic_buffer.c		the buffers
 *	cyclic_watch.c		pages behind the bound: were they touched?
 */
#ifndef RUNTIME_CYCLIC_H
#define RUNTIME_CYCLIC_H

#include "cyclicfile.h"
#include "unwind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/single_threaded.h>

/* A block is preceded by its header, and both are multiples of this. */
#define CYCLIC_ALIGN 16
#define CYCLIC_PAGE 4096

/* A site that has a cyclic buffer, or will have one when it first allocates. */
struct cyclic_site {
	/* What the fast path needs.  Positions count bytes from the first buffer on and
	 * never fall; at base + position is the memory. */
	_Atomic uint64_t pos;		/* where the next block goes */
	_Atomic uintptr_t base;
	_Atomic uint64_t limit;		/* below this nothing has to be thought of */
	_Atomic size_t slot;		/* the largest block so far, header included */
	bool keep;			/* what is not freed is not overlaid */
	_Atomic uint32_t idle;		/* the next so many blocks are the heap's */
	struct cyclic_entry *entry;

	/* Under cyclic_lock. */
	uint64_t m;
	size_t cap;			/* the largest of which m fit */
	char *buf;
	size_t size;			/* 0: no buffer yet */
	uint64_t start;			/* position of the buffer's first byte in this round */
	uint64_t gap_end;		/* from the position up to here, nothing is in use */
	uint64_t raise_by;		/* next time */
	uint32_t idle_next;
	struct cyclic_watch *watch;	/* NULL: this buffer is not watched */
} __attribute__((aligned(64)));

/*
 * cyclic_plan.c
 */

extern struct cyclic_header *cyclic_plan;	/* NULL: nothing to do */
extern struct cyclic_site *cyclic_sites;	/* one for each entry of the plan */

/* Reads the plan that the environment names. */
void cyclic_plan_open(void);

#define CYCLIC_WALKS 256	/* remembered by a thread */

/* What the first return address tells: the site, or where the second one is.  The same
 * function called from two places often has the same stack pointer: without the
 * second address their walks would drive each other out. */
struct cyclic_short {
	uintptr_t pc;
	struct cyclic_site *site;
	uint32_t epoch;
	bool decides;			/* site it is */
	bool by_bp;			/* the second is at bp + next, not at sp + next */
	int16_t next;
};

extern __thread struct cyclic_short cyclic_shorts[CYCLIC_WALKS];
extern _Atomic uint32_t cyclic_epoch;	/* changes when code is unloaded */

static inline struct cyclic_short *cyclic_short_of(uintptr_t pc)
{
	return &cyclic_shorts[(pc ^ pc >> 8) % CYCLIC_WALKS];
}

/* The site if the return address alone does not tell. */
struct cyclic_site *cyclic_plan_walk(const uintptr_t *frame);

/* The site of the call that made this frame (__builtin_frame_address(0) of an exported
 * function), or NULL. */
static inline __attribute__((always_inline)) struct cyclic_site *cyclic_plan_find(
	const uintptr_t *frame)
{
	struct cyclic_short *first = cyclic_short_of(frame[1]);

	if (__builtin_expect(first->pc == frame[1] && first->decides &&
			     first->epoch == atomic_load_explicit(&cyclic_epoch, memory_order_relaxed), 1))
		return first->site;
	return cyclic_plan_walk(frame);
}

/* Code was unloaded: addresses may mean something else. */
void cyclic_plan_forget(void);

/*
 * cyclic_buffer.c
 */

/* All buffers lie in one range of addresses. */
extern uintptr_t cyclic_region;
extern size_t cyclic_region_size;

static inline bool cyclic_owns(const void *p)
{
	return (uintptr_t)p - cyclic_region < cyclic_region_size;
}

/* A byte for each unit of the region: not 0 where a block begins (its header) that
 * has not been freed.  NULL: nobody needs that. */
extern uint8_t *cyclic_live;

static inline uint8_t *cyclic_live_at(uintptr_t header)
{
	return &cyclic_live[(header - cyclic_region) / CYCLIC_ALIGN];
}

/* Block p is freed: nothing happens to it, but that is noted. */
static inline void cyclic_free(void *p)
{
	if (cyclic_live != NULL && (uintptr_t)p - cyclic_region >= CYCLIC_ALIGN)
		__atomic_store_n(cyclic_live_at((uintptr_t)p - CYCLIC_ALIGN), 0, __ATOMIC_RELEASE);
}

/* Reserves the range; then, when the plan is known, what it asks for. */
void cyclic_buffer_init(void);
void cyclic_buffer_start(void);

/* In front of each block. */
struct cyclic_block {
	uint64_t size;			/* of the block, a multiple of CYCLIC_ALIGN */
	uint64_t check;
};

_Static_assert(sizeof(struct cyclic_block) == CYCLIC_ALIGN, "a header is one unit");

/* Larger buffers are not made: the heap serves what would need one. */
#define CYCLIC_LARGEST (UINT64_C(1) << 30)

static inline uint64_t cyclic_check(const struct cyclic_block *b)
{
	return b->size ^ (uintptr_t)b ^ UINT64_C(0x9e3779b97f4a7c15);
}

/* Wants to know of each block: libplumb-guard.so, in programs that have it.  Then all blocks
 * are slow ones. */
extern void (*cyclic_note)(void *p, size_t n);

static inline void cyclic_set_limit(struct cyclic_site *s, uint64_t limit)
{
	atomic_store_explicit(&s->limit, cyclic_note != NULL ? 0 : limit, memory_order_release);
}

/* The block at an address, of need bytes in all. */
static inline void *cyclic_finish(uintptr_t at, size_t need)
{
	struct cyclic_block *b = (struct cyclic_block *)at;

	b->size = need - sizeof(*b);
	b->check = cyclic_check(b);
	return b + 1;
}

/* Bytes for a block of n bytes, header included; 0 if there is no such number. */
static inline size_t cyclic_need(size_t n)
{
	size_t units = (n + CYCLIC_ALIGN - 1) & ~(size_t)(CYCLIC_ALIGN - 1);

	return n > CYCLIC_LARGEST ? 0 : (units ? units : CYCLIC_ALIGN) + sizeof(struct cyclic_block);
}

/* Notes that a block begins here.  This comes before the block is taken: if another
 * thread takes it, it is that one's mark; if it has freed it again by then, the mark
 * stays, and the place is stepped over from then on. */
static inline void cyclic_mark(uintptr_t header)
{
	__atomic_store_n(cyclic_live_at(header), 1, __ATOMIC_RELEASE);
}

void *cyclic_alloc_slowly(struct cyclic_site *s, size_t align, size_t n);

/* A block of n bytes.  NULL: it is too large for us, the heap must serve it. */
static inline __attribute__((always_inline)) void *cyclic_alloc(struct cyclic_site *s, size_t align,
								size_t n)
{
	size_t need = cyclic_need(n);
	uint64_t pos, limit;
	uintptr_t base;

	if (align > CYCLIC_ALIGN || need == 0)
		return cyclic_alloc_slowly(s, align, n);
	for (;;) {
		pos = atomic_load_explicit(&s->pos, memory_order_acquire);
		base = atomic_load_explicit(&s->base, memory_order_acquire);
		limit = atomic_load_explicit(&s->limit, memory_order_acquire);
		if (__builtin_expect(pos + need > limit ||
				     need > atomic_load_explicit(&s->slot, memory_order_relaxed), 0))
			return cyclic_alloc_slowly(s, align, n);
		if (__libc_single_threaded) {
			if (s->keep)
				cyclic_mark(base + pos);
			atomic_store_explicit(&s->pos, pos + need, memory_order_relaxed);
			break;
		}
		/* All three are of the same round if the first is still the same. */
		if (atomic_load_explicit(&s->pos, memory_order_acquire) != pos)
			continue;
		if (s->keep)
			cyclic_mark(base + pos);
		if (atomic_compare_exchange_weak_explicit(&s->pos, &pos, pos + need,
							  memory_order_acq_rel, memory_order_relaxed))
			break;
	}
	return cyclic_finish(base + pos, need);
}

/* The bytes that belong to block p: at least what was asked for, if it has not been
 * overlaid; what can be read there otherwise. */
size_t cyclic_size(const void *p);

/* The one lock of all slow paths. */
void cyclic_lock(void);
void cyclic_unlock(void);
/* In the child of a fork, where no other thread is: it is free again. */
void cyclic_lock_reset(void);

/* Zeroed memory of our own, never given back; NULL if there is none. */
void *cyclic_own_memory(size_t n);

/*
 * cyclic_watch.c
 */

/* The memory behind watched buffers, of which size bytes may be needed. */
void cyclic_watch_init(size_t size);
/* Backs size bytes at p, in the region, so that they can be watched; the result
 * is the caller's to keep in the site.  NULL: they are plain memory instead. */
struct cyclic_watch *cyclic_watch_new(char *p, size_t size, size_t offset);

/* A block of need bytes is to be put at pos.  Looks at the pages that it is the first
 * of this round to cover.  False: one of them has been touched since its objects
 * were older than the bound. */
bool cyclic_watch_enter(struct cyclic_site *s, uint64_t pos, size_t need);
/* Its position has been raised.  Sets the limit up to which nobody has to ask. */
void cyclic_watch_passed(struct cyclic_site *s);
/* Another round begins; skipped bytes at the end of the last were not used. */
void cyclic_watch_round(struct cyclic_site *s, size_t skipped);

/* Around fork: buffers must not be shared between processes. */
void cyclic_watch_before_fork(void);

#endif
