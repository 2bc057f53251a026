/*
 * age.c - the aging queue: active and inactive pages.
 *
 * After Novark, Berger and Zorn, "Efficiently and Precisely Locating Memory Leaks and
 * Bloat" (PLDI 2009), section 5.  Full spans and large objects enter the active list.
 * Its oldest are moved to the inactive list, whose pages are watched (prim.h), until
 * that has its target size.  An inactive span that was touched goes back to the head of
 * the active list.  Staleness of a span is the time since it became inactive: a lower
 * bound, as its pages were not touched after that.  Active spans count as just touched.
 *
 * The target adapts to the cost, as in Fig. 7: below 0.5 % of the program's CPU time it
 * grows, above 1.5 % it shrinks.  Where we leave the paper:
 *
 *  - The cost is measured: CPU time of our own work, and the number of touched pages
 *    times the cost of a fault, which was measured at start.  The paper assumes 500 us a
 *    fault; ours is about one.  So the list may grow in larger steps: by a quarter
 *    instead of a thirty-second.
 *  - Nobody is called when a page is touched: a scan finds out.  It happens in ticks,
 *    from within malloc and around calls that sleep, ten a second at most, and less if
 *    scanning takes more than 1 % of the time.  A touch is therefore seen late.  That
 *    is no over-estimate: staleness is told as of the last scan, at which the page
 *    still was not touched.
 *  - The inactive list is a set of bits in the page map, not a list: nothing needs its
 *    order, and the scan reads only pagemap entries of watched pages and looks only at
 *    spans that were touched.
 *  - Staleness survives fork, on both sides (prim.c).
 *  - Snapshots are not part of the cost that the target adapts to: they cost what there
 *    are sites, whatever is watched, and have a limit of their own.
 *  - Faults are measured against the program's CPU time, and a little of the time that it
 *    sleeps: they come while it works.  Our own work is measured against the wall time, if
 *    that is more: a program that sleeps is not disturbed by what we do meanwhile.
 *
 * One thread at a time does this; others go on allocating.  age_lock is held for a
 * piece of 512 pages at a time.
 */
#include "age.h"

#include "heap.h"
#include "merge.h"
#include "prim.h"
#include "run.h"
#include "site.h"
#include "snap.h"
#include "touch.h"
#include "unwind.h"

#include <errno.h>
#include <time.h>

#define TICK 100000000u		/* ns between ticks, at least */
#define BEGIN 500000000u	/* ns: a process that ends earlier is not watched */
#define BATCH 64		/* spans made inactive at a time */
#define LATELY 16		/* ticks over which costs are averaged */
#define SLEEP_SHARE 64		/* of the time that passes, what counts as work at least */
#define FIRST_TARGET 256
#define MIN_TARGET 8

struct lock age_lock;

static struct span *newest, *oldest;	/* the active list */
static size_t nactive, ninactive;	/* spans */
static size_t active_pages, inactive_pages;
static size_t target = FIRST_TARGET;	/* wanted inactive pages */

static struct lock tick_lock;		/* one tick at a time */
static _Atomic bool on;			/* the process is ready for ticks */
static bool begun;			/* and for watching */
static _Atomic bool merge_due;		/* every fourth tick; until it was done */
static _Atomic uint64_t next_tick = UINT64_MAX, next_snap;
static uint64_t snap_interval = 1000000000;
static uint64_t last_wall, last_cpu;	/* at the last adjustment */
static uint64_t last_cost;		/* ns of the last tick */
static struct costs {
	uint64_t busy, elapsed;	/* ns against which these are held */
	uint64_t cost;		/* ns of our own work */
	uint64_t touch_cost;	/* ns of faults */
	uint64_t touched, retired;	/* spans */
} window, lately;			/* since the last adjustment; over LATELY ticks or so */
static uint64_t touches;

/*
 * The lists.  All under age_lock.
 */

static void active_push(struct span *s)
{
	s->age = AGE_ACTIVE;
	s->newer = NULL;
	s->older = newest;
	if (newest)
		newest->newer = s;
	else
		oldest = s;
	newest = s;
	nactive++;
	active_pages += s->npages;
}

static void active_remove(struct span *s)
{
	if (s->newer)
		s->newer->older = s->older;
	else
		newest = s->older;
	if (s->older)
		s->older->newer = s->newer;
	else
		oldest = s->newer;
	s->newer = s->older = NULL;
	s->age = AGE_NONE;
	nactive--;
	active_pages -= s->npages;
}

static void inactive_add(struct span *s, uint64_t now, uint64_t allocations)
{
	check(s->age == AGE_NONE);
	/* rounded up: staleness must not be over-estimated */
	s->since = (uint32_t)(now / 1000000 + 1);
	s->since_allocations = (uint32_t)(allocations / AGE_ALLOCATIONS + 1);
	s->age = AGE_INACTIVE;
	pages_mark_watched(s->base, s->npages, true);
	ninactive++;
	inactive_pages += s->npages;
}

static void inactive_remove(struct span *s)
{
	pages_mark_watched(s->base, s->npages, false);
	s->age = AGE_NONE;
	ninactive--;
	inactive_pages -= s->npages;
}

void age_add(struct span *s)
{
	if (s->age != AGE_NONE)
		return;
	lock_take(&age_lock);
	if (s->age == AGE_NONE)
		active_push(s);
	lock_give(&age_lock);
}

void age_remove(struct span *s)
{
	if (s->age == AGE_NONE)
		return;
	lock_take(&age_lock);
	if (s->age == AGE_ACTIVE)
		active_remove(s);
	else if (s->age == AGE_INACTIVE)
		inactive_remove(s);
	s->age = AGE_NONE;
	lock_give(&age_lock);
}

/*
 * Scanning
 */

/* One piece of the page map: what was touched becomes active. */
static void scan_piece(size_t root, struct leaf *leaf, size_t first)
{
	uint64_t mapped[PRIM_PAGES / 64];
	uintptr_t base = (uintptr_t)root << LEAF_SHIFT | first << PAGE_SHIFT;

	if (!prim_touched(base, PRIM_PAGES, mapped))
		return;
	for (size_t w = 0; w < PRIM_PAGES / 64; w++) {
		uint64_t bits = counter_get(&leaf->watched[first / 64 + w]) & mapped[w];

		while (bits != 0) {
			size_t k = first + w * 64 + (size_t)__builtin_ctzll(bits);
			struct span *s = NULL;

			/* pages within a large object do not lead to it: go back */
			for (size_t i = k + 1; s == NULL && i-- > 0;)
				s = atomic_load(&leaf->span[i]);
			if (s == NULL)
				s = pages_before(root);
			check(s != NULL && s->age == AGE_INACTIVE);
			inactive_remove(s);
			active_push(s);
			s->in_use = true;
			touches++;
			window.touch_cost += prim_touch_cost();
			window.touched++;
			bits = counter_get(&leaf->watched[first / 64 + w]) & mapped[w];
		}
	}
}

/* Finds touched inactive spans.  The time at which the scan began: what is inactive
 * after it was not touched until then. */
static uint64_t scan(void)
{
	uint64_t began = os_now();

	prim_look_begin();
	for (size_t r = pages_next_leaf(pages_low); r < pages_high; r = pages_next_leaf(r + 1)) {
		struct leaf *leaf = pages_leaf(r << LEAF_SHIFT);

		for (size_t k = leaf->low & ~(size_t)(PRIM_PAGES - 1); k < leaf->high; k += PRIM_PAGES) {
			uint64_t any = 0;

			for (size_t w = 0; w < PRIM_PAGES / 64; w++)
				any |= counter_get(&leaf->watched[k / 64 + w]);
			if (any == 0)
				continue;
			lock_take(&age_lock);
			scan_piece(r, leaf, k);
			lock_give(&age_lock);
		}
	}
	prim_look_end();
	return began;
}

uint64_t age_scan(void)
{
	uint64_t began;

	lock_take(&tick_lock);
	began = scan();
	lock_give(&tick_lock);
	return began;
}

/* What was touched since the last scan would be forgotten: pages are mapped anew (prim.c), and
 * the child gets none of the page-table entries of memory that it can read from a file. */
void age_before_fork(void)
{
	int saved = errno;

	if (!on || base_locks > 0 || ninactive == 0)
		return;
	lock_take(&tick_lock);
	scan();
	lock_give(&tick_lock);
	errno = saved;
}

/*
 * Making spans inactive
 */

/* The end of the stretch of neighbours, of one kind of memory, that begins at v[i]. */
static size_t stretch(struct span **v, size_t i, size_t n, size_t *npages)
{
	size_t k = i + 1;

	*npages = v[i]->npages;
	while (k < n && v[k]->base == v[i]->base + *npages * PAGE && v[k]->mem == v[i]->mem)
		*npages += v[k++]->npages;
	return k;
}

static void sort_by_base(struct span **v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && v[k - 1]->base > v[k]->base; k--) {
			struct span *t = v[k];

			v[k] = v[k - 1];
			v[k - 1] = t;
		}
}

/* Makes spans shared where that is possible; v is sorted.  Only if prim_alone(). */
static void share(struct span **v, size_t n)
{
	for (size_t i = 0, k, npages; i < n; i = k) {
		k = stretch(v, i, n, &npages);
		if (v[i]->mem == MEM_SHARED || pages_too_many_mappings(v[i]->base, npages) ||
		    !prim_share(v[i]->base, npages, v[i]->mem))
			continue;
		pages_mark_shared(v[i]->base, npages, true);
		for (size_t j = i; j < k; j++)
			v[j]->mem = MEM_SHARED;
	}
}

/* Watches what can be watched; the rest is active again.  v is sorted.  The clocks are
 * read when all is done: staleness must not be over-estimated. */
static void watch(struct span **v, size_t n)
{
	bool ok[BATCH];
	uint64_t now, allocations;

	for (size_t i = 0, k, npages; i < n; i = k) {
		k = stretch(v, i, n, &npages);
		ok[i] = v[i]->mem == MEM_SHARED && prim_watch(v[i]->base, npages);
		for (size_t j = i + 1; j < k; j++)
			ok[j] = ok[i];
	}
	now = run_since_start(os_now());
	allocations = heap_allocations();
	for (size_t i = 0; i < n; i++)
		if (ok[i])
			inactive_add(v[i], now, allocations);
		else
			active_push(v[i]);
}

/* Moves up to BATCH of the oldest active spans; how many were looked at. */
static size_t retire_batch(bool alone)
{
	struct span *v[BATCH], *s;
	size_t n = 0, npages = 0, current = 0;

	while (n + current < BATCH && (s = oldest) != NULL && inactive_pages + npages < target) {
		active_remove(s);
		if (s->kind == SPAN_SMALL && s->where == AT_CURRENT) {
			active_push(s);	/* a new object must not be taken for a stale one */
			current++;
			continue;
		}
		npages += s->npages;
		v[n++] = s;
	}
	window.retired += n;
	sort_by_base(v, n);
	if (alone)
		share(v, n);
	watch(v, n);
	return n + current;
}

static void fill_inactive(bool alone)
{
	size_t left = nactive;		/* look at each span once at most */
	uint64_t began = os_cpu();

	while (left > 0 && inactive_pages < target) {
		size_t looked;

		lock_take(&age_lock);
		looked = retire_batch(alone);
		lock_give(&age_lock);
		if (looked == 0)
			break;
		left -= looked < left ? looked : left;
		if (os_cpu() - began > 20000000)	/* the rest next time */
			break;
	}
}

/*
 * Ticks
 */

static uint64_t process_cpu(void)
{
	struct timespec t = { 0, 0 };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* How many pages more may be watched, if as many of them are touched as lately, so that
 * faults cost 1 % in the long run. */
static size_t affordable(uint64_t busy)
{
	uint64_t budget = busy / 100 > lately.touch_cost ? busy / 100 - lately.touch_cost : 0;
	uint64_t touched = lately.touched > lately.retired / 64 ? lately.touched : lately.retired / 64;

	return budget / (prim_touch_cost() + 1) * (lately.retired + 1) / (touched + 1);
}

static void average(uint64_t *a, uint64_t now)
{
	*a = *a - *a / LATELY + now;
}

/* Fig. 7 of the paper, with the measured cost, over the last ticks: touches come some
 * time after the growth that they are the price of. */
static void adjust_target(uint64_t now)
{
	uint64_t cpu = process_cpu(), wall = now - last_wall, mine = cpu - last_cpu;
	size_t least = active_pages < inactive_pages ? active_pages : inactive_pages, step;

	average(&lately.busy, mine + wall / (os_is_stepped() ? 1 : SLEEP_SHARE));
	average(&lately.elapsed, mine > wall ? mine : wall);
	average(&lately.touch_cost, window.touch_cost);
	average(&lately.cost, window.cost + window.touch_cost);
	average(&lately.touched, window.touched);
	average(&lately.retired, window.retired);
	if (lately.touch_cost * 200 < lately.busy && lately.cost * 200 < lately.elapsed) {
		size_t most = affordable(lately.busy);

		step = least / 4 > FIRST_TARGET ? least / 4 : FIRST_TARGET;
		step = step < most ? step : most;
		if (target < inactive_pages + step)
			target = inactive_pages + step;
	} else if (lately.touch_cost * 200 > lately.busy * 3 ||
		   lately.cost * 200 > lately.elapsed * 3) {
		step = least / 8 > MIN_TARGET ? least / 8 : MIN_TARGET;
		target = target > step + MIN_TARGET ? target - step : MIN_TARGET;
		if (target > inactive_pages)
			target = inactive_pages > MIN_TARGET ? inactive_pages : MIN_TARGET;
	}
	atomic_fetch_add_explicit(&run->cost, window.cost + window.touch_cost, memory_order_relaxed);
	window = (struct costs){ 0 };
	last_cpu = cpu;
	last_wall = now;
}

static void publish(uint64_t scanned)
{
	counter_set(&run->active_pages, active_pages);
	counter_set(&run->inactive_pages, inactive_pages);
	counter_set(&run->target_pages, target);
	counter_set(&run->touches, touches);
	counter_set(&run->now, run_since_start(scanned));
	counter_add(&run->ticks, 1);
}

static void begin_watching(void);

/* What it costs does not hang on the target, but on the number of sites: it is kept
 * below 1 % by being done less often, and is left out of what the target adapts to.
 * Otherwise a program with very many sites would have next to nothing watched. */
static uint64_t snapshot(uint64_t scanned)
{
	uint64_t before = os_cpu(), cost;

	snap_take(scanned);
	cost = os_cpu() - before;
	next_snap = scanned + (cost * 100 > snap_interval ? cost * 100 : snap_interval);
	return cost;
}

/* The caller has tick_lock. */
static void tick(bool last)
{
	uint64_t began = os_cpu(), scanned, scan_cost, request = counter_get(&run->request);
	uint64_t snap_cost = 0;
	bool alone;

	touch_collect(os_now());
	scanned = scan();
	scan_cost = os_cpu() - began;
	publish(scanned);
	if (last || request != counter_get(&run->answered) || scanned >= next_snap) {
		snap_cost = snapshot(scanned);
		counter_set(&run->answered, request);
	}
	if (last)
		return;
	if (run_since_start(scanned) >= BEGIN)
		begin_watching();
	adjust_target(scanned);
	alone = prim_alone();
	fill_inactive(alone);
	if (counter_get(&run->ticks) % 4 == 0 && (alone || prim_can_hold()))
		merge_due = true;
	touch_begin(counter_get(&run->ticks));
	last_cost = os_cpu() - began;
	window.cost += last_cost - snap_cost;
	atomic_fetch_add_explicit(&run->cost, snap_cost, memory_order_relaxed);
	/* The scan is what each tick costs; the rest is up to the target. */
	next_tick = os_now() + (scan_cost * 100 > TICK ? scan_cost * 100 : TICK);
}

/* Virtual compaction, once after each tick, where the thread's bins are in order. */
static void merge(void)
{
	uint64_t began = os_cpu();
	bool alone;

	if (!lock_try(&tick_lock))
		return;
	merge_due = false;
	alone = prim_alone();
	if (alone || prim_can_hold()) {
		lock_take(&age_lock);
		merge_some(alone);
		lock_give(&age_lock);
	}
	window.cost += os_cpu() - began;
	lock_give(&tick_lock);
}

void age_tick(void)
{
	int saved = errno;

	if (!on || base_locks > 0)
		return;
	lock_take(&tick_lock);
	tick(false);
	lock_give(&tick_lock);
	errno = saved;
}

/* A tick is due by the clock: has the program worked enough since the last one, so that
 * it is worth 2 % of that?  Where others have the processor, the clock runs ahead.  Once a
 * second there is one in any case. */
static bool is_too_soon(void)
{
	uint64_t now = os_now_coarse(), wall = now > last_wall ? now - last_wall : 0;

	return wall < 10 * (uint64_t)TICK &&
	       process_cpu() - last_cpu + wall / SLEEP_SHARE < 50 * last_cost;
}

void age_look(bool heap)
{
	int saved = errno;

	if (!on || base_locks > 0)
		return;
	if ((os_now_coarse() >= next_tick || run->request != run->answered) &&
	    lock_try(&tick_lock)) {
		if (run->request == run->answered && is_too_soon())
			next_tick = os_now_coarse() + TICK / 2;
		else
			tick(false);
		lock_give(&tick_lock);
	}
	if (heap && merge_due)
		merge();
	errno = saved;
}

/* Most processes end before there is anything to watch: what that needs (descriptors,
 * a trial of the kernel) is set up when it is needed first.  The caller has tick_lock. */
static void begin_watching(void)
{
	enum run_primitive prim;

	if (begun)
		return;
	begun = true;
	prim = prim_start();
	run->primitive = prim;
	if (prim == RUN_PRIM_NONE)
		atomic_fetch_or(&run->flags, RUN_UNTRACKED);
}

void age_set_interval(uint64_t ns)
{
	if (ns < TICK)
		return;
	snap_interval = run->interval = ns;
	snap_set_interval(ns);
}

void age_start(void)
{
	last_wall = os_now();
	last_cpu = process_cpu();
	next_tick = last_wall + TICK;
	next_snap = last_wall + TICK;
	on = true;
}

void age_before_setuid(void)
{
	run_keep();
	if (!on || base_locks > 0 || !lock_try(&tick_lock))
		return;
	begin_watching();
	prim_keep();
	lock_give(&tick_lock);
}

/* What is shared becomes private again, and nothing is watched any more. */
static void stop_watching(void)
{
	lock_take(&age_lock);
	lock_take(&pages_lock);
	pages_freeze();
	lock_give(&pages_lock);
	lock_give(&age_lock);
	run->primitive = RUN_PRIM_NONE;
	atomic_fetch_or(&run->flags, RUN_UNTRACKED);
}

void age_before_thread(void)
{
	size_t budget = 16384;	/* pages; the rest cannot be watched later on */
	struct span *v[BATCH], *s = NULL;
	size_t n;

	if (!on || !lock_try(&tick_lock))
		return;
	begin_watching();
	if (!prim_before_threads()) {
		stop_watching();
		goto done;
	}
	if (!prim_alone())
		goto done;
	lock_take(&age_lock);
	s = newest;
	do {
		for (n = 0; n < BATCH && s != NULL && budget > s->npages; s = s->older)
			if (s->mem != MEM_SHARED) {
				budget -= s->npages;
				v[n++] = s;
			}
		sort_by_base(v, n);
		share(v, n);
	} while (n > 0);
	lock_give(&age_lock);
done:
	lock_give(&tick_lock);
}

/* Gives a span private memory, as the kernel would have done; it keeps what it holds. */
static void unshare(struct span *s)
{
	if (s->mem != MEM_SHARED || s->merge != 0 || !prim_alone() ||
	    !prim_unshare(s->base, s->npages))
		return;
	pages_mark_shared(s->base, s->npages, false);
	s->mem = MEM_PRIVATE;
}

static void pin(struct span *s)
{
	if (s->kind != SPAN_SMALL && s->kind != SPAN_LARGE)
		return;
	if (s->age == AGE_ACTIVE)
		active_remove(s);
	else if (s->age == AGE_INACTIVE)
		inactive_remove(s);
	s->age = AGE_PINNED;
	unshare(s);
}

void age_pin(const void *p, size_t n)
{
	uintptr_t a = (uintptr_t)p, end = a + n;

	if (end < a || (a = pages_next(a, end)) == end || !on || base_locks > 0)
		return;
	lock_take(&age_lock);
	lock_take(&pages_lock);
	for (; a < end; a = pages_next(a, end)) {
		struct span *s = pages_around(a);

		if (s != NULL)
			pin(s);
		a = s != NULL ? s->base + s->npages * PAGE : a + PAGE;
	}
	lock_give(&pages_lock);
	lock_give(&age_lock);
}

void age_before_filter(void)
{
	age_tick();
	on = false;
	lock_take(&site_lock);
	run_seal();
	lock_give(&site_lock);
	os_filtered = unwind_filtered = true;
}

void age_fork_child(void)
{
	touch_fork_child();
	atomic_store(&tick_lock.v, 0);
	last_wall = os_now();
	last_cpu = process_cpu();
	window = (struct costs){ 0 };
}

void age_final(void)
{
	if (!on || base_locks > 0 || !lock_try(&tick_lock))
		return;
	tick(true);
	lock_give(&tick_lock);
}
