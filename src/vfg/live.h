/*
 * live.h - which values of a function can still matter at a block.
 *
 * For the walker: paths that differ only in what no branch asks for any more
 * are one path.
 */
#ifndef VFG_LIVE_H
#define VFG_LIVE_H

#include "vfg/priv.h"

#define MAP_NAME rootmap
#define MAP_KEY uint32_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct live {
	uint32_t nblocks;
	bool deep;
	struct bits asked;	/* values that anything is ever asked of */
	struct bits decides;	/* values that a branch or the result may depend on */
	struct bits *in;	/* by block: those of them that are live at its begin, behind its phis */
	struct rootmap roots;	/* what addresses of loads are made from -> number */
	struct bits *loads;	/* by block: roots that are still loaded through, for a branch */
	bool too_large;		/* no in and loads: all are live */
	uint32_t *dep_row, *dep;	/* by block: the blocks whose branches it depends on */
	uint32_t *far;		/* by block: blocks to the nearest return; IR_NONE: no way */
	struct bits handed;	/* deep: variables whose address is given to at
				 * least two functions of the program */
	uint32_t *loop;		/* by block: the loop it is the header of, or IR_NONE */
};

/* deep: callees are entered for what they return and write, so that what they are
 * given decides, too. */
void live_init(struct live *l, const struct vfg *g, uint32_t func, bool deep);
void live_release(struct live *l);

/* Is the value computed from others where it is asked for, or does it get its
 * value once (a phi, a load, a result, a parameter)? */
bool live_is_leaf(const struct ssa *s, ir_ref r);
/* Calls back for each leaf that the value is computed from, at least once.  What is more than some dozens of
 * instructions away is left out. */
void live_leaves(const struct ssa *s, ir_ref r, void (*leaf)(uint32_t value, void *arg), void *arg);
/* Is it a phi that may be the address of one variable or another? */
bool live_is_choice(const struct ssa *s, ir_ref r);
/* A call of a function that has a body, or of one that is not known by name? */
bool live_may_enter(const struct ir_module *m, const struct ir_inst *in);
/* The pointer that an address was made from. */
ir_ref live_root(const struct ir_module *m, const struct ssa *s, ir_ref r);

#endif
