/*
 * edit_place.c - from places of the CFG to points of the text.
 *
 * The edges that are to have the same statement are covered by points, exactly: none is left
 * out, and nothing else runs through a point that is taken.  Where that cannot be had, edges on
 * which the statement does no harm may be taken with them, or the statement moves down over
 * instructions that cannot matter to it, out of the expression that it would be in.
 *
 * Every name in a statement must mean at its point what it means to the plan.
 */
#include "edit/priv.h"

#include "base/error.h"
#include "base/file.h"

#include <ctype.h>

enum { SINK_MAX = 64 };		/* instructions that a statement may be moved down over */

/* ---- names ---- */

/* What a name means where the request goes. */
static const struct st_decl *visible_at(const struct request *q, const char *name)
{
	const struct st *b = q->kind == POINT_DEFAULT ? q->st->kids.v[0] : q->st;
	uint32_t i = q->kind == POINT_DEFAULT ? b->kids.n : q->i;

	if (q->kind == POINT_GAP || q->kind == POINT_DEFAULT)
		return i ? ast_visible(q->f, b->kids.v[i - 1], false, name) :
		       ast_visible(q->f, b, true, name);
	if (q->kind == POINT_LABEL)
		return ast_visible(q->f, q->st->kids.v[0], true, name);
	return ast_visible(q->f, q->st, true, name);
}

static bool same_decl(const struct st_decl *d, const struct ir_pos *pos)
{
	return d->line == pos->line && (!pos->col || d->col == pos->col);
}

/* Is the declaration that of a static variable of the function? */
static bool is_static(const struct ir_module *m, uint32_t func, const struct st_decl *d)
{
	for (uint32_t i = 0; i < m->globals.n; i++) {
		const struct ir_global *g = &m->globals.v[i];

		if (g->flags & IR_G_LOCAL && g->func == func &&
		    str_eq(g->src, d->name) && g->pos.line == d->line)
			return true;
	}
	return false;
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p++)
		if ((p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_')) &&
		    !isalnum((unsigned char)p[n]) && p[n] != '_')
			return true;
	return false;
}

static bool plan_declares(const struct fix_plan *plan, uint32_t func, const char *name)
{
	for (uint32_t i = 0; i < plan->in.n; i++)
		if (plan->in.v[i].where == FIX_DECLARE && plan->in.v[i].func == func &&
		    has_word(plan->in.v[i].text, name))
			return true;
	return false;
}

static bool plan_inits(const struct fix_plan *plan, uint32_t func, uint32_t slot)
{
	for (uint32_t i = 0; i < plan->in.n; i++)
		if (plan->in.v[i].where == FIX_INIT && plan->in.v[i].func == func &&
		    plan->in.v[i].names.v[0].slot == slot)
			return true;
	return false;
}

/* Is a function or global variable defined in the file of another function? */
static bool is_beside(const struct fix_editor *e, uint32_t func, const char *name)
{
	const struct ir_module *m = e->m;
	uint32_t file = m->funcs.v[func].pos.file;

	for (uint32_t i = 0; i < m->funcs.n; i++)
		if (m->funcs.v[i].pos.file == file && !ir_is_decl(&m->funcs.v[i]) &&
		    str_eq(m->funcs.v[i].src, name))
			return true;
	for (uint32_t i = 0; i < m->globals.n; i++)
		if (m->globals.v[i].pos.file == file && str_eq(m->globals.v[i].src, name))
			return true;
	return false;
}

/* Does the name mean that under other settings of the preprocessor, too? */
static int check_settings(const struct fix_editor *e, const struct fix_plan *plan,
			  const struct fix_insertion *in,
			  const struct request *q, const struct fix_name *name, bool local)
{
	uint32_t at = render_offset(q);

	if (!if_declared(q->f, name->name, local, at) && (local || is_beside(e, in->func, name->name)))
		return error_set("under other settings `%s` is not declared there", name->name);
	if (name->slot != IR_NONE && !plan_inits(plan, in->func, name->slot) &&
	    !if_set(q->f, e->m, &e->m->funcs.v[in->func], in, name->slot, at))
		return error_set("under other settings `%s` is not set there", name->name);
	return 0;
}

/* Is a function declared for this one?  In old C that a unit calls it is enough. */
static bool is_declared(const struct edit_func *ef, const char *name)
{
	const struct ir_module *m = ef->unit->part->module;

	if (ast_declared(ef->unit->ast, ef->ast, name))
		return true;
	for (uint32_t i = 0; i < m->funcs.n; i++)
		if (str_eq(m->funcs.v[i].src, name) && ir_is_decl(&m->funcs.v[i]))
			return !ast_declared(ef->unit->ast, NULL, name);
	return false;
}

/* The header that declares a function of the library; NULL if there is none, or if the function that
 * needs it is in a header itself: that may be read where ours is not wanted.  Where that would go in a file
 * that others are generated from is not known. */
static const char *header_for(const struct edit_func *ef, const char *name)
{
	static const char *const v[][2] = {
		{ "free", "stdlib.h" }, { "fclose", "stdio.h" },
			{ "pclose", "stdio.h" }, { "close", "unistd.h" },
		{ "closedir", "dirent.h" }, { "munmap", "sys/mman.h" },
			{ "dlclose", "dlfcn.h" }, { "regfree", "regex.h" },
		{ "globfree", "glob.h" }, { "freeaddrinfo", "netdb.h" },
	};
	const struct unit *u = &ef->unit->part->unit;
	char *path = path_from(u->dir, u->path);
	const char *header = NULL;

	for (size_t i = 0; i < ARRAY_LEN(v) &&
	     str_eq(path, ef->ast->file->path) && !ef->ast->file->origin; i++)
		if (str_eq(v[i][0], name))
			header = v[i][1];
	free(path);
	return header;
}

static int check_name(const struct fix_editor *e, const struct fix_plan *plan, const struct fix_insertion *in,
		      const struct request *q, const struct fix_name *name)
{
	const struct edit_func *ef = edit_func_of((struct fix_editor *)e, in->func);
	const struct ir_func *fn = &e->m->funcs.v[in->func];
	const struct st_decl *d = visible_at(q, name->name);

	if (name->slot != IR_NONE) {
		assert(name->slot < fn->nslots);
		if (!d)
			return error_set("`%s` is not visible there", name->name);
		if (!same_decl(d, &fn->slots[name->slot].pos))
			return error_set("`%s` means another variable there (line %u)", name->name, d->line);
		return check_settings(e, plan, in, q, name, true);
	}
	if (plan_declares(plan, in->func, name->name)) {
		if (lay_has_word(ef->ast->file, ef->ast->begin, ef->ast->end, name->name))
			return error_set("the function has a `%s` already", name->name);
		return 0;
	}
	if (d && !is_static(e->m, in->func, d))
		return error_set("`%s` means a local variable there (line %u)", name->name, d->line);
	if (!d && !is_declared(ef, name->name) && !header_for(ef, name->name))
		return error_set("`%s` is not declared there", name->name);
	return check_settings(e, plan, in, q, name, d != NULL);
}

/* The variable of the program that an insertion names first, or from which it sets one of the plan's own; or
 * NULL. */
static const struct fix_name *variable_of(const struct fix_insertion *in)
{
	for (uint32_t k = 0; k < MIN(in->names.n, 2); k++)
		if (in->names.v[k].slot != IR_NONE)
			return &in->names.v[k];
	return NULL;
}

/* Does text of other settings use the released object, by the name of a variable that held it before? */
static int check_uses(const struct fix_editor *e, const struct fix_plan *plan,
		      const struct fix_insertion *in, const struct request *q)
{
	const char *name = in->names.n ? in->names.v[0].name : NULL;

	for (uint32_t i = 0; name && i < plan->in.n && if_given(in, name); i++) {
		const struct fix_insertion *x = &plan->in.v[i];
		const struct fix_name *v = x->func == in->func &&
			x->names.n && str_eq(x->names.v[0].name, name) ? variable_of(x) : NULL;

		if (v && if_used(q->f, &e->m->funcs.v[in->func], in, v->name, render_offset(q)))
			return error_set("under other settings `%s` is still used behind it", v->name);
	}
	return 0;
}

/* Can the insertion be written there, and does every name mean there what it means to the plan? */
static int check_place(const struct fix_editor *e, const struct fix_plan *plan,
		       const struct fix_insertion *in,
		       const struct request *q)
{
	for (uint32_t k = 0; k < in->names.n; k++)
		if (check_name(e, plan, in, q, &in->names.v[k]) < 0)
			return -1;
	if (check_uses(e, plan, in, q) < 0)
		return -1;
	if (has_word(in->text, SAVED_NAME) && (q->kind != POINT_RETURN || q->st->vbegin == q->st->vend))
		return error_set("no value is returned there");
	return render_check(q);
}

/* ---- from a place of the CFG to points ---- */

/* An insertion on its way into the text. */
struct resolving {
	struct fix_editor *e;
	const struct fix_plan *plan;
	const struct fix_insertion *in;
	const struct edit_func *ef;
	struct requests *out;
};

static struct request request_of(const struct resolving *z, const struct point *p)
{
	return (struct request){ .f = z->ef->ast, .kind = p->kind, .st = p->st,
				 .i = p->i, .text = z->in->text, .frees = z->in->frees, .asks = z->in->asks };
}

static int check_point(const struct resolving *z, const struct point *p)
{
	struct request q = request_of(z, p);

	return check_place(z->e, z->plan, z->in, &q);
}

static void request_at(const struct resolving *z, const struct point *p)
{
	struct request q = request_of(z, p);

	vec_push(z->out, q);
}

/* The statement at an offset: the innermost. */
static struct st *statement_at(const struct ast_func *f, uint32_t offset)
{
	struct st *best = NULL;

	for (uint32_t i = 0; i < f->all.n; i++) {
		struct st *s = f->all.v[i];

		if (!s->outside && s->begin <= offset && offset < s->end)
			best = s;
	}
	return best;
}

struct st *edit_statement_of(const struct fix_editor *e, const struct edit_func *ef, const struct ir_inst *in)
{
	uint32_t at;

	if (in->pos.file == IR_NONE ||
	    !str_eq(e->m->files.v[in->pos.file], edit_file_of(e, &e->m->funcs.v[ef->func])))
		return NULL;
	at = ast_offset(ef->ast->file, in->pos.line, in->pos.col);
	return at == UINT32_MAX ? NULL : statement_at(ef->ast, at);
}

/* Why there is no place at a statement. */
static int no_place(const struct edit_func *ef, const struct st *s, const char *otherwise)
{
	const struct ast_file *f = ef->ast->file;
	uint32_t n = 0;

	if (!s || !(s->macro_begin || s->macro_end))
		return error_set("%s", otherwise);
	while (s->begin + n < f->n && n < 60 &&
	       (isalnum((unsigned char)f->text[s->begin + n]) || f->text[s->begin + n] == '_'))
		n++;
	return error_set("it would have to go inside the macro %.*s", (int)n, f->text + s->begin);
}

/* What a point costs the reader: of several for the same edge the cheapest is taken. */
static unsigned cost(const struct ast_func *f, const struct point *p)
{
	struct st *s;

	switch (p->kind) {
	case POINT_GAP:
		if (p->i < p->st->kids.n && p->st->kids.v[p->i]->kind == ST_DECL)
			return 6;
		/* before a jump that is there, rather than behind what comes before it */
		s = p->i < p->st->kids.n ? p->st->kids.v[p->i] : NULL;
		return s && (s->kind == ST_JUMP || s->kind == ST_RETURN) ? 0 : 1;
	case POINT_RETURN:
		return p->st->plain || p->st->vbegin == p->st->vend ? 0 : 8;
	case POINT_LABEL:
		return p->st->kids.v[0]->kind == ST_COMPOUND ? 5 : 2;
	case POINT_BEGIN:
	case POINT_END:
		return 4 + (p->st->kind >= ST_IF && p->st->kind <= ST_SWITCH) * 5 +
		       is_bare(p->st) * (p->st->begin > f->end);
	case POINT_DEFAULT:
		return 4;
	case POINT_ELSE:
		return 3;
	case POINT_RESULT:
	case POINT_INCLUDE:
	case POINT_TEXT:
		break;
	}
	return 9;
}

/* Is the point passed by some of the wanted steps, and otherwise only by such that may pass it? */
static bool within(const struct point *p, const struct bits *want, const struct bits *may)
{
	bool some = false;

	for (uint32_t i = 0; i < p->steps.n; i++) {
		if (bits_test(want, p->steps.v[i]))
			some = true;
		else if (!may || !bits_test(may, p->steps.v[i]))
			return false;
	}
	return some && !p->dropped;
}

/* The best point for what is still wanted: passed by nothing else; many steps at once or few. */
static const struct point *best_point(const struct resolving *z, const struct bits *want,
				      const struct bits *may, bool many)
{
	const struct edit_func *ef = z->ef;
	const struct point *best = NULL;

	for (uint32_t i = 0; i < ef->points.n; i++) {
		const struct point *p = &ef->points.v[i];
		unsigned a = p->steps.n, b = best ? best->steps.n : 0;

		if (!within(p, want, may) || check_point(z, p) < 0)
			continue;
		if (!best || (a != b ? (a > b) == many : cost(ef->ast, p) < cost(ef->ast, best)))
			best = p;
	}
	return best;
}

/* Covers the wanted steps by points, which those of `may` (or NULL) may pass, too.
 * False: it cannot be done. */
static bool cover(const struct resolving *z, const struct bits *want, const struct bits *may)
{
	uint32_t start = z->out->n;
	struct bits rest;
	bool done = false;

	if (!bits_count(want))
		return false;
	bits_init(&rest, want->n);
	for (int many = 1; many >= 0 && !done; many--) {
		const struct point *p;

		z->out->n = start;
		bits_copy(&rest, want);
		while (bits_count(&rest) && (p = best_point(z, &rest, may, many))) {
			request_at(z, p);
			for (uint32_t i = 0; i < p->steps.n; i++)
				bits_unset(&rest, p->steps.v[i]);
		}
		done = !bits_count(&rest);
	}
	if (!done)
		z->out->n = start;
	bits_release(&rest);
	return done;
}

/* Why could the edge not be had? */
static int refuse_edge(const struct resolving *z, const struct bits *want)
{
	const struct ir_func *fn = &z->e->m->funcs.v[z->ef->func];
	const struct ir_block *b = &fn->blocks[z->in->from];
	const struct ir_inst *term = &fn->insts[b->first + b->n - 1];

	for (uint32_t i = 0; i < z->ef->points.n; i++)
		if (within(&z->ef->points.v[i], want, NULL) && check_point(z, &z->ef->points.v[i]) < 0)
			return -1;
	if (!bits_count(want))
		return error_set("that way out of line %u does not exist in the source", term->pos.line);
	return no_place(z->ef, edit_statement_of(z->e, z->ef, term),
			"no statement can be put on that way alone: "
			"it leaves the middle of an expression or a loop");
}

const struct point *edit_point_at(const struct edit_func *ef, enum point_kind kind,
				  const struct st *st, uint32_t i)
{
	for (uint32_t k = 0; k < ef->points.n; k++) {
		const struct point *p = &ef->points.v[k];

		if (p->kind == kind && p->st == st && p->i == i && !p->dropped)
			return p;
	}
	return NULL;
}

/* The point before or after a statement, wherever it stands. */
static const struct point *point_beside(const struct edit_func *ef, struct st *s, bool after)
{
	if (s->kind == ST_RETURN && !after)
		return edit_point_at(ef, POINT_RETURN, s, 0);
	for (;;) {
		struct st *p = s->parent;

		if (!p || s->nth == UINT32_MAX)
			return NULL;
		if (p->kind == ST_COMPOUND)
			return edit_point_at(ef, POINT_GAP, p, s->nth + after);
		if (p->kind == ST_LABEL || p->kind == ST_CASE) {
			if (!after)
				return edit_point_at(ef, POINT_LABEL, p, 0);
			s = p;
			continue;
		}
		return edit_point_at(ef, after ? POINT_END : POINT_BEGIN, s, 0);
	}
}

/* ---- a way that is asked for ---- */

/* The outermost of the statements that a macro makes together with this one. */
static struct st *made_by_macro(struct st *s)
{
	while (s->macro_begin && s->parent && s->parent->macro_begin &&
	       s->parent->begin == s->begin && s->nth != UINT32_MAX)
		s = s->parent;
	return s;
}

/* An edge whose way has no place in the text: the branch's question is asked before its statement
 * (edit_ask.c).  Only what releases a variable can be moved there. */
static int resolve_asked(const struct resolving *z, const struct fix_insertion *in)
{
	const struct ir_func *fn = &z->e->m->funcs.v[z->ef->func];
	uint32_t branch = fn->blocks[in->from].first + fn->blocks[in->from].n - 1;
	struct st *s = edit_statement_of(z->e, z->ef, &fn->insts[branch]);
	struct fix_insertion asked = *in;
	struct resolving one = *z;
	struct question q;
	const char *text = strchr(in->text, '\n') || !in->names.n ? NULL :
		ask_question(z->e->m, fn, branch, in->to, &z->e->arena, &q);
	const struct point *p = s && text ? point_beside(z->ef, made_by_macro(s), false) : NULL;
	int ret;

	if (!p || !ask_is_before(z->ef->match, fn, p, &q))
		return -1;
	memset(&asked.names, 0, sizeof(asked.names));
	for (uint32_t k = 0; k < in->names.n; k++)
		vec_push(&asked.names, in->names.v[k]);
	for (uint32_t k = 0; k < 2; k++)
		if (q.slots[k] != IR_NONE)
			vec_push(&asked.names, ((struct fix_name){ fn->slots[q.slots[k]].name, q.slots[k] }));
	asked.text = arena_printf(&z->e->arena, "if (%s)\n\t%s", text, in->text);
	one.in = &asked;
	if ((ret = check_point(&one, p)) >= 0)
		request_at(&one, p);
	vec_release(&asked.names);
	return ret;
}

/* Each of the plan's edges with this text by itself: at a place of its own, or asked for. */
static int resolve_each(const struct resolving *z)
{
	uint32_t start = z->out->n;

	for (uint32_t i = 0; i < z->plan->in.n; i++) {
		const struct fix_insertion *in = &z->plan->in.v[i];
		struct bits want;
		bool done;

		if (in->where != FIX_EDGE || in->func != z->in->func || in->optional ||
		    !str_eq(in->text, z->in->text))
			continue;
		bits_init(&want, match_steps(z->ef->match));
		match_edge(z->ef->match, in->from, in->to, &want);
		done = cover(z, &want, NULL) || resolve_asked(z, in) >= 0;
		bits_release(&want);
		if (!done) {
			z->out->n = start;
			return -1;
		}
	}
	return 0;
}

/* All edges of the plan that are to have the same text. */
static int resolve_edges(const struct resolving *z)
{
	struct bits want, may;
	int ret = 0;

	bits_init(&want, match_steps(z->ef->match));
	bits_init(&may, match_steps(z->ef->match));
	for (uint32_t i = 0; i < z->plan->in.n; i++) {
		const struct fix_insertion *in = &z->plan->in.v[i];

		if (in->where == FIX_EDGE && in->func == z->in->func && str_eq(in->text, z->in->text))
			match_edge(z->ef->match, in->from, in->to, in->optional ? &may : &want);
	}
	/* free() takes null */
	if (str_starts(z->in->text, "free(") && after_released(z->in) != IR_NONE)
		match_null(z->ef->match, after_released(z->in), &may);
	/* exactly the edges that need it, if possible; or a bit further down, where an expression ends */
	if (!cover(z, &want, NULL) && !cover(z, &want, &may)) {
		struct bits lower;
		bool done = !z->in->names.n;	/* only what releases a variable can be moved */

		bits_init(&lower, want.n);
		bits_copy(&lower, &want);
		for (unsigned i = 0; !done && i < SINK_MAX &&
		     match_sink(z->ef->match, &lower, &may, z->in); i++)
			done = cover(z, &lower, &may);
		bits_release(&lower);
		if ((!done || !z->in->names.n) && resolve_each(z) < 0)
			ret = refuse_edge(z, &want);
	}
	bits_release(&want);
	bits_release(&may);
	return ret;
}

/* Does the instruction belong to the function's closing brace? */
static bool at_end(const struct edit_func *ef, const struct ir_inst *in)
{
	return in->op == IR_RET &&
	       ast_offset(ef->ast->file, in->pos.line, in->pos.col) == ef->ast->body->end - 1;
}

/* The first of the instructions at the closing brace that end with this one. */
static uint32_t leaving(const struct ir_func *fn, uint32_t inst)
{
	const struct ir_inst *in = &fn->insts[inst];

	while (inst > fn->blocks[in->block].first && fn->insts[inst - 1].pos.line == in->pos.line &&
	       fn->insts[inst - 1].pos.col == in->pos.col)
		inst--;
	return inst;
}

/* Before the function ends, on all ways. */
static int resolve_end(const struct resolving *z)
{
	const struct ir_func *fn = &z->e->m->funcs.v[z->ef->func];
	struct bits want;
	bool ok;

	bits_init(&want, match_steps(z->ef->match));
	match_into(z->ef->match, leaving(fn, z->in->inst), &want);
	ok = cover(z, &want, NULL);
	bits_release(&want);
	return ok ? 0 : error_set("there is no place before the end of the function on all ways to it");
}

/* Where declarations come first: behind those that follow, if they neither call anything nor name what the
 * statement does. */
static const struct point *behind_decls(const struct resolving *z, const struct point *p)
{
	const struct ast_func *f = z->ef->ast;

	while (f->decls_first && p->kind == POINT_GAP &&
	       decls_end_at(p->st, p->i) && p->i < p->st->kids.n && p->st->kids.v[p->i]->kind == ST_DECL) {
		const struct st *d = p->st->kids.v[p->i];
		const struct point *next = edit_point_at(z->ef, POINT_GAP, p->st, p->i + 1);
		bool apart = next && !d->macro_begin && !d->macro_end && !d->outside &&
			!memchr(f->file->text + d->begin, '(', d->end - d->begin);

		for (uint32_t k = 0; k < z->in->names.n; k++)
			apart = apart && !lay_has_word(f->file, d->begin, d->end, z->in->names.v[k].name);
		if (!apart)
			break;
		p = next;
	}
	return p;
}

static int resolve_beside(const struct resolving *z)
{
	const struct edit_func *ef = z->ef;
	const struct ir_inst *inst = &z->e->m->funcs.v[ef->func].insts[z->in->inst];
	bool after = z->in->where == FIX_AFTER;
	const struct point *p;
	struct st *s;

	if (!after && at_end(ef, inst))
		return resolve_end(z);
	s = edit_statement_of(z->e, ef, inst);
	if (!s)
		return error_set("line %u is not in this function's text", inst->pos.line);
	if (after && s->kind == ST_RETURN)	/* after its value is known is as far behind as one can get */
		after = false;
	if (after && s->kind != ST_OTHER && s->kind != ST_DECL)
		return no_place(ef, s, "it would have to go inside a condition");
	p = point_beside(ef, s, after);
	if (p && after)
		p = behind_decls(z, p);
	if (!p)
		return no_place(ef, s, "there is no place beside that statement");
	if (p->kind != POINT_RETURN &&
	    !(after ? match_after(ef->match, p, z->in->inst) : match_before(ef->match, p, z->in->inst)))
		return no_place(ef, s, "it would not be executed each time that the statement is");
	if (check_point(z, p) < 0)
		return -1;
	request_at(z, p);
	return 0;
}

/* Is the statement nothing but the call: by its text, or as written by a macro that is named like a
 * function? */
static bool is_call_alone(const struct resolving *z, const struct st *s, const struct ir_inst *inst)
{
	const struct ir_func *callee = ir_callee(z->e->m, inst);

	return lay_is_call(z->ef->ast, s) &&
	       ast_offset(z->ef->ast->file, inst->pos.line, inst->pos.col) == s->begin &&
	       (!(s->macro_begin || s->macro_end) ||
		ast_is_call(z->ef->unit->ast, z->ef->ast,
			    inst->pos.line, inst->pos.col, callee ? callee->src : NULL));
}

/* The result of a call is asked for.  The call must be all that the statement is: then the statement's
 * place is the call's. */
static int resolve_result(const struct resolving *z)
{
	const struct ir_inst *inst = &z->e->m->funcs.v[z->ef->func].insts[z->in->inst];
	struct st *s = edit_statement_of(z->e, z->ef, inst);
	struct request q = { .f = z->ef->ast, .kind = POINT_RESULT, .st = s, .cond = z->in->cond,
			     .text = z->in->text, .frees = z->in->frees, .asks = z->in->asks };

	if (!s)
		return error_set("line %u is not in this function's text", inst->pos.line);
	if (!is_call_alone(z, s, inst))
		return no_place(z->ef, s, "the result of the call cannot be asked for there");
	if (check_place(z->e, z->plan, z->in, &q) < 0)
		return -1;
	vec_push(z->out, q);
	return 0;
}

/* ---- a plan ---- */

/* Did an earlier insertion of the plan take this one with it? */
static bool is_covered(const struct fix_plan *plan, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (plan->in.v[k].where == FIX_EDGE && plan->in.v[i].where == FIX_EDGE &&
		    plan->in.v[k].func == plan->in.v[i].func &&
		    str_eq(plan->in.v[k].text, plan->in.v[i].text))
			return true;
	return false;
}

static int resolve_declare(const struct resolving *z)
{
	const struct point *p = edit_point_at(z->ef, POINT_GAP, z->ef->ast->body, 0);

	if (!p)
		return error_set("a declaration cannot be put at the start of the function");
	request_at(z, p);
	vec_last(z->out).declare = true;
	return 0;
}

/* `char *p;` gets a value. */
static int resolve_init(const struct resolving *z)
{
	const struct ast_func *f = z->ef->ast;
	const struct fix_name *name = &z->in->names.v[0];
	const struct ir_pos *pos = &z->e->m->funcs.v[z->ef->func].slots[name->slot].pos;
	struct request q = { .f = f, .kind = POINT_TEXT, .text = z->in->text };
	size_t n = strlen(name->name);
	uint32_t next;

	for (uint32_t i = 0; i < f->all.n && !q.st; i++)
		for (uint32_t k = 0; k < f->all.v[i]->decls.n && f->all.v[i]->kind == ST_DECL; k++)
			if (str_eq(f->all.v[i]->decls.v[k].name, name->name) &&
			    same_decl(&f->all.v[i]->decls.v[k], pos)) {
				q.st = f->all.v[i];
				q.i = ast_offset(f->file,
						 f->all.v[i]->decls.v[k].line, f->all.v[i]->decls.v[k].col);
			}
	if (!q.st || q.st->parent != f->body || q.st->macro_begin || q.st->macro_end || q.st->outside)
		return error_set("the declaration of `%s` is not in this function's text", name->name);
	if (q.i > f->file->n - n || strncmp(f->file->text + q.i, name->name, n) != 0)
		return error_set("the declaration of `%s` is not in this function's text", name->name);
	q.i = q.end = q.i + (uint32_t)n;
	next = lay_skip(f->file, q.i);
	if (next >= f->file->n || (f->file->text[next] != ',' && f->file->text[next] != ';'))
		return error_set("the declaration of `%s` cannot be given a value", name->name);
	vec_push(z->out, q);
	return 0;
}

/* What a plan calls must be declared; check_name() has seen that it can be. */
static void include_for(struct requests *out, struct fix_editor *e,
			const struct fix_plan *plan, const struct fix_insertion *in,
			const struct fix_name *name)
{
	const struct edit_func *ef = edit_func_of(e, in->func);
	struct request q = { .f = ef->ast, .kind = POINT_INCLUDE, .declare = true };
	const char *header;

	if (name->slot != IR_NONE || plan_declares(plan, in->func, name->name) ||
	    is_declared(ef, name->name) ||
	    !(header = header_for(ef, name->name)))
		return;
	q.text = arena_printf(&e->arena, "#include <%s>", header);
	vec_push(out, q);
}

/* Old C declares no variable in the head of a loop: that of ours is declared at the start of the function. */
static void declare_counters(struct requests *out, uint32_t start, struct fix_editor *e)
{
	for (uint32_t i = start, n = out->n; i < n; i++) {
		struct request q = { .f = out->v[i].f, .kind = POINT_GAP,
				     .st = out->v[i].f->body, .declare = true };
		const char *text = out->v[i].text;
		const char *head = out->v[i].f->is_old ? strstr(text, "for (") : NULL;
		const char *type = head ? head + 5 : NULL;
		const char *set = type ? strstr(type, " = 0;") : NULL, *name = set;

		while (name && name > type && !isspace((unsigned char)name[-1]))
			name--;
		if (!name || name == type)	/* none, or it is not declared */
			continue;
		out->v[i].text = arena_printf(&e->arena, "%.*s%s", (int)(type - text), text, name);
		q.text = arena_printf(&e->arena, "%.*s;", (int)(set - type), type);
		vec_push(out, q);
	}
}

int edit_resolve(struct requests *out, struct fix_editor *e,
		 const struct fix_plan *plan, const struct fix_plan *const *others,
		 uint32_t nothers)
{
	uint32_t start = out->n;
	bool wraps = false;

	for (uint32_t i = 0; i < plan->in.n; i++) {
		const struct fix_insertion *in = &plan->in.v[i];
		struct resolving z = { e, plan, in, edit_func_of(e, in->func), out };
		int ret;

		assert(z.ef);	/* by fix_editor_prepare() */
		if (z.ef->refused)
			return error_set("%s", z.ef->refused);
		if (!in->optional && after_is_used(&e->m->funcs.v[in->func], in))
			return error_set("it is used afterwards, whichever way is taken");
		wraps |= in->where == FIX_WRAP;
		if (is_covered(plan, i) || in->where == FIX_WRAP ||
		    (in->where == FIX_DECLARE && in->inst != IR_NONE))
			continue;
		if (in->where == FIX_EDGE)
			ret = resolve_edges(&z);
		else if (in->where == FIX_DECLARE)
			ret = resolve_declare(&z);
		else if (in->where == FIX_RESULT)
			ret = resolve_result(&z);
		else if (in->where == FIX_INIT)
			ret = resolve_init(&z);
		else
			ret = resolve_beside(&z);
		if (ret < 0)
			return ret;
	}
	if (wraps && edit_temporary(out, start, e, plan, others, nothers) < 0)
		return -1;
	declare_counters(out, start, e);
	for (uint32_t i = 0; i < plan->in.n; i++)
		for (uint32_t k = 0; k < plan->in.v[i].names.n; k++)
			include_for(out, e, plan, &plan->in.v[i], &plan->in.v[i].names.v[k]);
	return out->n > start ? 0 : error_set("there is nothing to insert");
}
