/*
 * priv.h - what edit*.c share: the statements of a source, and the places between them.
 *
 *   ast      a unit's source as libclang reads it            edit_ast.c (only here: libclang)
 *   point    a place of the text where a statement can go    edit_point.c
 *   match    which edges of the CFG run through a point      edit_match.c
 *   ask      what a branch asks                               edit_ask.c
 *   call     a call within a statement                       edit_call.c, edit_temp.c (libclang here, too)
 *   place    from places of the CFG to points                edit_place.c
 *   render   points and statements as replacements of text   edit_text.c, edit_lay.c
 */
#ifndef EDIT_PRIV_H
#define EDIT_PRIV_H

#include "base/arena.h"
#include "base/bits.h"
#include "base/sbuf.h"
#include "edit/edit.h"
#include "edit/scope.h"
#include "front/front.h"

/* ---- the source ---- */

/* What is between two of the lines #if, #else, #endif. */
struct if_part {
	uint32_t begin, end;
	const char *cond;		/* what is asked; NULL: it takes more than one line to say that */
	bool negated;
	bool first;			/* behind #if */
};

struct ast_file {
	const char *path;		/* absolute, in normal form */
	char *text;
	uint32_t n;
	struct fix_starts lines;
	VEC(struct if_part) ifs;
	/* Generated from another file: lines are numbered as there.  One file has several of these if the
	 * numbers do not run through. */
	const char *shown;		/* as #line calls that, absolute; NULL */
	const char *origin;		/* where it is; NULL: nowhere, or it has other text */
	int64_t delta;			/* the number of a line there, less that here */
};

enum st_kind {
	ST_COMPOUND, ST_IF, ST_WHILE, ST_DO, ST_FOR, ST_SWITCH,
	ST_CASE,			/* and default */
	ST_LABEL, ST_RETURN,
	ST_JUMP,			/* break, continue, goto */
	ST_DECL, ST_NULL,
	ST_ATTR,			/* [[fallthrough]]: must stay before what follows */
	ST_OTHER,			/* an expression, asm */
};

struct st_decl {
	const char *name;
	uint32_t line, col;
};

/* A statement.  Offsets are where the text stands in the file: of a macro's expansion, where the
 * macro is named. */
struct st {
	enum st_kind kind;
	uint32_t begin, end;		/* end: after the last character, without a `;` */
	bool macro_begin, macro_end;	/* that character is made by a macro */
	bool outside;			/* some of it lies in another file */
	bool is_value;			/* COMPOUND of ({ ... }): its last statement is its value */
	bool has_default;		/* SWITCH */
	uint32_t vbegin, vend;		/* RETURN: the value; equal if there is none */
	bool plain;			/* RETURN: whose value no call can change */
	bool comma;			/* RETURN: it is `a, b` */
	struct st *parent;
	uint32_t nth;			/* among the parent's kids */
	VEC(struct st *) kids;		/* statements it controls or holds, in order; of IF then, else */
	VEC(struct st *) inner;		/* COMPOUNDs within its expressions */
	VEC(struct st_decl) decls;	/* DECL; of FOR those of its first part */
};

struct ast;

struct ast_func {
	const char *name;
	struct ast_file *file;
	uint32_t line;			/* of the name */
	uint32_t begin, end;
	uint32_t order;			/* among the declarations of the unit */
	const char *refused;		/* no statement of it may be touched, and why */
	const char *result;		/* type of a variable for the result, as C writes it */
	const struct ast *ast;
	bool is_old;			/* its unit is compiled as C89 */
	bool decls_first;		/* its unit wants no declaration behind a statement */
	struct st *body;
	VEC(struct st_decl) params;
	VEC(struct st *) all;		/* every statement, outer before inner */
};

/* Parses a unit, with its texts.  Negative: error_last(). */
int ast_parse(struct ast **out, const struct unit *u);
const char *ast_error(struct ast *a);	/* what the compiler said first; NULL: nothing is wrong */
void ast_free(struct ast *a);
/* A function by its name and the line of its name; its body is read when first asked for.
 * NULL: there is none such (error_last()). */
struct ast_func *ast_func(struct ast *a, const char *file, const char *name, uint32_t line);
/* Is a name declared at file level before the function ends, or (f is NULL) anywhere? */
bool ast_declared(const struct ast *a, const struct ast_func *f, const char *name);
/* The declaration that a name means at the end of statement s (NULL: at the function's start);
 * NULL: none of the function. */
const struct st_decl *ast_visible(const struct ast_func *f, const struct st *s,
				  bool before, const char *name);

/* A call within a statement (edit_call.c). */
struct call_text {
	uint32_t begin, end;
	const char *type;		/* of its value, as C writes it */
	bool whole;			/* its statement, or what that returns or sets a variable to, is
					 * nothing else */
	bool uncast;			/* ... and there is no cast */
	bool first;			/* it can as well be executed before its statement */
};
/* Is the statement at a place nothing but this call, as a macro that stands there writes it? */
bool ast_is_call(struct ast *a, const struct ast_func *f, uint32_t line, uint32_t col, const char *callee);
/* Finds the call that begins at a place.  Negative: error_last(). */
int ast_call(struct ast *a, const struct ast_func *f, uint32_t line, uint32_t col,
	     const char *callee, struct call_text *out);

/* Lines are numbered as the compiler does. */
uint32_t ast_offset(const struct ast_file *f, uint32_t line, uint32_t col);	/* UINT32_MAX: no such */
void ast_position(const struct ast_file *f, uint32_t offset, uint32_t *line, uint32_t *col);

/* The file that a part of this one is generated from, with the very same lines; in the arena, or NULL
 * (edit_origin.c). */
const char *origin_find(const struct ast_file *f, uint32_t begin, uint32_t end, struct arena *arena);

/* ---- #if: edit_if.c ---- */

/* Fills in the file's parts; their conditions are in the arena. */
void ifs_read(struct ast_file *f, struct arena *arena);
/* Does what stands from one place of a function to another do the same under all settings under which the
 * first is there? UINT32_MAX, or where it may not. */
uint32_t if_differs(const struct ast_file *f, const struct ir_func *fn, uint32_t from, uint32_t to);
/* Is the name in text that is there only where the place is not? */
bool if_other(const struct ast_file *f, uint32_t at, const char *name);
/* Is a text there under all settings under which a place is? */
bool if_in_force(const struct ast_file *f, uint32_t text, uint32_t at);
/* Is a name of the function, or of its file, declared under all settings under which a place of the
 * function is compiled? */
bool if_declared(const struct ast_func *f, const char *name, bool local, uint32_t at);
/* Does the program give a variable that the insertion names a value under all of them? */
bool if_set(const struct ast_func *f, const struct ir_module *m, const struct ir_func *fn,
	    const struct fix_insertion *ours,
	    uint32_t slot, uint32_t at);
/* Does the insertion give a variable itself to a function? */
bool if_given(const struct fix_insertion *in, const char *name);
/* Is it named behind the place by text that was not compiled? */
bool if_used(const struct ast_func *f, const struct ir_func *fn,
	     const struct fix_insertion *in, const char *name, uint32_t at);

/* ---- text: edit_lay.c ---- */

/* The next character at or after `at` that is neither blank nor comment; the length of the text. */
uint32_t lay_skip(const struct ast_file *f, uint32_t at);
/* The end of the last token before `to`, read from `from`, which must be the start of one. */
uint32_t lay_token_end(const struct ast_file *f, uint32_t from, uint32_t to);
/* Where a statement ends, with its `;`: the offset after it; UINT32_MAX if the text does not show it. */
uint32_t lay_end(const struct ast_func *f, const struct st *s);
/* Is the statement nothing but `name(...)`, by its text?  That may be a macro. */
bool lay_is_call(const struct ast_func *f, const struct st *s);
/* Does a preprocessor line begin between two offsets? */
bool lay_directive(const struct ast_file *f, uint32_t from, uint32_t to);
/* Does a word occur in a text, or in a part of the source? */
bool lay_text_has_word(const char *text, size_t len, const char *word);
bool lay_has_word(const struct ast_file *f, uint32_t from, uint32_t to, const char *word);
/* "T name" for a type as C writes it. */
void lay_declarator(struct sbuf *out, const char *type, const char *name);

uint32_t lay_line_start(const struct ast_file *f, uint32_t at);
uint32_t lay_line_end(const struct ast_file *f, uint32_t at);	/* before LF or CR LF */
bool lay_first_on_line(const struct ast_file *f, uint32_t at);
/* After what else belongs to this line: blanks and comments that end on it.  at itself if code follows. */
uint32_t lay_rest(const struct ast_file *f, uint32_t at);

/* The start of the line where an #include that a function needs goes: behind the last one that is in
 * force there, or behind the comment that the file begins with. */
uint32_t lay_include(const struct ast_func *f);

/* How a function is laid out. */
struct lay_style {
	const char *unit;		/* one step of indentation */
	const char *eol;
	bool allman;			/* { on a line of its own */
	const char *brace;		/* and so much further in than what it belongs to (GNU) */
	bool space;			/* f (x) */
	bool tabs;			/* eight blanks at the start of a line are a tab */
};
void lay_style_of(struct lay_style *s, struct arena *arena, const struct ast_func *f);
/* A statement of ours with its calls in the function's style. */
const char *lay_call(struct arena *arena, const struct lay_style *s, const char *text);
/* The same for braces, which it has as `if (x) {`. */
const char *lay_braces(struct arena *arena, const struct lay_style *s, const char *text);
/* Makes a tab of each eight blanks that lines begin with; of the first line only if `whole`: else it began
 * before.  Blanks at the end are those of a line of the author's, and stay. */
void lay_tabs(struct sbuf *text, bool whole);
/* The blanks that the line of an offset begins with. */
void lay_indent(struct sbuf *out, const struct ast_file *f, uint32_t at);

/* ---- points ---- */

enum point_kind {
	POINT_GAP,		/* in a block (st), before its statement number i, or after the last */
	POINT_LABEL,		/* after label, case or default (st), before the statement under it */
	POINT_BEGIN,		/* before an un-braced body (st) */
	POINT_END,		/* after it, still in the body */
	POINT_ELSE,		/* the else that an if (st) has not */
	POINT_DEFAULT,		/* the default that a switch (st) has not */
	POINT_RESULT,		/* a call that is a statement (st): its result is asked for; has no mark */
	POINT_RETURN,		/* between the value of a return (st) and leaving: has no mark */
	POINT_INCLUDE,		/* with the file's #include lines: no point of the function, no st */
	POINT_TEXT,		/* the text from i to `end`, within an expression of st, is replaced: no point
				 * either */
};

struct point {
	enum point_kind kind;
	struct st *st;
	uint32_t i;
	uint32_t at;		/* offset of its mark */
	bool dropped;		/* the compiler did not take a mark there */
	VEC(uint32_t) steps;	/* by match: the steps of the function that run through it, ascending */
};

VEC_TYPE(points, struct point);

/* All points of a function. */
void points_collect(struct points *ps, const struct ast_func *f);
void points_release(struct points *ps);

/* Where a statement at gap i of a block goes: after the statement before it, or before the one
 * behind it.  UINT32_MAX: the text has no such place. */
uint32_t gap_after(const struct ast_func *f, const struct st *block, uint32_t i);
uint32_t gap_before(const struct ast_func *f, const struct st *block, uint32_t i);
/* Can braces be put around an un-braced body? */
bool can_brace(const struct ast_func *f, const struct st *body);
/* Is it the body of an if, else or loop, without braces? */
bool is_bare(const struct st *s);
/* Is all that stands before gap i of a block declarations? */
bool decls_end_at(const struct st *block, uint32_t i);
/* The part of a block that holds s, or NULL. */
const struct st *kid_of(const struct st *block, const struct st *s);
/* Can control get behind a statement of a block, within that, without passing it? */
bool is_jumped_over(const struct ast_func *f, const struct st *s);
/* The innermost block that holds a statement and is no place for `case`: the function's body at last. */
struct st *declaring_block(const struct st *s);

/* What a statement at a POINT_RETURN calls the value that is returned. */
#define SAVED_NAME "plumb_ret"

/* One statement at one point of a function. */
struct request {
	const struct ast_func *f;
	enum point_kind kind;
	struct st *st;
	uint32_t i, end;
	const char *cond;	/* RESULT */
	bool declare;		/* a declaration: before all else at the point */
	bool near;		/* it belongs to the statement behind the gap */
	const char *text;	/* lines */
	const char *frees;	/* as in an insertion */
	bool asks;
};

VEC_TYPE(requests, struct request);

struct edit {			/* [begin, end) becomes text */
	struct ast_file *file;
	uint32_t begin, end;
	const char *text;
};

VEC_TYPE(edits, struct edit);

/* Replacements for all requests, which may be of several functions and files; ordered by file and
 * offset, without overlaps.  Texts live in the arena. */
void render(struct edits *out, struct arena *arena, const struct requests *rs);
/* Can this be written there?  Negative: why not. */
int render_check(const struct request *r);
/* The offset that it is written at, or beside which on the same side of all preprocessor lines. */
uint32_t render_offset(const struct request *r);

/* The texts that they make. */
struct fix_files;
void apply_edits(struct fix_files *out, struct arena *arena, const struct edits *xs);

/* A file's text with a mark at each point of these functions, without new lines: the point k of
 * function f is a call MARK_NAME(base + k) of one argument. */
#define MARK_NAME "plumb_mark_"
struct marking {
	const struct ast_func *f;
	struct points *points;
	uint32_t base;
};
/* text: of the file, with or without the bodies of other functions. */
void points_mark(struct sbuf *out, const struct ast_file *file,
		 const char *text, const struct marking *v, uint32_t n);
/* edit_bare.c: a text, as long as it is, with declarations for all definitions of functions, but those of
 * these names; the caller's.  NULL: there are none, or it is not known where they are. */
char *bare_text(const char *text, uint32_t n, const char *const *names, uint32_t nnames);

/* after.c: is what the insertion releases read again on every way on from there? */
bool after_is_used(const struct ir_func *f, const struct fix_insertion *in);
/* The slot of p if the insertion is just "f(p);", IR_NONE otherwise. */
uint32_t after_released(const struct fix_insertion *in);

/* ---- match ---- */

struct match;

/* Compares a function with the one that was compiled from the marked text, in a unit of its own,
 * and fills in the steps of the points, numbered from base there.  0: *out is the caller's.
 * Negative: they differ. */
struct match_pair {
	const struct ir_module *m, *marked;
	uint32_t func, marked_func;
};
int match_new(struct match **out, const struct match_pair *pair, struct points *ps, uint32_t base,
	      const struct ast_func *f);
void match_free(struct match *x);
/* The steps that cross an edge; ascending. */
void match_edge(const struct match *x, uint32_t from, uint32_t to, struct bits *steps);
/* The steps that end at an instruction, or at the first of its block's. */
void match_into(const struct match *x, uint32_t inst, struct bits *steps);
uint32_t match_steps(const struct match *x);
/* Adds the steps out of a test of a variable on which it is null. */
void match_null(const struct match *x, uint32_t slot, struct bits *steps);
/* Moves a statement down: steps that end at an instruction which cannot matter to it become the steps
 * that leave that instruction, if all steps that end there are wanted, or may have it.  False: none could be
 * moved. */
bool match_sink(const struct match *x, struct bits *want,
		const struct bits *may, const struct fix_insertion *in);
/* Is the point passed before the instruction on every way to it, each time anew? */
bool match_before(const struct match *x, const struct point *p, uint32_t inst);
/* Is the instruction passed before the point on every way to it? */
bool match_after(const struct match *x, const struct point *p, uint32_t inst);

/* The instruction that a step leads to, or IR_NONE. */
uint32_t match_next(const struct match *x, uint32_t step);

/* ---- ask ---- */

/* What a branch asks, as C writes it. */
struct question {
	uint32_t branch, first;		/* instructions: the branch, and the first that reads a compared
					 * value */
	uint32_t slots[2];		/* the variables that are named; IR_NONE */
};

/* The question that is answered yes if a branch goes on to a block: "n < 4".  NULL: it cannot be written. */
const char *ask_question(const struct ir_module *m, const struct ir_func *f, uint32_t branch,
			 uint32_t to, struct arena *arena,
			 struct question *out);
/* Has the question at the point the answer that the branch will get, whenever that is executed? */
bool ask_is_before(const struct match *x, const struct ir_func *f,
		   const struct point *p, const struct question *q);

/* ---- the editor ---- */

/* One function of the program. */
struct edit_func {
	uint32_t func;
	struct edit_unit *unit;		/* whose text shows it */
	struct ast_func *ast;
	struct points points;
	struct match *match;
	const char *refused;
	uint32_t base;			/* number of its first mark */
};

/* A unit that has functions to be edited. */
struct edit_unit {
	const struct front_part *part;
	struct lean *lean;		/* of it; NULL: there is none, or it did not do */
	char *bare;			/* the text of its source without bodies that nobody edits; NULL: that
					 * is all of it, or did not do */
	char *used;			/* what stands behind that where it is compiled */
	struct ast *ast;
	struct ir_module *marked;
	const char *refused;
	bool tried;
	bool whole;			/* it is marked with all its functions, not only with those that are
					 * edited */
};

struct part_lean {
	const struct front_part *part;
	struct lean *lean;
};

struct fix_editor {
	const struct front_result *r;
	const struct front_options *o;
	const struct ir_module *m;
	struct arena arena;
	bool inside;			/* what is not in the scope is refused */
	struct scope scope;
	struct findings *excluded;	/* whose files that are excluded are refused, too */
	VEC(uint32_t) asked;		/* functions that plans are about; some of them twice */
	VEC(struct edit_func *) funcs;
	VEC(struct edit_unit *) units;
	VEC(struct part_lean) leans;	/* made, and not yet taken by a unit */
};

struct edit_unit *edit_unit_with(const struct fix_editor *e, const struct front_part *part);	/* or NULL */
/* The unit of the program as it was compiled, by its number there; or NULL. */
const struct front_part *edit_part_of(const struct front_result *r, uint32_t unit);

/* edit_lean.c: makes lean ones of the units that have functions of the plans. */
void lean_prepare(struct fix_editor *e, const struct fix_plan *plans, uint32_t n);
struct lean *lean_take(struct fix_editor *e, const struct front_part *part);	/* the caller's; or NULL */
/* text: of the source, or NULL: as it is.  Negative: not without errors. */
int lean_parse(struct ast **out, const struct lean *l, const char *text, size_t n);

/* The file that a function is in, as the IR names it. */
const char *edit_file_of(const struct fix_editor *e, const struct ir_func *fn);
/* NULL: fix_editor_prepare() has not seen it. */
struct edit_func *edit_func_of(struct fix_editor *e, uint32_t func);

/* edit_other.c: does text that was not compiled release or keep what the plan releases?  Negative:
 * error_last(). */
int other_check(struct fix_editor *e, const struct fix_plan *plan, const struct requests *rs);

/* edit_place.c: requests for all insertions of a plan; of others that are made, too, (NULL) it is only
 * asked what they share with it.  Negative: one of them cannot be had. */
int edit_resolve(struct requests *out, struct fix_editor *e,
		 const struct fix_plan *plan, const struct fix_plan *const *others,
		 uint32_t nothers);
/* A point that the compiler takes, or NULL. */
const struct point *edit_point_at(const struct edit_func *ef,
				  enum point_kind kind, const struct st *st, uint32_t i);
/* The innermost statement that an instruction stands in, or NULL. */
struct st *edit_statement_of(const struct fix_editor *e,
			     const struct edit_func *ef, const struct ir_inst *in);

/* edit_temp.c: what a call returns gets a name (FIX_WRAP).  Adds requests for the call and for the
 * declaration; those of the plan's other insertions are in out from `start` on, and may be replaced.
 * Negative: it cannot be done. */
int edit_temporary(struct requests *out, uint32_t start, struct fix_editor *e, const struct fix_plan *plan,
		   const struct fix_plan *const *others, uint32_t nothers);

#endif
