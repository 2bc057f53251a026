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
 *  - No headers, no lists through free memory: free slots are bits in the span's
 *    descriptor.  free() does not touch the object's page, so that freeing one object
 *    does not make its stale neighbours look used.
 *  - Classes are spaced by 16 up to 256 bytes and then eight to a doubling, instead of
 *    powers of two, to waste less: 6 % on average instead of 25 %.
 *  - A bin belongs to a thread: its fast path takes no lock and no locked instruction.
 *    Another thread that frees sets a bit in a second set and queues the span with its
 *    owner.  The threshold of 64 objects counts per bin, not per site.
 *
 * When a thread ends, its struct waits for the next new thread, bins, pages and all.
 */
#include "heap.h"

#include "age.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

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

static struct {
	uint32_t recip;
	uint16_t nslots;
	uint8_t npages, words;
} class_info[NCLASSES];

__thread struct thread *heap_self;
static __thread bool ended;	/* this thread's struct was given up */
struct lock threads_lock;
static struct thread *threads;
static _Atomic bool ready;	/* tables are filled */
static pthread_key_t end_key;
static _Atomic bool have_end_key;

/* What a pool without a span allocates from: always full. */
static union {
	struct span s;
	char room[sizeof(struct span) + 2 * sizeof(uint64_t)];
} no_span = { .s = { .words = 1, .where = AT_CURRENT } };
#define NO_SPAN (&no_span.s)

/*
 * Start
 */

static void fill_tables(void)
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

static struct thread *thread_new(void)
{
	struct thread *t;

	for (t = threads; t != NULL; t = t->next)
		if (t->idle) {
			t->idle = false;
			t->epoch = 0;	/* chains are of another stack */
			t->stack = (struct unwind_stack){ 0, 0 };
			return t;
		}
	t = meta_alloc_lines(sizeof(*t));
	if (t == NULL)
		return NULL;
	for (unsigned i = 0; i < NCLASSES; i++)
		t->common[i] = (struct pool){ .current = NO_SPAN, .cls = i };
	t->countdown = AGE_COUNTDOWN;
	t->next = threads;
	threads = t;
	return t;
}

/* The calling thread's struct; NULL without memory. */
static __attribute__((noinline)) struct thread *thread_get(void)
{
	int saved = errno;
	struct thread *t;

	lock_take(&threads_lock);
	if (!ready) {
		bool ok;

		fill_tables();
		lock_take(&site_lock);
		ok = run_reserve();
		lock_give(&site_lock);
		if (!ok) {
			lock_give(&threads_lock);
			errno = saved;
			return NULL;
		}
		ready = true;
	}
	t = thread_new();
	lock_give(&threads_lock);
	heap_self = t;
	if (t != NULL && !ended && have_end_key)
		pthread_setspecific(end_key, t);
	errno = saved;
	return t;
}

/* A thread that allocates after it has given its struct up (in destructors of
 * thread data that run late) gets one for this call only. */
static void thread_put_back(void)
{
	struct thread *t = heap_self;

	if (!ended || t == NULL)
		return;
	lock_take(&threads_lock);
	heap_self = NULL;
	t->idle = true;
	lock_give(&threads_lock);
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
static void span_free(struct span *s)
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

/* An empty span leaves its pool. */
static void span_drop(struct thread *t, struct span *s)
{
	age_remove(s);
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

static inline uint64_t bin_live(const struct bin *b)
{
	return counter_get(&b->count->allocated) - counter_get(&b->count->freed) -
	       counter_get(&b->count->freed_remote);
}

static struct pool *pool_of(struct thread *t, struct span *s)
{
	return s->bin ? &s->bin->own : &t->common[s->cls];
}

/* Free slots from which on a span may be reused, and beyond which it is drained. */
static inline unsigned span_relaxed(const struct span *s)
{
	return (s->nslots + 7u) / 8;
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
static void span_leave(struct span *s)
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
 * thread is about to put it there: then drain() comes by. */
static void span_relax(struct thread *t, struct span *s)
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

static void pending_push(struct thread *t, struct span *s)
{
	struct span *head = atomic_load_explicit(&t->pending, memory_order_relaxed);

	do
		s->pending = head;
	while (!atomic_compare_exchange_weak_explicit(&t->pending, &head, s, memory_order_release,
						      memory_order_relaxed));
}

/* Takes remotely freed slots of a span in; true if there were any. */
static bool span_collect(struct span *s)
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
static void drain(struct thread *t)
{
	struct span *s, *next;

	if (atomic_load_explicit(&t->pending, memory_order_relaxed) == NULL)
		return;
	for (s = atomic_exchange(&t->pending, NULL); s != NULL; s = next) {
		next = s->pending;
		atomic_exchange(&s->queued, 0);	/* a full barrier, before the bits are read */
		span_collect(s);
		if (s->nfree == s->nslots && s->where != AT_CURRENT &&
		    atomic_load(&s->remote_done) != s->collected &&
		    atomic_exchange(&s->queued, 1) == 0) {
			pending_push(t, s);	/* somebody is just leaving: look again later */
			continue;
		}
		if (s->where != AT_CURRENT)
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
			if (any || (s->age != AGE_INACTIVE && (common || s->in_use)))
				return s;
	return NULL;
}

/* Another span to allocate from; NO_SPAN without memory.  The old one is full. */
static struct span *pool_refill(struct thread *t, struct pool *p, struct bin *bin)
{
	struct span *s, *old = p->current;

	if (old != NO_SPAN) {
		if (span_collect(old))
			return old;
		span_leave(old);
		age_add(old);
		p->current = NO_SPAN;
	}
	drain(t);
	s = pool_partial(p, bin == NULL, false);
	if (s == NULL && (s = span_new(t, bin, p->cls)) != NULL)
		p->nspans++;
	else if (s != NULL || (s = pool_partial(p, false, true)) != NULL)
		list_remove(p, s);
	if (s == NULL)
		return NO_SPAN;
	s->where = AT_CURRENT;
	return p->current = s;
}

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

static void *large_alloc(struct thread *t, struct site *site, size_t n, size_t align, bool *zero)
{
	struct bin *b = bin_get(t, site, CLASS_LARGE);
	struct span *s;

	if (b == NULL || n > PTRDIFF_MAX - PAGE)
		return NULL;
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
		drain(t);
		age_look();
	}
}

/* The slower ways: a first call, another allocator's site, a large object, alignment. */
static __attribute__((noinline)) void *alloc_slow(size_t n, size_t align, bool zero,
						   const uintptr_t *frame)
{
	struct thread *t = heap_self ? heap_self : thread_get();
	struct site *site;
	struct bin *b;
	unsigned cls;
	bool is_zero = false;
	void *p = NULL;

	if (t == NULL)
		return no_memory();
	look(t);
	site = find_chain(t, frame)->site;
	if (site->alt != NULL && (p = site->alt->alloc(site, n, align, &is_zero)) != NULL)
		goto done;
	cls = n <= SMALL_MAX ? class_of_size[(n + 15) / 16] : CLASS_LARGE;
	while (cls < NCLASSES && class_size[cls] % align != 0)
		cls++;
	if (cls < NCLASSES && align <= PAGE)
		p = (b = bin_get(t, site, cls)) != NULL ? bin_alloc(t, b) : NULL;
	else
		p = large_alloc(t, site, n, align, &is_zero);
	if (p == NULL) {
		thread_put_back();
		return no_memory();
	}
done:
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

void *heap_alloc(size_t n, const uintptr_t *frame)
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
			drain(owner);
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

void heap_free(void *p)
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

size_t heap_usable(void *p)
{
	struct span *s = span_of(p);

	if (s == NULL)
		return 0;
	if (s->kind == SPAN_SMALL)
		return s->size;
	return s->kind == SPAN_LARGE ? s->npages * PAGE : s->alt->usable(s, p);
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
 * Threads and processes
 */

uint64_t heap_allocations(void)
{
	uint64_t n = run->sections[RUN_BINS].count, sum = 0;

	for (uint64_t i = 1; i < n; i++)
		sum += counter_get(&run_bins[i].allocated);
	return sum;
}

/* Current spans of a thread that will not allocate for now age like full ones. */
static void retire_current(struct thread *t, struct pool *p)
{
	struct span *s = p->current;

	if (s == NO_SPAN)
		return;
	p->current = NO_SPAN;
	span_leave(s);
	age_add(s);
	if (s->nfree > 0)
		span_relax(t, s);	/* the last slots of a span may stay unused */
}

void heap_thread_end(void)
{
	struct thread *t = heap_self;

	ended = true;
	if (t == NULL)
		return;
	drain(t);
	for (unsigned i = 0; i < NCLASSES; i++)
		retire_current(t, &t->common[i]);
	for (uint32_t i = 0; i < t->bins_cap; i++)
		if (t->bins[i] != NULL)
			retire_current(t, &t->bins[i]->own);
	while (t->ncached > 0)
		span_free(t->cached[--t->ncached]);
	thread_put_back();
}

static void at_thread_end(void *arg)
{
	(void)arg;
	heap_thread_end();
}

void heap_start(void)
{
	if (pthread_key_create(&end_key, at_thread_end) == 0)
		have_end_key = true;
}

static void rebuild_pool(struct pool *p)
{
	*p = (struct pool){ .current = NO_SPAN, .cls = p->cls };
}

/* Only the bits of a span can be trusted, if other threads were there. */
static void rebuild_span(struct span *s, void *self)
{
	struct thread *t = s->owner;

	if (s->kind != SPAN_SMALL || t == NULL)
		return;
	span_collect(s);
	if (t == self) {
		s->queued = 0;
		s->remote_done = s->collected;
		if (s->where != AT_CURRENT)
			span_relax(self, s);
		return;
	}
	s->nfree = 0;
	for (unsigned i = 0; i < s->words; i++)
		s->nfree += (uint16_t)__builtin_popcountll(counter_get(&s->bits[i]));
	s->queued = 0;
	s->remote_done = s->collected = 0;
	span_leave(s);
	s->next = s->prev = NULL;
	pool_of(t, s)->nspans++;
	if (s->nfree >= span_relaxed(s))
		list_push(pool_of(t, s), s);
}

void heap_fork_child(bool had_threads)
{
	struct thread *self = heap_self;

	if (!had_threads)
		return;
	/* The other threads may have stopped in the midst of anything: their lists are
	 * made anew from the spans. */
	while (self != NULL && self->ncached > 0)
		span_free(self->cached[--self->ncached]);
	for (struct thread *t = threads; t != NULL; t = t->next) {
		t->pending = NULL;
		if (t == self)
			continue;
		t->ncached = 0;
		for (unsigned i = 0; i < NCLASSES; i++)
			rebuild_pool(&t->common[i]);
		for (uint32_t i = 0; i < t->bins_cap; i++)
			if (t->bins[i] != NULL)
				rebuild_pool(&t->bins[i]->own);
		t->idle = true;
	}
	pages_each(rebuild_span, self);
}
