/*
 * edit_other.c - what a function does with a variable in text that the compiler was not shown.
 *
 * `IF_LINT (free (p));` is nothing in most builds, and so is all between #if 0 and #endif.  Where such text
 * releases the object that a plan releases, or stores it where others reach it, the patch would be wrong
 * under other settings, or somebody has decided against it.  The plan is refused.
 *
 * A variable that is a pointer only by a macro (`hmac_ctx ctx;`) may be a struct under other settings, made
 * and released in other ways.
 *
 * Two forms of statements are known: `free(p)`, by the name of the function that the plan calls, and
 * `... = p;`.  A statement was compiled if some instruction has a line of its text.  Which way it errs: a
 * statement in other words, or beside something that was compiled, is missed; a call that can never be
 * reached, and has therefore no instruction, is taken for a call of another build.
 */
#include "edit/priv.h"

#include "base/error.h"
#include "base/file.h"
#include "front/tokens.h"

struct other {
	const struct ir_module *m;
	const struct ir_func *fn;
	const struct ast_file *file;
	const struct fix_plan *plan;
	const struct fix_name *name;	/* the variable */
};

static uint32_t line_of(const struct other *x, const char *s)
{
	uint32_t line, col;

	ast_position(x->file, (uint32_t)(s - x->file->text), &line, &col);
	return line;
}

/* Is there an instruction of these lines, a call if so asked? */
static bool was_compiled(const struct other *x, const char *from, const char *to, bool call)
{
	uint32_t lo = line_of(x, from), hi = line_of(x, to);

	for (uint32_t i = 0; i < x->fn->ninsts; i++) {
		const struct ir_inst *in = &x->fn->insts[i];

		if (in->pos.line >= lo && in->pos.line <= hi && in->op == (call ? IR_CALL : IR_STORE))
			return true;
	}
	return false;
}

/* Is it the name of a function that the plan calls? */
static bool is_called(const struct other *x, const struct token *t)
{
	for (uint32_t i = 0; i < x->plan->in.n; i++)
		for (uint32_t k = 0; k < x->plan->in.v[i].names.n; k++) {
			const struct fix_name *n = &x->plan->in.v[i].names.v[k];

			if (n->slot == IR_NONE && token_is(t, n->name))
				return true;
		}
	return false;
}

/* Ends at v[3], with the name of the variable at v[2]: `free ( p )`. */
static bool is_release(const struct other *x, const struct token *v)
{
	return is_called(x, &v[0]) && token_is_char(&v[1], '(') && token_is_char(&v[3], ')');
}

/* Is a "=" behind the token the end of a comparison? */
static bool begins_comparison(const struct token *t)
{
	return token_is_char(t, '=') || token_is_char(t, '!') ||
	       token_is_char(t, '<') || token_is_char(t, '>');
}

/* `x = p ;` */
static bool is_store(const struct token *v)
{
	return !begins_comparison(&v[0]) && token_is_char(&v[1], '=') &&
	       (token_is_char(&v[3], ';') || token_is_char(&v[3], ')'));
}

/* Does the text make what it declares a pointer: by a star, or by another expression (auto, typeof)? */
static bool says_pointer(const char *text, size_t n)
{
	return memchr(text, '*', n) || memmem(text, n, "auto", 4) || memmem(text, n, "typeof", 6);
}

/* Is the variable declared there, and neither its own text nor a typedef makes it a pointer? */
static bool is_macro_pointer(const struct other *x, const char *start, const struct token *name)
{
	const struct ir_slot *s = &x->fn->slots[x->name->slot];
	uint32_t line, col;

	ast_position(x->file, (uint32_t)(name->s - x->file->text), &line, &col);
	return !s->param && line == s->pos.line && col == s->pos.col &&
	       x->m->types.v[s->type].kind == IR_T_PTR &&
	       !says_pointer(start, (size_t)(name->s - start));
}

static int check_name(const struct other *x, const struct ast_func *f)
{
	struct lexer lex = { .p = f->file->text + f->begin,
			     .end = f->file->text + f->end, .at_line_start = true };
	const char *start = NULL;	/* of the statement, or its last part */
	struct token v[4] = {0};

	for (;;) {
		memmove(v, v + 1, 3 * sizeof(*v));
		v[3] = token_next(&lex);
		if (v[3].kind == TOKEN_END)
			return 0;
		start = start ? start : v[3].s;
		if (token_is(&v[3], x->name->name) && is_macro_pointer(x, start, &v[3]))
			return error_set("under other settings `%s` may be no pointer", x->name->name);
		if (v[0].s && token_is(&v[2], x->name->name)) {
			if (is_release(x, v) && !was_compiled(x, start, v[3].s, true))
				return error_set("under other settings `%s` is released by the program "
						 "itself (line %u)", x->name->name, line_of(x, v[2].s));
			if (is_store(v) && !was_compiled(x, start, v[3].s, false))
				return error_set("under other settings `%s` is kept (line %u)",
						 x->name->name, line_of(x, v[2].s));
		}
		if (token_is_char(&v[3], ';') || token_is_char(&v[3], '{') || token_is_char(&v[3], '}'))
			start = NULL;
	}
}

static bool is_pointer(const struct fix_editor *e, const struct ir_func *fn, uint32_t slot)
{
	return slot < fn->nslots && e->m->types.v[ir_type_strip(e->m, fn->slots[slot].type)].kind == IR_T_PTR;
}

/* ---- code between the allocation and the place, and in what makes and releases ---- */

/* Where the finding's path first comes through the function: the allocation, or the call that it came by. */
static uint32_t first_offset(const struct finding *f, const struct ast_func *fn)
{
	uint32_t line = UINT32_MAX, at;

	for (uint32_t i = 0; i < f->path.n; i++)
		if (f->path.v[i].at.function &&
		    str_eq(f->path.v[i].at.function, fn->name) && f->path.v[i].at.line >= fn->line)
			line = MIN(line, f->path.v[i].at.line);
	at = line == UINT32_MAX ? UINT32_MAX : ast_offset(fn->file, line, 1);
	return at == UINT32_MAX || at < fn->begin || at >= fn->end ? fn->begin : at;
}

static int check_between(const struct finding *f, const struct request *q, const struct ir_func *fn)
{
	uint32_t from = first_offset(f, q->f), to = render_offset(q), differs, line, col;

	if (to <= from)		/* a declaration, or in a loop: what follows is looked at by if_used() */
		return 0;
	if ((differs = if_differs(q->f->file, fn, from, to)) == UINT32_MAX)
		return 0;
	ast_position(q->f->file, differs, &line, &col);
	return error_set("under other settings the code between the allocation and the patch "
			 "is another (line %u)", line);
}

/* Is the definition of what a plan calls, or of what makes its object, the same under all settings?  A file
 * that cannot be read says nothing. */
static int check_definition(struct fix_editor *e, const struct ir_func *g)
{
	struct ast_file f = { .path = edit_file_of(e, g) };
	uint32_t last = g->pos.line, from, to, differs;
	size_t n;
	int ret = 0;

	if (file_read(&f.text, &n, f.path) < 0)
		return 0;
	f.n = n > INT32_MAX ? 0 : (uint32_t)n;
	fix_line_starts(&f.lines, f.text, f.n);
	ifs_read(&f, &e->arena);
	for (uint32_t i = 0; i < g->ninsts; i++)
		if (g->insts[i].pos.file == g->pos.file)
			last = MAX(last, g->insts[i].pos.line);
	from = ast_offset(&f, g->pos.line, 1);
	to = ast_offset(&f, last, 1);
	if (from != UINT32_MAX && to != UINT32_MAX) {
		differs = if_differs(&f, g, from, to);
		if (differs != UINT32_MAX || if_other(&f, from, g->src))
			ret = error_set("under other settings `%s` is defined otherwise", g->src);
	}
	vec_release(&f.lines);
	vec_release(&f.ifs);
	free(f.text);
	return ret;
}

static int check_settings(struct fix_editor *e, const struct fix_plan *plan, const struct requests *rs)
{
	const struct finding_site *made = &plan->finding->made;
	const struct ir_func *maker = made->func == IR_NONE ? NULL :
		ir_callee(e->m, &e->m->funcs.v[made->func].insts[made->inst]);
	int ret = 0;

	for (uint32_t i = 0; i < plan->in.n && ret == 0; i++) {
		const struct edit_func *ef = edit_func_of(e, plan->in.v[i].func);

		for (uint32_t k = 0; k < rs->n && ret == 0; k++)
			if (ef && rs->v[k].f == ef->ast &&
			    !rs->v[k].declare && rs->v[k].kind != POINT_INCLUDE)
				ret = check_between(plan->finding, &rs->v[k], &e->m->funcs.v[ef->func]);
	}
	for (uint32_t i = 0; i < e->m->funcs.n && ret == 0; i++) {
		const struct ir_func *g = &e->m->funcs.v[i];
		struct token t = { .s = g->src, .n = strlen(g->src) };
		struct other x = { .plan = plan };

		if (!ir_is_decl(g) && g->pos.file != IR_NONE && (is_called(&x, &t) || g == maker))
			ret = check_definition(e, g);
	}
	return ret;
}

int other_check(struct fix_editor *e, const struct fix_plan *plan, const struct requests *rs)
{
	for (uint32_t i = 0; i < plan->in.n; i++) {
		const struct fix_insertion *in = &plan->in.v[i];
		const struct edit_func *ef = edit_func_of(e, in->func);

		for (uint32_t k = 0; k < in->names.n && ef && ef->ast; k++) {
			struct other x = { e->m, &e->m->funcs.v[in->func],
					   ef->ast->file, plan, &in->names.v[k] };
			int ret = is_pointer(e, x.fn, x.name->slot) ? check_name(&x, ef->ast) : 0;

			if (ret < 0)
				return ret;
		}
	}
	return check_settings(e, plan, rs);
}
