/*
 * snap.c - the state of the heap, summed up per site in the run file.
 *
 * Counts of objects and bytes come from the bins, which are always exact.  Staleness
 * comes from the watched pages of the page map: only inactive spans are looked at, the
 * live bytes that are not on them have staleness 0.  So a snapshot costs time for
 * what is stale, not for what is live.
 *
 * Sums are made in memory of our own and then stored record by record: a process
 * killed in between leaves sites of this snapshot beside some of the one before.
 *
 * An object that was freed by another thread while its page is counted may be counted
 * or not.  The staleness of an object is that of its span, the lower bound for all of
 * its pages (section 5 of the paper).
 */
#include "snap.h"

#include "age.h"
#include "heap.h"

#include <string.h>

struct sum {
	uint64_t objects, bytes, allocated;
	uint64_t stale_objects, stale_bytes, max_ns, max_allocations;
	uint64_t drag_ms, drag_allocations;
};

/* By site, and by detail; larger ones are made when there are more. */
static struct sum *sums;
static uint64_t *before;		/* allocated, at the last snapshot */
static uint64_t (*hists)[RUN_BUCKETS];
static size_t sites_room, details_room;
static uint64_t next_point;
static uint64_t point_distance = 1000000000;
static uint64_t timeline_distance = 100000000, next_timeline;

void snap_set_interval(uint64_t ns)
{
	point_distance = timeline_distance = ns;
}

/* A table for twice as many records as there are, in the place of one that is too small; what
 * that holds is kept.  NULL: no memory, and nothing has changed. */
static void *larger(void *old, size_t *room, size_t n, size_t stride)
{
	size_t want = 64;
	void *p;

	while (want < 2 * n)
		want *= 2;
	p = os_map((want * stride + PAGE - 1) & ~(PAGE - 1));
	if (p == NULL)
		return NULL;
	if (old != NULL) {
		memcpy(p, old, *room * stride);
		os_unmap(old, (*room * stride + PAGE - 1) & ~(PAGE - 1));
	}
	*room = want;
	return p;
}

static bool make_room(size_t sites)
{
	size_t room = sites_room;
	void *p;

	if (sites <= sites_room)
		return true;
	if ((p = larger(before, &room, sites, sizeof(*before))) == NULL)
		return false;
	before = p;
	if ((p = larger(sums, &sites_room, sites, sizeof(*sums))) == NULL)
		return false;
	sums = p;
	return true;
}

static bool make_detail_room(size_t details)
{
	void *p = hists;

	if (details > details_room && (p = larger(hists, &details_room, details, sizeof(*hists))) != NULL)
		hists = p;
	return p != NULL;
}

/*
 * Summing up
 */

static void add_bins(void)
{
	uint64_t n = run->sections[RUN_BINS].count;

	for (uint64_t i = 1; i < n; i++) {
		struct run_count c = { 0, 0, 0, 0 };
		struct sum *s = &sums[run_bins[i].site];

		run_count_bin(&c, &run_bins[i]);
		s->allocated += c.allocated;
		if (c.allocated > c.freed) {
			s->objects += c.allocated - c.freed;
			s->bytes += c.bytes_allocated - c.bytes_freed;
		}
	}
}

static void add_stale(uint32_t site, uint64_t objects, uint64_t bytes, uint64_t ns,
		      uint64_t allocations)
{
	struct sum *s = &sums[site];
	uint32_t detail = run_sites[site].detail;

	if (objects == 0)
		return;
	s->stale_objects += objects;
	s->stale_bytes += bytes;
	s->max_ns = ns > s->max_ns ? ns : s->max_ns;
	s->max_allocations = allocations > s->max_allocations ? allocations : s->max_allocations;
	s->drag_ms += bytes * (ns / 1000) / 1000;
	s->drag_allocations += bytes * allocations;
	if (detail != 0)
		hists[detail][run_bucket(ns)] += bytes;
}

static void add_span(struct span *s, uint64_t now, uint64_t allocations)
{
	uint64_t since = s->since * (uint64_t)1000000;
	uint64_t before_it = s->since_allocations * (uint64_t)AGE_ALLOCATIONS;
	uint64_t ns = now > since ? now - since : 0;
	uint64_t count = allocations > before_it ? allocations - before_it : 0;

	if (s->kind == SPAN_KEPT)
		return;
	if (s->kind == SPAN_LARGE) {
		add_stale(run_bins[s->large_bin].site, 1, s->npages * PAGE, ns, count);
	} else if (s->bin != NULL) {
		unsigned live = span_live(s);

		add_stale(s->bin->count->site, live, (uint64_t)live * s->size, ns, count);
	} else if (s->slot_bin != NULL) {
		for (unsigned i = 0; i < s->nslots; i++)
			if (!((counter_get(&s->bits[i / 64]) |
			       counter_get(&s->bits[s->words + i / 64])) >> i % 64 & 1))
				add_stale(run_bins[s->slot_bin[i]].site, 1, s->size, ns, count);
	}
}

static void add_spans(uint64_t now, uint64_t allocations)
{
	for (size_t r = pages_next_leaf(pages_low); r < pages_high; r = pages_next_leaf(r + 1)) {
		struct leaf *leaf = pages_leaf(r << LEAF_SHIFT);

		for (size_t w = leaf->low / 64; w < (leaf->high + 63) / 64; w++) {
			uint64_t bits = counter_get(&leaf->watched[w]);

			for (; bits != 0; bits &= bits - 1) {
				size_t k = w * 64 + (size_t)__builtin_ctzll(bits);
				struct span *s = atomic_load(&leaf->span[k]);

				/* once for a span: at its first page */
				if (s != NULL && s->age == AGE_INACTIVE &&
				    s->base == ((uintptr_t)r << LEAF_SHIFT | k << PAGE_SHIFT))
					add_span(s, now, allocations);
			}
		}
	}
}

/*
 * Storing
 */

static void add_point(struct run_point *v, uint64_t *n, uint64_t cap, struct run_point p)
{
	if (*n == cap) {
		for (uint64_t i = 0; i < cap / 2; i++)
			v[i] = v[2 * i];
		*n = cap / 2;
	}
	v[(*n)++] = p;
}

static void store_detail(struct run_site *r, const struct sum *s, uint64_t when, bool point)
{
	struct run_detail *d = &run_details[r->detail];
	uint64_t *h = hists[r->detail];
	uint64_t n;

	h[0] += s->bytes > s->stale_bytes ? s->bytes - s->stale_bytes : 0;
	for (unsigned i = 0; i < RUN_BUCKETS; i++)
		counter_set(&d->hist[i], h[i]);
	if (!point)
		return;
	n = counter_get(&d->npoints);
	add_point(d->growth, &n, RUN_GROWTH,
		  (struct run_point){ when, s->bytes, s->stale_bytes, s->objects });
	counter_set(&d->npoints, (uint32_t)n);
}

static void store_site(uint32_t i, const struct sum *s, uint64_t when, bool point)
{
	struct run_site *r = &run_sites[i];

	counter_set(&r->objects, s->objects);
	counter_set(&r->bytes, s->bytes);
	if (s->bytes > counter_get(&r->peak_bytes))
		counter_set(&r->peak_bytes, s->bytes);
	counter_set(&r->stale_objects, s->stale_objects);
	counter_set(&r->stale_bytes, s->stale_bytes);
	counter_set(&r->max_staleness, s->max_ns);
	counter_set(&r->max_staleness_allocations, s->max_allocations);
	counter_set(&r->drag, s->drag_ms);
	counter_set(&r->drag_allocations, s->drag_allocations);
	if (s->allocated != before[i])
		counter_set(&r->last_grown, when);
	before[i] = s->allocated;
	if (r->detail != 0)
		store_detail(r, s, when, point);
}

/* Sites that hold much get a detail record before they are summed up. */
static void make_details(uint64_t nsites)
{
	lock_take(&site_lock);
	for (uint32_t i = 1; i < nsites; i++) {
		uint32_t d;

		if (run_sites[i].detail != 0 || (sums[i].objects < OWN_OBJECTS &&
						 sums[i].bytes < OWN_BYTES))
			continue;
		d = run_add(RUN_DETAILS);
		if (d == 0)
			break;
		run_details[d].site = i;
		atomic_store_explicit(&run_sites[i].detail, d, memory_order_release);
	}
	lock_give(&site_lock);
}

static void store_process(const struct sum *all, uint64_t when)
{
	struct run_section *t = &run->sections[RUN_TIMELINE];
	uint64_t n = t->count;

	counter_set(&run->live_bytes, all->bytes);
	if (all->bytes > counter_get(&run->peak_bytes))
		counter_set(&run->peak_bytes, all->bytes);
	counter_set(&run->stale_bytes, all->stale_bytes);
	counter_set(&run->heap_bytes, pages_used());
	counter_set(&run->allocations, all->allocated);
	if (when < next_timeline)
		return;
	if (n == t->capacity)
		timeline_distance *= 2;
	next_timeline = when + timeline_distance;
	add_point(run_timeline, &n, t->capacity,
		  (struct run_point){ when, all->bytes, all->stale_bytes, pages_used() });
	atomic_store_explicit(&t->count, n, memory_order_release);
}

void snap_take(uint64_t now)
{
	uint64_t nsites = run->sections[RUN_SITES].count;
	uint64_t ndetails, when = run_since_start(now), allocations = heap_allocations();
	struct sum all = { 0 };
	bool point = when >= next_point;

	if (!make_room(nsites))
		return;
	memset(sums, 0, nsites * sizeof(*sums));
	add_bins();
	make_details(nsites);
	ndetails = run->sections[RUN_DETAILS].count;
	if (!make_detail_room(ndetails))
		return;
	memset(hists, 0, ndetails * sizeof(*hists));
	lock_take(&age_lock);	/* not before: site_lock comes first */
	add_spans(when, allocations);
	lock_give(&age_lock);
	for (uint32_t i = 0; i < nsites; i++) {
		all.allocated += sums[i].allocated;
		all.bytes += sums[i].bytes;
		all.stale_bytes += sums[i].stale_bytes;
		store_site(i, &sums[i], when, point);
	}
	store_process(&all, when);
	if (point) {
		/* curves thin themselves out; all sites share the distance */
		next_point = when + point_distance;
		if (when > point_distance * RUN_GROWTH)
			point_distance *= 2;
	}
}
