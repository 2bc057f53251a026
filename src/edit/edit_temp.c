/*
 * edit_temp.c - what a call returns gets a name.
 *
 * The plan says: a variable is declared, the call is written as (k = call()), and k is released
 * at some places.  That is right wherever the call stands, and what is written where nothing
 * better can be had.  Better to read are, from the best on:
 *
 *	free(call());				the statement is nothing but the call, and
 *						what follows it is the release
 *
 *	T *k = call();				the call can as well be executed before its
 *	use(k);					statement (edit_call.c), nothing jumps to between
 *	free(k);				them, and all releases are in the same block
 *
 * If several plans name calls of one statement, all of them are written in the first way.
 */
#include "edit/priv.h"

#include "base/error.h"

#include <ctype.h>

struct temp {
	struct fix_editor *e;
	const struct edit_func *ef;
	const struct fix_plan *plan;
	const struct fix_insertion *wrap, *declare;
	struct st *st;
	struct call_text call;
	const char *name;
	struct requests *out;
	uint32_t start;			/* of the requests for the releases */
};

static bool is_within(const struct st *s, const struct st *outer)
{
	while (s && s != outer)
		s = s->parent;
	return s != NULL;
}

static void push_text(struct temp *t, uint32_t begin, uint32_t end, const char *text)
{
	struct request q = { .f = t->ef->ast, .kind = POINT_TEXT, .st = t->st,
			     .i = begin, .end = end, .text = text };

	vec_push(t->out, q);
}

/* ---- free(call()); ---- */

/* Is the request for the place right behind a statement? */
static bool is_behind(const struct request *q, const struct st *s)
{
	if (q->kind == POINT_GAP)
		return q->st == s->parent && q->i == s->nth + 1;
	return q->kind == POINT_END && q->st == s;
}

/* "f(" if the only release is `f(k);`, right behind the statement, "f((void *)" if it is `f((void *)k);`. */
static const char *sole_releaser(const struct temp *t)
{
	const struct request *q = &t->out->v[t->start];
	const char *open, *arg;

	if (t->out->n != t->start + 1 || t->st->kind != ST_OTHER || !t->call.whole || !is_behind(q, t->st))
		return NULL;
	open = strchr(q->text, '(');
	arg = !open ? NULL :
	      str_starts(open + 1, "(void *)") ? open + 1 + strlen("(void *)") : open + 1;
	if (!open || strncmp(arg, t->name, strlen(t->name)) != 0 || !str_eq(arg + strlen(t->name), ");"))
		return NULL;
	for (const char *p = q->text; p < open; p++)
		if (!isalnum((unsigned char)*p) && *p != '_')
			return NULL;
	return arena_strndup(&t->e->arena, q->text, (size_t)(arg - q->text));
}

static bool nest(struct temp *t)
{
	const char *f = sole_releaser(t);
	uint32_t begin = t->call.begin;

	if (!f)
		return false;
	t->out->n = t->start;
	/* the (void) of a result that is not wanted is wanted no more */
	if (str_starts(t->ef->ast->file->text + t->st->begin, "(void)") &&
	    lay_skip(t->ef->ast->file, t->st->begin + 6) == begin)
		begin = t->st->begin;
	push_text(t, begin, t->call.begin, f);
	push_text(t, t->call.end, t->call.end, ")");
	return true;
}

/* ---- a declaration before the statement ---- */

/* Is a declaration before the statement in force where a request goes, and its value? */
static bool reaches(const struct temp *t, const struct request *q)
{
	const struct st *s = t->st, *kid;

	if (is_bare(s))
		return q->st == s &&
		       (q->kind == POINT_END || q->kind == POINT_RETURN || q->kind == POINT_RESULT);
	if (q->kind == POINT_RESULT && q->st == s)
		return true;
	if (q->kind == POINT_GAP && q->st == s->parent)
		return q->i > s->nth;
	kid = kid_of(s->parent, q->st);
	return kid && (kid->nth > s->nth || (kid == s && (s->kind != ST_OTHER && s->kind != ST_DECL)));
}

static const char *type_text(const struct temp *t)
{
	const char *type = t->call.type;

	return strpbrk(type, "([") || strstr(type, "unnamed") || strstr(type, "anonymous") ? "void *" : type;
}

static const char *declaration(const struct temp *t, const char *rest)
{
	struct sbuf b = {0};
	const char *s;

	lay_declarator(&b, type_text(t), rest);
	s = arena_strdup(&t->e->arena, sbuf_str(&b));
	sbuf_release(&b);
	return s;
}

/* "T *k = rest", or without the type if that is declared apart. */
static const char *set_name(const struct temp *t, bool apart, const char *rest)
{
	const char *s = arena_printf(&t->e->arena, "%s = %s", t->name, rest);

	return apart ? s : declaration(t, s);
}

/* A statement that is nothing but the call becomes the declaration. */
static bool turn_into_declaration(struct temp *t, bool apart)
{
	const struct ast_file *f = t->ef->ast->file;

	if (t->st->kind != ST_OTHER || !t->call.whole || f->text[t->call.begin - 1] == '(')
		return false;
	push_text(t, t->st->begin, t->call.begin, set_name(t, apart, ""));
	return true;
}

/* Where declarations come first, one between statements goes to the start of a block. */
static bool declare_apart(struct temp *t)
{
	struct request q = { .f = t->ef->ast, .kind = POINT_GAP,
			     .st = declaring_block(t->st), .declare = true };

	if (!q.st)
		return false;
	q.text = declaration(t, arena_printf(&t->e->arena, "%s;", t->name));
	vec_push(t->out, q);
	return true;
}

/* Is the call evaluated once whenever the statement is executed? */
static bool evaluates_once(const struct st *s)
{
	return s->kind == ST_OTHER || s->kind == ST_DECL || s->kind == ST_RETURN ||
	       s->kind == ST_IF || s->kind == ST_SWITCH;
}

/* Is there a place for another statement before this one, reached whenever it is? */
static bool has_place_before(const struct ast_func *f, const struct st *s)
{
	if (!s->parent || s->nth == UINT32_MAX)
		return false;
	return is_bare(s) || (s->parent->kind == ST_COMPOUND && !is_jumped_over(f, s));
}

static bool hoist(struct temp *t)
{
	const struct ast_func *f = t->ef->ast;
	struct st *s = t->st;
	bool bare = is_bare(s);
	bool apart = f->decls_first && !bare && s->parent && !decls_end_at(s->parent, s->nth);
	struct request q = { .f = f, .declare = !apart, .near = true };
	const struct point *p;
	const char *call;

	if (!t->call.first || !evaluates_once(s) || !has_place_before(f, s) ||
	    lay_directive(f->file, t->call.begin, t->call.end))
		return false;
	for (uint32_t i = 0; i < s->decls.n; i++)
		if (lay_has_word(f->file, t->call.begin, t->call.end, s->decls.v[i].name))
			return false;
	for (uint32_t i = t->start; i < t->out->n; i++)
		if (t->out->v[i].f != f || !reaches(t, &t->out->v[i]))
			return false;
	p = bare ? edit_point_at(t->ef, POINT_BEGIN, s, 0) :
	    edit_point_at(t->ef, POINT_GAP, s->parent, s->nth);
	if (!p || (!bare && gap_before(f, s->parent, s->nth) == UINT32_MAX))
		return false;
	q.kind = p->kind;
	q.st = p->st;
	q.i = p->i;
	if (render_check(&q) < 0)
		return false;
	call = arena_strndup(&t->e->arena, f->file->text + t->call.begin, t->call.end - t->call.begin);
	if (apart && !declare_apart(t))
		return false;
	if (turn_into_declaration(t, apart))
		return true;
	q.text = set_name(t, apart, arena_printf(&t->e->arena, "%s;", call));
	if (strchr(q.text, '\n')) {	/* the lines of a request are indented anew */
		t->out->n -= apart;
		return false;
	}
	vec_push(t->out, q);
	push_text(t, t->call.begin, t->call.end, t->name);
	return true;
}

/* ---- (k = call()) ---- */

/* Has the declaration a type of the language alone? */
static bool is_plain_type(const char *text)
{
	static const char *const words[] = { "const", "char", "void", "unsigned",
					     "signed", "short", "int", "long" };

	while (*text && *text != '*') {
		size_t n = strcspn(text, " *"), i = 0;

		while (i < ARRAY_LEN(words) && !(strlen(words[i]) == n && memcmp(words[i], text, n) == 0))
			i++;
		if (i == ARRAY_LEN(words))
			return false;
		text += n + strspn(text + n, " ");
	}
	return true;
}

static int assign(struct temp *t)
{
	const struct point *p = edit_point_at(t->ef, POINT_GAP, t->ef->ast->body, 0);
	struct request q = { .f = t->ef->ast, .kind = POINT_GAP, .st = t->ef->ast->body, .declare = true };

	if (!p)
		return error_set("a declaration cannot be put at the start of the function");
	q.text = declaration(t, t->declare->text);
	if (!is_plain_type(q.text) && !if_in_force(t->ef->ast->file, t->call.begin, t->ef->ast->body->begin))
		return error_set("under other settings there is no such call, and its type may not be known");
	vec_push(t->out, q);
	push_text(t, t->call.begin, t->call.begin, arena_printf(&t->e->arena, "(%s", t->wrap->text));
	push_text(t, t->call.end, t->call.end, ")");
	return 0;
}

/* Does another plan name a call of the same statement? */
static bool is_shared(const struct temp *t, const struct fix_plan *const *others, uint32_t n)
{
	const struct ir_func *fn = &t->e->m->funcs.v[t->ef->func];

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; others[i] != t->plan && k < others[i]->in.n; k++) {
			const struct fix_insertion *in = &others[i]->in.v[k];
			const struct st *s = in->where == FIX_WRAP && in->func == t->ef->func
					     ? edit_statement_of(t->e, t->ef, &fn->insts[in->inst]) : NULL;

			if (s && (is_within(s, t->st) || is_within(t->st, s)))
				return true;
		}
	return false;
}

/* ---- names ---- */

static const struct fix_insertion *wrap_of(const struct fix_plan *plan, const char *name, uint32_t func)
{
	size_t n = strlen(name);

	for (uint32_t i = 0; i < plan->in.n; i++) {
		const struct fix_insertion *in = &plan->in.v[i];

		if (in->where == FIX_WRAP && in->func == func &&
		    strncmp(in->text, name, n) == 0 && in->text[n] == ' ')
			return in;
	}
	return NULL;
}

/* Plans are made one by one, and may have the same name for different calls: then the later one of
 * them gets a number. */
static const char *own_name(const struct temp *t, const struct fix_plan *const *others, uint32_t nothers)
{
	const struct ast_func *f = t->ef->ast;
	const char *name = t->name;
	uint32_t no = 1;

	for (uint32_t i = 0; i < nothers && others[i] != t->plan; i++) {
		const struct fix_insertion *in = wrap_of(others[i], t->name, t->ef->func);

		no += in && in->inst != t->wrap->inst;
	}
	while (no > 1 && (name == t->name || lay_has_word(f->file, f->begin, f->end, name)))
		name = arena_printf(&t->e->arena, "%s%u", t->name, no++);
	return name;
}

static const char *replace_word(struct arena *arena, const char *text, const char *from, const char *to)
{
	size_t n = strlen(from);
	struct sbuf b = {0};
	const char *s;

	while (*text) {
		size_t k = 0;

		while (isalnum((unsigned char)text[k]) || text[k] == '_')
			k++;
		if (k == n && memcmp(text, from, n) == 0)
			sbuf_adds(&b, to);
		else
			sbuf_add(&b, text, MAX(k, 1));
		text += MAX(k, 1);
	}
	s = arena_strdup(arena, sbuf_str(&b));
	sbuf_release(&b);
	return s;
}

static void rename_requests(struct temp *t, const char *to)
{
	for (uint32_t i = t->start; i < t->out->n && !str_eq(t->name, to); i++)
		t->out->v[i].text = replace_word(&t->e->arena, t->out->v[i].text, t->name, to);
}

int edit_temporary(struct requests *out, uint32_t start, struct fix_editor *e, const struct fix_plan *plan,
		   const struct fix_plan *const *others, uint32_t nothers)
{
	struct temp t = { .e = e, .plan = plan, .out = out, .start = start };
	const struct ir_inst *inst;
	const struct ir_func *callee;
	const char *name;
	uint32_t n = 0, names = 0;

	for (uint32_t i = 0; i < plan->in.n; i++) {
		const struct fix_insertion *in = &plan->in.v[i];

		if (in->where == FIX_DECLARE) {
			t.declare = in;
			names++;
		} else if (in->where == FIX_WRAP) {
			t.wrap = in;
			n++;
		}
	}
	assert(t.declare && t.wrap);
	t.name = arena_strndup(&e->arena, t.wrap->text, strcspn(t.wrap->text, " ="));
	t.ef = edit_func_of(e, t.wrap->func);
	name = own_name(&t, others, nothers);
	for (uint32_t i = 0; i < plan->in.n; i++) {
		t.wrap = &plan->in.v[i];
		if (t.wrap->where != FIX_WRAP)
			continue;
		inst = &e->m->funcs.v[t.wrap->func].insts[t.wrap->inst];
		callee = ir_callee(e->m, inst);
		t.st = edit_statement_of(e, t.ef, inst);
		if (!t.st)
			return error_set("line %u is not in this function's text", inst->pos.line);
		if (ast_call(t.ef->unit->ast, t.ef->ast,
			     inst->pos.line, inst->pos.col, callee ? callee->src : NULL, &t.call) < 0)
			return -1;
		if (n == 1 && names == 1 && !is_shared(&t, others, nothers) && (nest(&t) || hoist(&t)))
			break;
		if (assign(&t) < 0)
			return -1;
	}
	rename_requests(&t, name);
	return 0;
}
