/*
 * fix.c - plumb fix, all of it on one page: fix_program().
 *
 * Both engines, a plan for each leak, edits for each plan, the proof of all edits together.  What is left
 * are edited texts, and a reason for each leak that stays.
 */
#include "prove/fix.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/progress.h"

void fix_init(struct fix *x, const struct check_program *p, const struct fix_options *o)
{
	*x = (struct fix){ .o = o, .program = p };
	findings_init(&x->fs);
	check_kept_init(&x->kept);
	arena_init(&x->arena);
}

void fix_release(struct fix *x)
{
	check_kept_release(&x->kept);
	fix_editor_free(x->editor);
	for (uint32_t i = 0; i < x->plans.n; i++)
		fix_plan_release(&x->plans.v[i]);
	vec_release(&x->plans);
	vec_release(&x->tried);
	fix_files_release(&x->files);
	findings_release(&x->fs);
	arena_release(&x->arena);
}

bool fix_is_asked(const struct fix *x, const struct finding *f)
{
	bool counts = !f->suppressed && !f->in_baseline && !f->elsewhere;

	return finding_kind_is_leak(f->kind) && counts && (!x->o->finding || str_eq(x->o->finding, f->id));
}

static void refuse(struct fix *x, struct finding *f, const char *why)
{
	f->fix = FINDING_FIX_REFUSED;
	f->fix_reason = arena_strdup(&x->fs.arena, why);
	vec_clear(&f->edits);
}

/* A plan for each leak, while the points-to sets are there. */
static void make_plans(struct fix *x)
{
	double start = clock_cpu();
	struct fix_planner *planner = fix_planner_new(x->program->r.program, x->program->models, x->kept.pta);

	progress_start("planning", x->fs.v.n);
	for (uint32_t i = 0; i < x->fs.v.n; i++) {
		struct finding *f = x->fs.v.v[i];
		struct fix_plan plan = {0};

		if (!fix_is_asked(x, f))
			continue;
		progress_step(i, f->variable);
		x->asked++;
		fix_plan_make(planner, f, &x->fs.arena, &plan);
		if (plan.in.n) {
			vec_push(&x->plans, plan);
		} else {
			refuse(x, f, plan.refused ? plan.refused : "no safe place was found");
			fix_plan_release(&plan);
		}
	}
	progress_end();
	diag_verbose("planning: %.3f s, %.1f %% of its budget",
		     clock_cpu() - start, fix_planner_work(planner));
	fix_planner_free(planner);
}

/* Edits for each plan; those that can be written are candidates for the proof. */
static void make_edits(struct fix *x)
{
	x->editor = fix_editor_new(&x->program->r, x->program->o);
	if (x->o->in_place)
		fix_editor_stay_inside(x->editor);
	fix_editor_exclude(x->editor, &x->fs);
	fix_editor_prepare(x->editor, x->plans.v, x->plans.n);
	progress_start("editing", x->plans.n);
	for (uint32_t i = 0; i < x->plans.n; progress_step(++i, NULL)) {
		struct fix_candidate c = { .plan = fix_edit_any(x->editor, &x->plans.v[i], &x->fs) };

		if (!c.plan)
			refuse(x, x->plans.v[i].finding, error_last());
		else
			vec_push(&x->tried, c);
	}
	progress_end();
}

/* Proves them. */
static void prove(struct fix *x)
{
	struct fix_proof p = {
		.editor = x->editor,
		.program = x->program,
		.check = &x->o->check,
		.before = &x->fs,
		.kept = &x->kept,
	};

	fix_prove(&p, x->tried.v, x->tried.n);
	diag_verbose("%u plans, %u of them can be written, %u analyses to prove them",
		     x->plans.n, x->tried.n, p.analyses);
	for (uint32_t i = 0; i < x->tried.n; i++) {
		const struct fix_candidate *c = &x->tried.v[i];
		struct finding *f = c->plan->finding;

		if (!c->kept) {
			refuse(x, f, c->why);
			continue;
		}
		f->fix = FINDING_FIX_AVAILABLE;
		f->fix_reason = c->plan->what ? c->plan->what : "";
		x->fixed++;
	}
}

/* The texts with all that hold. */
static int make_texts(struct fix *x)
{
	VEC(const struct fix_plan *) kept = {0};

	for (uint32_t i = 0; i < x->tried.n; i++)
		if (x->tried.v[i].kept)
			vec_push(&kept, x->tried.v[i].plan);
	fix_editor_apply(x->editor, kept.v, kept.n, &x->arena, &x->files);
	vec_release(&kept);
	return fix_files_to_origins(&x->files, &x->arena);
}

/* plumb fix, all of it. */
int fix_program(struct fix *x)
{
	if (check_program(&x->fs, x->program, &x->o->check, &x->kept) < 0)
		return -1;
	make_plans(x);
	make_edits(x);
	prove(x);
	if (make_texts(x) < 0)
		return -1;
	if (x->o->finding && !x->asked)
		return error_set("no leak with the id %s is found (plumb check --format json tells ids)",
				 x->o->finding);
	return 0;
}
