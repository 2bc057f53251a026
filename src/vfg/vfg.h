/*
 * vfg.h - leaks by the flow of values: phases 3 and 4 of Sui, Ye and Xue
 * (TSE 2014, sections 4.3 and 4.4).
 *
 * Vocabulary:
 *
 *   node      where a pointer is defined: an SSA value, or a version of a
 *             memory region
 *   edge      the pointer flows from one definition to another, or to a sink
 *   sink      where the question ends: freed, or escaped to somebody who may
 *   source    a call that makes a heap object for its caller
 *   guard     a condition over branches under which control goes from one place
 *             to another, as a BDD
 *
 * The graph is not stored: the edges of a node follow from SSA form, memory SSA
 * and call graph, and only what a source reaches is ever looked at.
 */
#ifndef VFG_VFG_H
#define VFG_VFG_H

#include "finding/finding.h"
#include "mssa/mssa.h"
#include "sym/sym.h"

/* Somebody who knows more of values than sym.h does: can what was assumed on a path
 * hold?  One `arg` for each thread; source() begins a new source, whose answers must
 * not depend on those before. */
enum vfg_opinion { VFG_POSSIBLE, VFG_IMPOSSIBLE, VFG_NOT_KNOWN };
struct vfg_judge {
	const char *(*name)(void);	/* with the version: another may answer otherwise */
	void *(*begin)(void);
	void (*end)(void *arg);
	void (*source)(void *arg);
	enum vfg_opinion (*ask)(void *arg, const struct syms *s, const struct sym_term *t, uint32_t n);
};

/* Another engine, which is asked about what would be reported. */
struct vfg_second {
	void *arg;
	/* Is what this call makes, by this effect of a library function below it,
	 * certainly freed on every path? */
	bool (*is_safe)(void *arg, uint32_t func, uint32_t inst, const struct model_effect *e);
	/* The number that a call of this function leaves where its argument `param` points to.
	 * False if that is not known. */
	bool (*leaves)(void *arg, uint32_t func, uint32_t param, sym_at_fn *at, void *at_arg,
		       struct sym_range *out);
};

enum { VFG_SLICE_LIMIT = 1000 };

struct vfg_options {
	uint32_t slice_limit;	/* nodes looked at for one source; 0: VFG_SLICE_LIMIT */
	unsigned jobs;		/* threads; 0: all cores */
	uint32_t loop;		/* rounds of a loop that are followed; 0: 1 */
	bool at_exit;		/* report what is still held when the program ends */
	const struct vfg_judge *judge;	/* NULL: no path is certain */
	const struct vfg_second *second;	/* NULL: nobody else is asked */
	struct store *store;		/* results of earlier runs, and of this one (base/store.h); or NULL */
	/* With a store; or NULL.  The first program fills it; later ones have all of that program,
	 * and what is added. */
	struct vfg_before *before;
};

/* before.c: what was said of a program's allocations. */
struct vfg_before *vfg_before_new(void);
void vfg_before_free(struct vfg_before *b);

struct vfg_stats {
	uint32_t sources, reported;
	uint32_t kept;		/* sources of which an earlier run knew */
	uint32_t too_big;	/* not judged: a limit was reached; of these because of */
	uint32_t too_many;	/* too many paths */
	uint32_t refuted;	/* no path where the guards said so */
	uint32_t asked, impossible, not_known;	/* paths that the judge was asked about */
	double seconds_asked;
	double seconds_graph, seconds_detect;
};

struct vfg;

struct vfg *vfg_new(const struct mssa *s);
void vfg_free(struct vfg *g);

/* Adds a finding for every source that can leak.  The order does not depend on
 * the number of threads. */
void vfg_check(struct vfg *g, struct findings *fs, const struct vfg_options *o, struct vfg_stats *stats);

/* After vfg_check(): what it said of the objects that this call makes. */
enum vfg_said {
	VFG_SAYS_NOTHING, VFG_SAYS_SAFE,
	VFG_SAYS_PART,		/* lost, as a part of another that is: not reported */
	VFG_SAYS_LEAK, VFG_NOT_JUDGED,
};
enum vfg_said vfg_said(const struct vfg *g, uint32_t func, uint32_t inst);

/* After vfg_check(): what that rests on, by object (finding/coverage.h). */
enum vfg_end {
	VFG_END_JUDGED,		/* released, handed to a caller outside, held when
				 * the program ends; or reported */
	VFG_END_STORED,		/* somebody else may have it, from `at` on, and no more is known */
	VFG_END_NO_TARGET,	/* given to a call through a pointer, at `at`, of which
				 * no function is known */
	VFG_END_DEEP,		/* the calls below each other, or the callers, were too many */
	VFG_END_SLICE,		/* it flows to too many places */
	VFG_END_CONDITIONS,	/* ... under too many conditions */
	VFG_END_PATHS,		/* ... or on too many paths */
	VFG_END__COUNT
};
struct vfg_ended {
	uint8_t how;		/* enum vfg_end */
	uint32_t func, inst;	/* STORED, NO_TARGET: there; else IR_NONE */
};
struct vfg_ended vfg_ended(const struct vfg *g, uint32_t obj);

void vfg_dump(struct vfg *g, FILE *f);		/* edges reached from sources */
void vfg_dump_guards(struct vfg *g, FILE *f);	/* FREED of every source */

#endif
