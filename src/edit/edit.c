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
 *   3. the edges that are to have the same statement are covered by points, exactly
 *      (edit_place.c).  If there is no such cover, the plan is refused.
 *
 * All functions of one unit are marked in one compilation, before the first plan is edited
 * (fix_editor_prepare()).  A mark that the compiler does not take where we thought it could
 * stand costs one more compilation, without the points of that line.  Only the functions
 * in question are parsed and compiled, the others are declared (edit_bare.c); if that does not compile, or a
 * function then is not the one that was analysed, all of the file is.  The proof compiles as little.
 *
 * What a unit does not need of its headers is left out if all that is edited is in the source (edit_lean.c).
 * A function in a header is edited once, through the unit that was first to need it.
 */
#include "edit/priv.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "ir/build.h"

#include <ctype.h>

enum { MARK_TRIES = 7 };

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
		lean_free(e->units.v[i]->lean);
		free(e->units.v[i]->bare);
		free(e->units.v[i]->used);
	}
	for (uint32_t i = 0; i < e->leans.n; i++)
		lean_free(e->leans.v[i].lean);
	scope_release(&e->scope);
	vec_release(&e->leans);
	vec_release(&e->asked);
	vec_release(&e->funcs);
	vec_release(&e->units);
	arena_release(&e->arena);
	free(e);
}

void fix_editor_stay_inside(struct fix_editor *e)
{
	scope_init(&e->scope, e->o);
	e->inside = true;
}

void fix_editor_exclude(struct fix_editor *e, struct findings *fs)
{
	e->excluded = fs;
}

/* The file itself, or what it was generated from. */
static bool is_excluded(const struct fix_editor *e, const struct ast_file *f)
{
	return e->excluded &&
	       (finding_is_excluded(e->excluded, f->path) || finding_is_excluded(e->excluded, f->shown));
}

static const char *keep_error(struct fix_editor *e)
{
	return arena_strdup(&e->arena, error_last());
}

/* ---- units ---- */

const struct front_part *edit_part_of(const struct front_result *r, uint32_t unit)
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

const char *edit_file_of(const struct fix_editor *e, const struct ir_func *fn)
{
	return fn->pos.file == IR_NONE ? "" : e->m->files.v[fn->pos.file];
}

static bool is_in(const struct fix_editor *e, uint32_t func, const char *path)
{
	char *file = path_normal(edit_file_of(e, &e->m->funcs.v[func]));
	bool same = str_eq(file, path);

	free(file);
	return same;
}

static void drop_bare(struct edit_unit *u)
{
	ast_free(u->ast);
	u->ast = NULL;
	free(u->bare);
	u->bare = NULL;
}

/* The source of a unit without the bodies that no plan is about; NULL: with them. */
static char *bare_source(const struct fix_editor *e, const char *source)
{
	VEC(const char *) names = {0};
	char *text = NULL, *bare = NULL;
	size_t n;

	for (uint32_t i = 0; i < e->asked.n; i++)
		if (is_in(e, e->asked.v[i], source))
			vec_push(&names, e->m->funcs.v[e->asked.v[i]].src);
	if (names.n && file_read(&text, &n, source) == 0 && n < INT32_MAX && strlen(text) == n)
		bare = bare_text(text, (uint32_t)n, names.v, names.n);
	vec_release(&names);
	free(text);
	return bare;
}

/* Are all functions of the source that plans are about in what was parsed? */
static bool has_asked(const struct fix_editor *e, const struct edit_unit *u, const char *source)
{
	for (uint32_t i = 0; i < e->asked.n; i++) {
		const struct ir_func *fn = &e->m->funcs.v[e->asked.v[i]];

		if (is_in(e, e->asked.v[i], source) &&
		    !ast_func(u->ast, edit_file_of(e, fn), fn->src, fn->pos.line))
			return false;
	}
	return true;
}

static void parse_bare(struct fix_editor *e, struct edit_unit *u)
{
	char *source = path_from(u->part->unit.dir, u->part->unit.path);
	struct unit unit = u->part->unit;
	struct unit_text text = { source, u->bare = bare_source(e, source), 0 };
	const char *error = NULL;

	if (u->bare) {
		text.n = strlen(u->bare);
		unit.texts = &text;
		unit.ntexts = 1;
		if (u->lean && lean_parse(&u->ast, u->lean, u->bare, text.n) < 0)
			fix_editor_drop_lean(e, u->part);
		if (!u->ast && ast_parse(&u->ast, &unit) == 0)
			error = ast_error(u->ast);
		if (!u->ast || error || !has_asked(e, u, source)) {
			diag_verbose("%s: its functions are taken whole: %s",
				     unit.file, error ? error : error_last());
			drop_bare(u);
		}
	}
	free(source);
}

/* The statements of a unit: as little of it as will do. */
static void parse(struct fix_editor *e, struct edit_unit *u)
{
	u->lean = lean_take(e, u->part);
	if (!u->whole)
		parse_bare(e, u);
	if (!u->ast && u->lean && lean_parse(&u->ast, u->lean, NULL, 0) < 0)
		fix_editor_drop_lean(e, u->part);
	if (!u->ast && ast_parse(&u->ast, &u->part->unit) < 0)
		u->refused = keep_error(e);
}

struct edit_unit *edit_unit_with(const struct fix_editor *e, const struct front_part *part)
{
	for (uint32_t i = 0; i < e->units.n; i++)
		if (e->units.v[i]->part == part)
			return e->units.v[i];
	return NULL;
}

static struct edit_unit *unit_of(struct fix_editor *e, uint32_t unit)
{
	const struct front_part *part = edit_part_of(e->r, unit);
	struct edit_unit *u = edit_unit_with(e, part);

	if (u)
		return u;
	u = arena_new(&e->arena, struct edit_unit);
	u->part = part;
	vec_push(&e->units, u);
	if (!part || !part->unit.path)
		u->refused = "how this unit is compiled is not known (name its source, or give -p DIR)";
	else if (part->unit.preprocessed)
		u->refused = "the file is generated (preprocessed source)";
	else
		parse(e, u);
	return u;
}

/* ---- functions ---- */

/* Somebody has this function of the source already, for another unit. */
static struct edit_unit *owner_of(struct fix_editor *e, const struct ir_func *fn)
{
	for (uint32_t i = 0; i < e->funcs.n; i++) {
		const struct ir_func *g = &e->m->funcs.v[e->funcs.v[i]->func];

		if (str_eq(edit_file_of(e, g), edit_file_of(e, fn)))
			return e->funcs.v[i]->unit;
	}
	return unit_of(e, fn->unit);
}

struct edit_func *edit_func_of(struct fix_editor *e, uint32_t func)
{
	for (uint32_t i = 0; i < e->funcs.n; i++)
		if (e->funcs.v[i]->func == func)
			return e->funcs.v[i];
	return NULL;
}

/* Finds it in its unit. */
static void func_read(struct fix_editor *e, struct edit_func *ef)
{
	const struct ir_func *fn = &e->m->funcs.v[ef->func];

	if (ef->unit->refused)
		ef->refused = ef->unit->refused;
	else if (!(ef->ast = ast_func(ef->unit->ast, edit_file_of(e, fn), fn->src, fn->pos.line)))
		ef->refused = keep_error(e);
	else if (ef->ast->refused)
		ef->refused = ef->ast->refused;
	else if (e->inside && !scope_has(&e->scope, ef->ast->file->path))
		ef->refused = "its file is outside of this project, "
			      "and not changed in place unless it is named";
	else if (is_excluded(e, ef->ast->file))
		ef->refused = "its file is excluded (--exclude)";
	else
		points_collect(&ef->points, ef->ast);
}

static void func_add(struct fix_editor *e, uint32_t func)
{
	struct edit_func *ef;

	if (edit_func_of(e, func))
		return;
	ef = arena_new(&e->arena, struct edit_func);
	ef->func = func;
	ef->unit = owner_of(e, &e->m->funcs.v[func]);
	vec_push(&e->funcs, ef);
	func_read(e, ef);
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

/* A static function that nobody calls is not compiled: those that would are not there. */
static void keep_used(struct sbuf *b, const struct ast_file *file, const struct marking *v, uint32_t n)
{
	sbuf_adds(b, "\n__attribute__((used)) static void *const " MARK_NAME "_used[] = {");
	for (uint32_t i = 0; i < n; i++)
		if (v[i].f->file == file)
			sbuf_printf(b, "(void *)%s,", v[i].f->name);
	sbuf_adds(b, "};\n");
}

/* A header that is edited, without the bodies of other functions. */
static char *bare_file(const struct ast_file *file, const struct marking *v, uint32_t n)
{
	VEC(const char *) names = {0};
	char *text = NULL;

	for (uint32_t i = 0; i < n; i++)
		if (v[i].f->file == file)
			vec_push(&names, v[i].f->name);
	if (strlen(file->text) == file->n)
		text = bare_text(file->text, file->n, names.v, names.n);
	vec_release(&names);
	return text;
}

/* The marked texts of all files of a unit that have functions to be marked. */
static void mark_unit(struct fix_editor *e, struct edit_unit *u, struct texts *t)
{
	VEC(struct marking) ms = {0};
	VEC(struct ast_file *) files = {0};
	char *source = path_from(u->part->unit.dir, u->part->unit.path);
	uint32_t base = 0;
	bool parts = false;

	free(u->used);
	u->used = NULL;
	for (uint32_t i = 0; i < e->funcs.n; i++) {
		struct edit_func *ef = e->funcs.v[i];
		struct marking mk;
		bool known = false, twin = false;

		if (ef->unit != u || ef->refused)
			continue;
		for (uint32_t k = 0; k < i && !twin; k++) {
			const struct edit_func *other = e->funcs.v[k];

			/* another unit's copy of a header's function */
			if (other->unit == u && other->ast == ef->ast && !other->refused) {
				ef->base = other->base;
				twin = true;
			}
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
		bool own = str_eq(files.v[i]->path, source);
		char *made = u->whole || own ? NULL : bare_file(files.v[i], ms.v, ms.n);
		const char *text = own && !u->whole ? u->bare : made;
		struct sbuf *b = vec_add(&t->bufs, 1), used = {0};

		points_mark(b, files.v[i], text ? text : files.v[i]->text, ms.v, ms.n);
		if (text) {
			keep_used(&used, files.v[i], ms.v, ms.n);
			sbuf_adds(b, sbuf_str(&used));
			if (own)
				u->used = xstrdup(sbuf_str(&used));
		}
		parts |= text != NULL;
		sbuf_release(&used);
		free(made);
	}
	free(source);
	u->whole = !parts;
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
				    (ef->points.v[j].kind == POINT_BEGIN ||
				     ef->points.v[j].kind == POINT_END))
					ef->points.v[j].dropped = true;
		}
	}
	return found;
}

static uint32_t find_marked(const struct fix_editor *e, const struct ir_func *fn, const struct ir_module *mm)
{
	for (uint32_t i = 0; i < mm->funcs.n; i++) {
		const struct ir_func *g = &mm->funcs.v[i];

		if (!ir_is_decl(g) && str_eq(g->src, fn->src) &&
		    g->pos.line == fn->pos.line && g->pos.file != IR_NONE &&
		    str_eq(mm->files.v[g->pos.file], edit_file_of(e, fn)))
			return i;
	}
	return IR_NONE;
}

/* False: one is not what was analysed, but the unit was compiled in part, or lean. */
static bool match_funcs(struct fix_editor *e, struct edit_unit *u)
{
	for (uint32_t i = 0; i < e->funcs.n; i++) {
		struct edit_func *ef = e->funcs.v[i];
		const struct ir_func *fn = &e->m->funcs.v[ef->func];
		struct match_pair pair;
		uint32_t g;

		if (ef->unit != u || ef->refused || ef->match)
			continue;
		g = find_marked(e, fn, u->marked);
		pair = (struct match_pair){ e->m, u->marked, ef->func, g };
		if (g != IR_NONE && match_new(&ef->match, &pair, &ef->points, ef->base, ef->ast) == 0)
			continue;
		if (!u->whole || u->lean)
			return false;
		if (edit_part_of(e->r, fn->unit) != u->part)
			ef->refused = "its file is compiled twice, with other settings, "
				      "and is edited as the other unit has it: apply that, and run again";
		else
			ef->refused = g == IR_NONE ?
				"the function is not in the source any more" : keep_error(e);
	}
	return true;
}

/* Takes back what was found by compiling a part of the unit: all of it is to be compiled; or, if it was lean,
 * with all of its headers. */
static void mark_whole(struct fix_editor *e, struct edit_unit *u)
{
	bool anew = u->lean || u->bare;

	diag_verbose("%s: its %s are taken whole: with marks it is another one",
		     u->part->unit.file, u->lean ? "headers" : "functions");
	if (u->lean)
		fix_editor_drop_lean(e, u->part);
	else
		u->whole = true;
	if (anew) {
		drop_bare(u);
		parse(e, u);
	}
	for (uint32_t i = 0; i < e->funcs.n; i++) {
		struct edit_func *ef = e->funcs.v[i];

		if (ef->unit != u)
			continue;
		match_free(ef->match);
		ef->match = NULL;
		if (anew) {
			points_release(&ef->points);
			ef->ast = NULL;
			ef->refused = NULL;
			func_read(e, ef);
		}
		for (uint32_t k = 0; k < ef->points.n; k++)
			vec_clear(&ef->points.v[k].steps);
	}
	ir_module_free(u->marked);
	u->marked = NULL;
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
		job.lean = u->lean;
		vec_push(&jobs, job);
		vec_push(&units, u);
		vec_push(&texts, t);
	}
	if (jobs.n && front_again(jobs.v, jobs.n, e->o) < 0)
		for (uint32_t i = 0; i < jobs.n; i++)
			jobs.v[i].error = xstrdup(error_last());
	for (uint32_t i = 0; i < jobs.n; i++) {
		struct edit_unit *u = units.v[i];

		u->marked = jobs.v[i].module;
		if (!u->marked && u->lean && !last && drop_line(e, u, jobs.v[i].error))
			;	/* libclang has taken it without marks */
		else if (!(u->marked && match_funcs(e, u)) && (!u->whole || u->lean) && !last)
			mark_whole(e, u);
		else
			u->tried = u->marked || last || !drop_line(e, u, jobs.v[i].error);
		more |= !u->tried;
		if (!u->marked && u->tried)
			u->refused = arena_printf(&e->arena,
						  "the source cannot be compiled: %s", jobs.v[i].error);
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
	lean_prepare(e, plans, n);
	for (uint32_t i = 0; i < n; i++)
		for (const struct fix_plan *p = &plans[i]; p; p = p->next)
			for (uint32_t k = 0; k < p->in.n; k++)
				vec_push(&e->asked, p->in.v[k].func);
	for (uint32_t i = 0; i < e->asked.n; i++)
		func_add(e, e->asked.v[i]);
	for (unsigned t = 1; mark_round(e, t == MARK_TRIES) && t < MARK_TRIES; t++)
		;
	for (uint32_t i = 0; i < e->funcs.n; i++)
		if (!e->funcs.v[i]->refused && e->funcs.v[i]->unit->refused)
			e->funcs.v[i]->refused = e->funcs.v[i]->unit->refused;
}

/* ---- plans ---- */

static void add_edit(struct findings *fs, struct finding *f, const struct edit *x)
{
	struct finding_edit *d = vec_add(&f->edits, 1);

	d->file = arena_strdup(&fs->arena, x->file->origin ? x->file->origin : x->file->path);
	d->text = arena_strdup(&fs->arena, x->text);
	ast_position(x->file, x->begin, &d->line, &d->column);
	ast_position(x->file, x->end, &d->end_line, &d->end_column);
}

int fix_edit(struct fix_editor *e, const struct fix_plan *plan, struct findings *fs)
{
	struct requests rs = {0};
	struct edits xs = {0};
	int ret = edit_resolve(&rs, e, plan, NULL, 0);

	if (ret == 0)
		ret = other_check(e, plan, &rs);
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

void fix_editor_apply(struct fix_editor *e, const struct fix_plan *const *plans,
		      uint32_t n, struct arena *arena,
		      struct fix_files *out)
{
	struct requests rs = {0};
	struct edits xs = {0};

	for (uint32_t i = 0; i < n; i++) {
		uint32_t start = rs.n;

		if (edit_resolve(&rs, e, plans[i], plans, n) < 0)	/* it was resolved before */
			rs.n = start;
	}
	render(&xs, arena, &rs);
	apply_edits(out, arena, &xs);
	vec_release(&rs);
	vec_release(&xs);
}
