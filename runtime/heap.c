/*
 * heap.c - a heap that keeps the objects of a site together, and young ones from old.
 *
 * After Novark, Berger and Zorn, "Efficiently and Precisely Locating Memory Leaks and
 * Bloat" (PLDI 2009), section 4: objects are put on pages by allocation site, once a
 * site has 64 of them, and by age, so that pages become stale as a whole.  The paper
 * pays 54 % on programs that allocate all the time.  Where we leave it, and why:
 *
 *  - Slots are reused while their page is the current one of its pool.  The paper only
 *    bumps a pointer, so that a program that allocates and frees in a loop walks through
 *    memory.  A page that still takes new objects is young by definition: reuse keeps
 *    the order of ages and stays in the cache.
 *  - A page that was full and lost an eighth of its objects is reused, but only when the
 *    pool would otherwise waste more than a sixteenth of its memory, and never when the page
 *    is known to be stale.  Without that, objects with random lifetimes would hold four
 *    times their memory (an emptied page waits for its last object).  A page that lost
 *    three quarters is reused only once its survivors were seen to be in use.  This errs
 *    towards putting a young object beside an old one: staleness is then under-estimated.
 *  - A pool's current page ages, too, once nothing has been allocated from it for a while
 *    (pool.c, "Resting"); many sites have only that one.
 *  - No headers, no lists through free memory: free slots are bits in the span's
 *    descriptor.  free() does not touch the object's page, so that freeing one object
 *    does not make its stale neighbours look used.
 *  - Classes are spaced by 16 up to 256 bytes and then eight to a doubling, instead of
 *    powers of two, to waste less: 6 % on average instead of 25 %.
 *  - A bin belongs to a thread: its fast path takes no lock and no locked instruction.
 *    Another thread that frees sets a bit in a second set and queues the span with its
 *    owner.  The threshold of 64 objects counts per bin, not per site.
 */
#include "heap.h"

#include "age.h"
#include "pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Bins
 */

static inline uint32_t bin_hash(const struct thread *t, uint32_t key)
{
	return key * 0x9e3779b1u >> 8 & (t->bins_cap - 1);
}

static struct bin *bin_lookup(const struct thread *t, uint32_t key, uint32_t *slot)
{
	uint32_t mask = t->bins_cap - 1, i = bin_hash(t, key);

	for (; t->bins[i] != NULL; i = (i + 1) & mask)
		if (t->bins[i]->key == key)
			return t->bins[i];
	*slot = i;
	return NULL;
}

static bool bins_grow(struct thread *t)
{
	uint32_t cap = t->bins_cap ? 2 * t->bins_cap : 256, slot = 0;
	struct bin **old = t->bins, **fresh = meta_alloc(cap * sizeof(*fresh));
	uint32_t n = t->bins_cap;

	if (fresh == NULL)
		return false;
	t->bins = fresh;
	t->bins_cap = cap;
	for (uint32_t i = 0; i < n; i++)
		if (old[i] != NULL) {
			bin_lookup(t, old[i]->key, &slot);
			t->bins[slot] = old[i];
		}
	return true;
}

static __attribute__((noinline)) struct bin *bin_make(struct thread *t, struct site *site,
						       unsigned cls)
{
	uint32_t key = site->index << 6 | cls, slot = 0, index;
	struct bin *b;

	if ((t->nbins + 1) * 2 > t->bins_cap && !bins_grow(t))
		return NULL;
	b = bin_lookup(t, key, &slot);
	if (b != NULL)
		return b;
	b = meta_alloc_lines(sizeof(*b));
	if (b == NULL)
		return NULL;
	lock_take(&site_lock);
	index = run_add(RUN_BINS);
	lock_give(&site_lock);
	b->index = index;
	b->count = &run_bins[index];
	b->count->site = site->index;
	b->count->size = cls == CLASS_LARGE ? 0 : class_size[cls];
	b->key = key;
	b->site = site;
	b->own = (struct pool){ .current = NO_SPAN, .cls = cls };
	b->pool = cls == CLASS_LARGE ? NULL : &t->common[cls];
	t->bins[slot] = b;
	t->nbins++;
	return b;
}

/* The thread's bin of a site and class (CLASS_LARGE too); NULL without memory. */
static inline struct bin *bin_get(struct thread *t, struct site *site, unsigned cls)
{
	uint32_t key = site->index << 6 | cls;
	struct bin *b = t->bins_cap ? t->bins[bin_hash(t, key)] : NULL;

	if (likely(b != NULL && b->key == key))
		return b;
	return bin_make(t, site, cls);
}

/* A span with a free slot, in s->word; NULL without memory.  */
static __attribute__((noinline)) struct span *bin_refill(struct thread *t, struct bin *b)
{
	struct span *s = b->pool->current;
	unsigned w;

	for (w = 0; w < s->words && counter_get(&s->bits[w]) == 0; w++)
		;
	if (w == s->words) {
		s = pool_refill(t, b->pool, b->pool == &b->own ? b : NULL);
		if (s == NO_SPAN)
			return NULL;
		for (w = 0; counter_get(&s->bits[w]) == 0; w++)
			;
	}
	s->word = (uint8_t)w;
	return s;
}

/* A slot of the bin's pool; NULL without memory. */
static inline __attribute__((always_inline)) void *bin_alloc(struct thread *t, struct bin *b)
{
	struct span *s = b->pool->current;
	uint64_t bits = counter_get(&s->bits[s->word]), n;
	unsigned slot;

	if (unlikely(bits == 0)) {
		s = bin_refill(t, b);
		if (s == NULL)
			return NULL;
		bits = counter_get(&s->bits[s->word]);
	}
	slot = (unsigned)__builtin_ctzll(bits);
	counter_set(&s->bits[s->word], bits & (bits - 1));
	s->nfree--;
	slot += s->word * 64u;
	n = counter_get(&b->count->allocated) + 1;
	counter_set(&b->count->allocated, n);
	if (s->bin == NULL) {
		s->slot_bin[slot] = b->index;
		if (unlikely(n % 16 == 0) && (bin_live(b) >= OWN_OBJECTS ||
					      bin_live(b) * s->size >= OWN_BYTES))
			b->pool = &b->own;
	}
	return (void *)(s->base + slot * s->size);
}

/*
 * Contexts
 */

static inline struct chain *chain_set(struct thread *t, const uintptr_t *frame)
{
	uint64_t h = (frame[1] ^ (uintptr_t)frame >> 3) * 0x9e3779b97f4a7c15u;

	return t->chains[h >> 58];
}

_Static_assert(CHAIN_SETS == 64, "chain_set() takes 6 bits");

/* Does the stack look as it did when this chain was made?  Each test makes the next
 * one safe: see struct unwind_check. */
static inline bool chain_holds(const struct chain *c, const uintptr_t *frame)
{
	if (c->ra != frame[1] || c->sp != (uintptr_t)frame || (c->uses_bp && c->bp != frame[0]))
		return false;
	for (unsigned i = 0; i < c->nchecks; i++)
		if (*c->checks[i].at != c->checks[i].value)
			return false;
	return true;
}

/* Makes a chain for this call. */
static __attribute__((noinline)) struct chain *chain_make(struct thread *t, struct chain *set,
							   const uintptr_t *frame)
{
	struct chain *c = &set[t->victim++ % CHAIN_WAYS];
	uintptr_t ra[RUN_FRAMES];
	struct unwind u;

	unwind_walk(&u, ra, site_depth, frame, &t->stack);
	c->site = site_find(ra, u.n);
	c->bin = NULL;
	c->ra = 0;
	if (u.nchecks <= UNWIND_CHECKS) {	/* otherwise good for this call only */
		c->ra = frame[1];
		c->sp = (uintptr_t)frame;
		c->bp = frame[0];
		c->uses_bp = u.uses_bp;
		c->nchecks = (uint8_t)u.nchecks;
		memcpy(c->checks, u.checks, sizeof(u.checks));
	}
	return c;
}

static __attribute__((noinline)) void chains_forget(struct thread *t)
{
	t->epoch = counter_get(&site_epoch);
	memset(t->chains, 0, sizeof(t->chains));
}

/* The chain of this call. */
static inline struct chain *find_chain(struct thread *t, const uintptr_t *frame)
{
	struct chain *set = chain_set(t, frame);

	if (unlikely(t->epoch != counter_get(&site_epoch)))
		chains_forget(t);
	for (unsigned i = 0; i < CHAIN_WAYS; i++)
		if (likely(chain_holds(&set[i], frame)))
			return &set[i];
	return chain_make(t, set, frame);
}

/* The bin of this call and class; NULL without memory, or if another allocator
 * has this site. */
static inline struct bin *find_bin(struct thread *t, unsigned cls, const uintptr_t *frame)
{
	struct chain *c = find_chain(t, frame);

	if (likely(c->bin != NULL && c->cls == cls))
		return c->bin;
	if (c->site->alt != NULL)
		return NULL;
	c->bin = bin_get(t, c->site, cls);
	c->cls = (uint16_t)cls;
	return c->bin;
}

/*
 * Large objects
 */

/* Servers take a buffer and give it back with each request: a few such spans wait with
 * the thread that has freed them, in the aging queue as before, so that neither locks nor
 * lists are needed.  One that was retired meanwhile is given back. */
static struct span *kept_take(struct thread *t, size_t npages, size_t align)
{
	for (uint32_t i = t->nkept; i-- > 0;) {
		struct span *s = t->kept[i];

		if (s->npages != npages || s->base % align != 0)
			continue;
		t->kept[i] = t->kept[--t->nkept];
		t->kept_pages -= s->npages;
		if (s->age == AGE_ACTIVE) {
			s->kind = SPAN_LARGE;
			return s;
		}
		age_remove(s);
		pages_free(s);
	}
	return NULL;
}

static bool kept_add(struct thread *t, struct span *s)
{
	if (t == NULL || t->nkept == KEPT_SPANS || t->kept_pages + s->npages > KEPT_PAGES ||
	    s->age != AGE_ACTIVE || s->mem == MEM_FROZEN)
		return false;
	s->kind = SPAN_KEPT;
	s->dirty = true;
	t->kept[t->nkept++] = s;
	t->kept_pages += s->npages;
	return true;
}

void heap_drop_kept(struct thread *t)
{
	while (t->nkept > 0) {
		struct span *s = t->kept[--t->nkept];

		age_remove(s);
		pages_free(s);
	}
	t->kept_pages = 0;
}

static void *large_alloc(struct thread *t, struct site *site, size_t n, size_t align, bool *zero)
{
	struct bin *b = bin_get(t, site, CLASS_LARGE);
	struct span *s;

	if (b == NULL || n > PTRDIFF_MAX - PAGE)
		return NULL;
	s = kept_take(t, n ? (n + PAGE - 1) / PAGE : 1, align);
	if (s == NULL)
		s = pages_alloc(n ? (n + PAGE - 1) / PAGE : 1, align, 0);
	if (s == NULL)
		return NULL;
	s->large_bin = b->index;
	s->where = AT_NOWHERE;
	*zero = !s->dirty;
	counter_add(&b->count->allocated, 1);
	counter_add(&b->count->bytes_allocated, s->npages * PAGE);
	age_add(s);
	return (void *)s->base;
}

static void large_free(struct span *s)
{
	struct run_bin *count = &run_bins[s->large_bin];

	atomic_fetch_add_explicit(&count->freed_remote, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&count->bytes_freed, s->npages * PAGE, memory_order_relaxed);
	if (kept_add(heap_self, s))
		return;
	age_remove(s);
	pages_free(s);
}

/*
 * Allocation
 */

static void *no_memory(void)
{
	if (run != NULL)
		atomic_fetch_add_explicit(&run->failures, 1, memory_order_relaxed);
	errno = ENOMEM;
	return NULL;
}

static inline void look(struct thread *t)
{
	if (unlikely(--t->countdown == 0)) {
		t->countdown = AGE_COUNTDOWN;
		pool_drain(t);
		age_look(true);
		if (counter_get(&run->ticks) - t->rested >= REST_TICKS)
			pool_rest_all(t);
	}
}

/* Memory for a request; NULL: there is none now. */
static void *alloc_try(struct thread *t, size_t n, size_t align, bool *is_zero, const uintptr_t *frame)
{
	struct site *site = find_chain(t, frame)->site;
	struct bin *b;
	unsigned cls;
	void *p;

	if (site->alt != NULL && (p = site->alt->alloc(site, n, align, is_zero)) != NULL)
		return p;
	cls = n <= SMALL_MAX ? class_of_size[(n + 15) / 16] : CLASS_LARGE;
	while (cls < NCLASSES && class_size[cls] % align != 0)
		cls++;
	if (cls == NCLASSES || align > PAGE)
		return large_alloc(t, site, n, align, is_zero);
	b = bin_get(t, site, cls);
	return b != NULL ? bin_alloc(t, b) : NULL;
}

/* Free pages that can be had for something else: for a large object, as many as it takes;
 * for tables, always a few. */
static bool make_room(size_t n)
{
	enum { TABLES = 32 };

	return n < PTRDIFF_MAX && pages_unmap(n / PAGE + TABLES);
}

/* The slower ways: a first call, another allocator's site, a large object, alignment. */
static __attribute__((noinline)) void *alloc_slow(size_t n, size_t align, bool zero,
						   const uintptr_t *frame)
{
	struct thread *t = heap_self ? heap_self : thread_get();
	bool is_zero = false;
	void *p = NULL;

	if (t == NULL && make_room(0))
		t = thread_get();
	if (t == NULL)
		return no_memory();
	look(t);
	p = alloc_try(t, n, align, &is_zero, frame);
	if (p == NULL && make_room(n))
		p = alloc_try(t, n, align, &is_zero, frame);
	if (p == NULL) {
		thread_put_back();
		return no_memory();
	}
	if (zero && !is_zero) {
		struct span *s = span_of(p);

		if (s->kind == SPAN_LARGE && s->npages >= 32)
			pages_purge(s);
		else
			memset(p, 0, n);
	}
	thread_put_back();
	return p;
}

static inline __attribute__((always_inline)) void *alloc_fast(size_t n, const uintptr_t *frame)
{
	struct thread *t = heap_self;
	struct bin *b;
	void *p;

	if (unlikely(t == NULL || n > SMALL_MAX))
		return alloc_slow(n, 16, false, frame);
	look(t);
	b = find_bin(t, class_of_size[(n + 15) / 16], frame);
	if (unlikely(b == NULL || (p = bin_alloc(t, b)) == NULL))
		return alloc_slow(n, 16, false, frame);
	return p;
}

void *heap_alloc(size_t n, const uintptr_t *frame)
{
	return alloc_fast(n, frame);
}

/* Here, not in malloc.c: its fast path is the function itself. */
EXPORT void *malloc(size_t n)
{
	void *p = alloc_fast(n, __builtin_frame_address(0));

	__asm__ volatile("" : "+r"(p));		/* the frame stays: see malloc.c */
	return p;
}

EXPORT __typeof__(malloc) __libc_malloc __attribute__((alias("malloc"), copy(malloc)));

void *heap_alloc_zero(size_t n, const uintptr_t *frame)
{
	void *p;

	if (unlikely(n > SMALL_MAX))
		return alloc_slow(n, 16, true, frame);
	p = heap_alloc(n, frame);
	if (p != NULL)
		memset(p, 0, n);
	return p;
}

void *heap_alloc_aligned(size_t align, size_t n, const uintptr_t *frame)
{
	if (align <= 16)
		return heap_alloc(n, frame);
	return alloc_slow(n, align, false, frame);
}

/*
 * Free
 */

static void bad_free(void)
{
	if (run != NULL)
		atomic_fetch_add_explicit(&run->bad_frees, 1, memory_order_relaxed);
}

static inline struct run_bin *count_of(struct span *s, unsigned slot)
{
	return s->bin ? s->bin->count : &run_bins[s->slot_bin[slot]];
}

/* Frees a slot of a span that belongs to another thread. */
static __attribute__((noinline)) void free_remote(struct span *s, unsigned slot)
{
	struct thread *owner = s->owner;
	uint64_t bit = (uint64_t)1 << slot % 64;
	struct run_bin *count = count_of(s, slot);

	if ((counter_get(&s->bits[slot / 64]) & bit) ||
	    (atomic_fetch_or(&s->bits[s->words + slot / 64], bit) & bit)) {
		bad_free();
		return;
	}
	atomic_fetch_add_explicit(&count->freed_remote, 1, memory_order_relaxed);
	if (atomic_load(&s->queued) == 0 && atomic_exchange(&s->queued, 1) == 0)
		pending_push(owner, s);
	atomic_fetch_add_explicit(&s->remote_done, 1, memory_order_release);
	/* s may be gone from here on. */
	if (unlikely(atomic_load(&owner->idle)) && lock_try(&threads_lock)) {
		if (owner->idle)
			pool_drain(owner);
		lock_give(&threads_lock);
	}
}

static __attribute__((noinline)) void free_other(struct span *s, void *p)
{
	if (s == NULL || (s->kind == SPAN_LARGE && (uintptr_t)p != s->base))
		bad_free();
	else if (s->kind == SPAN_LARGE)
		large_free(s);
	else if (s->kind == SPAN_ALT)
		s->alt->free(s, p);
	else
		bad_free();
}

static inline __attribute__((always_inline)) void free_fast(void *p)
{
	struct span *s = span_of(p);
	uint64_t off, bits, bit;
	unsigned slot;

	if (unlikely(s == NULL || s->kind != SPAN_SMALL)) {
		free_other(s, p);
		return;
	}
	off = (uintptr_t)p - s->base;
	slot = (unsigned)(off * s->recip >> 32);
	if (unlikely(slot * s->size != off || slot >= s->nslots)) {
		bad_free();
		return;
	}
	if (unlikely(s->owner != heap_self)) {
		free_remote(s, slot);
		return;
	}
	bits = counter_get(&s->bits[slot / 64]);
	bit = (uint64_t)1 << slot % 64;
	if (unlikely(bits & bit)) {
		bad_free();
		return;
	}
	counter_set(&s->bits[slot / 64], bits | bit);
	s->nfree++;
	counter_add(&count_of(s, slot)->freed, 1);
	if (likely(s->where == AT_CURRENT))
		s->word = (uint8_t)(slot / 64);
	else if (s->nfree >= s->trigger)
		span_relax(heap_self, s);
}

void heap_free(void *p)
{
	free_fast(p);
}

EXPORT void free(void *p)
{
	if (likely(p != NULL))
		free_fast(p);
}

EXPORT __typeof__(free) __libc_free __attribute__((alias("free"), copy(free)));

bool heap_is_shared(const void *p, size_t n)
{
	struct span *s;
	bool shared;

	if (pages_next((uintptr_t)p, (uintptr_t)p + 1) != (uintptr_t)p)
		return false;
	lock_take(&pages_lock);
	s = pages_around((uintptr_t)p);
	shared = s != NULL && s->kind == SPAN_LARGE && s->mem != MEM_PRIVATE &&
		 (uintptr_t)p + n <= s->base + s->npages * PAGE;
	lock_give(&pages_lock);
	return shared;
}

size_t heap_usable(void *p)
{
	struct span *s = span_of(p);

	if (s == NULL)
		return 0;
	if (s->kind == SPAN_SMALL)
		return s->size;
	if (s->kind == SPAN_ALT)
		return s->alt->usable(s, p);
	return s->kind == SPAN_LARGE ? s->npages * PAGE : 0;
}

/*
 * Resizing
 */

static void count_resize(struct span *s, size_t old_pages)
{
	struct run_bin *count = &run_bins[s->large_bin];

	if (s->npages > old_pages)
		atomic_fetch_add_explicit(&count->bytes_allocated,
					  (s->npages - old_pages) * PAGE, memory_order_relaxed);
	else
		atomic_fetch_add_explicit(&count->bytes_freed, (old_pages - s->npages) * PAGE,
					  memory_order_relaxed);
}

/* Resizes without moving; false if that is not possible, or not wanted. */
static bool resize_in_place(struct span *s, size_t n)
{
	size_t npages = (n + PAGE - 1) / PAGE, old = s->npages;

	if (s->kind == SPAN_SMALL)	/* not if a quarter of the slot would do */
		return n <= s->size && n * 4 > s->size;
	if (s->kind != SPAN_LARGE || n <= SMALL_MAX)
		return false;
	if (npages == old)
		return true;
	age_remove(s);		/* the queue counts pages */
	if (npages < old)
		pages_shrink(s, npages);
	else
		pages_extend(s, npages);
	age_add(s);
	count_resize(s, old);
	return s->npages == npages;
}

void *heap_realloc(void *p, size_t n, const uintptr_t *frame)
{
	struct span *s = span_of(p);
	size_t old;
	void *q;

	if (s == NULL) {
		bad_free();
		return no_memory();
	}
	atomic_fetch_add_explicit(&run->resizes, 1, memory_order_relaxed);
	if (n > 0 && resize_in_place(s, n))
		return p;
	old = heap_usable(p);
	q = heap_alloc(n, frame);
	if (q == NULL)
		return NULL;
	memcpy(q, p, old < n ? old : n);
	heap_free(p);
	return q;
}

/*
 * For others
 */

uint64_t heap_allocations(void)
{
	uint64_t n = run->sections[RUN_BINS].count, sum = 0;

	for (uint64_t i = 1; i < n; i++)
		sum += counter_get(&run_bins[i].allocated);
	return sum;
}

void heap_drained(void (*f)(struct span *s, void *arg), void *arg)
{
	struct thread *t = heap_self;

	for (uint32_t i = 0; t != NULL && i < t->bins_cap; i++)
		if (t->bins[i] != NULL)
			for (struct span *s = t->bins[i]->own.drained; s != NULL; s = s->next)
				f(s, arg);
}
