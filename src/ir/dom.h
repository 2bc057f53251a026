/*
 * dom.h - orders and dominators of a function's blocks.
 *
 * One struct serves both directions: dom_init() for dominators from the entry,
 * dom_init_post() for post-dominators towards a virtual exit, block number
 * nblocks, that follows every block without successors (and one block of every
 * loop that cannot be left, so that each block has a way to it).
 */
#ifndef IR_DOM_H
#define IR_DOM_H

#include "base/bits.h"
#include "ir/ir.h"

struct dom {
	uint32_t n;		/* blocks, the virtual exit included if there is one */
	uint32_t nreach;	/* how many of them can be reached */
	uint32_t *order;	/* reverse post-order: position -> block */
	uint32_t *num;		/* block -> position; IR_NONE if it cannot be reached */
	uint32_t *idom;		/* block -> immediate dominator; of the root itself */
	uint32_t *first, *last;	/* interval of the dominator tree's pre-order */
	/* the graph walked, in compressed rows: edges of b are
	 * to[row[b]] .. to[row[b + 1] - 1] */
	uint32_t *succ_row, *succ_to, *pred_row, *pred_to;
};

void dom_init(struct dom *d, const struct ir_func *f);
void dom_init_post(struct dom *d, const struct ir_func *f);
void dom_release(struct dom *d);
/* Asserts what is said above, and that the tree and its intervals agree. */
void dom_check(const struct dom *d);

static inline bool dom_reachable(const struct dom *d, uint32_t b)
{
	assert(b < d->n);
	return d->num[b] != IR_NONE;
}

/* Does every way from the root to b pass a?  (a dominates itself.)  False if
 * either cannot be reached. */
static inline bool dom_dominates(const struct dom *d, uint32_t a, uint32_t b)
{
	if (!dom_reachable(d, a) || !dom_reachable(d, b))
		return false;
	return d->first[a] <= d->first[b] && d->last[b] <= d->last[a];
}

/* Adds to a loop, whose header is in `body`, the blocks from which control gets back to it by
 * this latch. */
void dom_add_latch(struct bits *body, const struct ir_func *f, uint32_t latch);

/* The dominance frontier of every block, in compressed rows; for the caller,
 * both for free(). */
void dom_frontier(const struct dom *d, uint32_t **row, uint32_t **to);

#endif
