/*
 * edit_lean.c - what the edited functions do not need is left out when a unit is compiled again and again.
 *
 * Of the headers only those are taken that are probably needed (front/lean.h), if all edits are in the source
 * itself, and if the source is not so large that its headers do not matter.  Of the functions only the edited
 * ones are taken; the others are declared (edit_bare.c), and keep in the patched program the bodies that they
 * had (ir_link_over()).
 *
 * Both are guesses.  A guess is given up, for the whole unit, as soon as it fails: libclang finds an error in
 * the text, or an edited function is not the one that was analysed.  This is checked once, when the unit is
 * compiled with marks: then every line is where it was (__LINE__ is part of a program), and each edited
 * function is compared, instruction by instruction.
 */
#include "edit/priv.h"

#include "base/diag.h"
#include "base/file.h"
#include "ir/build.h"

#include <sys/stat.h>

/* ---- which units ---- */

/* Words that an edit may need besides those of its plan. */
#define USUAL_WORDS "free NULL size_t "

enum { LARGE_SOURCE = 256 << 10 };

/* A unit that has functions to be edited. */
struct wanted {
	const struct front_part *part;
	struct sbuf words;
	bool whole;
};
VEC_TYPE(wanteds, struct wanted);

static struct wanted *wanted_of(struct wanteds *v, const struct front_part *part)
{
	struct wanted *w;

	for (uint32_t i = 0; i < v->n; i++)
		if (v->v[i].part == part)
			return &v->v[i];
	w = vec_add(v, 1);
	w->part = part;
	w->whole = !part->unit.path || part->unit.preprocessed;
	sbuf_adds(&w->words, USUAL_WORDS);
	return w;
}

/* Is the function in the source of its unit, and is that small enough? */
static bool is_in_source(const struct fix_editor *e, const struct ir_func *fn, const struct front_part *part)
{
	char *source = path_from(part->unit.dir, part->unit.path), *file = path_normal(edit_file_of(e, fn));
	struct stat st;
	bool same = str_eq(source, file) && stat(source, &st) == 0 && st.st_size < LARGE_SOURCE;

	free(source);
	free(file);
	return same;
}

static void add_insertion(struct fix_editor *e, struct wanteds *v, const struct fix_insertion *in)
{
	const struct ir_func *fn = &e->m->funcs.v[in->func];
	const struct front_part *part = edit_part_of(e->r, fn->unit);
	struct wanted *w;

	if (!part)
		return;
	w = wanted_of(v, part);
	w->whole = w->whole || !is_in_source(e, fn, part);
	sbuf_adds(&w->words, in->text ? in->text : "");
	sbuf_addc(&w->words, ' ');
}

void lean_prepare(struct fix_editor *e, const struct fix_plan *plans, uint32_t n)
{
	VEC(struct front_lean) jobs = {0};
	struct wanteds v = {0};

	for (uint32_t i = 0; i < n; i++)
		for (const struct fix_plan *p = &plans[i]; p; p = p->next)
			for (uint32_t k = 0; k < p->in.n; k++)
				add_insertion(e, &v, &p->in.v[k]);
	for (uint32_t i = 0; i < v.n; i++)
		if (!v.v[i].whole) {
			vec_push(&jobs,
				 ((struct front_lean){ &v.v[i].part->unit, sbuf_str(&v.v[i].words), NULL }));
			vec_push(&e->leans, ((struct part_lean){ v.v[i].part, NULL }));
		}
	front_lean(jobs.v, jobs.n, e->o);
	for (uint32_t i = 0; i < jobs.n; i++)
		e->leans.v[i].lean = jobs.v[i].lean;
	for (uint32_t i = 0; i < v.n; i++)
		sbuf_release(&v.v[i].words);
	vec_release(&v);
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

int lean_parse(struct ast **out, const struct lean *l, const char *text, size_t n)
{
	struct unit u = l->unit;
	struct unit_text source = { l->source, text, n }, *texts = lean_texts(l, &source, text != NULL);
	const char *error;
	int ret;

	u.texts = texts;
	u.ntexts = LEAN_TEXTS;
	ret = ast_parse(out, &u);
	lean_texts_free(texts);
	if (ret == 0 && (error = ast_error(*out))) {
		diag_verbose("%s: its headers are taken whole: %s", u.file, error);
		ast_free(*out);
		*out = NULL;
		ret = -1;
	}
	return ret;
}

const struct lean *fix_editor_lean(const struct fix_editor *e, const struct front_part *part)
{
	const struct edit_unit *u = edit_unit_with(e, part);

	return u ? u->lean : NULL;
}

void fix_editor_drop_lean(struct fix_editor *e, const struct front_part *part)
{
	struct edit_unit *u = edit_unit_with(e, part);

	lean_free(u->lean);
	u->lean = NULL;
}

/* ---- trials ---- */

void fix_editor_text(const struct fix_editor *e, const struct front_part *part,
		     const struct fix_file *f, struct sbuf *out)
{
	const struct edit_unit *u = edit_unit_with(e, part);
	uint32_t at = 0;

	if (!u || !u->used) {
		sbuf_add(out, f->text, f->n);
		return;
	}
	for (uint32_t i = 0; i < f->shifts.n; i++) {
		const struct fix_shift *s = &f->shifts.v[i];

		sbuf_add(out, u->bare + at, s->old - at);
		sbuf_add(out, f->text + s->at, s->n);
		at = s->old + s->nold;
	}
	sbuf_adds(out, u->bare + at);
	sbuf_adds(out, u->used);
}

static bool is_edited(const struct fix_editor *e, const struct ir_module *m, const struct ir_func *f)
{
	for (uint32_t i = 0; i < e->funcs.n; i++) {
		const struct ir_func *g = &e->m->funcs.v[e->funcs.v[i]->func];

		if (str_eq(g->name, f->name) && f->pos.file != IR_NONE &&
		    str_eq(edit_file_of(e, g), m->files.v[f->pos.file]))
			return true;
	}
	return false;
}

void fix_editor_strip(const struct fix_editor *e, const struct ir_module *was, struct ir_module *now)
{
	for (uint32_t i = 0; i < now->funcs.n; i++) {
		struct ir_func *f = &now->funcs.v[i];
		uint32_t k = ir_is_decl(f) || is_edited(e, now, f) ? IR_NONE : ir_find_func(was, f->name);

		if (k != IR_NONE && !ir_is_decl(&was->funcs.v[k]))
			f->linkage = IR_L_DECL;
	}
}
