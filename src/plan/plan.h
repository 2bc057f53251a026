/*
 * plan.h - where can a release be inserted so that nothing can break?  LeakFix (Gao et
 * al., ICSE 2015), and past its limits.
 *
 * Here are no texts and no libclang: a plan is about the IR.  edit/edit.h writes it into
 * the source, prove/prove.h looks whether that was right.
 *
 * Vocabulary:
 *
 *   insertion   one statement that goes to one place of one function
 *   place       an edge of the CFG, or just before or after the statement of an instruction
 *   plan        the insertions that together end one leak; all or none are made
 *   releaser    the function that releases this kind of object: free, fclose, the
 *               program's own partner of its allocator, or a destructor of its type
 *
 * The plan answers for safety: it may only be made if, on every execution through
 * the place, the expression holds an object of the plan's set, nobody else releases
 * it, and nobody uses it afterwards.  The edit answers for the text: the statement is
 * executed on exactly that edge, and every name in it means there what it means to
 * the plan.  The proof trusts neither.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "finding/finding.h"
#include "ir/ir.h"
#include "model/model.h"
#include "pta/pta.h"

enum fix_where {
	FIX_EDGE,    /* on the edge from block `from` to block `to` */
	FIX_BEFORE,  /* before the statement that `inst` belongs to; a returned expression is saved first */
	FIX_AFTER,   /* after the statement that `inst` belongs to */
	FIX_RESULT,  /* the statement `call(...);` of `inst` becomes `if (call(...) COND) text` */
	FIX_DECLARE, /* with the declarations of the function's outermost block: `text` is a declaration;
		      * with `inst`, a call, only what follows the type: "p = NULL;", and the type is that of
		      * the call */
	FIX_WRAP,    /* the expression of `inst`, a call, is put into parentheses behind `text`: "p = " gives
		      * (p = call(...)); its value and the time when it is computed stay as they are */
	FIX_INIT,    /* the declaration of the first of `names`, which has no initialiser, gets `text`: " =
			NULL" */
};

/* A local variable that the text of an insertion names: the edit refuses a place where the
 * name means something else or nothing. */
struct fix_name {
	const char *name;
	uint32_t slot; /* of the function; IR_NONE: a global, function, or made by the plan */
};

struct fix_insertion {
	enum fix_where where;
	uint32_t func;
	uint32_t from, to;		/* EDGE: blocks */
	bool optional; /* EDGE: it is not needed there but does no harm (p is null): the edit
			* may put one statement for several edges where it covers this one, too */
	uint32_t inst;			/* BEFORE, AFTER, RESULT */
	const char *cond;		/* RESULT: "< 0" */
	const char *text;		/* "free(p);", several statements separated by newlines */
	const char *frees; /* the variable that holds what is released; NULL: a member of something, or
			      nothing */
	bool asks;			/* it looks at pointers that are not released by it: first of all */
	VEC(struct fix_name) names;
};

struct fix_plan {
	struct finding *finding;
	VEC(struct fix_insertion) in;
	const char *refused;		/* why there is none; then `in` is empty */
	const char *what;		/* "p is freed before the return", for people */
	bool shallow; /* the object alone is freed, where the program has a destructor that would free
			 members, too */
	bool daring;  /* it was made in spite of ways that are not understood: the first to be blamed if
			 something is new */
	struct fix_plan *next; /* in the arena: another one for the same leak, to be tried if this one cannot
				* be written or proved; each stands alone */
};

/*
 * The planner: one for a program, after the engines have run.
 */
struct fix_planner;
struct fix_planner *fix_planner_new(const struct ir_module *m, const struct model_set *models,
				    const struct pta *pta);
void fix_planner_free(struct fix_planner *p);
/* Plans for a leak, in the order in which they should be tried (plan->next).  The strings, and all but
 * the first, live in arena.  Never fails: a plan without insertions says why, and is the only one. */
void fix_plan_make(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan);
double fix_planner_work(const struct fix_planner *p);	/* how much of its budget it has used, in per cent */
void fix_plan_release(struct fix_plan *plan);	/* with those behind it */
/* As text that does not change from run to run. */
void fix_plan_print(const struct fix_plan *plan, const struct ir_module *m, FILE *out);

#endif
