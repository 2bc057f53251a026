/*
 * path.h - leaks by symbolic execution of each function, with summaries of what
 * it calls: the detector of Xu and Zhang (QSIC 2008).
 *
 * Functions are taken bottom up over the call graph.  Each is walked along its
 * feasible paths, loops at most twice; at the end of each path every object
 * that it made and that nobody can reach any more is a leak, and what callers
 * have to know becomes the summary.
 */
#ifndef PATH_PATH_H
#define PATH_PATH_H

#include "finding/finding.h"
#include "ir/ir.h"
#include "model/model.h"
#include "pta/pta.h"
#include "sym/sym.h"

struct path_options {
	bool at_exit;			/* report what is still held when the program ends */
	struct store *store;		/* results of earlier runs, and of this one (base/store.h); or NULL */
};

struct path_stats {
	uint32_t functions, cut, blocks, paths, cases;
	uint32_t kept;			/* functions whose results are those of an earlier run */
	uint32_t queries, refuted;	/* of the solver; paths that only it found impossible */
	double seconds, seconds_solver;
};

enum path_verdict {
	PATH_UNKNOWN,
	PATH_SAFE,		/* freed on every path through the function that allocates it */
	PATH_LEAKS,
};

struct path;

/* pta may be NULL: calls through pointers are unknown then. */
struct path *path_new(const struct ir_module *m, const struct model_set *models, const struct pta *pta,
		      const struct path_options *o);
void path_free(struct path *p);

/* What the engine is about to report; believe (may be NULL) tells whether to. */
struct path_claim {
	bool leak;		/* or another error with memory */
	bool sure;		/* nothing was guessed on its path */
	bool inside;		/* lost with another object that was freed and held it */
	bool part;		/* ... and came from a callee inside that other one */
	bool cut;		/* not all paths of the function were looked at */
	uint32_t func, inst;	/* the call that made the object; func is IR_NONE if not made on the path */
};
void path_check(const struct path *p, struct findings *fs,
		bool (*believe)(void *arg, const struct path_claim *c), void *arg);
/* Double frees and uses after free that it does not report, because something on their paths is guessed.  Of
 * a program as it is they say little; what is new among them after a change is a reason not to make it. */
void path_doubts(const struct path *p, struct findings *fs);
void path_get_stats(const struct path *p, struct path_stats *s);
/* What becomes of the object that a call makes, by this effect of the library function that makes it? */
enum path_verdict path_verdict(struct path *p, uint32_t func, uint32_t inst, const struct model_effect *made);

/* What became of what this call makes for its function, in all functions that got it: PATH_FATE_*; 0: it was
 * not seen. */
enum {
	PATH_FATE_KNOWN = 1,	/* released or lost, or held when the program ends, or returned to callers
				 * outside */
	PATH_FATE_STORED = 2,	/* on some path somebody else has it */
	PATH_FATE_CUT = 4,	/* not all paths were looked at */
};
unsigned path_fate(struct path *p, uint32_t func, uint32_t inst);
/* Was the function not looked at to its end, so that callers have no complete summary of it? */
bool path_is_incomplete(const struct path *p, uint32_t func);

/* What a call of the function leaves in the number that this argument points to.  False if that is not
 * known. */
bool path_leaves(const struct path *p, uint32_t func, uint32_t param, sym_at_fn *at, void *arg,
		 struct sym_range *out);

void path_dump_summaries(const struct path *p, FILE *f);

#endif
