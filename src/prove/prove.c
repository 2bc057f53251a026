/*
 * prove.c - a patch is shown only if the patched program was compiled and analysed.
 *
 * The edited texts are compiled with the flags of their units, without touching the user's files
 * (front_again() shows them to clang through an overlay, so that all paths stay as they are), linked with the
 * other units as they were, and analysed by both engines as the program was.  A plan holds if its leak is no
 * longer found and nothing new is found; in particular no double free and no use after free.  plumb check
 * reports these two only if they are sure.  Here a new one counts also if something on its path was guessed:
 * that cannot bring about a false alarm, only the loss of a patch.
 *
 * All plans are tried together, since most people apply all patches, and since one analysis is enough then.
 * If something is wrong, the findings usually tell which plan is to blame: a leak that is still there blames
 * its own plan; a new finding blames the plans of the same allocation, or else those that edit the same
 * function, or those that were made in spite of doubts.  These are withdrawn, and the rest is tried again.
 * Only if nobody can be blamed, or if the text does not compile and the message names no line of an edit, are
 * the plans halved until the guilty ones are found.  When the number of analyses reaches a limit (a lower one
 * in a large program), what is not proved is withdrawn.
 *
 * What holds is settled: it is not blamed any more.  In a second part, plans that were blamed together with
 * others are tried once more, and in a small program leaks with another plan are tried with that one, in a
 * few rounds; the settled plans stay in any case.  (In a large program each round costs another analysis, and
 * is hardly worth it: of ten plans that failed in eleven real programs none was replaced so.)  The first of
 * these rounds usually comes with the proof of the rest, at no cost: what is left after the first trial is
 * assumed to be settled, and tried together with the second plans.  If all hold together, all are settled;
 * else each part is tried as described above.
 *
 * Lines keep their numbers in a trial (fix_files_keep_lines()): else __LINE__ would change every function
 * that logs something.  From one trial to the next most texts stay as they are: a unit is compiled again only
 * if one of its edited files has changed since the last time (struct fix_unit), and the engines take what
 * they know of unchanged functions from their store.  If only the source of a unit is edited, and none of its
 * headers, only the edited functions are taken from the new module, and all others from the module of the
 * program: so little else has to be compiled (edit_lean.c).  A source that is compiled twice, for a library
 * and for an archive, is compiled once if both gave the same IR before (find_twins()).  The edited texts
 * could differ only if they asked for a macro in which the two settings differ, and for which the text did
 * not ask before.
 *
 * A finding is recognised by the places of its allocation and its leak, as they are in the unedited file
 * (move_back()).  Ids do not serve, since they count findings that are alike.
 */
#include "prove/prove.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/sbuf.h"
#include "front/front.h"
#include "ir/build.h"
#include "ir/io.h"

enum {
	ANALYSES_MAX = 20,
	ANALYSES_OF_LARGE = 6,		/* each takes up to a third of the time of plumb check: all together
					 * twice that time */
	ROUNDS_MAX = 3,			/* of other plans */
	SMALL_PROGRAM = 20000,		/* instructions: in what is larger there are no other plans */
};

VEC_TYPE(candidates, struct fix_candidate *);
VEC_TYPE(tried_plans, const struct fix_plan *);

/* A unit of the program as it was compiled last with edits. */
struct fix_unit {
	uint64_t text;			/* of the edited files that it reads: a digest */
	struct ir_module *module;	/* NULL: never */
	bool used;			/* by this trial */
	bool over;			/* the module has but the edited functions */
	uint32_t twin;			/* an earlier one that was the same; IR_NONE */
};

struct trial {
	struct fix_proof *p;
	struct arena arena;
	struct fix_files files;
	VEC(struct front_again) again;
	VEC(uint32_t) parts;		/* of each unit that is compiled again */
	VEC(struct unit_text) texts;
	struct ir_module *program;
	struct findings after;
	bool careful;			/* nobody is withdrawn on a suspicion */
};

/* ---- the edited program ---- */

static void trial_release(struct trial *t)
{
	for (uint32_t i = 0; i < t->again.n; i++)	/* the modules are the proof's */
		free(t->again.v[i].error);
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

/* Of the edited texts that a unit reads; 0 if it reads none. */
static uint64_t text_digest(const struct trial *t, const struct ir_module *m)
{
	uint64_t h = 0;

	for (uint32_t i = 0; i < t->files.n; i++)
		if (reads_file(m, t->files.v[i].path))
			h = hash_join(hash_join(h, hash_str(t->files.v[i].path) | 1),
				      hash_bytes(t->files.v[i].text, t->files.v[i].n, 0)) | 1;
	return h;
}

/* The source of a unit, if that is all that is edited of what it reads. */
static const struct fix_file *edited_source(const struct trial *t, const struct front_part *part)
{
	bool has_source = part->unit.path && part->module->units.n == 1;
	char *source = has_source ? path_from(part->unit.dir, part->unit.path) : NULL;
	const struct fix_file *found = NULL;
	bool other = false;

	for (uint32_t i = 0; i < t->files.n && source; i++) {
		if (str_eq(t->files.v[i].path, source))
			found = &t->files.v[i];
		else
			other |= reads_file(part->module, t->files.v[i].path);
	}
	free(source);
	return other ? NULL : found;
}

/* The edited functions of a source are all that is compiled of it. */
static void take_source(struct trial *t, const struct front_part *part, const struct fix_file *f,
			struct front_again *a)
{
	struct unit_text *x = arena_new(&t->arena, struct unit_text);
	struct sbuf b = {0};

	fix_editor_text(t->p->editor, part, f, &b);
	*x = (struct unit_text){ f->path, arena_copy(&t->arena, sbuf_str(&b), b.n + 1), b.n };
	sbuf_release(&b);
	a->unit.texts = x;
	a->unit.ntexts = 1;
	a->lean = fix_editor_lean(t->p->editor, part);
}

/* Finds units of one source that gave the same IR, flags aside. */
static void find_twins(struct fix_proof *p)
{
	const struct front_result *r = &p->program->r;

	for (uint32_t i = 0; i < r->parts.n; i++) {
		const struct ir_module *m = r->parts.v[i].module;

		p->units[i].twin = IR_NONE;
		for (uint32_t k = 0; k < i && m->units.n == 1 && p->units[i].twin == IR_NONE; k++) {
			const struct ir_module *other = r->parts.v[k].module;

			if (r->parts.v[k].unit.path && other->units.n == 1 &&
			    str_eq(other->units.v[0].path, m->units.v[0].path) && ir_equal(other, m) == 0)
				p->units[i].twin = k;
		}
	}
}

/* The unit whose module serves this one, too: for functions alone it does not matter whose they are. */
static const struct fix_unit *maker_of(const struct fix_proof *p, const struct fix_unit *unit)
{
	const struct fix_unit *twin = unit->twin == IR_NONE ? NULL : &p->units[unit->twin];

	assert(!twin || twin < unit);	/* it was listed before */

	return twin && twin->over && unit->over ? twin : unit;
}

/* Lists the units that have code of an edited file, but those that are there already. */
static int list_units(struct trial *t)
{
	const struct front_result *r = &t->p->program->r;

	for (uint32_t i = 0; i < r->parts.n; i++) {
		const struct front_part *part = &r->parts.v[i];
		struct fix_unit *unit = &t->p->units[i];
		struct front_again a = { .unit = part->unit };
		uint64_t h = text_digest(t, part->module);
		const struct fix_file *source = h ? edited_source(t, part) : NULL;

		unit->used = h != 0;
		unit->over = source != NULL;
		if (!h || (unit->module && unit->text == h))
			continue;
		if (!part->unit.path)
			return error_set("how %s is compiled is not known (name its source, or give -p DIR)",
					 part->module->units.n ? part->module->units.v[0].path : "a unit");
		ir_module_free(unit->module);
		unit->module = NULL;
		unit->text = h;
		if (maker_of(t->p, unit) != unit)
			continue;
		a.unit.texts = t->texts.v;
		a.unit.ntexts = t->texts.n;
		if (source)
			take_source(t, part, source, &a);
		vec_push(&t->again, a);
		vec_push(&t->parts, i);
	}
	return 0;
}

/* Compiles with all of their headers those that were too lean for the patched text. */
static int compile_whole(struct trial *t)
{
	VEC(struct front_again) again = {0};
	VEC(uint32_t) which = {0};
	int ret = 0;

	for (uint32_t i = 0; i < t->again.n; i++) {
		const struct front_part *part = &t->p->program->r.parts.v[t->parts.v[i]];
		struct front_again *a = &t->again.v[i];

		if (!a->lean || a->module)
			continue;
		diag_verbose("%s: its headers are taken whole: %s", part->unit.file, a->error);
		fix_editor_drop_lean(t->p->editor, part);
		free(a->error);
		a->error = NULL;
		a->lean = NULL;
		vec_push(&again, *a);
		vec_push(&which, i);
	}
	if (again.n)
		ret = front_again(again.v, again.n, t->p->program->o);
	for (uint32_t i = 0; i < again.n; i++)
		t->again.v[which.v[i]] = again.v[i];
	vec_release(&again);
	vec_release(&which);
	return ret;
}

/* True: it is of text that was inserted. */
static bool move_pos(struct fix_file *const *files, struct ir_pos *pos)
{
	struct fix_file *f = pos->file == IR_NONE || !pos->line ? NULL : files[pos->file];
	uint32_t col = pos->col;
	bool inserted = f && fix_file_back(f, &pos->line, &col);

	pos->col = (uint16_t)MIN(col, UINT16_MAX);
	return inserted;
}

/* Gives all that comes from edited texts the positions it had before, since most of the program
 * is still there. */
static void move_back(struct trial *t, struct ir_module *m)
{
	struct fix_file **files = xcalloc(m->files.n + 1, sizeof(struct fix_file *));

	for (uint32_t i = 0; i < m->files.n; i++) {
		char *path = path_normal(m->files.v[i]);

		for (uint32_t k = 0; k < t->files.n; k++)
			if (str_eq(t->files.v[k].shown ? t->files.v[k].shown : t->files.v[k].path, path))
				files[i] = &t->files.v[k];
		free(path);
	}
	for (uint32_t i = 0; i < m->globals.n; i++)
		move_pos(files, &m->globals.v[i].pos);
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		struct ir_func *f = &m->funcs.v[i];

		move_pos(files, &f->pos);
		for (uint32_t k = 0; k < f->nslots; k++)
			move_pos(files, &f->slots[k].pos);
		for (uint32_t k = 0; k < f->ninsts; k++)
			if (move_pos(files, &f->insts[k].pos))
				f->insts[k].flags |= IR_F_ADDED;
	}
	free(files);
}

/* Compiles every unit that has code of an edited file.  Negative: one does not compile. */
static int compile(struct trial *t)
{
	int ret = 0;

	for (uint32_t i = 0; i < t->files.n; i++) {
		struct unit_text x = { t->files.v[i].path, t->files.v[i].text, t->files.v[i].n };

		vec_push(&t->texts, x);
	}
	if (list_units(t) < 0 ||
	    (t->again.n && front_again(t->again.v, t->again.n, t->p->program->o) < 0) ||
	    compile_whole(t) < 0)
		return -1;
	assert(t->again.n == t->parts.n);
	for (uint32_t i = 0; i < t->again.n; i++) {
		struct fix_unit *unit = &t->p->units[t->parts.v[i]];

		unit->module = t->again.v[i].module;
		if (!unit->module && ret == 0)
			ret = error_set("the patched source does not compile: %s", t->again.v[i].error);
		if (unit->module)
			move_back(t, unit->module);
		if (unit->module && unit->over)
			fix_editor_strip(t->p->editor,
					 t->p->program->r.parts.v[t->parts.v[i]].module, unit->module);
	}
	return ret;
}

static int link_program(struct trial *t)
{
	const struct front_result *r = &t->p->program->r;
	struct ir_module **modules = xcalloc(MAX(r->parts.n, 1), sizeof(*modules));
	struct ir_module **over = xcalloc(MAX(r->parts.n, 1), sizeof(*over));
	uint32_t *of = xcalloc(MAX(r->parts.n, 1), sizeof(*of));
	const struct ir_scopes scopes = { of, r->exports.v, r->exports.n };
	unsigned dups;
	int ret;

	for (uint32_t i = 0; i < r->parts.n; i++) {
		const struct fix_unit *unit = &t->p->units[i];
		struct ir_module *now = maker_of(t->p, unit)->module;

		of[i] = r->parts.v[i].scope;
		modules[i] = unit->used && !unit->over ? now : r->parts.v[i].module;
		over[i] = unit->used && unit->over ? now : NULL;
	}
	ret = ir_link_over(&t->program, modules, over, r->parts.n, scopes.n ? &scopes : NULL, &dups);
	free(modules);
	free(over);
	free(of);
	return ret;
}

/* ---- what is found in it ---- */

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
	return arena_printf(&fs->arena, "%s:%u",
			    l->file ? path_base(l->file) : path_base(f->alloc.file), l->line);
}

static bool is_among(const struct findings *fs, const struct finding *f)
{
	for (uint32_t i = 0; i < fs->v.n; i++)
		if (same_finding(fs->v.v[i], f))
			return true;
	return false;
}

static bool is_known(const struct fix_proof *p, const struct finding *f)
{
	return is_among(p->before, f) || is_among(&p->kept->doubts, f);
}

static void withdraw(struct fix_candidate *c, const char *why)
{
	c->kept = false;
	c->why = why;
}

static bool edits_function(const struct trial *t, const struct fix_plan *plan, const char *function)
{
	const struct ir_module *m = t->p->program->r.program;

	for (uint32_t i = 0; function && i < plan->in.n; i++)
		if (str_eq(m->funcs.v[plan->in.v[i].func].src, function))
			return true;
	return false;
}

/* May a plan be to blame for a finding?  Pass 0: by the object, pass 1: by the functions that it edits,
 * pass 2: since it is daring. */
static bool may_cause(const struct trial *t, const struct fix_plan *plan, const struct finding *f, int pass)
{
	if (pass == 0)
		return same_place(&plan->finding->alloc, &f->alloc);
	if (pass == 2)
		return plan->daring;
	return edits_function(t, plan, f->alloc.function) || edits_function(t, plan, f->leak.function);
}

static const char *new_finding(const struct trial *t, const struct finding *f)
{
	struct findings *fs = t->p->before;

	return arena_printf(&fs->arena, "with it there would be a new finding, %s (%s)",
			    finding_kind_name(f->kind), place_text(fs, f, &f->alloc));
}

/* Withdraws those that may be to blame for something new; if one of several is, all of them become
 * suspects, or nobody is withdrawn in a careful trial.  False: nobody was. */
static bool blame_new(const struct trial *t, struct candidates *v, const struct finding *f)
{
	const char *why = new_finding(t, f);
	uint32_t n = 0;
	int pass = -1;

	while (!n && ++pass < 3)
		for (uint32_t i = 0; i < v->n; i++)
			n += may_cause(t, v->v[i]->plan, f, pass);
	if (!n || (n > 1 && t->careful))
		return false;
	for (uint32_t i = 0; i < v->n; i++)
		if (may_cause(t, v->v[i]->plan, f, pass)) {
			withdraw(v->v[i], why);
			v->v[i]->suspect = n > 1;
		}
	return true;
}

/* Withdraws the plans that are to blame for a finding.  False: there are none. */
static bool blame(const struct trial *t, const struct candidates *settled, struct candidates *v,
		  const struct finding *f)
{
	bool found = false, known = is_known(t->p, f);

	for (uint32_t i = 0; i < settled->n; i++)	/* it was gone */
		known &= !same_finding(settled->v[i]->plan->finding, f);
	for (uint32_t i = 0; i < v->n; i++) {
		struct fix_candidate *c = v->v[i];

		if (same_finding(c->plan->finding, f) || (!known && same_alloc(c->plan->finding, f))) {
			withdraw(c, "the object would still leak on some path");
			found = true;
		}
	}
	if (!found && !known)
		diag_verbose("%s:%u: with the patches there is a new finding, %s (lost at line %u)",
			     f->alloc.file ? f->alloc.file : "?", f->alloc.line, finding_kind_name(f->kind),
			     f->leak.line);
	return found || known || blame_new(t, v, f);
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

static int by_number(const void *a, const void *b)
{
	const struct fix_candidate *x = *(struct fix_candidate *const *)a;
	const struct fix_candidate *y = *(struct fix_candidate *const *)b;

	return (x > y) - (x < y);
}

/* The plans of both in the order in which they will be applied in the end, whoever was settled first: the
 * text that is tried is the one that people get. */
static void collect_plans(const struct candidates *settled, const struct candidates *v,
			  struct tried_plans *out)
{
	struct candidates all = {0};

	for (uint32_t i = 0; i < settled->n; i++)
		vec_push(&all, settled->v[i]);
	for (uint32_t i = 0; i < v->n; i++)
		vec_push(&all, v->v[i]);
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_number);
	for (uint32_t i = 0; i < all.n; i++)
		vec_push(out, all.v[i]->plan);
	vec_release(&all);
}

/* How many analyses there may be. */
static unsigned may_have(const struct fix_proof *p)
{
	return p->is_small ? ANALYSES_MAX : ANALYSES_OF_LARGE;
}

/* Tries these together with the settled.  BLAMED: some of them were withdrawn. */
static enum verdict try_together(struct fix_proof *p, const struct candidates *settled, struct candidates *v,
				 bool careful)
{
	struct trial t = { .p = p, .careful = careful };
	struct tried_plans plans = {0};
	enum verdict ret = HOLDS;
	const char *unclear = NULL;

	progress_part("proof %u of at most %u: ", p->analyses + 1, may_have(p));
	arena_init(&t.arena);
	findings_init(&t.after);
	collect_plans(settled, v, &plans);
	fix_editor_apply(p->editor, plans.v, plans.n, &t.arena, &t.files);
	fix_files_keep_lines(&t.files);
	if (compile(&t) < 0 || link_program(&t) < 0) {
		ret = blame_compiler(&t, v, error_last()) ? BLAMED : UNCLEAR;
		goto done;
	}
	p->analyses++;
	if (!check_again(&t.after, t.program, p->program, p->check, p->kept)) {
		for (uint32_t i = 0; i < v->n; i++)
			withdraw(v->v[i], "the patched program could not be analysed to the end");
		ret = BLAMED;
		goto done;
	}
	for (uint32_t i = 0; i < t.after.v.n; i++) {
		struct finding *f = t.after.v.v[i];

		if (!blame(&t, settled, v, f) && !unclear)
			unclear = new_finding(&t, f);
	}
	for (uint32_t i = 0; i < v->n; i++)
		if (!v->v[i]->kept)
			ret = BLAMED;
	if (ret == HOLDS && unclear)
		ret = UNCLEAR;
	if (ret == UNCLEAR && v->n == 1) {
		withdraw(v->v[0], unclear);
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

static void settle(struct candidates *settled, const struct candidates *v)
{
	for (uint32_t i = 0; i < v->n; i++) {
		assert(v->v[i]->kept);
		vec_push(settled, v->v[i]);
	}
}

/* Is another analysis within the budget? */
static bool may_try(const struct fix_proof *p)
{
	return p->analyses < may_have(p);
}

/* Settles those of v that hold together with what is settled.  r: UNCLEAR if that was the verdict on all
 * of them. */
static void search(struct fix_proof *p, struct candidates *settled, struct candidates *v,
		   bool careful, enum verdict r)
{
	struct candidates half[2] = {0};

	while (v->n && r == BLAMED && may_try(p)) {
		r = try_together(p, settled, v, careful);
		drop_withdrawn(v);
	}
	if (r == HOLDS) {
		settle(settled, v);
		return;
	}
	if (!may_try(p)) {
		for (uint32_t i = 0; i < v->n; i++)
			withdraw(v->v[i], "it was not proved: too many of the other patches failed");
		return;
	}
	for (uint32_t i = 0; i < v->n; i++)
		vec_push(&half[i >= (v->n + 1) / 2], v->v[i]);
	for (int k = 0; k < 2 && v->n; k++)
		search(p, settled, &half[k], careful, BLAMED);
	vec_release(&half[0]);
	vec_release(&half[1]);
}

/* What is left to be tried for a candidate that failed: itself, if it may be innocent, or another plan. */
static bool try_again(struct fix_proof *p, struct fix_candidate *c)
{
	struct fix_plan *plan = c->suspect ? c->plan :
				p->is_small ? c->plan->next : NULL;

	assert(!c->kept);
	c->suspect = false;
	plan = plan ? fix_edit_any(p->editor, plan, p->before) : NULL;
	if (!plan)
		return false;
	c->plan = plan;
	c->kept = true;
	return true;
}

/* What is being proved. */
struct proving {
	struct fix_candidate *v;
	uint32_t n;
	const char **why;		/* the first plans failed */
	struct candidates settled, some;
};

/* Those that have failed and can be tried again; without `more`, none. */
static void find_again(struct fix_proof *p, struct proving *x, bool more, struct candidates *out)
{
	vec_clear(out);
	for (uint32_t i = 0; i < x->n; i++) {
		if (x->v[i].kept)
			continue;
		if (!x->why[i])
			x->why[i] = x->v[i].why;
		if (more && may_try(p) && try_again(p, &x->v[i]))
			vec_push(out, &x->v[i]);
	}
}

/* The first trial, and if some fail, the rest of them together with what else can be tried for these.  True:
 * all that is settled then, and the round is over; else nothing of the second part was done, and *r is what
 * the first trial said. */
static bool prove_ahead(struct fix_proof *p, struct proving *x, enum verdict *r)
{
	struct candidates again = {0}, none = {0};
	struct fix_candidate *as_it_was = xcalloc(MAX(x->n, 1), sizeof(*as_it_was));
	enum verdict now = BLAMED;
	bool ok;

	*r = try_together(p, &none, &x->some, false);
	drop_withdrawn(&x->some);
	memcpy(as_it_was, x->v, x->n * sizeof(*x->v));
	find_again(p, x, *r == BLAMED && x->some.n, &again);
	ok = again.n;
	while (again.n && now == BLAMED && may_try(p)) {
		now = try_together(p, &x->some, &again, true);
		drop_withdrawn(&again);
	}
	if (ok && !again.n && may_try(p))
		now = try_together(p, &none, &x->some, false);
	ok &= now == HOLDS;
	if (ok) {
		settle(&x->settled, &x->some);
		settle(&x->settled, &again);
	} else {
		memcpy(x->v, as_it_was, x->n * sizeof(*x->v));
	}
	vec_release(&again);
	free(as_it_was);
	return ok;
}

static uint64_t count_insts(const struct ir_module *m)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < m->funcs.n; i++)
		n += m->funcs.v[i].ninsts;
	return n;
}

void fix_prove(struct fix_proof *p, struct fix_candidate *v, uint32_t n)
{
	struct proving x = { .v = v, .n = n, .why = xcalloc(MAX(n, 1), sizeof(*x.why)) };
	unsigned round = 1;
	enum verdict r = BLAMED;

	p->analyses = 0;
	p->is_small = count_insts(p->program->r.program) <= SMALL_PROGRAM;
	p->units = xcalloc(MAX(p->program->r.parts.n, 1), sizeof(*p->units));
	find_twins(p);
	for (uint32_t i = 0; i < n; i++) {
		v[i].kept = true;
		v[i].suspect = false;
		v[i].why = NULL;
		vec_push(&x.some, &v[i]);
	}
	if (n && prove_ahead(p, &x, &r))
		round++;
	else if (n)
		search(p, &x.settled, &x.some, false, r);
	for (find_again(p, &x, round <= ROUNDS_MAX, &x.some); x.some.n;
	     find_again(p, &x, ++round <= ROUNDS_MAX, &x.some))
		search(p, &x.settled, &x.some, true, BLAMED);
	for (uint32_t i = 0; i < n; i++) {
		assert(v[i].kept || x.why[i]);	/* what is not kept has a reason */
		v[i].why = v[i].kept ? NULL : x.why[i];
	}
	for (uint32_t i = 0; i < p->program->r.parts.n; i++)
		ir_module_free(p->units[i].module);
	free(p->units);
	p->units = NULL;
	progress_part(NULL);
	free(x.why);
	vec_release(&x.settled);
	vec_release(&x.some);
}
