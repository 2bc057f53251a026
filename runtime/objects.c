/*
 * objects.c - what the library knows of single objects.
 *
 * Walks the spans with both locks held: no span comes or goes meanwhile.  Threads that
 * allocate in spans that they own do not wait; their objects may be missed or seen.
 */
#include "objects.h"

#include "age.h"
#include "heap.h"

struct walk {
	void (*f)(void *p, size_t n, uint32_t site, uint64_t since, void *arg);
	void *arg;
};

static void walk_span(struct span *s, void *arg)
{
	struct walk *w = arg;
	uint64_t since = 0;

	if (s->age == AGE_INACTIVE)
		since = run->start + s->since * (uint64_t)1000000;
	if (s->kind == SPAN_KEPT)
		return;
	if (s->kind == SPAN_LARGE) {
		w->f((void *)s->base, s->npages * PAGE, run_bins[s->large_bin].site, since, w->arg);
		return;
	}
	for (unsigned i = 0; i < s->nslots; i++) {
		const struct run_bin *count;

		if ((counter_get(&s->bits[i / 64]) | counter_get(&s->bits[s->words + i / 64])) >>
			    i % 64 & 1)
			continue;
		count = s->bin ? s->bin->count : &run_bins[s->slot_bin[i]];
		w->f((void *)(s->base + i * (uintptr_t)s->size), s->size, count->site, since,
		     w->arg);
	}
}

EXPORT void plumb_objects(void (*f)(void *p, size_t n, uint32_t site, uint64_t since, void *arg),
			  void *arg)
{
	struct walk w = { f, arg };

	lock_take(&age_lock);
	lock_take(&pages_lock);
	pages_each(walk_span, &w);
	lock_give(&pages_lock);
	lock_give(&age_lock);
}

EXPORT uint64_t plumb_scan(void)
{
	return age_scan();
}

EXPORT uint64_t plumb_step(uint64_t ns)
{
	uint64_t now = os_step(ns);

	age_tick();
	return now;
}
