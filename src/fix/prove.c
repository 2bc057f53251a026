/*
 * prove.c - nobody sees a patch that was not tried.
 *
 * The edited texts are compiled with the flags of their units, without touching the user's
 * files (front_again() shows them to clang through an overlay, so that all paths stay as
 * they are), linked with the other units as they were, and both engines run over the result
 * as they did over the program.  A plan holds if its leak is no longer found and nothing is found that was
 * not found before; in particular no double free and no use after free.
 *
 * All plans are tried together, since that is what most people will apply, and it costs one
 * analysis.  If something is wrong then, the findings usually tell whose fault it is: a leak
 * that is still there belongs to its plan, a new finding to the plans of the same allocation,
 * or else to those that edit the same function.  These are withdrawn, and the rest is tried
 * again.  Only if nobody can be blamed, or the text does not compile and the message names no
 * line of an edit, are the plans halved until the guilty are found.  After ANALYSES_MAX
 * analyses what is not proved is withdrawn.
 *
 * A finding is known again by the places of its allocation and its leak, moved back to where
 * they are in the file as it was; ids will not do, since they count findings that are alike.
 */
#include "fix/fix.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sbuf.h"
#include "front/front.h"
#include "ir/build.h"
#include "ir/io.h"

enum { ANALYSES_MAX = 20 };

VEC_TYPE(candidates, struct fix_candidate *);

struct trial {
	struct fix_proof *p;
	struct arena arena;
	struct fix_files files;
	VEC(struct front_again) again;
	VEC(uint32_t) parts;		/* of each unit that was compiled again */
	VEC(struct unit_text) texts;
	struct ir_module *program;
	struct findings after;
};

/* ---- the edited program ---- */

static void trial_release(struct trial *t)
{
	for (uint32_t i = 0; i < t->again.n; i++) {
		ir_module_free(t->again.v[i].module);
		free(t->again.v[i].error);
	}
	vec_release(&t->again);
	vec_release(&t->parts);
	vec_release(&t->texts);
	ir_module_free(t->program);
	findings_release(&t->after);
	fix_files_release(&t->files);
	arena_release(&t->arena);
}

static bool reads_file(const struct ir_module *m, const char *path)
{
	bool found = false;

	for (uint32_t i = 0; !found && i < m->files.n; i++) {
		char *normal = path_normal(m->files.v[i]);

		found = str_eq(normal, path);
		free(normal);
	}
	return found;
}

/* Compiles every unit that has code of an edited file.  Negative: one does not compile. */
static int compile(struct trial *t)
{
	const struct front_result *r = t->p->r;

	for (uint32_t i = 0; i < t->files.n; i++) {
		struct unit_text x = { t->files.v[i].path, t->files.v[i].text, t->files.v[i].n };

		vec_push(&t->texts, x);
	}
	for (uint32_t i = 0; i < r->parts.n; i++) {
		const struct front_part *part = &r->parts.v[i];
		struct front_again a = { .unit = part->unit };
		bool needed = false;

		for (uint32_t k = 0; k < t->files.n; k++)
			needed |= reads_file(part->module, t->files.v[k].path);
		if (!needed)
			continue;
		if (!part->unit.path)
			return error_set("how %s is compiled is not known (name its source, or give -p DIR)",
					 part->module->units.n ? part->module->units.v[0].path : "a unit");
		a.unit.texts = t->texts.v;
		a.unit.ntexts = t->texts.n;
		vec_push(&t->again, a);
		vec_push(&t->parts, i);
	}
	if (t->again.n && front_again(t->again.v, t->again.n, t->p->o) < 0)
		return -1;
	for (uint32_t i = 0; i < t->again.n; i++)
		if (!t->again.v[i].module)
			return error_set("the patched source does not compile: %s", t->again.v[i].error);
	return 0;
}

static int link_program(struct trial *t)
{
	const struct front_result *r = t->p->r;
	VEC(struct ir_module *) modules = {0};
	unsigned dups;
	int ret;

	for (uint32_t i = 0; i < r->parts.n; i++)
		vec_push(&modules, r->parts.v[i].module);
	for (uint32_t i = 0; i < t->again.n; i++)
		modules.v[t->parts.v[i]] = t->again.v[i].module;
	ret = ir_link(&t->program, modules.v, modules.n, &dups);
	vec_release(&modules);
	return ret;
}

/* ---- what is found in it ---- */

/* A place in the files as they are. */
static void move_back(const struct trial *t, struct finding_loc *l)
{
	char *path;

	if (!l->file)
		return;
	path = path_normal(l->file);
	for (uint32_t i = 0; i < t->files.n; i++)
		if (str_eq(t->files.v[i].path, path))
			fix_file_back(&t->files.v[i], &l->line, &l->column);
	free(path);
}

static bool same_place(const struct finding_loc *a, const struct finding_loc *b)
{
	return a->line == b->line && str_eq(a->file ? a->file : "", b->file ? b->file : "");
}

static bool same_kind(const struct finding *a, const struct finding *b)
{
	return finding_kind_is_leak(a->kind) == finding_kind_is_leak(b->kind) &&
	       (finding_kind_is_leak(a->kind) || a->kind == b->kind);
}

static bool same_alloc(const struct finding *a, const struct finding *b)
{
	return same_kind(a, b) && same_place(&a->alloc, &b->alloc) && a->alloc.column == b->alloc.column;
}

static bool same_finding(const struct finding *a, const struct finding *b)
{
	return same_alloc(a, b) && same_place(&a->leak, &b->leak);
}

static const char *place_text(struct findings *fs, const struct finding *f, const struct finding_loc *l)
{
	return arena_printf(&fs->arena, "%s:%u", l->file ? path_base(l->file) : path_base(f->alloc.file), l->line);
}

static bool is_known(const struct fix_proof *p, const struct finding *f)
{
	for (uint32_t i = 0; i < p->before->v.n; i++)
		if (same_finding(p->before->v.v[i], f))
			return true;
	return false;
}

static void withdraw(struct fix_candidate *c, const char *why)
{
	c->kept = false;
	c->why = why;
}

static bool edits_function(const struct trial *t, const struct fix_plan *plan, const char *function)
{
	const struct ir_module *m = t->p->r->program;

	for (uint32_t i = 0; function && i < plan->in.n; i++)
		if (str_eq(m->funcs.v[plan->in.v[i].func].src, function))
			return true;
	return false;
}

/* Withdraws whoever is to blame for a finding.  False: it is nobody's. */
static bool blame(const struct trial *t, struct candidates *v, const struct finding *f)
{
	struct findings *fs = t->p->before;
	const char *why = arena_printf(&fs->arena, "with it there would be a new finding, %s (%s)", finding_kind_name(f->kind),
				       place_text(fs, f, &f->alloc));
	bool found = false, known = is_known(t->p, f);

	for (uint32_t i = 0; i < v->n; i++) {
		struct fix_candidate *c = v->v[i];

		if (same_finding(c->plan->finding, f) || (!known && same_alloc(c->plan->finding, f))) {
			withdraw(c, "the object would still leak on some path");
			found = true;
		}
	}
	if (known)
		return true;
	for (int pass = 0; pass < 2 && !found; pass++)
		for (uint32_t i = 0; i < v->n; i++) {
			struct fix_candidate *c = v->v[i];
			const struct finding *own = c->plan->finding;

			if (pass == 0 ? same_place(&own->alloc, &f->alloc)
				      : edits_function(t, c->plan, f->alloc.function) ||
						edits_function(t, c->plan, f->leak.function)) {
				withdraw(c, why);
				found = true;
			}
		}
	return found;
}

/* A message of the compiler names a line of an edit: whose? */
static bool blame_compiler(const struct trial *t, struct candidates *v, const char *message)
{
	UNUSED(t);
	for (uint32_t i = 0; i < v->n && v->n == 1; i++)
		withdraw(v->v[i], arena_strdup(&t->p->before->arena, message));
	return v->n == 1;
}

enum verdict { HOLDS, BLAMED, UNCLEAR };

/* Tries these together.  BLAMED: some of them were withdrawn. */
static enum verdict try_together(struct fix_proof *p, struct candidates *v)
{
	struct trial t = { .p = p };
	VEC(const struct fix_plan *) plans = {0};
	enum verdict ret = HOLDS;
	bool unclear = false;

	arena_init(&t.arena);
	findings_init(&t.after);
	for (uint32_t i = 0; i < v->n; i++)
		vec_push(&plans, v->v[i]->plan);
	fix_editor_apply(p->editor, plans.v, plans.n, &t.arena, &t.files);
	if (compile(&t) < 0 || link_program(&t) < 0) {
		ret = blame_compiler(&t, v, error_last()) ? BLAMED : UNCLEAR;
		goto done;
	}
	p->analyses++;
	if (!p->judge(p->ctx, t.program, &t.after)) {
		for (uint32_t i = 0; i < v->n; i++)
			withdraw(v->v[i], "the patched program could not be analysed to the end");
		ret = BLAMED;
		goto done;
	}
	for (uint32_t i = 0; i < t.after.v.n; i++) {
		struct finding *f = t.after.v.v[i];

		move_back(&t, &f->alloc);
		move_back(&t, &f->leak);
		unclear |= !blame(&t, v, f);
	}
	for (uint32_t i = 0; i < v->n; i++)
		if (!v->v[i]->kept)
			ret = BLAMED;
	if (ret == HOLDS && unclear)
		ret = UNCLEAR;
	if (ret == UNCLEAR && v->n == 1) {
		withdraw(v->v[0], "with it something else would be found that is not found now");
		ret = BLAMED;
	}
done:
	vec_release(&plans);
	trial_release(&t);
	return ret;
}

/* ---- which of them ---- */

static void drop_withdrawn(struct candidates *v)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < v->n; i++)
		if (v->v[i]->kept)
			v->v[k++] = v->v[i];
	v->n = k;
}

/* Leaves those of v that hold together. */
static void search(struct fix_proof *p, struct candidates *v)
{
	struct candidates half[2] = {0};
	enum verdict r = BLAMED;

	while (v->n && r == BLAMED && p->analyses < ANALYSES_MAX) {
		r = try_together(p, v);
		drop_withdrawn(v);
	}
	if (!v->n || r == HOLDS)
		return;
	if (p->analyses >= ANALYSES_MAX) {
		for (uint32_t i = 0; i < v->n; i++)
			withdraw(v->v[i], "it was not proved: too many of the other patches failed");
		v->n = 0;
		return;
	}
	for (uint32_t i = 0; i < v->n; i++)
		vec_push(&half[i >= (v->n + 1) / 2], v->v[i]);
	search(p, &half[0]);
	search(p, &half[1]);
	v->n = 0;
	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < half[k].n; i++)
			vec_push(v, half[k].v[i]);
	/* each half holds alone: the second one gives way if they do not hold together */
	if (half[0].n && half[1].n && try_together(p, v) != HOLDS) {
		for (uint32_t i = 0; i < v->n; i++)
			v->v[i]->kept = true;
		for (uint32_t i = 0; i < half[1].n; i++)
			withdraw(half[1].v[i], "it does not go together with the other patches");
	}
	drop_withdrawn(v);
	vec_release(&half[0]);
	vec_release(&half[1]);
}

void fix_prove(struct fix_proof *p, struct fix_candidate *v, uint32_t n)
{
	struct candidates all = {0};

	p->analyses = 0;
	for (uint32_t i = 0; i < n; i++) {
		v[i].kept = true;
		v[i].why = NULL;
		vec_push(&all, &v[i]);
	}
	if (n)
		search(p, &all);
	vec_release(&all);
}
