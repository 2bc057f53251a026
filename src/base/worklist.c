/*
 * worklist.c - first in, first out, each number at most once at a time.
 *
 * The queue is a ring that doubles when full; no number is in the queue twice, so that
 * the ring never needs more room than there are numbers.
 *
 * Invariants (worklist_check): the ring has exactly the numbers whose bit is set.
 */
#include "base/worklist.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

static size_t words(uint32_t universe)
{
	return ((size_t)universe + 63) / 64;
}

void worklist_init(struct worklist *w, uint32_t universe)
{
	memset(w, 0, sizeof(*w));
	worklist_grow(w, universe);
}

void worklist_release(struct worklist *w)
{
	free(w->ring);
	free(w->queued);
	memset(w, 0, sizeof(*w));
}

/* Never shrinks. */
void worklist_grow(struct worklist *w, uint32_t universe)
{
	size_t old = words(w->universe), new = words(universe);

	if (universe <= w->universe)
		return;
	if (new > old) {
		w->queued = xreallocarray(w->queued, new, sizeof(*w->queued));
		memset(w->queued + old, 0, (new - old) * sizeof(*w->queued));
	}
	w->universe = universe;
}

void worklist_check(const struct worklist *w)
{
	uint32_t queued = 0;

	assert(w->n <= w->cap && w->cap <= w->universe && (w->head < w->cap || !w->head));
	for (size_t i = 0; i < words(w->universe); i++)
		queued += (uint32_t)__builtin_popcountll(w->queued[i]);
	assert(queued <= w->n + 1);	/* one more while it is pushed */
	for (uint32_t i = 0; i < w->n; i++) {
		uint32_t x = w->ring[(uint32_t)(((uint64_t)w->head + i) % w->cap)];

		assert(x < w->universe && w->queued[x >> 6] >> (x & 63) & 1);
	}
}

/* A bigger ring, with the queue at its start. */
static void ring_grow(struct worklist *w)
{
	uint32_t cap = (uint32_t)MIN(MAX((uint64_t)w->cap * 2, 64), w->universe);
	uint32_t *ring = xreallocarray(NULL, cap, sizeof(*ring));
	uint32_t tail = MIN(w->n, w->cap - w->head);	/* up to the old end */

#ifdef PLUMB_DEBUG
	worklist_check(w);
#endif
	assert(cap > w->n);
	if (w->n) {
		memcpy(ring, w->ring + w->head, tail * sizeof(*ring));
		memcpy(ring + tail, w->ring, (w->n - tail) * sizeof(*ring));
	}
	free(w->ring);
	w->ring = ring;
	w->cap = cap;
	w->head = 0;
}

bool worklist_push(struct worklist *w, uint32_t x)
{
	uint64_t bit = 1ull << (x & 63);
	uint32_t at;

	assert(x < w->universe);
	if (w->queued[x >> 6] & bit)
		return false;
	w->queued[x >> 6] |= bit;
	if (w->n == w->cap)
		ring_grow(w);
	at = w->n < w->cap - w->head ? w->head + w->n : w->n - (w->cap - w->head);
	w->ring[at] = x;
	w->n++;
	return true;
}

bool worklist_pop(struct worklist *w, uint32_t *x)
{
	if (w->n == 0)
		return false;
	*x = w->ring[w->head];
	assert(*x < w->universe && w->queued[*x >> 6] >> (*x & 63) & 1);
	w->head = w->head + 1 == w->cap ? 0 : w->head + 1;
	w->n--;
	w->queued[*x >> 6] &= ~(1ull << (*x & 63));
	return true;
}
