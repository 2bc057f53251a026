/*
 * edit.c - the editor: insertions of a plan become replacements of source text.
 *
 * LeakFix (section III, the end) says only that "it is always possible to map an insertion at
 * the edge on the CFG graph back into the code".  It is not: the paper's CFG has statements for
 * nodes, ours has the branches of && and ?: as well, and macros have no text of their own.
 * What is possible is decided in three steps:
 *
 *   1. libclang gives the statements of the function as the source has them now; from them
 *      come the points where text can go (edit_ast.c, edit_point.c);
 *   2. the unit is compiled once with a mark at every point, which tells the edges that run
 *      through each, and whether this is the source that was analysed (edit_match.c);
 *   3. the edges that are to have the same statement are covered by points, exactly: none
 *      is left out, and nothing else runs through a point that is taken.  If there is no such
 *      cover, the plan is refused.
 *
 * All functions of one unit are marked in one compilation, before the first plan is edited
 * (fix_editor_prepare()).  A mark that the compiler does not take where we thought it could
 * stand costs one more compilation, without the points of that line.
 *
 * A function in a header is edited once, through the unit that was first to need it.
 */
#include "fix/edit.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "ir/build.h"

#include <ctype.h>

enum {
	MARK_TRIES = 6,
	SINK_MAX = 64,		/* instructions that a statement may be moved down over */
};

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
	struct ast *ast;
	struct ir_module *marked;
	const char *refused;
	bool tried;
};

struct fix_editor {
	const struct front_result *r;
	const struct front_options *o;
	const struct ir_module *m;
	struct arena arena;
	VEC(struct edit_func *) funcs;
	VEC(struct edit_unit *) units;
};

struct fix_editor *fix_editor_new(const struct front_result *r, const struct front_options *o)
{
	struct fix_editor *e = xcalloc(1, sizeof(*e));

	assert(o->keep_parts);
	arena_init(&e->arena);
	e->r = r;
	e->o = o;
	e->m = r->program;
	return e;
}

void fix_editor_free(struct fix_editor *e)
{
	if (!e)
		return;
	for (uint32_t i = 0; i < e->funcs.n; i++) {
		points_release(&e->funcs.v[i]->points);
		match_free(e->funcs.v[i]->match);
	}
	for (uint32_t i = 0; i < e->units.n; i++) {
		ast_free(e->units.v[i]->ast);
		ir_module_free(e->units.v[i]->marked);
	}
	vec_release(&e->funcs);
	vec_release(&e->units);
	arena_release(&e->arena);
	free(e);
}

static const char *keep_error(struct fix_editor *e)
{
	return arena_strdup(&e->arena, error_last());
}

/* ---- units ---- */

static const struct front_part *part_of(const struct front_result *r, uint32_t unit)
{
	const struct ir_unit *u = &r->program->units.v[unit];

	for (uint32_t i = 0; i < r->parts.n; i++) {
		const struct ir_module *m = r->parts.v[i].module;

		for (uint32_t k = 0; k < m->units.n; k++)
			if (str_eq(m->units.v[k].path, u->path) && str_eq(m->units.v[k].dir, u->dir) &&
			    m->units.v[k].hash == u->hash)
				return &r->parts.v[i];
	}
	return NULL;
}

static struct edit_unit *unit_of(struct fix_editor *e, uint32_t unit)
{
	const struct front_part *part = part_of(e->r, unit);
	struct edit_unit *u;

	for (uint32_t i = 0; i < e->units.n; i++)
		if (e->units.v[i]->part == part)
			return e->units.v[i];
	u = arena_new(&e->arena, struct edit_unit);
	u->part = part;
	vec_push(&e->units, u);
	if (!part || !part->unit.path)
		u->refused = "how this unit is compiled is not known (name its source, or give -p DIR)";
	else if (part->unit.preprocessed)
		u->refused = "the file is generated (preprocessed source)";
	else if (ast_parse(&u->ast, &part->unit) < 0)
		u->refused = keep_error(e);
	return u;
}

/* ---- functions ---- */

static const char *file_of(const struct fix_editor *e, const struct ir_func *fn)
{
	return fn->pos.file == IR_NONE ? "" : e->m->files.v[fn->pos.file];
}

/* Somebody has this function of the source already, for another unit. */
static struct edit_unit *owner_of(struct fix_editor *e, const struct ir_func *fn)
{
	for (uint32_t i = 0; i < e->funcs.n; i++) {
		const struct ir_func *g = &e->m->funcs.v[e->funcs.v[i]->func];

		if (str_eq(file_of(e, g), file_of(e, fn)))
			return e->funcs.v[i]->unit;
	}
	return unit_of(e, fn->unit);
}

static struct edit_func *func_find(struct fix_editor *e, uint32_t func)
{
	for (uint32_t i = 0; i < e->funcs.n; i++)
		if (e->funcs.v[i]->func == func)
			return e->funcs.v[i];
	return NULL;
}

static void func_add(struct fix_editor *e, uint32_t func)
{
	const struct ir_func *fn = &e->m->funcs.v[func];
	struct edit_func *ef;

	if (func_find(e, func))
		return;
	ef = arena_new(&e->arena, struct edit_func);
	ef->func = func;
	ef->unit = owner_of(e, fn);
	vec_push(&e->funcs, ef);
	if (ef->unit->refused)
		ef->refused = ef->unit->refused;
	else if (!(ef->ast = ast_func(ef->unit->ast, file_of(e, fn), fn->src, fn->pos.line)))
		ef->refused = keep_error(e);
	else if (ef->ast->refused)
		ef->refused = ef->ast->refused;
	else
		points_collect(&ef->points, ef->ast);
}

/* ---- marking ---- */

struct texts {
	VEC(struct unit_text) v;
	VEC(struct sbuf) bufs;
};

static void texts_release(struct texts *t)
{
	for (uint32_t i = 0; i < t->bufs.n; i++)
		sbuf_release(&t->bufs.v[i]);
	vec_release(&t->bufs);
	vec_release(&t->v);
}

/* The marked texts of all files of a unit that have functions to be marked. */
static void mark_unit(struct fix_editor *e, struct edit_unit *u, struct texts *t)
{
	VEC(struct marking) ms = {0};
	VEC(struct ast_file *) files = {0};
	uint32_t base = 0;

	for (uint32_t i = 0; i < e->funcs.n; i++) {
		struct edit_func *ef = e->funcs.v[i];
		struct marking mk;
		bool known = false, twin = false;

		if (ef->unit != u || ef->refused)
			continue;
		for (uint32_t k = 0; k < i && !twin; k++)	/* another unit's copy of a header's function */
			if (e->funcs.v[k]->unit == u && e->funcs.v[k]->ast == ef->ast && !e->funcs.v[k]->refused) {
				ef->base = e->funcs.v[k]->base;
				twin = true;
			}
		if (twin)
			continue;
		ef->base = base;
		base += ef->points.n;
		mk = (struct marking){ ef->ast, &ef->points, ef->base };
		vec_push(&ms, mk);
		for (uint32_t k = 0; k < files.n; k++)
			known |= files.v[k] == ef->ast->file;
		if (!known)
			vec_push(&files, ef->ast->file);
	}
	for (uint32_t i = 0; i < files.n; i++) {
		struct sbuf *b = vec_add(&t->bufs, 1);

		points_mark(b, files.v[i], ms.v, ms.n);
	}
	for (uint32_t i = 0; i < files.n; i++) {
		struct unit_text x = { files.v[i]->path, sbuf_str(&t->bufs.v[i]), t->bufs.v[i].n };

		vec_push(&t->v, x);
	}
	vec_release(&ms);
	vec_release(&files);
}

/* The compiler did not like the marked text: "x.c:12:3: error: ...".  Takes back the points of
 * that line.  False if that does not help. */
static bool drop_line(struct fix_editor *e, const struct edit_unit *u, const char *error)
{
	const char *p = error;
	bool found = false;
	uint32_t line = 0;

	while ((p = strchr(p, ':')))
		if (isdigit((unsigned char)*++p)) {
			line = (uint32_t)strtoul(p, NULL, 10);
			break;
		}
	for (uint32_t i = 0; line && i < e->funcs.n; i++) {
		struct edit_func *ef = e->funcs.v[i];

		for (uint32_t k = 0; ef->unit == u && !ef->refused && k < ef->points.n; k++) {
			struct point *pt = &ef->points.v[k];
			uint32_t l, c;

			ast_position(ef->ast->file, pt->at, &l, &c);
			if (l != line || pt->dropped || pt->kind == POINT_RETURN)
				continue;
			found = pt->dropped = true;
			for (uint32_t j = 0; j < ef->points.n; j++)	/* braces go in pairs */
				if (ef->points.v[j].st == pt->st &&
				    (ef->points.v[j].kind == POINT_BEGIN || ef->points.v[j].kind == POINT_END))
					ef->points.v[j].dropped = true;
		}
	}
	return found;
}

static uint32_t find_marked(const struct fix_editor *e, const struct ir_func *fn, const struct ir_module *mm)
{
	for (uint32_t i = 0; i < mm->funcs.n; i++) {
		const struct ir_func *g = &mm->funcs.v[i];

		if (!ir_is_decl(g) && str_eq(g->src, fn->src) && g->pos.line == fn->pos.line && g->pos.file != IR_NONE &&
		    str_eq(mm->files.v[g->pos.file], file_of(e, fn)))
			return i;
	}
	return IR_NONE;
}

static void match_funcs(struct fix_editor *e, struct edit_unit *u)
{
	for (uint32_t i = 0; i < e->funcs.n; i++) {
		struct edit_func *ef = e->funcs.v[i];
		const struct ir_func *fn = &e->m->funcs.v[ef->func];
		uint32_t g;

		if (ef->unit != u || ef->refused || ef->match)
			continue;
		if ((g = find_marked(e, fn, u->marked)) == IR_NONE) {
			ef->refused = "the function is not in the source any more";
			continue;
		}
		if (match_new(&ef->match, e->m, ef->func, u->marked, g, &ef->points, ef->base, ef->ast) < 0)
			ef->refused = keep_error(e);
	}
}

/* One round of compilations for the units that are not done yet.  False: nothing is left to do. */
static bool mark_round(struct fix_editor *e, bool last)
{
	VEC(struct front_again) jobs = {0};
	VEC(struct edit_unit *) units = {0};
	VEC(struct texts) texts = {0};
	bool more = false;

	for (uint32_t i = 0; i < e->units.n; i++) {
		struct edit_unit *u = e->units.v[i];
		struct front_again job = {0};
		struct texts t = {0};

		if (u->refused || u->tried)
			continue;
		mark_unit(e, u, &t);
		job.unit = u->part->unit;
		job.unit.texts = t.v.v;
		job.unit.ntexts = t.v.n;
		vec_push(&jobs, job);
		vec_push(&units, u);
		vec_push(&texts, t);
	}
	if (jobs.n && front_again(jobs.v, jobs.n, e->o) < 0)
		for (uint32_t i = 0; i < jobs.n; i++)
			jobs.v[i].error = xstrdup(error_last());
	for (uint32_t i = 0; i < jobs.n; i++) {
		struct edit_unit *u = units.v[i];

		u->tried = jobs.v[i].module || last || !drop_line(e, u, jobs.v[i].error);
		more |= !u->tried;
		if (jobs.v[i].module)
			u->marked = jobs.v[i].module;
		else if (u->tried)
			u->refused = arena_printf(&e->arena, "the source cannot be compiled: %s", jobs.v[i].error);
		if (u->marked)
			match_funcs(e, u);
		free(jobs.v[i].error);
		texts_release(&texts.v[i]);
	}
	vec_release(&jobs);
	vec_release(&units);
	vec_release(&texts);
	return more;
}

void fix_editor_prepare(struct fix_editor *e, const struct fix_plan *plans, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (const struct fix_plan *p = &plans[i]; p; p = p->next)
			for (uint32_t k = 0; k < p->in.n; k++)
				func_add(e, p->in.v[k].func);
	for (unsigned t = 1; mark_round(e, t == MARK_TRIES) && t < MARK_TRIES; t++)
		;
	for (uint32_t i = 0; i < e->funcs.n; i++)
		if (!e->funcs.v[i]->refused && e->funcs.v[i]->unit->refused)
			e->funcs.v[i]->refused = e->funcs.v[i]->unit->refused;
}

/* ---- names ---- */

/* What a name means where the request goes. */
static const struct st_decl *visible_at(const struct request *q, const char *name)
{
	const struct st *b = q->kind == POINT_DEFAULT ? q->st->kids.v[0] : q->st;
	uint32_t i = q->kind == POINT_DEFAULT ? b->kids.n : q->i;

	if (q->kind == POINT_GAP || q->kind == POINT_DEFAULT)
		return i ? ast_visible(q->f, b->kids.v[i - 1], false, name) : ast_visible(q->f, b, true, name);
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

		if (g->flags & IR_G_LOCAL && g->func == func && str_eq(g->src, d->name) && g->pos.line == d->line)
			return true;
	}
	return false;
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p++)
		if ((p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_')) && !isalnum((unsigned char)p[n]) && p[n] != '_')
			return true;
	return false;
}

static bool plan_declares(const struct fix_plan *plan, uint32_t func, const char *name)
{
	for (uint32_t i = 0; i < plan->in.n; i++)
		if (plan->in.v[i].where == FIX_DECLARE && plan->in.v[i].func == func && has_word(plan->in.v[i].text, name))
			return true;
	return false;
}

static int check_name(const struct fix_editor *e, const struct fix_plan *plan, const struct fix_insertion *in,
		      const struct request *q, const struct fix_name *name)
{
	const struct edit_func *ef = func_find((struct fix_editor *)e, in->func);
	const struct ir_func *fn = &e->m->funcs.v[in->func];
	const struct st_decl *d = visible_at(q, name->name);

	if (name->slot != IR_NONE) {
		assert(name->slot < fn->nslots);
		if (!d)
			return error_set("`%s` is not visible there", name->name);
		if (!same_decl(d, &fn->slots[name->slot].pos))
			return error_set("`%s` means another variable there (line %u)", name->name, d->line);
		return 0;
	}
	if (plan_declares(plan, in->func, name->name)) {
		if (lay_has_word(ef->ast, name->name))
			return error_set("the function has a `%s` already", name->name);
		return 0;
	}
	if (d && !is_static(e->m, in->func, d))
		return error_set("`%s` means a local variable there (line %u)", name->name, d->line);
	if (!d && !ast_declared(ef->unit->ast, ef->ast, name->name))
		return error_set("`%s` is not declared there", name->name);
	return 0;
}

/* Can the insertion be written there, and does every name mean there what it means to the plan? */
static int check_place(const struct fix_editor *e, const struct fix_plan *plan, const struct fix_insertion *in,
		       const struct request *q)
{
	for (uint32_t k = 0; k < in->names.n; k++)
		if (check_name(e, plan, in, q, &in->names.v[k]) < 0)
			return -1;
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
	return (struct request){ .f = z->ef->ast, .kind = p->kind, .st = p->st, .i = p->i, .text = z->in->text };
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

static struct st *statement_of(const struct fix_editor *e, const struct edit_func *ef, const struct ir_inst *in)
{
	uint32_t at;

	if (in->pos.file == IR_NONE || !str_eq(e->m->files.v[in->pos.file], file_of(e, &e->m->funcs.v[ef->func])))
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
	while (s->begin + n < f->n && n < 60 && (isalnum((unsigned char)f->text[s->begin + n]) || f->text[s->begin + n] == '_'))
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
		return 4 + (p->st->kind >= ST_IF && p->st->kind <= ST_SWITCH) * 5 + is_bare(p->st) * (p->st->begin > f->end);
	case POINT_DEFAULT:
		return 4;
	case POINT_ELSE:
		return 3;
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
static const struct point *best_point(const struct resolving *z, const struct bits *want, const struct bits *may, bool many)
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

/* Covers the wanted steps by points, which those of `may` (or NULL) may pass, too.  False: it cannot be done. */
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
	return no_place(z->ef, statement_of(z->e, z->ef, term),
			"no statement can be put on that way alone: it leaves the middle of an expression or a loop");
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
	/* exactly the edges that need it, if that can be had; or a bit further down, where an expression ends */
	if (!cover(z, &want, NULL) && !cover(z, &want, &may)) {
		struct bits lower;
		bool done = !z->in->names.n;	/* only what releases a variable can be moved */

		bits_init(&lower, want.n);
		bits_copy(&lower, &want);
		for (unsigned i = 0; !done && i < SINK_MAX && match_sink(z->ef->match, &lower, &may, z->in); i++)
			done = cover(z, &lower, &may);
		bits_release(&lower);
		if (!done || !z->in->names.n)
			ret = refuse_edge(z, &want);
	}
	bits_release(&want);
	bits_release(&may);
	return ret;
}

static const struct point *find_point(const struct edit_func *ef, enum point_kind kind, const struct st *st, uint32_t i)
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
		return find_point(ef, POINT_RETURN, s, 0);
	for (;;) {
		struct st *p = s->parent;

		if (!p || s->nth == UINT32_MAX)
			return NULL;
		if (p->kind == ST_COMPOUND)
			return find_point(ef, POINT_GAP, p, s->nth + after);
		if (p->kind == ST_LABEL || p->kind == ST_CASE) {
			if (!after)
				return find_point(ef, POINT_LABEL, p, 0);
			s = p;
			continue;
		}
		return find_point(ef, after ? POINT_END : POINT_BEGIN, s, 0);
	}
}

/* Does the instruction belong to the function's closing brace? */
static bool at_end(const struct edit_func *ef, const struct ir_inst *in)
{
	return in->op == IR_RET && ast_offset(ef->ast->file, in->pos.line, in->pos.col) == ef->ast->body->end - 1;
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

static int resolve_beside(const struct resolving *z)
{
	const struct edit_func *ef = z->ef;
	const struct ir_inst *inst = &z->e->m->funcs.v[ef->func].insts[z->in->inst];
	bool after = z->in->where == FIX_AFTER;
	const struct point *p;
	struct st *s;

	if (!after && at_end(ef, inst))
		return resolve_end(z);
	s = statement_of(z->e, ef, inst);
	if (!s)
		return error_set("line %u is not in this function's text", inst->pos.line);
	if (after && s->kind == ST_RETURN)	/* after its value is known is as far behind as one can get */
		after = false;
	if (after && s->kind != ST_OTHER && s->kind != ST_DECL)
		return no_place(ef, s, "it would have to go inside a condition");
	p = point_beside(ef, s, after);
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

/* ---- a plan ---- */

/* Did an earlier insertion of the plan take this one with it? */
static bool is_covered(const struct fix_plan *plan, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (plan->in.v[k].where == FIX_EDGE && plan->in.v[i].where == FIX_EDGE &&
		    plan->in.v[k].func == plan->in.v[i].func && str_eq(plan->in.v[k].text, plan->in.v[i].text))
			return true;
	return false;
}

static int resolve_declare(const struct resolving *z)
{
	const struct point *p = find_point(z->ef, POINT_GAP, z->ef->ast->body, 0);

	if (!p)
		return error_set("a declaration cannot be put at the start of the function");
	request_at(z, p);
	vec_last(z->out).declare = true;
	return 0;
}

/* Requests for all insertions of a plan.  Negative: one of them cannot be had. */
static int resolve(struct requests *out, struct fix_editor *e, const struct fix_plan *plan)
{
	for (uint32_t i = 0; i < plan->in.n; i++) {
		const struct fix_insertion *in = &plan->in.v[i];
		struct resolving z = { e, plan, in, func_find(e, in->func), out };
		int ret;

		assert(z.ef);	/* by fix_editor_prepare() */
		if (z.ef->refused)
			return error_set("%s", z.ef->refused);
		if (!in->optional && after_is_used(&e->m->funcs.v[in->func], in))
			return error_set("it is used afterwards, whichever way is taken");
		if (is_covered(plan, i))
			continue;
		if (in->where == FIX_EDGE)
			ret = resolve_edges(&z);
		else if (in->where == FIX_DECLARE)
			ret = resolve_declare(&z);
		else
			ret = resolve_beside(&z);
		if (ret < 0)
			return ret;
	}
	return out->n ? 0 : error_set("there is nothing to insert");
}

static void add_edit(struct findings *fs, struct finding *f, const struct edit *x)
{
	struct finding_edit *d = vec_add(&f->edits, 1);

	d->file = arena_strdup(&fs->arena, x->file->path);
	d->text = arena_strdup(&fs->arena, x->text);
	ast_position(x->file, x->begin, &d->line, &d->column);
	ast_position(x->file, x->end, &d->end_line, &d->end_column);
}

int fix_edit(struct fix_editor *e, const struct fix_plan *plan, struct findings *fs)
{
	struct requests rs = {0};
	struct edits xs = {0};
	int ret = resolve(&rs, e, plan);

	if (ret == 0) {
		render(&xs, &e->arena, &rs);
		vec_clear(&plan->finding->edits);
		for (uint32_t i = 0; i < xs.n; i++)
			add_edit(fs, plan->finding, &xs.v[i]);
	}
	vec_release(&rs);
	vec_release(&xs);
	return ret;
}

struct fix_plan *fix_edit_any(struct fix_editor *e, struct fix_plan *plan, struct findings *fs)
{
	struct fix_plan *p = plan;
	char *why = NULL;

	for (; p && fix_edit(e, p, fs) < 0; p = p->next)
		if (!why)
			why = xstrdup(error_last());
	if (!p)
		error_set("%s", why);
	free(why);
	return p;
}

/* ---- several plans ---- */

void fix_editor_apply(struct fix_editor *e, const struct fix_plan *const *plans, uint32_t n, struct arena *arena,
		      struct fix_files *out)
{
	struct requests rs = {0};
	struct edits xs = {0};

	for (uint32_t i = 0; i < n; i++) {
		uint32_t start = rs.n;

		if (resolve(&rs, e, plans[i]) < 0)	/* it was resolved before: cannot be */
			rs.n = start;
	}
	render(&xs, arena, &rs);
	apply_edits(out, arena, &xs);
	vec_release(&rs);
	vec_release(&xs);
}
