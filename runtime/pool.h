/*
 * pool.h - spans of one class, and which of them to allocate from.  For heap.c and
 * thread.c only.
 */
#ifndef RUNTIME_POOL_H
#define RUNTIME_POOL_H

#include "heap.h"

struct class_info {
	uint32_t recip;
	uint16_t nslots;
	uint8_t npages, words;
};

extern struct class_info class_info[NCLASSES];

/* What a pool without a span allocates from: always full. */
extern struct span *const pool_no_span;
#define NO_SPAN pool_no_span

/* Fills the tables of classes. */
void pool_start(void);

static inline uint64_t bin_live(const struct bin *b)
{
	return counter_get(&b->count->allocated) - counter_get(&b->count->freed) -
	       counter_get(&b->count->freed_remote);
}

static inline struct pool *pool_of(struct thread *t, struct span *s)
{
	return s->bin ? &s->bin->own : &t->common[s->cls];
}

/* Does a pool hold this span to allocate from it, now or later? */
static inline bool span_is_kept(const struct span *s)
{
	return s->where == AT_CURRENT || s->where == AT_REST;
}

/* Another span to allocate from; NO_SPAN without memory.  The old one is full.  bin: whose
 * pool it is, NULL for common ones. */
struct span *pool_refill(struct thread *t, struct pool *p, struct bin *bin);

/* Lets those of a thread's current spans rest (and age) from which nothing was allocated
 * since the last time.  The caller is the thread, whose bins are in order. */
#define REST_TICKS 8
void pool_rest_all(struct thread *t);

/* The pool stops allocating from its current span, for now. */
void pool_retire(struct thread *t, struct pool *p);

/* A span that is not current has got free slots: it goes to the list where it belongs, or
 * is dropped.  t is its owner. */
void span_relax(struct thread *t, struct span *s);

/* Puts a span that is on no list on the one where it belongs, if it may be reused. */
void span_sort_in(struct thread *t, struct span *s);

/* Takes remotely freed slots of a span in; true if there were any. */
bool span_collect(struct span *s);

/* On no list from now on. */
void span_leave(struct span *s);

/* Gives an empty small span back. */
void span_free(struct span *s);

/* Tells the owner that slots of its span were freed by another thread. */
void pending_push(struct thread *t, struct span *s);

/* Takes in what other threads have freed.  The caller is the owner, or has
 * threads_lock and the owner is idle. */
void pool_drain(struct thread *t);

#endif
