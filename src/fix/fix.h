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

/* Can source text be edited here?  Negative: there is no libclang. */
int fix_ready(void);

enum fix_where {
	FIX_EDGE,	/* on the edge from block `from` to block `to` */
	FIX_BEFORE,	/* before the statement that `inst` belongs to; a returned expression is saved first */
	FIX_AFTER,	/* after the statement that `inst` belongs to */
	FIX_RESULT,	/* the statement `call(...);` of `inst` becomes `if (call(...) COND) text` */
	FIX_DECLARE,	/* with the declarations of the function's outermost block: `text` is a declaration; with
			 * `inst`, a call, only what follows the type: "p = NULL;", and the type is that of the call */
	FIX_WRAP,	/* the expression of `inst`, a call, is put into parentheses behind `text`: "p = " gives
			 * (p = call(...)); its value and the time when it is computed stay as they are */
	FIX_INIT,	/* the declaration of the first of `names`, which has no initialiser, gets `text`: " = NULL" */
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
	bool optional;			/* EDGE: it is not needed there but does no harm (p is null): the edit
					 * may put one statement for several edges where it covers this one, too */
	uint32_t inst;			/* BEFORE, AFTER, RESULT */
	const char *cond;		/* RESULT: "< 0" */
	const char *text;		/* "free(p);", several statements separated by newlines */
	const char *frees;		/* the variable that holds what is released; NULL: a member of something, or nothing */
	bool asks;			/* it looks at pointers that are not released by it: first of all */
	VEC(struct fix_name) names;
};

struct fix_plan {
	struct finding *finding;
	VEC(struct fix_insertion) in;
	const char *refused;		/* why there is none; then `in` is empty */
	const char *what;		/* "p is freed before the return", for people */
	bool shallow;			/* the object alone is freed, where the program has a destructor that would free members, too */
	bool daring;			/* it was made in spite of ways that are not understood: the first to be blamed if something is new */
	struct fix_plan *next;		/* in the arena: another one for the same leak, to be tried if this one cannot be
					 * written or proved; each stands alone */
};

/*
 * The planner: one for a program, after the engines have run.
 */
struct fix_planner;
struct fix_planner *fix_planner_new(const struct ir_module *m, const struct model_set *models, const struct pta *pta);
void fix_planner_free(struct fix_planner *p);
/* Plans for a leak, in the order in which they should be tried (plan->next).  The strings, and all but
 * the first, live in arena.  Never fails: a plan without insertions says why, and is the only one. */
void fix_plan_make(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan);
double fix_planner_work(const struct fix_planner *p);	/* how much of its budget it has used, in per cent */
void fix_plan_release(struct fix_plan *plan);	/* with those behind it */
/* As text that does not change from run to run. */
void fix_plan_print(const struct fix_plan *plan, const struct ir_module *m, FILE *out);

/*
 * The editor: knows the source files of a program.  Files are parsed once.  r was loaded with
 * keep_parts and outlives the editor, as does o.
 */
struct fix_editor;
struct front_options;
struct front_result;
struct fix_editor *fix_editor_new(const struct front_result *r, const struct front_options *o);
/* Refuses what is in files that the user did not mean (scope.h): for changes in place. */
void fix_editor_stay_inside(struct fix_editor *e);
/* Refuses what is in files that are excluded from these findings. */
void fix_editor_exclude(struct fix_editor *e, struct findings *fs);
void fix_editor_free(struct fix_editor *e);
/* Reads and compiles what the plans are about: once, for all of them, before the first fix_edit(). */
void fix_editor_prepare(struct fix_editor *e, const struct fix_plan *plans, uint32_t n);
struct front_part;
struct lean;
struct sbuf;
/* How a part is compiled in less time (edit_lean.c), or NULL; if it turns out that it does not do it is dropped. */
const struct lean *fix_editor_lean(const struct fix_editor *e, const struct front_part *part);
void fix_editor_drop_lean(struct fix_editor *e, const struct front_part *part);
/* The edited text of a part's source as far as a trial needs it: without bodies that nobody edits, if that has done before. */
struct fix_file;
void fix_editor_text(const struct fix_editor *e, const struct front_part *part, const struct fix_file *f, struct sbuf *out);
/* Of what came of such a text, only functions that are edited, or were not there, remain definitions. */
void fix_editor_strip(const struct fix_editor *e, const struct ir_module *was, struct ir_module *now);
/* Turns a plan into edits of plan->finding (struct finding_edit).  Negative: error_last() says
 * why this cannot be written into the source ("inside the macro FOO"); no edit was added. */
int fix_edit(struct fix_editor *e, const struct fix_plan *plan, struct findings *fs);

/*
 * Several plans together: texts, which nothing has written yet (apply.c).
 */
struct fix_shift {			/* one replacement */
	uint32_t at, n;			/* in the new text */
	uint32_t old, nold;		/* in the old one */
};

/* Where the lines of a text begin: the first at 0, the last may be empty. */
VEC_TYPE(fix_starts, uint32_t);
void fix_line_starts(struct fix_starts *out, const char *text, uint32_t n);

struct fix_file {
	const char *path;		/* absolute */
	const char *shown, *origin;	/* generated from another file: as #line calls it, and where that is; or NULL */
	int64_t delta;			/* the number of a line there, less that here */
	const char *old, *text;		/* each followed by a NUL */
	uint32_t nold, n;
	VEC(struct fix_shift) shifts;	/* ascending */
	struct fix_starts lines, old_lines;	/* for fix_file_back(); empty at first */
};

VEC_TYPE(fix_files, struct fix_file);

/* The files with all these plans, each of which fix_edit() has taken; by path, texts in the arena.
 * Insertions that two of them share are made once. */
void fix_editor_apply(struct fix_editor *e, const struct fix_plan *const *plans, uint32_t n, struct arena *arena,
		      struct fix_files *out);
void fix_files_release(struct fix_files *fs);
/* Joins inserted lines to those that follow, where that does not change what the text means: the others keep their numbers. */
void fix_files_keep_lines(struct fix_files *fs);
/* In the place of files that are generated those that they are made from, with the same replacements.  Negative: one of
 * them has changed meanwhile. */
int fix_files_to_origins(struct fix_files *fs, struct arena *arena);
/* Where something stood before; what was inserted stands where it was put.  True: it was. */
bool fix_file_back(struct fix_file *f, uint32_t *line, uint32_t *column);

/* Writes the files where they are: all or, if one has changed meanwhile or cannot be written, none.
 * Negative: error_last(). */
int fix_files_write(const struct fix_files *fs);
/* Finishes or undoes what a fix_files_write() that was killed has left, and says so. */
void fix_files_recover(void);

/* The number, from 0, of the last line that begins at an offset or before it; there is one. */
uint32_t fix_line_at(const uint32_t *starts, uint32_t n, uint32_t offset);

/* How many lines come and go in each file, as git diff --stat has it; paths as `shown` gives them. */
void fix_stat(struct sbuf *out, const struct fix_files *fs, const char *(*shown)(void *ctx, const char *path), void *ctx);
/* A unified diff. */
void fix_diff(struct sbuf *out, const struct fix_files *fs, const char *(*shown)(void *ctx, const char *path), void *ctx);

/*
 * The proof (prove.c): the edited program is compiled and analysed again.
 */
struct fix_candidate {
	struct fix_plan *plan;		/* taken by fix_edit(); another one of its ->next if that is what holds */
	bool kept;			/* result */
	const char *why;		/* not kept: why the first one is not; in the arena of the findings */
	bool suspect;			/* inside: withdrawn together with others that may be to blame instead */
};

struct fix_proof {
	struct fix_editor *editor;
	const struct front_result *r;
	const struct front_options *o;
	struct findings *before;	/* what the engines said of the program as it is */
	const struct findings *doubts;	/* and what they did not say, not being sure */
	/* Runs the engines over a program, which it may change; findings are finished, doubts among them.  False: cut short. */
	bool (*judge)(void *ctx, struct ir_module *program, struct findings *fs);
	void *ctx;
	unsigned analyses;		/* result: how often judge() was asked */
	bool is_small;			/* inside: another analysis costs little */
	struct fix_unit *units;		/* inside: the units as they were compiled last, by part */
};

/* The first of a plan and those behind it that can be written, with its edits in the finding; NULL: none,
 * and error_last() says why the first cannot. */
struct fix_plan *fix_edit_any(struct fix_editor *e, struct fix_plan *plan, struct findings *fs);

/* Decides which candidates are kept: those that together make a program in which their leaks are gone
 * and nothing new is found.  In the place of one that fails the plans behind it are tried. */
void fix_prove(struct fix_proof *p, struct fix_candidate *v, uint32_t n);

#endif
