/*
 * fix.h - frees that can be inserted so that nothing can break: LeakFix (Gao et
 * al., ICSE 2015), and past its limits.
 *
 *   finding --plan--> insertions on edges of the IR's CFG     plan*.c  (no text, no libclang)
 *           --edit--> replacements of source text             edit*.c  (only here: libclang)
 *           --prove-> compiled again, both engines run again  prove.c
 *           --diff--> a unified diff, or files in place       diff.c
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
#ifndef FIX_FIX_H
#define FIX_FIX_H

#include "finding/finding.h"
#include "ir/ir.h"
#include "model/model.h"
#include "pta/pta.h"

enum fix_where {
	FIX_EDGE,	/* on the edge from block `from` to block `to` */
	FIX_BEFORE,	/* before the statement that `inst` belongs to; a returned expression is saved first */
	FIX_AFTER,	/* after the statement that `inst` belongs to */
	FIX_DECLARE,	/* with the declarations of the function's outermost block: `text` is a declaration */
};

/* A local variable that the text of an insertion names: the edit refuses a place where the
 * name means something else or nothing. */
struct fix_name {
	const char *name;
	uint32_t slot;			/* of the function; IR_NONE: a global, function, or made by the plan */
};

struct fix_insertion {
	enum fix_where where;
	uint32_t func;
	uint32_t from, to;		/* EDGE: blocks */
	uint32_t inst;			/* BEFORE, AFTER */
	const char *text;		/* "free(p);", several statements separated by newlines */
	VEC(struct fix_name) names;
};

struct fix_plan {
	struct finding *finding;
	VEC(struct fix_insertion) in;
	const char *refused;		/* why there is none; then `in` is empty */
	const char *what;		/* "p is freed before the return", for people */
};

/*
 * The planner: one for a program, after the engines have run.
 */
struct fix_planner;
struct fix_planner *fix_planner_new(const struct ir_module *m, const struct model_set *models, const struct pta *pta);
void fix_planner_free(struct fix_planner *p);
/* Plans for a leak.  The strings live in arena.  Never fails: a plan without insertions says why. */
void fix_plan_make(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan);
void fix_plan_release(struct fix_plan *plan);
/* As text that does not change from run to run. */
void fix_plan_print(const struct fix_plan *plan, const struct ir_module *m, FILE *out);

/*
 * The editor: knows the source files of a program.  Files are parsed once.
 */
struct fix_editor;
struct front_options;
struct fix_editor *fix_editor_new(const struct ir_module *m, const struct front_options *o);
void fix_editor_free(struct fix_editor *e);
/* Turns a plan into edits of plan->finding (struct finding_edit).  Negative: error_last() says
 * why this cannot be written into the source ("inside the macro FOO"); no edit was added. */
int fix_edit(struct fix_editor *e, const struct fix_plan *plan, struct findings *fs);

#endif
