/*
 * pool.c - spans of one class, and which of them to allocate from.
 *
 * A pool has a current span, from which its thread allocates until it is full.  Then the
 * next one is chosen: a fresh one, or one that was full before and has lost objects since
 * (the essay in heap.c tells when, and why).  Spans that are not current are on the
 * pool's list of partial ones (an eighth to three quarters free), on that of drained ones
 * (more), or on none.  Empty ones leave the pool.
 *
 * Only the owner, a thread, changes a span's free slots and a pool's lists.  Other threads
 * set bits of their own (span->bits + words) and queue the span with its owner, which
 * takes them in when it comes by.
 */
#include "pool.h"

#include "age.h"
#include "merge.h"
#include "prim.h"

#include <string.h>

const uint16_t class_size[NCLASSES] = {
	16, 32, 48, 64, 80, 96, 112, 128,
	144, 160, 176, 192, 208, 224, 240, 256,
	288, 320, 352, 384, 416, 448, 480, 512,
	576, 640, 704, 768, 832, 896, 960, 1024,
	1152, 1280, 1408, 1536, 1664, 1792, 1920, 2048,
	2304, 2560, 2816, 3072, 3328, 3584, 3840, 4096,
	4608, 5120, 5632, 6144, 6656, 7168, 7680, 8192,
};
uint8_t class_of_size[SMALL_MAX / 16 + 1];

struct class_info class_info[NCLASSES];

/* What a pool without a span allocates from: always full. */
static union {
	struct span s;
	char room[sizeof(struct span) + 2 * sizeof(uint64_t)];
} no_span = { .s = { .words = 1, .where = AT_CURRENT } };
struct span *const pool_no_span = &no_span.s;

void pool_start(void)
{
	unsigned cls = 0;

	for (unsigned i = 0; i <= SMALL_MAX / 16; i++) {
		while (class_size[cls] < i * 16)
			cls++;
		class_of_size[i] = (uint8_t)cls;
	}
	for (cls = 0; cls < NCLASSES; cls++) {
		size_t size = class_size[cls], n = 1, part = size <= 1024 ? 10 : 20;

		while (n * PAGE < size || n * PAGE % size * part > n * PAGE)
			n++;
		class_info[cls].npages = (uint8_t)n;
		class_info[cls].nslots = (uint16_t)(n * PAGE / size);
		class_info[cls].words = (uint8_t)((class_info[cls].nslots + 63) / 64);
		class_info[cls].recip = (uint32_t)((((uint64_t)1 << 32) + size - 1) / size);
		check(class_info[cls].words <= 4);
	}
}

/*
 * Spans
 */

unsigned span_live(const struct span *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < 2 * s->words; i++)
		n += (unsigned)__builtin_popcountll(counter_get(&s->bits[i]));
	return n < s->nslots ? s->nslots - n : 0;
}

#ifdef PLUMB_DEBUG
static void span_check(const struct span *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->words; i++)
		n += (unsigned)__builtin_popcountll(counter_get(&s->bits[i]));
	check(n == s->nfree);
	check(s->kind == SPAN_SMALL && s->nfree <= s->nslots);
}
#else
#define span_check(s) ((void)0)
#endif

/* All slots free. */
static void span_fill(struct span *s)
{
	for (unsigned i = 0; i < s->words; i++) {
		unsigned left = s->nslots - i * 64;

		counter_set(&s->bits[i], left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1);
	}
	s->nfree = s->nslots;
	s->word = 0;
}

/* The arrays slot_bin, of 64 or 256 entries: those not in use, by their first word. */
struct lock slots_lock;
static uint32_t *free_slots[2];

static uint32_t *slots_new(unsigned words)
{
	unsigned k = words > 1;
	uint32_t *a;

	lock_take(&slots_lock);
	a = free_slots[k];
	if (a != NULL)
		memcpy(&free_slots[k], a, sizeof(a));
	lock_give(&slots_lock);
	return a ? a : meta_alloc((k ? 256 : 64) * sizeof(*a));
}

/* Gives an empty small span back. */
void span_free(struct span *s)
{
	unsigned k = s->words > 1;

	if (s->slot_bin != NULL) {
		lock_take(&slots_lock);
		memcpy(s->slot_bin, &free_slots[k], sizeof(free_slots[k]));
		free_slots[k] = s->slot_bin;
		lock_give(&slots_lock);
	}
	pages_free(s);
}

/* A fresh span for a pool; NULL without memory. */
static struct span *span_new(struct thread *t, struct bin *bin, unsigned cls)
{
	unsigned words = class_info[cls].words;
	struct span *s = NULL;

	for (uint32_t i = t->ncached; class_info[cls].npages == 1 && i-- > 0;)
		if (t->cached[i]->words == words) {
			s = t->cached[i];
			t->cached[i] = t->cached[--t->ncached];
			break;
		}
	if (s == NULL) {
		s = pages_alloc(class_info[cls].npages, PAGE, words);
		if (s == NULL)
			return NULL;
		s->owner = t;
		s->kind = SPAN_SMALL;
		pages_map_all(s);
	}
	s->cls = (uint8_t)cls;
	s->size = class_size[cls];
	s->recip = class_info[cls].recip;
	s->nslots = class_info[cls].nslots;
	s->bin = bin;
	if (bin == NULL && s->slot_bin == NULL && (s->slot_bin = slots_new(words)) == NULL) {
		span_free(s);
		return NULL;
	}
	span_fill(s);
	return s;
}

/* A merged span gets a page of its own again; false: it could not be had. */
static bool span_part(struct span *s)
{
	enum span_mem mem = prim_birth();
	bool ok;

	lock_take(&age_lock);
	lock_take(&pages_lock);
	ok = merge_leave(s, mem);
	if (ok && mem == MEM_PRIVATE)
		pages_mark_shared(s->base, 1, false);
	if (ok)
		s->mem = (uint8_t)mem;
	lock_give(&pages_lock);
	lock_give(&age_lock);
	return ok;
}

/* An empty span leaves its pool. */
static void span_drop(struct thread *t, struct span *s)
{
	age_remove(s);
	if (s->merge != 0 && !span_part(s))
		return;		/* lost to us, no more: others are on its page */
	if (s->npages == 1 && t->ncached < CACHED_PAGES) {
		s->where = AT_NOWHERE;
		s->dirty = true;
		t->cached[t->ncached++] = s;
		return;
	}
	span_free(s);
}

/*
 * Pools
 */

/* Free slots from which on a span may be reused, and beyond which it is drained.  An
 * eighth is free then, but at least four slots (a third, if it has few): choosing a span
 * for one or two objects would cost more than they do. */
static inline unsigned span_relaxed(const struct span *s)
{
	unsigned eighth = (s->nslots + 7u) / 8, least = (s->nslots + 2u) / 3;

	least = least < 4 ? least : 4;
	return eighth > least ? eighth : least;
}

static inline unsigned span_three_quarters(const struct span *s)
{
	return s->nslots - s->nslots / 4u;
}

static void list_push(struct pool *p, struct span *s)
{
	bool drained = s->nfree > span_three_quarters(s);
	struct span **list = drained ? &p->drained : &p->partial;

	if (drained)
		p->ndrained++;
	else
		p->npartial++;
	s->where = drained ? AT_DRAINED : AT_PARTIAL;
	s->trigger = (uint16_t)(drained ? s->nslots : span_three_quarters(s) + 1);
	if (s->trigger > s->nslots)
		s->trigger = s->nslots;
	s->in_use = false;
	s->prev = NULL;
	s->next = *list;
	if (s->next)
		s->next->prev = s;
	*list = s;
}

/* On no list from now on. */
void span_leave(struct span *s)
{
	s->where = AT_NOWHERE;
	s->trigger = (uint16_t)span_relaxed(s);
}

/* Takes a span off the list that it is on, if any. */
static void list_remove(struct pool *p, struct span *s)
{
	if (s->where != AT_PARTIAL && s->where != AT_DRAINED)
		return;
	if (s->prev)
		s->prev->next = s->next;
	else if (s->where == AT_PARTIAL)
		p->partial = s->next;
	else
		p->drained = s->next;
	if (s->next)
		s->next->prev = s->prev;
	if (s->where == AT_PARTIAL)
		p->npartial--;
	else
		p->ndrained--;
	s->next = s->prev = NULL;
	span_leave(s);
}

/* A span that is not current has got free slots: it goes to the list where it belongs.
 * An empty one is dropped, unless it is on the list of remotely freed spans or some
 * thread is about to put it there: then pool_drain() comes by. */
void span_relax(struct thread *t, struct span *s)
{
	struct pool *p = pool_of(t, s);

	span_check(s);
	if (s->nfree == s->nslots && atomic_load(&s->queued) == 0 &&
	    atomic_load(&s->remote_done) == s->collected) {
		list_remove(p, s);
		p->nspans--;
		span_drop(t, s);
	} else if (s->where != AT_DRAINED && s->nfree >= s->trigger) {
		list_remove(p, s);
		list_push(p, s);
	}
}

void pending_push(struct thread *t, struct span *s)
{
	struct span *head = atomic_load_explicit(&t->pending, memory_order_relaxed);

	do
		s->pending = head;
	while (!atomic_compare_exchange_weak_explicit(&t->pending, &head, s, memory_order_release,
						      memory_order_relaxed));
}

/* Takes remotely freed slots of a span in; true if there were any. */
bool span_collect(struct span *s)
{
	bool any = false;

	for (unsigned i = 0; i < s->words; i++) {
		uint64_t bits = 0;

		if (counter_get(&s->bits[s->words + i]) != 0)
			bits = atomic_exchange(&s->bits[s->words + i], 0);
		if (bits == 0)
			continue;
		counter_set(&s->bits[i], counter_get(&s->bits[i]) | bits);
		s->nfree += (uint16_t)__builtin_popcountll(bits);
		s->collected += (uint16_t)__builtin_popcountll(bits);
		s->word = (uint8_t)i;
		any = true;
	}
	return any;
}

/* Takes in what other threads have freed.  The caller is the owner, or has
 * threads_lock and the owner is idle. */
void pool_drain(struct thread *t)
{
	struct span *s, *next;

	if (atomic_load_explicit(&t->pending, memory_order_relaxed) == NULL)
		return;
	for (s = atomic_exchange(&t->pending, NULL); s != NULL; s = next) {
		next = s->pending;
		atomic_exchange(&s->queued, 0);	/* a full barrier, before the bits are read */
		span_collect(s);
		if (s->nfree == s->nslots && !span_is_kept(s) &&
		    atomic_load(&s->remote_done) != s->collected &&
		    atomic_exchange(&s->queued, 1) == 0) {
			pending_push(t, s);	/* somebody is just leaving: look again later */
			continue;
		}
		if (!span_is_kept(s))
			span_relax(t, s);
	}
}

/* A span that was full once and may take new objects; NULL: a fresh one is better.
 * Common pools take what there is.  Others keep young objects from old ones as long as
 * no more than a sixteenth of their memory is wasted by that (partial spans are about
 * half full).  Drained spans hold a few old survivors: they are left alone until it has
 * been seen that these are in use, so that leaked ones stay among themselves. */
static struct span *pool_partial(const struct pool *p, bool common, bool any)
{
	unsigned tries = 0;

	if (any || common || (p->npartial > 1 && p->npartial * 8 > p->nspans - p->ndrained))
		for (struct span *s = p->partial; s != NULL && tries < 8; s = s->next, tries++)
			if (any || s->age != AGE_INACTIVE)
				return s;
	if (any || common || p->ndrained * 4 > p->nspans)
		for (struct span *s = p->drained; s != NULL && tries < 16; s = s->next, tries++)
			if (s->merge == 0 &&
			    (any || (s->age != AGE_INACTIVE && (common || s->in_use))))
				return s;
	return NULL;
}

/*
 * Resting.  A pool whose site allocates no more would keep its last span as the current one
 * for ever, and nothing would be known of the objects there: all that there are, of many
 * sites.  So a current span that is not used for a while ages like a full one.  When it is
 * needed again, the pool goes on with it (a fresh one each time would cost a slowly growing
 * site a page for each object); it is young then.
 */

static uint64_t span_state(const struct span *s)
{
	uint64_t h = s->base;

	for (unsigned i = 0; i < s->words; i++)
		h = (h ^ counter_get(&s->bits[i])) * 0x9e3779b97f4a7c15u;
	return h;
}

static void pool_rest(struct pool *p)
{
	struct span *s = p->current;
	uint64_t state;

	if (s == NO_SPAN)
		return;
	state = span_state(s);
	if (state != p->seen) {
		p->seen = state;
		return;
	}
	check(p->resting == NULL);
	p->resting = s;
	p->current = NO_SPAN;
	s->where = AT_REST;
	s->trigger = UINT16_MAX;	/* frees leave it where it is */
	age_add(s);
}

/* The resting span is current again, if it has room. */
static bool pool_wake(struct pool *p)
{
	struct span *s = p->resting;

	if (s == NULL)
		return false;
	p->resting = NULL;
	if (s->nfree == 0 && !span_collect(s)) {
		span_leave(s);
		return false;
	}
	if (s->age != AGE_PINNED)
		age_remove(s);	/* a new object must not be taken for a stale one */
	s->where = AT_CURRENT;
	p->current = s;
	return true;
}

void pool_rest_all(struct thread *t)
{
	t->rested = counter_get(&run->ticks);
	for (unsigned i = 0; i < NCLASSES; i++)
		pool_rest(&t->common[i]);
	for (uint32_t i = 0; i < t->bins_cap; i++)
		if (t->bins[i] != NULL)
			pool_rest(&t->bins[i]->own);
}

/* Another span to allocate from; NO_SPAN without memory.  The old one is full. */
struct span *pool_refill(struct thread *t, struct pool *p, struct bin *bin)
{
	struct span *s, *old = p->current;

	if (pool_wake(p))
		return p->current;
	if (old != NO_SPAN) {
		if (span_collect(old))
			return old;
		span_leave(old);
		age_add(old);
		p->current = NO_SPAN;
	}
	if (atomic_load_explicit(&t->pending, memory_order_relaxed) != NULL)
		pool_drain(t);
	s = pool_partial(p, bin == NULL, false);
	if (s == NULL && (s = span_new(t, bin, p->cls)) != NULL)
		p->nspans++;
	else if (s != NULL || (s = pool_partial(p, false, true)) != NULL)
		list_remove(p, s);
	if (s == NULL)
		return NO_SPAN;
	if (s->age == AGE_INACTIVE)	/* for want of memory */
		age_remove(s);
	s->where = AT_CURRENT;
	return p->current = s;
}

/* Current spans of a thread that will not allocate for now age like full ones. */
void pool_retire(struct thread *t, struct pool *p)
{
	struct span *s = p->resting ? p->resting : p->current;

	if (s == NO_SPAN)
		return;
	p->current = NO_SPAN;
	p->resting = NULL;
	span_leave(s);
	age_add(s);
	if (s->nfree > 0)
		span_relax(t, s);	/* the last slots of a span may stay unused */
}

void span_sort_in(struct thread *t, struct span *s)
{
	if (s->nfree >= span_relaxed(s))
		list_push(pool_of(t, s), s);
}
