/*
 * pages.c - runs of pages.
 *
 * Memory comes from the kernel in pieces that grow with the heap, at any address,
 * and is cut into spans.  A free run is a span, too, on a list by its length; its
 * first and last page lead to it in the page map, so that neighbours find each
 * other and merge.  All of this is behind one lock: threads keep a few empty
 * pages for themselves (heap.c) and come here once for thousands of allocations.
 *
 * No large reservation of addresses is made, as it would change what RLIMIT_AS
 * means to the program.  When the kernel refuses a piece, the least that is needed
 * is asked for: the program gets NULL about where it would get it otherwise.
 *
 * Free runs keep their memory ("dirty") until there is more of that than an eighth
 * of what is in use; then whole runs are given back at once.
 *
 * The page map has three levels: with two it would take 3 MB of addresses, which is more than
 * some programs are allowed in all (RLIMIT_AS, RLIMIT_DATA).
 */
#include "pages.h"

#include "merge.h"
#include "prim.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define LISTS 128	/* run lengths with a list of their own; the last: all longer ones */
#define FIRST_PIECE ((size_t)256)
#define LAST_PIECE ((size_t)8192)
/* Of the 65530 mappings that the kernel allows a process, ours stay far below: at the
 * limit, mmap and pthread_create of the program would fail. */
#define MAX_MAPPINGS 8192
#define LEAST_UNMAPPED 8		/* pages of a run that is worth it */
#define KEEP_DIRTY ((size_t)1024)	/* pages of free runs never given back */

struct leaf_table *_Atomic pages_root[ROOTS];
struct leaf_table pages_home;
_Atomic uintptr_t pages_home_root = UINTPTR_MAX;
size_t pages_low = SIZE_MAX, pages_high;
struct lock pages_lock;

static struct span *runs[MEM_KINDS][LISTS + 1];
static struct span *free_descriptors[5];	/* by words of slots, 0 to 4 */
static size_t used, dirty_free, total;		/* pages */

/*
 * Descriptors and the page map
 */

static struct span *descriptor_new(unsigned words)
{
	struct span *s = free_descriptors[words];

	if (s != NULL) {
		free_descriptors[words] = s->next;
		memset(s, 0, sizeof(*s));
	} else {
		size_t n = (sizeof(*s) + 2 * words * sizeof(uint64_t) + 63) & ~(size_t)63;

		s = meta_alloc_lines(n);
		if (s == NULL)
			return NULL;
	}
	s->words = (uint8_t)words;
	for (unsigned i = 0; i < 2 * words; i++)
		s->bits[i] = 0;
	return s;
}

static void descriptor_free(struct span *s)
{
	s->next = free_descriptors[s->words];
	free_descriptors[s->words] = s;
}

struct leaf *pages_leaf_away(uintptr_t a)
{
	struct leaf_table *t = a >> 47 ? NULL : atomic_load(&pages_root[a >> TABLE_SHIFT]);

	return t != NULL ? atomic_load(&t->leaf[a >> LEAF_SHIFT & (TABLE_LEAVES - 1)]) : NULL;
}

size_t pages_next_leaf(size_t number)
{
	while (number < pages_high) {
		size_t root = number >> (TABLE_SHIFT - LEAF_SHIFT);

		if (pages_root[root] == NULL)
			number = (root + 1) << (TABLE_SHIFT - LEAF_SHIFT);
		else if (pages_leaf(number << LEAF_SHIFT) == NULL)
			number++;
		else
			return number;
	}
	return pages_high;
}

static struct leaf_table *table_make(uintptr_t a)
{
	uintptr_t root = a >> TABLE_SHIFT;
	struct leaf_table *t = atomic_load(&pages_root[root]);

	if (t != NULL)
		return t;
	if (pages_home_root == UINTPTR_MAX) {
		t = &pages_home;
		pages_home_root = root;
	} else {
		t = os_map(sizeof(*t));
	}
	atomic_store_explicit(&pages_root[root], t, memory_order_release);
	return t;
}

/* The leaf of an address, made if need be; NULL without memory. */
static struct leaf *leaf_make(uintptr_t a)
{
	size_t number = a >> LEAF_SHIFT;
	struct leaf_table *t = table_make(a);
	struct leaf *leaf = pages_leaf(a);

	if (leaf != NULL || t == NULL)
		return leaf;
	leaf = os_map((sizeof(*leaf) + PAGE - 1) & ~(PAGE - 1));
	if (leaf == NULL)
		return NULL;
	leaf->low = LEAF_PAGES;
	pages_low = number < pages_low ? number : pages_low;
	pages_high = number >= pages_high ? number + 1 : pages_high;
	atomic_store_explicit(&t->leaf[number & (TABLE_LEAVES - 1)], leaf, memory_order_release);
	return leaf;
}

static bool make_leaves(uintptr_t base, size_t npages)
{
	uintptr_t first = base >> PAGE_SHIFT, last = first + npages - 1;

	for (size_t r = base >> LEAF_SHIFT; r <= last >> (LEAF_SHIFT - PAGE_SHIFT); r++) {
		struct leaf *l = leaf_make(r << LEAF_SHIFT);
		uintptr_t start = r << (LEAF_SHIFT - PAGE_SHIFT);
		size_t from, to;

		if (l == NULL)
			return false;
		from = first > start ? first - start : 0;
		to = last - start < LEAF_PAGES ? last - start + 1 : LEAF_PAGES;
		l->low = from < l->low ? from : l->low;
		l->high = to > l->high ? to : l->high;
	}
	return true;
}

static inline struct leaf *leaf_of(uintptr_t a)
{
	return pages_leaf(a);
}

static inline size_t leaf_index(uintptr_t a)
{
	return a >> PAGE_SHIFT & (LEAF_PAGES - 1);
}

static inline void map_page(uintptr_t a, struct span *s)
{
	atomic_store_explicit(&leaf_of(a)->span[leaf_index(a)], s, memory_order_release);
}

static void map_ends(struct span *s, struct span *to)
{
	map_page(s->base, to);
	map_page(s->base + (s->npages - 1) * PAGE, to);
}

void pages_map_all(struct span *s)
{
	for (size_t i = 0; i < s->npages; i++)
		map_page(s->base + i * PAGE, s);
}

/* Whoever has watched pages may do so while another thread marks shared ones in the
 * same word: the locks differ, the words do, too. */
static void mark(_Atomic uint64_t *word, uint64_t mask, bool on)
{
	uint64_t w = counter_get(word);

	counter_set(word, on ? w | mask : w & ~mask);
}

void pages_mark_watched(uintptr_t base, size_t npages, bool on)
{
	for (size_t i = 0; i < npages; i++) {
		uintptr_t a = base + i * PAGE;

		mark(&leaf_of(a)->watched[leaf_index(a) / 64],
		     (uint64_t)1 << leaf_index(a) % 64, on);
	}
}

static bool is_shared(uintptr_t a)
{
	struct leaf *l = leaf_of(a);

	return l != NULL && (counter_get(&l->shared[leaf_index(a) / 64]) >> leaf_index(a) % 64 & 1);
}

/* Mappings that marking these pages makes (negative: saves), at most. */
static int mappings_made(uintptr_t base, size_t npages)
{
	return 2 - 2 * is_shared(base - PAGE) - 2 * is_shared(base + npages * PAGE);
}

static int mappings;		/* that our changes of kind have made */
static size_t nshared;		/* pages */

bool pages_too_many_mappings(uintptr_t base, size_t npages)
{
	return (mappings > MAX_MAPPINGS || os_few_mappings) && mappings_made(base, npages) > 0;
}

void pages_mark_shared(uintptr_t base, size_t npages, bool on)
{
	if (on)
		mappings += mappings_made(base, npages);
	nshared += on ? npages : -npages;
	for (size_t i = 0; i < npages; i++) {
		uintptr_t a = base + i * PAGE;

		mark(&leaf_of(a)->shared[leaf_index(a) / 64],
		     (uint64_t)1 << leaf_index(a) % 64, on);
	}
}

/*
 * Free runs
 */

static inline size_t list_of(size_t npages)
{
	return npages < LISTS ? npages : LISTS;
}

static void run_insert(struct span *s)
{
	struct span **list = &runs[s->mem][list_of(s->npages)];

	s->kind = SPAN_FREE;
	s->prev = NULL;
	s->next = *list;
	if (s->next)
		s->next->prev = s;
	*list = s;
	map_ends(s, s);
	if (s->dirty)
		dirty_free += s->npages;
}

static void run_remove(struct span *s)
{
	if (s->prev)
		s->prev->next = s->next;
	else
		runs[s->mem][list_of(s->npages)] = s->next;
	if (s->next)
		s->next->prev = s->prev;
	s->next = s->prev = NULL;
	map_ends(s, NULL);
	if (s->dirty)
		dirty_free -= s->npages;
}

/* Takes a neighbour in, if it is a free run of the same kind of memory. */
static struct span *merge(struct span *s, struct span *with)
{
	if (with == NULL || with->kind != SPAN_FREE || with->mem != s->mem)
		return s;
	run_remove(with);
	if (with->base < s->base)
		s->base = with->base;
	s->npages += with->npages;
	s->dirty |= with->dirty;
	descriptor_free(with);
	return s;
}

static void give_back(struct span *s)
{
	if (!s->dirty)
		return;
	prim_discard(s->base, s->npages, s->mem);
	s->dirty = false;
}

static void run_release(struct span *s)
{
	s = merge(s, span_of((void *)(s->base - PAGE)));
	s = merge(s, span_of((void *)(s->base + s->npages * PAGE)));
	if (s->dirty && s->npages >= 16 && dirty_free + s->npages > KEEP_DIRTY + used / 8)
		give_back(s);
	run_insert(s);
}

/* The same for pages of any kind: frozen ones are replaced by private ones first, as
 * their old contents can never be given back alone. */
static void run_release_any(struct span *s)
{
	if (s->mem == MEM_FROZEN) {
		if (!prim_replace(s->base, s->npages, MEM_PRIVATE))
			return;		/* lost to us, no more */
		s->mem = MEM_PRIVATE;
		s->dirty = false;
	}
	run_release(s);
}

static void mark_ours(uintptr_t base, size_t npages, bool on)
{
	for (size_t i = 0; i < npages; i++) {
		uintptr_t a = base + i * PAGE;

		mark(&leaf_of(a)->ours[leaf_index(a) / 64], (uint64_t)1 << leaf_index(a) % 64, on);
	}
}

/* A piece of npages from the kernel, as a run on the lists. */
static bool grow_by(size_t npages)
{
	enum span_mem mem = prim_birth();
	void *p = prim_map(npages, &mem);
	struct span *s;

	if (p == NULL)
		return false;
	s = make_leaves((uintptr_t)p, npages) ? descriptor_new(0) : NULL;
	if (s == NULL) {
		os_unmap(p, npages * PAGE);
		return false;
	}
	total += npages;
	mark_ours((uintptr_t)p, npages, true);
	if (mem == MEM_SHARED)
		pages_mark_shared((uintptr_t)p, npages, true);
	s->base = (uintptr_t)p;
	s->npages = (uint32_t)npages;
	s->mem = (uint8_t)mem;
	run_release(s);
	return true;
}

/* A piece of at least npages, the larger the larger the heap is, if that can be had. */
static bool grow(size_t npages)
{
	size_t want = total / 8;
	int saved = errno;
	bool ok;

	want = want < FIRST_PIECE ? FIRST_PIECE : want > LAST_PIECE ? LAST_PIECE : want;
	if (want < npages)
		want = npages;
	while (!(ok = grow_by(want)) && want > npages)
		want = want / 4 > npages ? want / 4 : npages;
	errno = saved;
	return ok;
}

/* The smallest run of a kind that fits; NULL: none. */
static struct span *best_fit(enum span_mem mem, size_t npages)
{
	struct span *best = NULL;

	for (size_t i = npages; i < LISTS; i++)
		if (runs[mem][i])
			return runs[mem][i];
	for (struct span *s = runs[mem][LISTS]; s; s = s->next)
		if (s->npages >= npages && (best == NULL || s->npages < best->npages)) {
			best = s;
			if (s->npages == npages)
				break;
		}
	return best;
}

/* Finds a run whose touches can be seen if the process has threads, any otherwise.
 * Private memory is converted as a whole run, to keep mappings few. */
static struct span *find_run(size_t npages)
{
	enum span_mem want = prim_birth();
	struct span *s = best_fit(want, npages);

	if (s != NULL)
		return s;
	s = best_fit(want == MEM_SHARED ? MEM_PRIVATE : MEM_SHARED, npages);
	if (s == NULL || want == MEM_PRIVATE || pages_too_many_mappings(s->base, s->npages))
		return s;
	run_remove(s);
	if (prim_replace(s->base, s->npages, MEM_SHARED)) {
		s->mem = MEM_SHARED;
		s->dirty = false;
		pages_mark_shared(s->base, s->npages, true);
	}
	run_insert(s);
	return s;
}

/* Splits the first npages off a run that is on no list; the rest goes back. */
static bool split(struct span *s, size_t npages)
{
	struct span *rest;

	if (s->npages == npages)
		return true;
	rest = descriptor_new(0);
	if (rest == NULL)
		return false;
	rest->base = s->base + npages * PAGE;
	rest->npages = (uint32_t)(s->npages - npages);
	rest->mem = s->mem;
	rest->dirty = s->dirty;
	s->npages = (uint32_t)npages;
	run_insert(rest);
	return true;
}

struct span *pages_alloc(size_t npages, size_t align, unsigned words)
{
	size_t extra = align > PAGE ? align / PAGE - 1 : 0;
	struct span *run_span, *s = NULL, *head;
	uintptr_t base;

	if (npages > UINT32_MAX / 2 || extra > UINT32_MAX / 2)
		return NULL;
	lock_take(&pages_lock);
	run_span = find_run(npages + extra);
	if (run_span == NULL && grow(npages + extra))
		run_span = find_run(npages + extra);
	if (run_span == NULL || (s = descriptor_new(words)) == NULL)
		goto done;
	run_remove(run_span);
	base = align > PAGE ? (run_span->base + align - 1) & ~(align - 1) : run_span->base;
	if (base != run_span->base) {
		head = descriptor_new(0);
		if (head == NULL)
			goto fail;
		*head = *run_span;
		head->words = 0;
		head->npages = (uint32_t)((base - run_span->base) / PAGE);
		run_span->base = base;
		run_span->npages -= head->npages;
		run_insert(head);
	}
	if (!split(run_span, npages))
		goto fail;
	s->base = base;
	s->npages = (uint32_t)npages;
	s->mem = run_span->mem;
	s->dirty = run_span->dirty;
	s->kind = SPAN_LARGE;
	used += npages;
	map_ends(s, s);
	descriptor_free(run_span);
done:
	lock_give(&pages_lock);
	return s;
fail:
	run_insert(run_span);
	descriptor_free(s);
	lock_give(&pages_lock);
	return NULL;
}

void pages_free(struct span *s)
{
	struct span *run_span;

	lock_take(&pages_lock);
	used -= s->npages;
	for (size_t i = 0; s->kind == SPAN_SMALL && i < s->npages; i++)
		map_page(s->base + i * PAGE, NULL);
	map_ends(s, NULL);
	run_span = descriptor_new(0);
	if (run_span != NULL) {
		run_span->base = s->base;
		run_span->npages = s->npages;
		run_span->mem = s->mem;
		descriptor_free(s);
	} else {	/* there is no memory at all: a larger one does as well */
		run_span = s;
	}
	run_span->dirty = true;
	run_release_any(run_span);
	lock_give(&pages_lock);
}

bool pages_extend(struct span *s, size_t npages)
{
	size_t more = npages - s->npages;
	struct span *next;
	bool ok = false;

	lock_take(&pages_lock);
	next = span_of((void *)(s->base + s->npages * PAGE));
	if (next != NULL && next->kind == SPAN_FREE && next->mem == s->mem &&
	    next->base == s->base + s->npages * PAGE && next->npages >= more) {
		run_remove(next);
		if (split(next, more)) {
			map_ends(s, NULL);
			s->dirty |= next->dirty;
			s->npages = (uint32_t)npages;
			used += more;
			map_ends(s, s);
			descriptor_free(next);
			ok = true;
		} else {
			run_insert(next);
		}
	}
	lock_give(&pages_lock);
	return ok;
}

void pages_shrink(struct span *s, size_t npages)
{
	struct span *rest;

	if (npages == s->npages)
		return;
	lock_take(&pages_lock);
	rest = descriptor_new(0);
	if (rest != NULL) {
		map_ends(s, NULL);
		rest->base = s->base + npages * PAGE;
		rest->npages = (uint32_t)(s->npages - npages);
		rest->mem = s->mem;
		rest->dirty = true;
		used -= rest->npages;
		s->npages = (uint32_t)npages;
		map_ends(s, s);
		run_release_any(rest);
	}
	lock_give(&pages_lock);
}

/* The longest free run. */
static struct span *longest_run(void)
{
	struct span *best = NULL;

	for (unsigned mem = 0; mem < MEM_KINDS; mem++) {
		struct span *s = runs[mem][LISTS];

		for (size_t i = LISTS; s == NULL && i-- > 0;)
			s = runs[mem][i];
		for (; s != NULL; s = s->next)
			if (best == NULL || s->npages > best->npages)
				best = s;
	}
	return best;
}

/* Unmaps the end of a run, or all of it; how many pages. */
static size_t unmap_end(struct span *s, size_t npages)
{
	uintptr_t base;
	bool ok;

	npages = npages < s->npages ? npages : s->npages;
	base = s->base + (s->npages - npages) * PAGE;
	run_remove(s);
	if (s->mem == MEM_SHARED)
		prim_discard(base, npages, MEM_SHARED);
	ok = munmap((void *)base, npages * PAGE) == 0;
	if (ok) {
		mark_ours(base, npages, false);
		if (s->mem == MEM_SHARED)
			pages_mark_shared(base, npages, false);
		total -= npages;
		s->npages -= (uint32_t)npages;
	}
	if (s->npages > 0)
		run_insert(s);
	else
		descriptor_free(s);
	return ok ? npages : 0;
}

bool pages_unmap(size_t npages)
{
	size_t n = 1;
	int saved = errno;

	lock_take(&pages_lock);
	if (total - used < npages)
		n = 0;
	for (size_t done = 0; n > 0 && done < npages; done += n) {
		struct span *s = longest_run();

		n = s != NULL && s->npages >= LEAST_UNMAPPED ? unmap_end(s, npages - done) : 0;
	}
	lock_give(&pages_lock);
	errno = saved;
	return n > 0;
}

struct span *pages_adopt(void *base, size_t npages)
{
	struct span *s = NULL;

	lock_take(&pages_lock);
	if (make_leaves((uintptr_t)base, npages) && (s = descriptor_new(0)) != NULL) {
		s->base = (uintptr_t)base;
		s->npages = (uint32_t)npages;
		s->kind = SPAN_ALT;
		pages_map_all(s);
	}
	lock_give(&pages_lock);
	return s;
}

uintptr_t pages_next(uintptr_t a, uintptr_t end)
{
	a &= ~(PAGE - 1);
	while (a < end) {
		struct leaf *leaf = a >> 47 ? NULL : leaf_of(a);
		uint64_t word;

		if (a >> 47)
			return end;
		if (leaf == NULL) {
			a = ((a >> LEAF_SHIFT) + 1) << LEAF_SHIFT;
			continue;
		}
		word = counter_get(&leaf->ours[leaf_index(a) / 64]) >> leaf_index(a) % 64;
		if (word & 1)
			return a;
		/* the next of this word, or the next word */
		a += (word ? (size_t)__builtin_ctzll(word) : 64 - leaf_index(a) % 64) * PAGE;
	}
	return end;
}

struct span *pages_before(size_t number)
{
	struct span *s = NULL;

	while (s == NULL && number-- > pages_low) {
		struct leaf *leaf = pages_leaf(number << LEAF_SHIFT);

		for (size_t i = LEAF_PAGES; leaf != NULL && s == NULL && i-- > 0;)
			s = atomic_load(&leaf->span[i]);
	}
	return s;
}

struct span *pages_around(uintptr_t a)
{
	struct leaf *leaf = leaf_of(a);
	struct span *s = NULL;

	for (size_t i = leaf_index(a) + 1; s == NULL && i-- > 0;)
		s = atomic_load(&leaf->span[i]);
	if (s == NULL)
		s = pages_before(a >> LEAF_SHIFT);
	return s != NULL && a - s->base < s->npages * PAGE ? s : NULL;
}

void pages_purge(struct span *s)
{
	lock_take(&pages_lock);
	give_back(s);
	lock_give(&pages_lock);
}

void pages_each(void (*f)(struct span *s, void *arg), void *arg)
{
	for (size_t i = pages_next_leaf(pages_low); i < pages_high; i = pages_next_leaf(i + 1)) {
		struct leaf *leaf = pages_leaf(i << LEAF_SHIFT);

		for (size_t k = leaf->low; k < leaf->high;) {
			struct span *s = leaf->span[k];
			uintptr_t a = (uintptr_t)i << LEAF_SHIFT | k << PAGE_SHIFT;

			k += s != NULL && s->base == a ? s->npages : 1;
			if (s != NULL && s->kind != SPAN_FREE && s->kind != SPAN_ALT &&
			    s->base == a)
				f(s, arg);
		}
	}
}

/*
 * fork
 */

/* Freezes each stretch of shared pages as a whole: these are the kernel's mappings. */
static bool freeze_leaf(size_t root, struct leaf *leaf)
{
	bool ok = true;

	for (size_t k = leaf->low, n; k < leaf->high; k += n) {
		uintptr_t a = (uintptr_t)root << LEAF_SHIFT | k << PAGE_SHIFT;

		n = 1;
		if (k % 64 == 0 && counter_get(&leaf->shared[k / 64]) == 0) {
			n = 64;
			continue;
		}
		if (!is_shared(a))
			continue;
		for (n = 0; k + n < leaf->high && is_shared(a + n * PAGE); n++) {
			struct span *s = leaf->span[k + n];

			if (s == NULL)
				continue;
			if (s->merge != 0 && n > 0)
				break;		/* it lies elsewhere in the memfd */
			s->mem = MEM_FROZEN;
			if (s->merge != 0) {
				ok &= prim_freeze(a, 1, merge_offset(s));
				s->merge = 0;
				pages_mark_shared(a, 1, false);
				n = 0;
				break;
			}
		}
		if (n == 0) {
			n = 1;
			continue;
		}
		ok &= prim_freeze(a, n, a);
		pages_mark_shared(a, n, false);
	}
	return ok;
}

bool pages_freeze(void)
{
	bool ok = true;
	struct span *s, *next;

	if (nshared == 0)
		return true;
	for (size_t i = 0; i <= LISTS; i++)
		for (s = runs[MEM_SHARED][i]; s != NULL; s = next) {
			next = s->next;
			run_remove(s);
			pages_mark_shared(s->base, s->npages, false);
			s->mem = MEM_PRIVATE;
			s->dirty = false;
			if (prim_replace(s->base, s->npages, MEM_PRIVATE))
				run_insert(s);
			else
				ok = false;
		}
	for (size_t i = pages_next_leaf(pages_low); i < pages_high; i = pages_next_leaf(i + 1))
		ok &= freeze_leaf(i, pages_leaf(i << LEAF_SHIFT));
	check(nshared == 0);
	merge_forget();
	mappings = 0;
	prim_frozen();
	return ok;
}

struct stretch {
	uintptr_t base;
	size_t npages;
};

static void refreeze(struct span *s, void *arg)
{
	struct stretch *last = arg;

	if (s->mem != MEM_FROZEN)
		return;
	if (s->base != last->base + last->npages * PAGE) {
		if (last->npages > 0)
			prim_refreeze(last->base, last->npages);
		*last = (struct stretch){ s->base, 0 };
	}
	last->npages += s->npages;
}

void pages_fork_child(void)
{
	struct stretch last = { 0, 0 };

	if (!prim_must_refreeze())
		return;
	pages_each(refreeze, &last);
	if (last.npages > 0)
		prim_refreeze(last.base, last.npages);
}

size_t pages_used(void)
{
	return used * PAGE;
}

size_t pages_dirty_free(void)
{
	return dirty_free * PAGE;
}
