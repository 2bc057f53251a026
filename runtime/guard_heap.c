/*
 * guard_heap.c - a heap in which objects can be found by any address in them.
 *
 * Blocks are glibc's, each with a header in front of it and some room behind, which
 * is zeroed, so that a string that lost its end has one.  The side table has, for each
 * page of the heap, where objects begin on it (a bit for each 16 bytes), and which
 * object reaches into it from before.  So an address leads to its object in
 * constant time: the last bit at or before it, or that object.
 *
 * Under plumb run, objects of cyclic buffers come from libplumb-run.so, which tells
 * us (plumb_guard_note).  Its headers end as ours do.
 *
 * No lock is taken: a bit or a pointer is set when its object is complete and
 * cleared before it goes.  What a race between threads of the program can do is what
 * it does to their accesses anyway.
 *
 * glibc's own names (__libc_malloc) are called: there is no time, early in a program,
 * at which they could not be.
 */
#include "guard.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

#define ROOM_MOST 1024

struct guard_page *_Atomic guard_table[1u << (GUARD_ADDRESS_BITS - GUARD_LEAF_BITS)];

/*
 * The side table
 */

static struct guard_page *page_make(uintptr_t a)
{
	struct guard_page *_Atomic *at = &guard_table[a >> GUARD_LEAF_BITS];
	struct guard_page *none = NULL;
	void *leaf;
	int saved = errno;

	if (a >> GUARD_ADDRESS_BITS != 0)
		return NULL;
	if (atomic_load_explicit(at, memory_order_acquire) == NULL) {
		leaf = mmap(NULL, GUARD_LEAF_PAGES * sizeof(struct guard_page), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (leaf == MAP_FAILED)
			leaf = NULL;
		else if (!atomic_compare_exchange_strong(at, &none, leaf))
			munmap(leaf, GUARD_LEAF_PAGES * sizeof(struct guard_page));
	}
	errno = saved;
	return guard_page_of(a);
}

/* The bits from unit lo to unit hi of a page, of those in word w. */
static uint64_t bits_between(unsigned w, size_t lo, size_t hi)
{
	uint64_t mask = ~UINT64_C(0);

	if (hi < w * 64 || lo > w * 64 + 63)
		return 0;
	if (lo > w * 64)
		mask &= ~UINT64_C(0) << (lo - w * 64);
	if (hi < w * 64 + 63)
		mask &= ~UINT64_C(0) >> (63 - (hi - w * 64));
	return mask;
}

/* No object begins in [from, to) of one page any more. */
static void clear_starts(struct guard_page *page, uintptr_t from, uintptr_t to)
{
	size_t lo = from % PAGE / GUARD_UNIT, hi = (to - 1) % PAGE / GUARD_UNIT;

	for (unsigned w = 0; w < GUARD_WORDS; w++) {
		uint64_t mask = bits_between(w, lo, hi);

		if (mask != 0 && (atomic_load_explicit(&page->starts[w], memory_order_relaxed) & mask))
			atomic_fetch_and(&page->starts[w], ~mask);
	}
}

/* Object p of n bytes, its header in place, is there from now on; what was there
 * before is not. */
EXPORT void plumb_guard_note(void *object, size_t n)
{
	uintptr_t p = (uintptr_t)object, end = p + (n ? n : 1), at;
	struct guard_page *page;

	for (at = p; at < end; at = (at | (PAGE - 1)) + 1) {
		uintptr_t next = (at | (PAGE - 1)) + 1;

		if ((page = page_make(at)) == NULL)
			return;
		clear_starts(page, at, next < end ? next : end);
		if (at != p)
			atomic_store_explicit(&page->reaching, p, memory_order_release);
	}
	page = guard_page_of(p);
	atomic_fetch_or(&page->starts[p % PAGE / GUARD_UNIT / 64], UINT64_C(1) << (p / GUARD_UNIT % 64));
}

static bool begins_at(uintptr_t p)
{
	struct guard_page *page = p % GUARD_UNIT == 0 ? guard_page_of(p) : NULL;

	return page != NULL && (atomic_load_explicit(&page->starts[p % PAGE / GUARD_UNIT / 64],
						     memory_order_acquire) >> (p / GUARD_UNIT % 64) & 1);
}

static void forget(uintptr_t p)
{
	uintptr_t end = p + guard_head_of(p)->size, was;
	struct guard_page *page = guard_page_of(p);

	clear_starts(page, p, p + GUARD_UNIT);
	for (uintptr_t at = (p | (PAGE - 1)) + 1; at < end; at += PAGE) {
		was = p;
		if ((page = guard_page_of(at)) != NULL)
			atomic_compare_exchange_strong(&page->reaching, &was, 0);
	}
}

enum guard_where guard_without_object(const struct guard_page *page)
{
	uint64_t any = atomic_load_explicit(&page->reaching, memory_order_relaxed);

	for (unsigned w = 0; w < GUARD_WORDS; w++)
		any |= atomic_load_explicit(&page->starts[w], memory_order_relaxed);
	return any != 0 ? GUARD_GAP : GUARD_ELSEWHERE;
}

/*
 * Blocks
 */

/* The bytes behind an object. */
static size_t room_behind(size_t n)
{
	return GUARD_UNIT + (n / 8 < ROOM_MOST ? n / 8 : ROOM_MOST);
}

/* All bytes of a block; 0 if there is no such number. */
static size_t whole(size_t align, size_t n)
{
	size_t extra = sizeof(struct guard_head) + room_behind(n) + align;

	return n > PTRDIFF_MAX - extra ? 0 : n + extra;
}

static void *finish(void *raw, size_t align, size_t n)
{
	uintptr_t p = (uintptr_t)raw + sizeof(struct guard_head);
	struct guard_head *h;

	if (raw == NULL)
		return NULL;
	if (align > GUARD_UNIT)
		p = (p + align - 1) & ~(align - 1);
	h = guard_head_of(p);
	h->raw = raw;
	h->size = n;
	h->check = guard_check_of(p);
	memset((char *)p + n, 0, room_behind(n));
	plumb_guard_note((void *)p, n);
	return (void *)p;
}

static void *get(size_t align, size_t n)
{
	size_t all = whole(align, n);

	return all != 0 ? finish(__libc_malloc(all), align, n) : (errno = ENOMEM, NULL);
}

EXPORT void *malloc(size_t n)
{
	return get(0, n);
}

EXPORT void *calloc(size_t count, size_t size)
{
	size_t n, all;

	if (__builtin_mul_overflow(count, size, &n) || (all = whole(0, n)) == 0)
		return errno = ENOMEM, NULL;
	return finish(__libc_calloc(1, all), 0, n);
}

EXPORT void free(void *p)
{
	if (p == NULL)
		return;
	if (!begins_at((uintptr_t)p) || guard_head_of((uintptr_t)p)->check != guard_check_of((uintptr_t)p)) {
		guard_event(GUARD_FREE, __builtin_return_address(0));
		return;
	}
	forget((uintptr_t)p);
	guard_head_of((uintptr_t)p)->check = 0;
	__libc_free(guard_head_of((uintptr_t)p)->raw);
}

EXPORT void *realloc(void *old, size_t n)
{
	uintptr_t p = (uintptr_t)old;
	size_t all = whole(0, n), was;
	void *raw, *q;

	if (old == NULL)
		return get(0, n);
	if (n == 0) {	/* as glibc */
		free(old);
		return NULL;
	}
	if (!begins_at(p)) {
		guard_event(GUARD_FREE, __builtin_return_address(0));
		return get(0, n);
	}
	if (all == 0)
		return errno = ENOMEM, NULL;
	was = guard_head_of(p)->size;
	raw = guard_head_of(p)->raw;
	if ((uintptr_t)raw + sizeof(struct guard_head) == p) {
		forget(p);
		q = __libc_realloc(raw, all);
		if (q == NULL)
			plumb_guard_note(old, was);
		return finish(q, 0, n);
	}
	q = get(0, n);
	if (q != NULL) {
		memcpy(q, old, was < n ? was : n);
		free(old);
	}
	return q;
}

EXPORT void *memalign(size_t align, size_t n)
{
	if (align == 0 || (align & (align - 1)) != 0 || align > PTRDIFF_MAX / 4)
		return errno = EINVAL, NULL;
	return get(align, n);
}

EXPORT void *aligned_alloc(size_t align, size_t n)
{
	return memalign(align, n);
}

EXPORT int posix_memalign(void **out, size_t align, size_t n)
{
	void *p;
	int saved = errno;

	if (align < sizeof(void *) || (align & (align - 1)) != 0 || align > PTRDIFF_MAX / 4)
		return EINVAL;
	p = get(align, n);
	errno = saved;
	if (p == NULL)
		return ENOMEM;
	*out = p;
	return 0;
}

EXPORT void *valloc(size_t n)
{
	return get(PAGE, n);
}

EXPORT void *pvalloc(size_t n)
{
	return n > PTRDIFF_MAX / 2 ? (errno = ENOMEM, NULL) : get(PAGE, (n + PAGE - 1) & ~(PAGE - 1));
}

EXPORT size_t malloc_usable_size(void *p)
{
	return p != NULL && begins_at((uintptr_t)p) ? guard_head_of((uintptr_t)p)->size : 0;
}
