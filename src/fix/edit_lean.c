/*
 * edit_lean.c - units that are compiled again and again are compiled without what they do not need of their headers.
 *
 * Such a unit (front/lean.h) is a guess of what is needed.  It is tried where all that is edited is in the source itself, and
 * that is not so large that its headers do not matter.  It is given up, for the whole one, as soon as it does not do: libclang
 * finds an error in it, or a function that comes of it is not the one that was analysed.  All of them are compared, once, when
 * it is compiled with marks: then every line is where it was (__LINE__ is part of a program).
 */
#include "fix/edit.h"

#include "base/diag.h"
#include "base/file.h"
#include "ir/ident.h"

#include <sys/stat.h>

/* ---- which units ---- */

/* Words that an edit may need besides those of its plan. */
#define USUAL_WORDS "free NULL size_t "

enum { LARGE_SOURCE = 256 << 10 };

struct leaning {
	VEC(const struct front_part *) parts;
	VEC(struct sbuf) words;
	VEC(bool) whole;
};

static uint32_t part_number(struct leaning *l, const struct front_part *part)
{
	for (uint32_t i = 0; i < l->parts.n; i++)
		if (l->parts.v[i] == part)
			return i;
	vec_push(&l->parts, part);
	vec_push(&l->whole, !part->unit.path || part->unit.preprocessed);
	sbuf_adds(vec_add(&l->words, 1), USUAL_WORDS);
	return l->parts.n - 1;
}

/* Is the function in the source of its unit, and is that small enough? */
static bool is_in_source(const struct fix_editor *e, const struct ir_func *fn, const struct front_part *part)
{
	char *joined = path_join(part->unit.dir, part->unit.path), *source = path_normal(joined), *file = path_normal(edit_file_of(e, fn));
	struct stat st;
	bool same = str_eq(source, file) && stat(source, &st) == 0 && st.st_size < LARGE_SOURCE;

	free(joined);
	free(source);
	free(file);
	return same;
}

static void add_insertion(struct fix_editor *e, struct leaning *l, const struct fix_insertion *in)
{
	const struct ir_func *fn = &e->m->funcs.v[in->func];
	const struct front_part *part = edit_part_of(e->r, fn->unit);
	uint32_t i;

	if (!part)
		return;
	i = part_number(l, part);
	l->whole.v[i] |= !l->whole.v[i] && !is_in_source(e, fn, part);
	sbuf_adds(&l->words.v[i], in->text ? in->text : "");
	sbuf_addc(&l->words.v[i], ' ');
}

void lean_prepare(struct fix_editor *e, const struct fix_plan *plans, uint32_t n)
{
	struct leaning l = {0};
	VEC(struct front_lean) jobs = {0};

	for (uint32_t i = 0; i < n; i++)
		for (const struct fix_plan *p = &plans[i]; p; p = p->next)
			for (uint32_t k = 0; k < p->in.n; k++)
				add_insertion(e, &l, &p->in.v[k]);
	for (uint32_t i = 0; i < l.parts.n; i++) {
		struct part_lean none = { l.parts.v[i], NULL };

		if (l.whole.v[i])
			continue;
		vec_push(&jobs, ((struct front_lean){ &l.parts.v[i]->unit, sbuf_str(&l.words.v[i]), NULL }));
		vec_push(&e->leans, none);
	}
	front_lean(jobs.v, jobs.n, e->o);
	for (uint32_t i = 0; i < jobs.n; i++)
		e->leans.v[i].lean = jobs.v[i].lean;
	for (uint32_t i = 0; i < l.words.n; i++)
		sbuf_release(&l.words.v[i]);
	vec_release(&l.words);
	vec_release(&l.parts);
	vec_release(&l.whole);
	vec_release(&jobs);
}

/* ---- use ---- */

struct lean *lean_take(struct fix_editor *e, const struct front_part *part)
{
	struct lean *l = NULL;

	for (uint32_t i = 0; i < e->leans.n && !l; i++)
		if (e->leans.v[i].part == part) {
			l = e->leans.v[i].lean;
			e->leans.v[i].lean = NULL;
		}
	return l;
}

int lean_parse(struct ast **out, const struct lean *l)
{
	struct unit u = l->unit;
	struct unit_text *texts = lean_texts(l, NULL, 0, &u.ntexts);
	int ret;

	u.texts = texts;
	ret = ast_parse(out, &u);
	lean_texts_free(texts);
	if (ret == 0 && ast_error(*out)) {
		diag_verbose("%s: its headers are taken whole: %s", u.file, ast_error(*out));
		ast_free(*out);
		*out = NULL;
		ret = -1;
	}
	return ret;
}

static struct edit_unit *unit_with(const struct fix_editor *e, const struct front_part *part)
{
	for (uint32_t i = 0; i < e->units.n; i++)
		if (e->units.v[i]->part == part)
			return e->units.v[i];
	return NULL;
}

const struct lean *fix_editor_lean(const struct fix_editor *e, const struct front_part *part)
{
	const struct edit_unit *u = unit_with(e, part);

	return u ? u->lean : NULL;
}

void fix_editor_drop_lean(struct fix_editor *e, const struct front_part *part)
{
	struct edit_unit *u = unit_with(e, part);

	lean_free(u->lean);
	u->lean = NULL;
}

/* ---- does it do? ---- */

static bool is_edited(const struct fix_editor *e, const struct edit_unit *u, const struct ir_func *f)
{
	for (uint32_t i = 0; i < e->funcs.n; i++)
		if (e->funcs.v[i]->unit == u && str_eq(e->m->funcs.v[e->funcs.v[i]->func].name, f->name))
			return true;
	return false;
}

/* Literals aside: one more or less of them means nothing. */
static bool same_globals(const struct idents *was, const struct idents *now)
{
	for (uint32_t i = 0; i < was->m->globals.n; i++) {
		const struct ir_global *g = &was->m->globals.v[i];
		uint32_t k;

		if (!g->src[0] || g->linkage == IR_L_DECL || g->linkage == IR_L_DECL_WEAK)
			continue;
		k = ident_find_global(now, was->global[i]);
		if (k == IR_NONE || ident_global_digest(was, i) != ident_global_digest(now, k))
			return false;
	}
	return true;
}

bool lean_holds(const struct fix_editor *e, const struct edit_unit *u)
{
	const struct ir_module *was = u->part->module;
	struct idents a, b;
	bool same;

	idents_init(&a, was);
	idents_init(&b, u->marked);
	same = same_globals(&a, &b);
	for (uint32_t i = 0; i < was->funcs.n && same; i++) {
		uint32_t k;

		if (ir_is_decl(&was->funcs.v[i]) || is_edited(e, u, &was->funcs.v[i]))
			continue;
		k = ident_find_func(&b, a.func[i]);
		same = k != IR_NONE && ident_func_body(&a, i) == ident_func_body(&b, k);
	}
	idents_release(&a);
	idents_release(&b);
	return same;
}
