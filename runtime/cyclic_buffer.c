/*
 * cyclic_buffer.c - cyclic buffers.
 *
 * After Nguyen and Rinard, "Using Cyclic Memory Allocation to Eliminate Memory
 * Leaks", sections 3.3 and 3.4.  A site has a buffer for m objects of the largest
 * size that training saw.  Blocks are taken from it one after another; at its end
 * the round begins anew, over the oldest.  free() does nothing.  A block that does
 * not fit gets a new buffer of max(2 * m * r, 3 * s) bytes, where r is the block's
 * size and s that of the old buffer, which stays as it is: the objects in it keep
 * their contents.
 *
 * We leave the paper in three places.  A block that is larger than any before but
 * fits into the buffer would leave no room for m such blocks; under CYCLIC_MEND
 * it counts as one that does not fit.  And then a buffer has room behind the bound:
 * at least as many blocks again, in which objects are old but not overlaid yet, so
 * that a bound which is too small can be found out (cyclic_watch.c) before harm is
 * done.  When it is, the site gets a larger buffer, and the old one stays as it is.
 * And where training saw no leak, the program's own word is taken: a block that it
 * has not freed is stepped over, and if the whole buffer is in use, the heap serves
 * the site for a while.  There the technique can do no harm, and a leak that
 * training did not see is not contained.
 *
 * The fast path takes no lock.  Threads race for the position of the site by
 * compare-and-swap; position, base and limit are written under the lock in the
 * order limit = 0, base, position, limit, and read in the order position, base,
 * limit, so that whoever succeeds had all three of the same round (positions never
 * return).
 *
 * All buffers are in one reserved range of addresses, so that free() knows them by
 * one comparison.
 */
#include "cyclic.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define ROOM (16u << 10)		/* behind the bound, at least */
#define ROOM_OBJECTS 8
#define ROOM_MOST (1u << 20)		/* for those eight, if they are large */

uintptr_t cyclic_region;
size_t cyclic_region_size;
uint8_t *cyclic_live;
void (*cyclic_note)(void *, size_t);

static size_t region_used;
static _Atomic int locked;

void cyclic_lock(void)
{
	while (atomic_exchange_explicit(&locked, 1, memory_order_acquire))
		sched_yield();
}

void cyclic_unlock(void)
{
	atomic_store_explicit(&locked, 0, memory_order_release);
}

void cyclic_lock_reset(void)
{
	atomic_store(&locked, 0);
}

void *cyclic_own_memory(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Addresses for all buffers there may ever be; a program with a limit of addresses keeps most
 * of them. */
void cyclic_buffer_init(void)
{
	size_t size = (size_t)1 << 34;
	struct rlimit l;

	if (getrlimit(RLIMIT_AS, &l) == 0 && l.rlim_cur / 16 < size)
		size = (l.rlim_cur / 16) & ~(size_t)(16 * CYCLIC_PAGE - 1);
	for (; size >= (size_t)1 << 18; size /= 2) {
		void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			       -1, 0);

		if (p != MAP_FAILED) {
			cyclic_region = (uintptr_t)p;
			cyclic_region_size = size;
			return;
		}
	}
}

/* Lets the bytes of cyclic_live for a buffer be stored to; before that they count for no
 * limit. */
static bool allow_live(const char *p, size_t n)
{
	uintptr_t from, to;

	if (cyclic_live == NULL)
		return true;
	from = (uintptr_t)cyclic_live_at((uintptr_t)p) & ~(uintptr_t)(CYCLIC_PAGE - 1);
	to = (uintptr_t)cyclic_live_at((uintptr_t)p + n) + CYCLIC_PAGE - 1;
	to &= ~(uintptr_t)(CYCLIC_PAGE - 1);
	return mprotect((void *)from, to - from, PROT_READ | PROT_WRITE) == 0;
}

void cyclic_buffer_start(void)
{
	void *p;

	if (!(cyclic_plan->flags & (CYCLIC_MEND | CYCLIC_STRICT)))
		return;
	cyclic_watch_init(cyclic_region_size);
	p = mmap(NULL, cyclic_region_size / CYCLIC_ALIGN, PROT_READ,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	cyclic_live = p == MAP_FAILED ? NULL : p;
	for (uint32_t i = 0; i < cyclic_plan->nsites; i++) {
		struct cyclic_site *s = &cyclic_sites[i];

		s->keep = cyclic_live != NULL && !s->entry->leaking;
		if (!s->keep && !s->entry->leaking)
			s->idle = UINT32_MAX;	/* frees could not be noted: the heap's */
	}
}

/*
 * Slow paths, under the lock
 */

static bool is_watching(void)
{
	return (cyclic_plan->flags & (CYCLIC_MEND | CYCLIC_STRICT)) != 0;
}

/* What a buffer for m blocks of cap bytes has behind the bound. */
static size_t room_for(const struct cyclic_site *s, size_t cap)
{
	uint64_t m = s->m;
	size_t room = ROOM_OBJECTS * cap, strict = cyclic_plan->strict_rounds;

	if (!is_watching())
		return 0;
	if (s->keep)
		return cap;	/* it needs no room, but rounds should not be too short */
	if (room > ROOM_MOST)
		room = ROOM_MOST > cap ? ROOM_MOST : cap;
	if (room < ROOM)
		room = ROOM;
	if (!(cyclic_plan->flags & CYCLIC_STRICT) || strict == 0)
		strict = 1;
	return room < strict * m * cap ? strict * m * cap : room;
}

static void set_round(struct cyclic_site *s, uint64_t start)
{
	atomic_store_explicit(&s->limit, 0, memory_order_release);
	s->start = start;
	atomic_store_explicit(&s->base, (uintptr_t)s->buf - start, memory_order_release);
	atomic_store_explicit(&s->pos, start, memory_order_release);
}

#define WORD sizeof(uint64_t)

/* Eight marks, at an address that is a multiple of eight.  Whoever finds them cleared
 * comes after those who cleared them. */
static inline uint64_t live_word(const uint8_t *p)
{
#ifdef __SANITIZE_THREAD__	/* knows an order only between accesses of the same size */
	uint64_t any = 0;

	for (unsigned i = 0; i < WORD; i++)
		any |= __atomic_load_n(p + i, __ATOMIC_ACQUIRE);
	return any;
#else
	return __atomic_load_n((const uint64_t *)(const void *)p, __ATOMIC_ACQUIRE);
#endif
}

/* The position of the first block at or after pos that is not freed; the end of the
 * buffer if there is none. */
static uint64_t next_live(const struct cyclic_site *s, uint64_t pos)
{
	const uint8_t *p = cyclic_live_at(s->base + pos);
	const uint8_t *end = cyclic_live_at((uintptr_t)s->buf + s->size);

	while (p < end && __atomic_load_n(p, __ATOMIC_ACQUIRE) == 0) {
		p++;
		while ((uintptr_t)p % WORD == 0 && end - p >= (ptrdiff_t)WORD && live_word(p) == 0)
			p += WORD;
	}
	return s->start + (uint64_t)(p - cyclic_live_at((uintptr_t)s->buf)) * CYCLIC_ALIGN;
}

/* Sets the limit: the end of the buffer, unless pages are watched before that. */
static void set_limit(struct cyclic_site *s)
{
	if (s->watch != NULL)
		cyclic_watch_passed(s);
	else
		cyclic_set_limit(s, s->keep ? s->gap_end : s->start + s->size);
}

/* Gives s a buffer for m blocks of cap bytes, of at least `least` bytes. */
static bool new_buffer(struct cyclic_site *s, size_t cap, size_t least)
{
	uint64_t size = s->m * cap, end = s->start + s->size;
	size_t room, whole;
	char *p;

	if (s->m > CYCLIC_LARGEST / cap)
		return false;
	if (size < least)
		size = least;
	room = room_for(s, cap);
	size = (size + room + CYCLIC_ALIGN - 1) & ~(uint64_t)(CYCLIC_ALIGN - 1);
	whole = (size + CYCLIC_PAGE - 1) & ~(size_t)(CYCLIC_PAGE - 1);
	if (size > 2 * CYCLIC_LARGEST || whole > cyclic_region_size - region_used)
		return false;
	p = (char *)cyclic_region + region_used;
	if (!allow_live(p, whole))
		return false;
	if (is_watching())
		size = whole;		/* whole pages can be watched */
	s->watch = is_watching() && !s->keep ? cyclic_watch_new(p, whole, region_used) : NULL;
	if (s->watch == NULL && mprotect(p, whole, PROT_READ | PROT_WRITE) != 0)
		return false;
	region_used += whole;
	s->buf = p;
	s->size = size;
	/* Without room behind the bound the paper's rule holds: any block that fits. */
	s->cap = is_watching() ? (size - room) / s->m : size;
	atomic_store_explicit(&s->slot, is_watching() ? cap : size, memory_order_relaxed);
	atomic_fetch_add(&s->entry->memory, whole);
	set_round(s, end);	/* behind all positions of the old one: they never return */
	return true;
}

static bool first_buffer(struct cyclic_site *s, size_t need)
{
	size_t cap = cyclic_need(s->entry->max_size);

	if (cap == 0)
		return false;
	return new_buffer(s, cap > need ? cap : need, 0);
}

static bool larger_buffer(struct cyclic_site *s, size_t need)
{
	uint64_t by_block = 2 * s->m * need, by_old = 3 * (uint64_t)s->size;
	uint64_t least = by_block > by_old ? by_block : by_old;

	if (need > CYCLIC_LARGEST / 2 / s->m)
		return false;
	if (least > CYCLIC_LARGEST)
		least = by_block;
	return new_buffer(s, need, least);
}

/* The bound has turned out to be too small: the objects stay where they are. */
static bool raise_bound(struct cyclic_site *s)
{
	uint64_t m = s->m + s->raise_by, seen = atomic_load(&s->entry->raised);

	while (seen < m && !atomic_compare_exchange_weak(&s->entry->raised, &seen, m))
		;
	atomic_fetch_add(&cyclic_plan->raised, 1);
	s->raise_by *= 2;
	s->m = m > seen ? m : seen;
	return new_buffer(s, s->slot, 0);
}

/* Begins the buffer anew. */
static void wrap(struct cyclic_site *s)
{
	uint64_t end = s->start + s->size, pos = atomic_load(&s->pos);

	if (s->watch != NULL)
		cyclic_watch_round(s, end - pos);
	atomic_fetch_add_explicit(&s->entry->rounds, 1, memory_order_relaxed);
	set_round(s, end);
}

/* Takes over what another process of the run has found out. */
static bool learn(struct cyclic_site *s)
{
	uint64_t raised = atomic_load(&s->entry->raised);

	if (!is_watching() || raised <= s->m)
		return true;
	s->m = raised;
	return new_buffer(s, s->slot, 0);
}

/* The heap serves the site for a while, each time longer. */
static bool be_idle(struct cyclic_site *s)
{
	atomic_store_explicit(&s->idle, s->idle_next, memory_order_relaxed);
	if (s->idle_next < 1u << 20)
		s->idle_next *= 2;
	return false;
}

/* Where no block that begins at or after `live`, one after another, can reach.  A block
 * in use is taken to be as long as the longest: its own header may not be written yet. */
static uint64_t behind(const struct cyclic_site *s, uint64_t live)
{
	uint64_t end = s->start + s->size, at;

	do {
		at = live + s->slot;
		live = live + CYCLIC_ALIGN < end ? next_live(s, live + CYCLIC_ALIGN) : end;
	} while (live < at && live < end);
	return at;
}

/* Finds a gap of need bytes between blocks that are in use, from the position on, and
 * moves there. */
static bool find_gap(struct cyclic_site *s, size_t need, uint64_t *pos)
{
	uint64_t at = *pos = atomic_load(&s->pos);
	unsigned wraps = 0;

	for (;;) {
		uint64_t end = s->start + s->size, live = at < end ? next_live(s, at) : end;

		if (live >= at && live - at >= need) {
			if (at == *pos || atomic_compare_exchange_strong(&s->pos, pos, at)) {
				*pos = at;
				s->gap_end = live;	/* blocks are only put at the position */
				return true;
			}
			at = *pos;	/* somebody was faster: look again */
		} else if (live < end) {
			at = behind(s, live);
		} else if (wraps++ == 1) {
			return be_idle(s);
		} else {
			wrap(s);
			at = *pos = s->start;
		}
	}
}

/* Makes room for need bytes at the position, which is then *pos.  False: the heap
 * must serve it. */
static bool make_room(struct cyclic_site *s, size_t need, uint64_t *pos)
{
	if (s->size == 0 && !first_buffer(s, need))
		return false;
	if (need > s->cap && !larger_buffer(s, need))
		return false;
	if (need > s->slot)
		s->slot = need;
	if (s->keep)
		return find_gap(s, need, pos);
	for (unsigned tries = 0; tries < 4; tries++) {
		*pos = atomic_load(&s->pos);
		if (*pos + need > s->start + s->size) {
			wrap(s);
			if (!learn(s))
				return false;
			*pos = atomic_load(&s->pos);
		}
		if (s->watch == NULL || cyclic_watch_enter(s, *pos, need))
			return true;
		if (!raise_bound(s))
			return false;
	}
	return false;
}

/* How far behind pos a header must be for its block to be aligned. */
static size_t padding(const struct cyclic_site *s, uint64_t pos, size_t align)
{
	uintptr_t user = s->base + pos + sizeof(struct cyclic_block);

	return ((user + align - 1) & ~(uintptr_t)(align - 1)) - user;
}

static void *alloc_locked(struct cyclic_site *s, size_t align, size_t need)
{
	size_t spare = align > CYCLIC_ALIGN ? align : 0, pad = 0;
	int saved = errno;
	uint64_t pos;
	void *p = NULL;

	cyclic_lock();
	/* Keep the fast path out.  Who has read the limit already may still take
	 * what lies below it: then we try again. */
	atomic_store_explicit(&s->limit, 0, memory_order_seq_cst);
	for (;;) {
		if (!make_room(s, need + spare, &pos))
			break;
		if (spare > 0)
			pad = padding(s, pos, align);
		if (s->keep)
			cyclic_mark(s->base + pos + pad);
		if (atomic_compare_exchange_strong(&s->pos, &pos, pos + pad + need)) {
			p = cyclic_finish(s->base + pos + pad, need);
			if (cyclic_note != NULL)
				cyclic_note(p, need - sizeof(struct cyclic_block));
			break;
		}
	}
	if (s->size > 0)
		set_limit(s);
	cyclic_unlock();
	errno = saved;
	return p;
}

__attribute__((noinline)) void *cyclic_alloc_slowly(struct cyclic_site *s, size_t align, size_t n)
{
	size_t need = cyclic_need(n);

	if (need == 0 || align > CYCLIC_PAGE)
		return NULL;
	if (atomic_load_explicit(&s->idle, memory_order_relaxed) > 0) {
		atomic_fetch_sub_explicit(&s->idle, 1, memory_order_relaxed);
		return NULL;
	}
	return alloc_locked(s, align, need);
}

/*
 * Blocks
 */

size_t cyclic_size(const void *p)
{
	const struct cyclic_block *h = (const struct cyclic_block *)p - 1;
	uintptr_t page = ((uintptr_t)p | (CYCLIC_PAGE - 1)) + 1;

	if ((uintptr_t)p % CYCLIC_ALIGN == 0 && cyclic_owns(h) && h->check == cyclic_check(h))
		return h->size;
	/* Overlaid: nobody knows any more.  Its page can be read. */
	return page - (uintptr_t)p;
}
