/*
 * mssa.h - memory in SSA form: phase 2 of Sui, Ye and Xue (TSE 2014, 4.2).
 *
 * Vocabulary:
 *
 *   tracked   a loc (pta.h) whose cell may hold a pointer to a heap object, and
 *             whose object nobody outside the program's functions can reach.
 *             Only these are put into SSA form.  A pointer stored anywhere else
 *             has escaped: globals (the paper's Assumption 1), and everything
 *             that can be reached from globals, library or unknown code
 *   region    a set of tracked locs that a function never tells apart: every
 *             access in it touches all of them or none.  The regions of a
 *             function are disjoint, so none is a subset of another
 *   mu        a use of a region: a load, a call that may read it, a return
 *   chi       a definition that also uses the old one: a store, a call
 *   def       a version of a region: at entry, by a chi, or by a phi
 *
 * The sets of locs that calls read and modify come from the Mod-Ref analysis of
 * the paper's Figure 3.
 */
#ifndef MSSA_MSSA_H
#define MSSA_MSSA_H

#include "pta/pta.h"

enum mssa_kind {
	MSSA_ENTRY,		/* at the function's entry */
	MSSA_STORE,
	MSSA_COPY,		/* MEMCPY, or a model's copy */
	MSSA_CALL,
	MSSA_PHI,
};

struct mssa_def {
	uint8_t kind;
	bool strong;		/* the old version is gone for good */
	uint32_t region;
	uint32_t block;
	uint32_t inst;		/* IR_NONE for ENTRY and PHI */
	uint32_t old;		/* the version before: STORE, COPY, CALL */
	uint32_t *args;		/* PHI: by predecessor */
};

struct mssa_use {		/* mu */
	uint32_t inst, region, def;
};

struct mssa_func {
	uint32_t nregions;
	struct sbits *cells;		/* by region: its locs */
	uint32_t ndefs;
	struct mssa_def *defs;		/* the entry versions first: defs[r] is region r's */
	uint32_t nuses;
	struct mssa_use *uses;		/* by instruction */
	uint32_t *use_row;		/* mus of instruction i: use_row[i] .. use_row[i + 1] - 1 */
	uint32_t *def_row, *def_of;	/* chis of instruction i: def_of[def_row[i]] .. */
};

struct mssa;

struct mssa *mssa_new(const struct pta *p);
void mssa_free(struct mssa *s);
/* Asserts what is said above: regions are disjoint, rows and versions are in order. */
void mssa_check(const struct mssa *s);

const struct pta *mssa_pta(const struct mssa *s);
const struct mssa_func *mssa_func(const struct mssa *s, uint32_t func);	/* NULL for a declaration */
bool mssa_tracked(const struct mssa *s, uint32_t loc);
/* Can code or memory out of sight reach the object? */
bool mssa_escaped(const struct mssa *s, uint32_t obj);
/* What a function (with its callees) may read and modify of tracked memory that
 * is not its own. */
const struct sbits *mssa_ref(const struct mssa *s, uint32_t func);
const struct sbits *mssa_mod(const struct mssa *s, uint32_t func);

struct mssa_stats {
	uint32_t tracked, regions, defs, uses;
	double seconds_modref, seconds_ssa;
};
void mssa_get_stats(const struct mssa *s, struct mssa_stats *out);
void mssa_dump(const struct mssa *s, FILE *f);

#endif
