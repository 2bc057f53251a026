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

struct guard_range {		/* the result of a call lies between these */
	uint32_t func, inst;
	int64_t lo, hi;
};

struct guards {
	const struct vfg *g;
	const struct vsource *src;
	struct bdd_manager *bdd;
	struct guardmap vars;		/* condition -> variable */
	VEC(struct guard_var) info;
	VEC(struct guard_range) ranges;
	struct guardmap *stored;	/* by function, made on demand: addresses it stores to */
	uint32_t nstored;
	struct guardmap holder_at;	/* function and region -> index into holder_sets */
	VEC(struct sbits) holder_sets;	/* locs: anywhere in what may hold what is in the region */
	ir_ref phi, phi_is;		/* while one edge is looked at: a phi, and what it is there */
};

void guards_init(struct guards *gd, const struct vfg *g);
void guards_release(struct guards *gd);
/* Forgets everything of the last source. */
void guards_begin(struct guards *gd, const struct vsource *src);

/* For every block of the node's function: the condition, as of the node's
 * definition, to get to the block's begin (for the node's own block: TRUE).
 * out has nblocks entries.  ctx tells contexts apart. */
struct guard_start {		/* a node, and how control came to it */
	vnode node;
	uint32_t ctx;
	uint32_t via;		/* a phi: the predecessor that control came from; else IR_NONE */
};
void guards_from(struct guards *gd, const struct guard_start *s, bdd *out);
/* The condition of the edge from block to succ, having come from `before`, or
 * from wherever if that is IR_NONE. */
bdd guards_edge(struct guards *gd, const struct guard_start *s, uint32_t before,
		uint32_t block, uint32_t succ);
/* The condition, as of the node's definition, to get to block and from there to
 * succ; out as guards_from() made it.  depth is for its own use: 0. */
bdd guards_via(struct guards *gd, const struct guard_start *s, const bdd *out,
	       uint32_t block, uint32_t succ, int depth);

/* The condition that a call's result is not null, as a branch of the function asks
 * it; TRUE if none does. */
bdd guards_not_null(struct guards *gd, const struct guard_start *s, uint32_t inst);

/* What a function returns by the return `inst`, on the ways from the node to
 * there: false if not only constants. */
bool guards_returned(struct guards *gd, const struct guard_start *s, const bdd *out, uint32_t inst,
		     int64_t *lo, int64_t *hi);
/* From now on the result of this call is known to lie between lo and hi, or
 * where it was already said to. */
void guards_result(struct guards *gd, uint32_t func, uint32_t inst, int64_t lo, int64_t hi);

#endif
