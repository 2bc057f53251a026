/*
 * guard.h - under which branches does control get from here to there?
 *
 * A struct guards belongs to one source: its variables are branch conditions,
 * each with the context (call site) it stands for.
 */
#ifndef VFG_GUARD_H
#define VFG_GUARD_H

#include "vfg/priv.h"

struct guard_var {		/* what a BDD variable means */
	uint32_t func, inst;	/* a branch */
	uint32_t target;	/* SWITCH, GOTO: which way it asks for */
	bool flip;		/* CONDBR: the variable is true when the condition is false */
	uint32_t ctx;
	bool of_object;		/* asks the object itself: a count or a flag in it */
};

#define MAP_NAME guardmap
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct guards {
	const struct vfg *g;
	const struct vsource *src;
	struct bdd_manager *bdd;
	struct guardmap vars;		/* condition -> variable */
	VEC(struct guard_var) info;
	struct guardmap *stored;	/* by function, made on demand: addresses it stores to */
	uint32_t nstored;
};

void guards_init(struct guards *gd, const struct vfg *g);
void guards_release(struct guards *gd);
void guards_begin(struct guards *gd, const struct vsource *src);	/* forgets everything of the last source */

/* For every block of the node's function: the condition, as of the node's
 * definition, to get to the block's begin (for the node's own block: TRUE).
 * out has nblocks entries.  ctx tells contexts apart. */
void guards_from(struct guards *gd, vnode n, uint32_t ctx, bdd *out);
/* The condition of going from block to its successor number k of the branch's
 * targets; n as above. */
bdd guards_edge(struct guards *gd, vnode n, uint32_t ctx, uint32_t block, uint32_t succ);

#endif
