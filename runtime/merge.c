/*
 * merge.c - virtual compaction: sparse pages that share one physical page.
 *
 * After Novark, Berger and Zorn, "Efficiently and Precisely Locating Memory Leaks and
 * Bloat" (PLDI 2009), section 6.  Pages on which few objects survive keep a whole page of
 * memory each.  Two of one class whose survivors sit in different slots can be mapped to
 * one page of the memfd: objects keep their addresses, one page is given back.  More
 * pages may join as long as their slots are free there.
 *
 * Where we leave the paper:
 *  - Only spans that are drained (three quarters free) and stale are merged.  Nobody is
 *    slowed down by that, and a page that takes no new objects stays disjoint from its
 *    partners for ever.  The pages are read and written through the memfd, not through
 *    their mappings: their page-table entries stay dropped, their staleness goes on.
 *  - Partners are looked for among a few candidates per class, at most TRIES for a page,
 *    as in Mesh (Powers et al., PLDI 2019): sparse pages are disjoint more often than not,
 *    so that a few tries find a partner.  The paper's scan of all pages cost it two
 *    benchmarks.
 *  - A thread merges its own spans: nobody else allocates there.  Other threads that touch
 *    a page meanwhile are held back by the kernel where it can do that (prim.c); elsewhere
 *    threaded programs are not compacted.
 *
 * A merged page has an offset of its own in the memfd, beyond all addresses.  fork
 * freezes merged pages like others (pages.c): each is then a private view with all the
 * objects in it, and they are merged no more.
 */
#include "merge.h"

#include "heap.h"
#include "prim.h"

#define PAGES_MAX 4000		/* merged pages */
#define MEMBERS_MAX 8000	/* each is a mapping of its own, and may split another one */
#define TRIES 8
#define WORDS 4

struct merged {
	uint64_t used[WORDS];	/* slots of members when they joined */
	uint32_t members;
	uint8_t cls;
};

static struct merged *pages;	/* by span->merge; 0 is none */
static uint32_t npages, nmembers;
static uint16_t free_page[PAGES_MAX];
static uint32_t nfree;
static uint16_t hosts[NCLASSES][TRIES];		/* merged pages that may take more */
static struct span *waiting[NCLASSES][TRIES];	/* spans without a partner; this round */
static uint8_t next_host[NCLASSES];
static bool alone;		/* this round */

uint64_t merge_offset(const struct span *s)
{
	return ((uint64_t)1 << 47) + s->merge * (uint64_t)PAGE;
}

static void live_slots(const struct span *s, uint64_t used[WORDS])
{
	for (unsigned i = 0; i < WORDS; i++)
		used[i] = 0;
	for (unsigned i = 0; i < s->words; i++) {
		unsigned left = s->nslots - i * 64;
		uint64_t all = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;

		used[i] = all & ~(counter_get(&s->bits[i]) | counter_get(&s->bits[s->words + i]));
	}
}

static bool disjoint(const uint64_t a[WORDS], const uint64_t b[WORDS])
{
	return ((a[0] & b[0]) | (a[1] & b[1]) | (a[2] & b[2]) | (a[3] & b[3])) == 0;
}

/* Moves a span's page onto a merged one; false: nothing has changed. */
static bool join(struct span *s, uint16_t page, const uint64_t used[WORDS])
{
	struct merged *m = &pages[page];

	s->merge = page;
	if (!prim_merge(s->base, merge_offset(s), s->size, s->nslots, used, alone)) {
		s->merge = 0;
		return false;
	}
	for (unsigned i = 0; i < WORDS; i++)
		m->used[i] |= used[i];
	m->members++;
	nmembers++;
	return true;
}

static uint16_t page_new(unsigned cls)
{
	uint16_t page;

	if (nfree > 0)
		page = free_page[--nfree];
	else if (npages + 1 < PAGES_MAX)
		page = (uint16_t)++npages;
	else
		return 0;
	pages[page] = (struct merged){ .cls = (uint8_t)cls };
	return page;
}

static void page_drop(uint16_t page)
{
	for (unsigned i = 0; i < TRIES; i++)
		if (hosts[pages[page].cls][i] == page)
			hosts[pages[page].cls][i] = 0;
	free_page[nfree++] = page;
}

/* A page with room among the hosts of its class; false: none. */
static bool join_host(struct span *s, const uint64_t used[WORDS])
{
	for (unsigned i = 0; i < TRIES; i++) {
		uint16_t h = hosts[s->cls][i];

		if (h != 0 && disjoint(pages[h].used, used))
			return join(s, h, used);
	}
	return false;
}

/* A partner among those that wait; false: none. */
static bool join_waiting(struct span *s, const uint64_t used[WORDS])
{
	for (unsigned i = 0; i < TRIES; i++) {
		struct span *with = waiting[s->cls][i];
		uint64_t other[WORDS];
		uint16_t page;

		if (with == NULL)
			continue;
		live_slots(with, other);
		if (!disjoint(used, other))
			continue;
		page = page_new(s->cls);
		if (page == 0)
			return false;
		waiting[s->cls][i] = NULL;
		if (!join(with, page, other)) {
			page_drop(page);
			return false;
		}
		hosts[s->cls][next_host[s->cls]++ % TRIES] = page;
		if (join(s, page, used))
			atomic_fetch_add_explicit(&run->merged_pages, 1, memory_order_relaxed);
		return true;
	}
	return false;
}

/* A round looks at so many candidates, from where the last one ended: pages that find no
 * partner, or are touched each time, must not stand in the way of the others. */
struct round {
	unsigned skip, left, seen;
};

static void consider(struct span *s, void *arg)
{
	struct round *r = arg;
	uint64_t used[WORDS];

	if (s->age != AGE_INACTIVE || s->mem != MEM_SHARED || s->merge != 0 || s->npages != 1 ||
	    s->nslots < 8 || nmembers >= MEMBERS_MAX)
		return;
	if (r->seen++ < r->skip || r->left == 0)
		return;
	r->left--;
	live_slots(s, used);
	if (join_host(s, used)) {
		atomic_fetch_add_explicit(&run->merged_pages, 1, memory_order_relaxed);
		return;
	}
	if (!join_waiting(s, used))
		waiting[s->cls][r->left % TRIES] = s;
}

void merge_some(bool is_alone)
{
	static unsigned at;
	unsigned most = is_alone ? 256 : 32;	/* others wait for the lock that we hold */
	struct round r = { at, most, 0 };

	alone = is_alone;
	if (pages == NULL && (pages = meta_alloc(PAGES_MAX * sizeof(*pages))) == NULL)
		return;
	for (unsigned c = 0; c < NCLASSES; c++)
		for (unsigned i = 0; i < TRIES; i++)
			waiting[c][i] = NULL;
	heap_drained(consider, &r);
	at = r.left == 0 ? at + most : 0;
}

bool merge_leave(struct span *s, enum span_mem mem)
{
	uint16_t page = s->merge;

	if (!prim_unmerge(s->base, merge_offset(s), pages[page].members == 1, mem))
		return false;
	s->merge = 0;
	nmembers--;
	if (--pages[page].members == 0)
		page_drop(page);
	else	/* the last one had saved nothing */
		atomic_fetch_sub_explicit(&run->merged_pages, 1, memory_order_relaxed);
	return true;
}

void merge_forget(void)
{
	for (unsigned c = 0; c < NCLASSES; c++)
		for (unsigned i = 0; i < TRIES; i++)
			hosts[c][i] = 0;
	npages = nmembers = nfree = 0;
	if (run != NULL)
		run->merged_pages = 0;
}
