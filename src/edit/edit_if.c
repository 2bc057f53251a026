/*
 * edit_if.c - the #if lines around a place of the text.
 *
 *	#ifndef TINY
 *		char *lead = copy(line);
 *	#endif
 *		if (n > 3)
 *			return;
 *
 * The compiler was shown one setting.  In it, `free(lead);` before the return is right.  With TINY set, the
 * program would not compile any more; and with `char *lead;` above the #ifndef it would free a variable that
 * was never set.  So a name must be declared, and a variable be set, by text that is compiled whenever the
 * place is: no #if may be around that text but not around the place, unless another #if around the place has
 * the same condition.
 *
 * Further, text that the compiler was not shown must not name the released object behind the place: there it
 * would be used, or released again.  Such text is taken for reachable from the place by what comes next in
 * the text.
 *
 * Between the allocation and the place there may be other code under another setting, which releases the
 * object, keeps it or leaves the function; the same holds for the body of the releaser.  Any such difference
 * is refused without a closer look.
 *
 * Only whole conditions are compared, and only those of #if, and of an #else right behind it: `#else` of
 * `#ifdef X` has the same condition as `#if !defined(X)`.  Which way it errs: that A follows from A && B is
 * not seen, and the plan is refused.
 */
#include "edit/priv.h"

#include "front/tokens.h"
#include "ir/expr.h"

/* ---- reading ---- */

struct if_reader {
	struct ast_file *f;
	struct arena *arena;
	VEC(uint32_t) open;	/* parts that have not ended yet */
};

/* What a condition asks, without blanks and parentheses. */
static const char *condition(struct arena *arena, const char *s, const char *end, bool defined, bool *negated)
{
	struct lexer x = { .p = s, .end = end, .directives = true };
	bool simple = !memchr(s, '&', (size_t)(end - s)) &&
		!memchr(s, '|', (size_t)(end - s)) && !memchr(s, '?', (size_t)(end - s));
	struct sbuf b = {0};
	const char *text;

	if (defined)
		sbuf_adds(&b, " defined");
	for (struct token t = token_next(&x); t.kind != TOKEN_END; t = token_next(&x)) {
		if (token_is_char(&t, '(') || token_is_char(&t, ')'))
			continue;
		if (simple && !b.n && token_is_char(&t, '!'))
			*negated = !*negated;
		else
			sbuf_printf(&b, " %.*s", (int)t.n, t.s);
	}
	text = arena_strdup(arena, sbuf_str(&b));
	sbuf_release(&b);
	return text;
}

static void begin_part(struct if_reader *r, const char *end, const char *cond, bool negated)
{
	struct if_part p = { .begin = (uint32_t)(end - r->f->text),
			     .end = r->f->n, .cond = cond, .negated = negated };

	vec_push(&r->open, r->f->ifs.n);
	vec_push(&r->f->ifs, p);
}

/* The innermost part ends; it is copied to *last. */
static bool end_part(struct if_reader *r, const char *at, struct if_part *last)
{
	struct if_part *p;

	if (!r->open.n)
		return false;
	p = &r->f->ifs.v[vec_pop(&r->open)];
	p->end = (uint32_t)(at - r->f->text);
	*last = *p;
	return true;
}

static void read_line(void *ctx, const char *s, const char *end)
{
	struct if_reader *r = ctx;
	struct lexer x = { .p = s + 1, .end = end, .directives = true };
	struct token t = token_next(&x);
	bool ifndef = token_is(&t, "ifndef"), negated = ifndef;
	struct if_part last;

	if (ifndef || token_is(&t, "ifdef") || token_is(&t, "if")) {
		const char *cond = condition(r->arena, x.p, end, !token_is(&t, "if"), &negated);

		begin_part(r, end, cond, negated);
		r->f->ifs.v[r->f->ifs.n - 1].first = true;
	} else if (token_is(&t, "else")) {
		if (end_part(r, s, &last))
			begin_part(r, end, last.first ? last.cond : NULL, !last.negated);
	} else if (t.n > 3 && memcmp(t.s, "elif", 4) == 0) {
		if (end_part(r, s, &last))
			begin_part(r, end, NULL, false);
	} else if (token_is(&t, "endif")) {
		end_part(r, s, &last);
	}
}

void ifs_read(struct ast_file *f, struct arena *arena)
{
	struct if_reader r = { .f = f, .arena = arena };
	struct lexer x = { .p = f->text, .end = f->text + f->n,
			   .at_line_start = true, .directive = read_line, .ctx = &r };

	while (token_next(&x).kind != TOKEN_END)
		;
	vec_release(&r.open);
}

/* ---- asking ---- */

static bool holds(const struct if_part *p, uint32_t at)
{
	return p->begin <= at && at < p->end;
}

/* Is it there under all settings under which the place is there? */
static bool is_met(const struct ast_file *f, const struct if_part *p, uint32_t at)
{
	if (holds(p, at))
		return true;
	if (!p->cond)
		return false;
	if (str_eq(p->cond, p->negated ? " 0" : " 1"))	/* it always is */
		return true;
	for (uint32_t i = 0; i < f->ifs.n; i++) {
		const struct if_part *q = &f->ifs.v[i];

		if (holds(q, at) && q->cond && q->negated == p->negated && str_eq(q->cond, p->cond))
			return true;
	}
	return false;
}

bool if_in_force(const struct ast_file *f, uint32_t text, uint32_t at)
{
	for (uint32_t i = 0; i < f->ifs.n; i++)
		if (holds(&f->ifs.v[i], text) && !is_met(f, &f->ifs.v[i], at))
			return false;
	return true;
}

/* Is it there under no setting under which the place is there? */
static bool is_ruled_out(const struct ast_file *f, const struct if_part *p, uint32_t at)
{
	for (uint32_t i = 0; p->cond && i < f->ifs.n; i++) {
		const struct if_part *q = &f->ifs.v[i];

		if (holds(q, at) && q->cond && q->negated != p->negated && str_eq(q->cond, p->cond))
			return true;
	}
	return p->cond && str_eq(p->cond, p->negated ? " 1" : " 0");
}

static bool has_text(const struct ast_file *f, const struct if_part *p)
{
	struct lexer x = { .p = f->text + p->begin, .end = f->text + p->end, .at_line_start = true };

	return token_next(&x).kind != TOKEN_END;
}

/* Was it compiled, and is it but calls, so that without it nothing is released more, nor another way taken,
 * nor a variable set otherwise? */
static bool is_dispensable(const struct ast_file *f, const struct if_part *p, const struct ir_func *fn)
{
	static const char *const words[] = { "return", "goto", "break", "continue", "case", "default",
					     "if", "else", "for", "while", "do", "switch" };
	struct lexer x = { .p = f->text + p->begin, .end = f->text + p->end, .at_line_start = true };
	uint32_t lo, hi, col;
	bool compiled = false, calls = true;

	ast_position(f, p->begin, &lo, &col);
	ast_position(f, p->end, &hi, &col);
	for (uint32_t i = 0; i < fn->ninsts && !compiled; i++)
		compiled = fn->insts[i].pos.line >= lo && fn->insts[i].pos.line <= hi;
	for (struct token t = token_next(&x); t.kind != TOKEN_END && calls; t = token_next(&x)) {
		calls = t.n != 1 || !strchr("=&+-:{}", *t.s);
		for (uint32_t k = 0; k < ARRAY_LEN(words); k++)
			calls &= !token_is(&t, words[k]);
	}
	return compiled && calls;
}

uint32_t if_differs(const struct ast_file *f, const struct ir_func *fn, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < f->ifs.n; i++) {
		const struct if_part *p = &f->ifs.v[i];
		bool between = p->begin < to && p->end > from && has_text(f, p);

		if (between && !is_met(f, p, from) && !is_ruled_out(f, p, from) && !is_dispensable(f, p, fn))
			return MAX(p->begin, 1) - 1;
	}
	return UINT32_MAX;
}

bool if_other(const struct ast_file *f, uint32_t at, const char *name)
{
	for (uint32_t i = 0; i < f->ifs.n; i++)
		if (is_ruled_out(f, &f->ifs.v[i], at) &&
		    lay_has_word(f, f->ifs.v[i].begin, f->ifs.v[i].end, name))
			return true;
	return false;
}

static bool is_member(const char *s, const char *start)
{
	return (s > start && s[-1] == '.') || (s > start + 1 && s[-1] == '>' && s[-2] == '-');
}

/* Does a part of the text name it where that is in force at the place; or nowhere? */
static bool is_named(const struct ast_file *f, uint32_t from, uint32_t to, const char *name, uint32_t at)
{
	struct lexer x = { .p = f->text + from, .end = f->text + to, .at_line_start = true };
	bool any = false;

	for (struct token t = token_next(&x); t.kind != TOKEN_END; t = token_next(&x)) {
		if (!token_is(&t, name) || is_member(t.s, f->text))
			continue;
		if (if_in_force(f, (uint32_t)(t.s - f->text), at))
			return true;
		any = true;
	}
	return !any;
}

bool if_declared(const struct ast_func *f, const char *name, bool local, uint32_t at)
{
	uint32_t from = local ? f->begin : 0, to = local ? f->end : f->file->n;

	return !f->file->ifs.n ||
	       !lay_has_word(f->file, from, to, name) || is_named(f->file, from, to, name, at);
}

static bool is_there(const struct ast_func *f, const struct ir_inst *in, uint32_t at)
{
	uint32_t text = ast_offset(f->file, in->pos.line, 1);

	return text == UINT32_MAX || if_in_force(f->file, text, at);
}

/* Does the instruction set the variable, or use its address as a value? */
static bool sets(const struct ir_inst *in, uint32_t slot)
{
	for (uint32_t k = in->op == IR_LOAD; k < in->nops; k++)
		if (in->ops[k] == IR_SLOT(slot))
			return true;
	return false;
}

/* Does the program release it, too, by a function that the text names? */
static bool releases(const struct ir_module *m, const struct ir_func *fn, const struct ir_inst *in,
		     uint32_t slot,
		     const struct fix_insertion *ours)
{
	const struct ir_func *g = in->op == IR_CALL ? ir_callee(m, in) : NULL;
	bool named = false, given = false;

	for (uint32_t k = 0; g && k < ours->names.n; k++)
		named |= ours->names.v[k].slot == IR_NONE && str_eq(ours->names.v[k].name, g->src);
	for (uint32_t k = 1; named && k < in->nops; k++) {
		const struct ir_inst *d = ir_def(fn, expr_uncast(fn, in->ops[k]));

		given |= d && d->op == IR_LOAD && d->ops[0] == IR_SLOT(slot);
	}
	return given;
}

bool if_set(const struct ast_func *f, const struct ir_module *m, const struct ir_func *fn,
	    const struct fix_insertion *ours,
	    uint32_t slot, uint32_t at)
{
	bool any = false;

	if (!f->file->ifs.n || fn->slots[slot].param || !lay_directive(f->file, f->begin, f->end))
		return true;
	for (uint32_t i = 0; i < fn->ninsts; i++) {
		const struct ir_inst *in = &fn->insts[i];
		bool set = sets(in, slot);

		if ((set || releases(m, fn, in, slot, ours)) && is_there(f, in, at))
			return true;
		any |= set;
	}
	return !any;
}

bool if_given(const struct fix_insertion *in, const char *name)
{
	struct lexer x = { .p = in->text, .end = in->text + strlen(in->text), .at_line_start = true };
	struct token before = {0};

	for (struct token t = token_next(&x); t.kind != TOKEN_END; before = t, t = token_next(&x))
		if (before.s && token_is(&before, name) && !is_member(before.s, in->text) &&
		    (token_is_char(&t, ')') || token_is_char(&t, ',')))
			return true;
	return false;
}

/* Is the text in a part of the function that has no instruction?  *end: the line behind it. */
static bool is_skipped(const struct ast_func *f, const struct ir_func *fn, uint32_t text, uint32_t *end)
{
	for (uint32_t i = 0; i < f->file->ifs.n; i++) {
		const struct if_part *p = &f->file->ifs.v[i];
		bool any = !holds(p, text) || p->begin < f->begin;
		uint32_t lo, col;

		ast_position(f->file, p->begin, &lo, &col);
		ast_position(f->file, p->end, end, &col);
		for (uint32_t k = 0; k < fn->ninsts && !any; k++)
			any = fn->insts[k].pos.line >= lo && fn->insts[k].pos.line < *end;
		if (!any)
			return true;
	}
	return false;
}

/* Can control get from the insertion to what comes next in the text, from a line on? */
static bool leads_behind(const struct ir_func *fn, const struct fix_insertion *in, uint32_t line)
{
	uint32_t from = in->where == FIX_EDGE ? fn->blocks[in->to].first : in->inst, next = UINT32_MAX;

	for (uint32_t i = 0; i < fn->ninsts; i++)
		if (fn->insts[i].pos.line >= line)
			next = MIN(next, fn->insts[i].pos.line);
	for (uint32_t i = 0; i < fn->ninsts && from < fn->ninsts; i++)
		if (fn->insts[i].pos.line == next && (i == from || ir_comes_before(fn, from, i, IR_NONE)))
			return true;
	return false;
}

bool if_used(const struct ast_func *f, const struct ir_func *fn, const struct fix_insertion *in,
	     const char *name, uint32_t at)
{
	struct lexer x = { .p = f->file->text + at, .end = f->file->text + f->end, .at_line_start = true };
	uint32_t line;

	if (!f->file->ifs.n || !lay_directive(f->file, f->begin, f->end))
		return false;
	for (struct token t = token_next(&x); t.kind != TOKEN_END; t = token_next(&x))
		if (token_is(&t, name) && !is_member(t.s, f->file->text) &&
		    is_skipped(f, fn, (uint32_t)(t.s - f->file->text), &line) &&
		    leads_behind(fn, in, line))
			return true;
	return false;
}
