/*
 * exec.h - the inside of the path engine, for the files of this folder.
 *
 *	engine.c	the program: order of functions, recursion, findings
 *	order.c		... callees first
 *	exec.c		paths through one function: blocks, branches, instructions
 *	nulls.c		pointers that no caller gives as null
 *	touch.c		functions that make no difference
 *	skip.c		branches that make no difference
 *	passed.c	arguments that a function gives back
 *	trust.c		results that are taken for granted
 *	exec_call.c	calls: by summary, by model, of unknown functions
 *	exec_model.c	what a model of the library says, done to the state
 *	end.c		the end of a path: what is lost, and what callers must know
 *	cond.c		under which conditions
 *	tell.c		a path that loses an object, told to a person
 *	keep.c		results of earlier runs
 *	code.c		... as bytes
 */
#ifndef PATH_EXEC_H
#define PATH_EXEC_H

#include "ir/ident.h"
#include "path/flow.h"
#include "path/path.h"
#include "pta/enums.h"
#include "pta/nulls.h"
#include "path/solver.h"
#include "path/state.h"

enum step_kind {
	STEP_BRANCH,		/* leaves by `target` */
	STEP_CALL,		/* a call that did something to a heap object */
	STEP_MADE,		/* made the object with this base */
};

struct step {
	uint8_t kind;
	bool open;		/* BRANCH: could have gone otherwise */
	uint32_t inst;
	uint32_t target;
	uint64_t base;		/* MADE */
};

VEC_TYPE(steps, struct step);

enum wrong_kind { WRONG_LEAK, WRONG_OVERWRITTEN, WRONG_DOUBLE_FREE, WRONG_USE_AFTER_FREE };

struct wrong {			/* something to report */
	uint8_t kind;
	bool inside;		/* lost with another object that was freed and held it */
	struct snew made;	/* the object; func is IR_NONE if it was not made on the path */
	uint32_t call;		/* in this function: the call that made it, or freed it first */
	uint32_t at;		/* ... and where it goes wrong */
	struct steps steps;	/* of the shortest such path */
	uint64_t nulls;		/* parameters, of the first 64, that are null on every such path */
	bool sure;		/* nothing was guessed on this path, and the solver has values for it */
	bool exact;		/* ... nor made up */
};

struct site {			/* what became of the objects of one call */
	struct snew made;
	uint32_t call;
	uint32_t freed, escaped, leaked;	/* on so many paths */
	uint32_t returned;			/* of those on which it escaped: only by what is returned */
	uint32_t ended;				/* ... still held when the program ends */
	uint64_t nulls;		/* as in struct wrong, of the paths that lose it */
	bool open;		/* a path was left before it was known what becomes of it */
	struct bits settled;	/* instructions that freed it or handed it on */
};

VEC_TYPE(wrongs, struct wrong);
VEC_TYPE(sites, struct site);

struct given {			/* to a function that is called, on some path */
	uint32_t callee;
	uint64_t nulls;		/* pointers, of its first 64 parameters, that may be null */
};

VEC_TYPE(givens, struct given);

struct result {			/* of one function */
	struct wrongs wrongs;
	struct sites sites;
	struct givens given;
	bool cut;
	uint32_t blocks, paths;		/* of the last walk */
};

void result_release(struct result *r);		/* engine.c */

struct engine {
	const struct ir_module *m;
	const struct model_set *models;
	const struct pta *pta;		/* for indirect calls and wrappers; may be NULL */
	const struct path_options *o;
	bool whole;			/* the module is a program with a main */
	struct bits fixed;		/* globals that the program never changes */
	struct bits left;		/* with --at-exit, in a whole program: globals that nobody looks at
					 * any more when main has returned; else none */
	struct bits edited;		/* functions that have instructions which plumb fix has added */
	struct enums enums;		/* only with pta */
	struct nulls nulls;		/* ... */
	struct bits quiet;		/* functions that do nothing a leak could depend on */
	struct bits ends;		/* functions that never return: summaries say only that (order.c) */
	struct summary *sums;		/* by function: keep_summary() */
	struct result *results;
	struct bits *asked;		/* whose summaries were looked at since it was emptied */
	uint64_t *never_null;		/* by function: parameters that no caller gives as null; after all
					 * are done */
	struct solver *solver;
	uint32_t refuted;		/* paths that only the solver found impossible */
	struct idents ids;
	struct keep *keep;		/* results of earlier runs; NULL: there are none */
};

struct met {			/* a block in a state: what came of it */
	uint32_t first, last;	/* in the log */
	uint32_t assumed;	/* terms, on the way there */
	uint32_t walks;
	bool refuted;		/* part of what came last was refuted only by what was assumed: who comes next
				 * walks on */
};

#define MAP_NAME mets
#define MAP_KEY uint64_t
#define MAP_VAL struct met
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct logged_term {
	uint32_t pos;		/* among all that was assumed */
	struct sym_term t;
};

struct logged {			/* the end of a path */
	uint32_t body;		/* what it did */
	VEC(struct logged_term) terms;
	bool lossy;		/* it assumed something that summaries cannot say, and that callers may
				 * know better */
};

struct exec {
	struct engine *e;
	const struct ir_module *m;
	uint32_t func;
	const struct ir_func *f;
	struct flow flow;
	struct state st;
	struct sym *env;		/* vregs that are used right away; others are in cells */
	uint32_t limit;			/* blocks that may be entered */
	uint32_t from;			/* only what becomes of what this call makes is asked; IR_NONE */
	const struct model_effect *made;	/* ... by this effect */
	bool coarse;			/* paths that agree on the heap are one; there will be no summary */
	uint32_t *skip;			/* per block: where to go on, if its branch makes no difference */
	uint8_t *visits;		/* per block, on this path */
	struct trusts *trusts;		/* made when asked for */
	bool refused;			/* a case in which the call `from` makes something cannot be ... */
	bool guessed;			/* ... or nothing is known of that call */
	struct mets seen;
	struct scases bodies;
	VEC(struct logged) log;
	struct steps steps;
	uint32_t last_jump;
	bool dropped;			/* a path was left because of its loops */
	struct summary *sum;
	struct result *r;
	uint32_t depth;
	bool sure;			/* of the end that is being looked at */
	bool inside;			/* ... what is lost there was in what was freed */
};

/* A point on a path to come back to. */
struct exec_mark {
	uint32_t cells, steps;
};

VEC_TYPE(funcs, uint32_t);
VEC_TYPE(values, struct sym);

enum { EXEC_MAX_GIVEN = 400 };	/* objects that one call is followed to */

/* One thing that a call can do. */
struct outcome {
	uint32_t callee;
	const struct summary *sum;
	const struct scase *c;		/* NULL: unknown */
};

/* order.c */
struct order {
	struct funcs funcs;	/* all that are defined: callees first, circle by circle */
	struct funcs ends;	/* of each circle: where the next begins */
};

/* Those that never return get their summaries. */
void order_find(struct engine *e, struct order *order);
void order_release(struct order *order);

/* exec.c */
bool exec__may_go_on(struct exec *x);	/* one block, or case of a call, more: false if these are too many */
struct exec_mark exec__mark(const struct exec *x);
void exec__undo(struct exec *x, struct exec_mark mark);
void exec_run(struct engine *e, uint32_t func, struct summary *sum, struct result *r);
/* ... but only from the call on, until all that it made by this effect is freed: r->sites tells what becomes
 * of it.
 * There are fewer such paths; nothing is known of what came before.  False: it makes nothing there, since
 * none of the cases in which it would can be. */
bool exec_run_from(struct engine *e, uint32_t func, uint32_t inst, const struct model_effect *made,
		   struct result *r);
struct sym exec__eval(struct exec *x, ir_ref r);
void exec__set(struct exec *x, uint32_t vreg, struct sym v);
void exec__set_part(struct exec *x, uint32_t vreg, uint32_t k, struct sym v);	/* of a struct, from 1 */
void exec__go_on(struct exec *x, uint32_t inst);	/* from the instruction behind it */
bool exec__assume(struct exec *x, struct sym cond, bool truth);
/* What was made on this path is nothing that the caller has. */
struct sym exec__compare(struct exec *x, enum ir_pred p, struct sym a, struct sym b);
/* The pointer is used at this instruction: false if that cannot be. */
bool exec__deref(struct exec *x, struct sym p, uint32_t inst);

/* nulls.c */
void nulls_note(struct exec *x, uint32_t callee, const struct sym *args, uint32_t nargs);
uint64_t nulls_on_path(struct exec *x);		/* parameters that are null on it */
void nulls_find(struct engine *e);		/* fills never_null */

/* touch.c */
bool touch_find(const struct engine *e, uint32_t func);

/* skip.c */
void skip_find(struct exec *x);

/* passed.c */
/* One case for each argument that the function may return, or a pointer into it; and one for
 * anything else, if it can be. */
void passed_add_cases(const struct exec *x);

/* trust.c */
void trusts_free(struct trusts *t);
/* Does the function rely on the call's result not being null? */
bool exec__trusts(struct exec *x, uint32_t inst);

/* exec_call.c */
bool exec__is_certain(const struct exec *x, struct sym v, uint32_t inst);
bool exec__call(struct exec *x, uint32_t inst);		/* false: the path was walked to its end, or ends */
void exec__keep(struct exec *x, struct sym v, uint32_t inst);	/* somebody else can reach it */
void exec__give(struct exec *x, struct sym v, uint32_t inst);
/* ... and may change what is in it */
void exec__free(struct exec *x, struct sym v, uint32_t inst);
/* certain is false: it, or another. */
void exec__free_one(struct exec *x, struct sym v, uint32_t inst, bool certain);
void exec__push_value(const struct state_cell *c, void *values);	/* for state_cells() */
void exec__note_call(struct exec *x, uint32_t inst);
struct sym exec__make(struct exec *x, const struct snew *made, uint32_t inst, uint32_t nth);

/* exec_apply.c */
/* False: the case cannot be on this path. */
bool exec__apply(struct exec *x, uint32_t inst, const struct outcome *o, const struct sym *args,
		 uint32_t nargs);
/* A loop that frees elements frees all of them: a case in which it frees none is not for an
 * array that has some.  How many the callee thinks there are, the summary may not tell. */
bool exec__skips_elements(struct exec *x, uint32_t inst, const struct outcome *o, const struct sym *args,
			  uint32_t nargs);
/* Do the conditions of the case allow it here? */
bool exec__fits(struct exec *x, uint32_t inst, const struct scase *c, const struct sym *args, uint32_t nargs);

/* exec_model.c */
bool exec__model(struct exec *x, uint32_t inst, const struct model *md, const struct ir_func *callee,
		 const struct sym *args, uint32_t nargs);

/* end.c */
/* Is something of what `from` has made not freed?  Else that is counted. */
bool exec__holds(struct exec *x);
bool exec__is_lost(struct exec *x);	/* was it lost on a path, or may have been? */
void exec__left(struct exec *x);		/* the path is not followed any further */
void exec__end(struct exec *x, uint32_t inst);
void exec__no_return(struct exec *x);
/* The path is not followed any further: what it has lost by now is lost all the same. */
void exec__give_up(struct exec *x);
void exec__wrong(struct exec *x, enum wrong_kind kind, const struct mobj *o, uint32_t call, uint32_t at);

/* cond.c */
/* A case that ends here, under all that was assumed; it becomes ours. */
void exec__log_case(struct exec *x, struct scase *c);
/* This path goes on as the one that was there before. */
void exec__log_again(struct exec *x, const struct met *m);
void exec__sum_up(struct exec *x);		/* after the last path */
void exec__log_clear(struct exec *x);
bool exec__is_for_caller(const struct exec *x, struct sym v);	/* can callers know the value? */
struct sym exec__term(struct exec *x, const struct sterm *t, const struct sym *args, uint32_t nargs);

/* tell.c */
void path__tell(const struct engine *e, uint32_t func, const struct wrong *w, struct findings *fs);

#endif
