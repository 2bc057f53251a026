/*
 * priv.h - the inside of memory SSA, for the files of this folder.
 */
#ifndef MSSA_PRIV_H
#define MSSA_PRIV_H

#include "base/shares.h"
#include "mssa/mssa.h"

/* What one instruction does to tracked memory.  Sets are of locs. */
struct mssa_access {
	struct sbits ref, mod;
	uint8_t kind;			/* enum mssa_kind of the chi */
	bool strong;
};

struct mssa {
	const struct pta *p;
	const struct ir_module *m;
	struct arena arena;
	struct bits tracked;		/* locs */
	struct bits escaped;		/* objects */
	struct sbits *visible;		/* by function: tracked locs that can exist while it runs */
	struct sbits *ref, *mod;	/* by function */
	struct shares shares;		/* what visible, ref, mod and the regions borrow from */
	struct mssa_func *funcs;
	struct mssa_stats stats;
};

/* visible.c */
void mssa__find_visible(struct mssa *s);

/* modref.c */
void mssa__find_tracked(struct mssa *s);
void mssa__modref(struct mssa *s);
/* The accesses of one instruction, with those of callees; sets are the caller's. */
void mssa__access(const struct mssa *s, uint32_t func, uint32_t inst, struct mssa_access *a);
void mssa__access_release(struct mssa_access *a);

/* regions.c: the coarsest disjoint classes such that each given set is a union
 * of classes.  class_of[i] for the i-th member of `all`; returns their number. */
struct mssa_classes {
	struct sbits all;
	uint32_t *class_of;	/* by rank in all */
	uint32_t n;
};
void mssa__classes(struct mssa_classes *c, const struct sbits *const *sets, uint32_t nsets);
void mssa__classes_release(struct mssa_classes *c);

#endif
