/*
 * worklist.h - first in, first out, each number at most once at a time.
 */
#ifndef BASE_WORKLIST_H
#define BASE_WORKLIST_H

#include <stdbool.h>
#include <stdint.h>

struct worklist {
	uint32_t *ring;		/* n numbers from ring[head] on, of cap places */
	uint32_t cap, head, n;
	uint64_t *queued;	/* bit per number below universe */
	uint32_t universe;
};

void worklist_init(struct worklist *w, uint32_t universe);
void worklist_release(struct worklist *w);
void worklist_grow(struct worklist *w, uint32_t universe);	/* numbers may grow while solving */
bool worklist_push(struct worklist *w, uint32_t x);		/* false if already queued */
bool worklist_pop(struct worklist *w, uint32_t *x);		/* false if empty */
void worklist_check(const struct worklist *w);			/* asserts all invariants */

#endif
