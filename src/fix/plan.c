/*
 * plan.c - from a leak to insertions: the planner's front.
 *
 * Which function is mended: the one where the object is lost, if a call there makes the
 * object (a wrapper or constructor is a source like malloc, so that this is LeakFix's rule
 * that an allocation is checked in the procedure that calls an alloc procedure but is none
 * itself, III-C); else the one where it is allocated.
 *
 * The set M (II-C4) is all calls of that function whose objects can be in the variables that
 * the object can be in.
 */
#include "fix/plan.h"

struct fix_planner *fix_planner_new(const struct ir_module *m, const struct model_set *models, const struct pta *pta)
{
	struct fix_planner *p = xcalloc(1, sizeof(*p));
	struct pta_stats st = { .gave_up = true };

	p->m = m;
	p->models = models;
	p->p = pta;
	arena_init(&p->arena);
	if (pta)
		pta_get_stats(pta, &st);
	p->usable = !st.gave_up;
	p->params = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->params));
	p->makers = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->makers));
	if (p->usable)
		effects_build(p);
	return p;
}

void fix_planner_free(struct fix_planner *p)
{
	if (!p)
		return;
	effects_release(p);
	vec_release(&p->releases);
	vec_release(&p->slots_of);
	vec_release(&p->names);
	free(p->params);
	free(p->makers);
	arena_release(&p->arena);
	free(p);
}

void fix_plan_release(struct fix_plan *plan)
{
	for (; plan; plan = plan->next) {
		for (uint32_t i = 0; i < plan->in.n; i++)
			vec_release(&plan->in.v[i].names);
		vec_release(&plan->in);
	}
}

/* ---- the set M --------------------------------------------------------------- */

/* Which slots does the object of this source get into? */
static void slots_of(const struct plan_sim *sim, const struct plan_birth *b, struct bits *slots)
{
	const struct ir_inst *in = &sim->f->insts[b->inst];
	const struct plan_out *o = b->rows ? &b->rows->out[b->out] : NULL;
	struct bits vregs;

	bits_init(&vregs, sim->f->nvregs + 1);
	if (o && o->param + 1 < in->nops && IR_KIND(in->ops[o->param + 1]) == IR_R_SLOT)
		bits_set(slots, IR_IDX(in->ops[o->param + 1]));
	else if (!o && in->res != IR_NONE)
		bits_set(&vregs, in->res);
	plan_spread(sim->f, &vregs, slots);
	bits_release(&vregs);
}

/* The set M: this source, and those of objects that can be in the same variables and are
 * released in the same way. */
static void find_set(struct plan_sim *sim, uint32_t birth)
{
	struct bits mine, theirs;

	bits_init(&mine, sim->f->nslots + 1);
	bits_init(&theirs, sim->f->nslots + 1);
	sim->births.v[birth].follow = true;
	slots_of(sim, &sim->births.v[birth], &mine);
	for (uint32_t i = 0; i < sim->births.n; i++) {
		bits_zero(&theirs);
		slots_of(sim, &sim->births.v[i], &theirs);
		bits_and(&theirs, &mine);
		if (bits_count(&theirs) && summary_same_releaser(sim->births.v[i].effect, sim->births.v[birth].effect))
			sim->births.v[i].follow = true;
	}
	bits_release(&mine);
	bits_release(&theirs);
}

/* ---- one plan -------------------------------------------------------------------- */

/* How the object is kept hold of.  In the order in which they are tried: what a person would write
 * first. */
enum way {
	BY_VARIABLES,		/* by the variables that there are */
	BY_PLAIN_PLACES,	/* ... but not on edges that the text may have no place for */
	BY_KEEPER,		/* by a variable of the plan's own, set where the object is made */
	BY_CLEARED_KEEPER,	/* ... and to null where others free it or get it */
	NWAYS,
};

/* What a variable of the plan's own must forget, and where. */
static void find_clears(struct plan_sim *sim, uint32_t birth)
{
	struct plan_sim first;

	sim_init(&first, sim->pl, sim->func);
	sim_find_births(&first);
	find_set(&first, birth);
	first.keeper = true;
	sim_run(&first);
	if (!first.overflow && !first.odd)
		select_clears(&first, &sim->clears);
	sim_release(&first);
}

/* Plans for one of the things that calls of the function make.  *sure: only by places that the text is sure to
 * have; then, whether the plan is so. */
static bool plan_for(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan, uint32_t func,
		     uint32_t birth, enum way way, bool *sure)
{
	struct plan_request r = { .finding = f, .arena = arena, .plan = plan, .birth = birth, .plain = way == BY_PLAIN_PLACES || *sure };
	struct plan_sim sim;

	sim_init(&sim, p, func);
	sim_find_births(&sim);
	find_set(&sim, birth);
	sim.keeper = way >= BY_KEEPER;
	if (way == BY_CLEARED_KEEPER)
		find_clears(&sim, birth);
	r.sim = &sim;
	if (way == BY_CLEARED_KEEPER && !sim.clears.n) {
		plan->refused = "there is nothing to forget";
		goto done;
	}
	sim_run(&sim);
	if (sim.overflow)
		plan->refused = "the function has too many paths";
	else if (sim.odd)
		plan->refused = arena_printf(arena, "the function cannot be followed: %s", sim.odd);
	else
		select_places(&r);
done:
	sim_release(&sim);
	*sure = !plan->refused && !r.awkward;
	return !plan->refused;
}

/* ---- which function, and the list of plans ------------------------------------------- */

struct plan_list {
	struct fix_planner *p;
	struct finding *f;
	struct arena *arena;
	struct fix_plan *first, *last;	/* last: NULL as long as there is none */
	const char *why;		/* of the first that was tried */
};

enum { MAX_PLANS = 4 };

/* Takes a plan that was made; false if it was refused. */
static bool add_plan(struct plan_list *l, struct fix_plan *plan)
{
	struct fix_plan *to = l->first;

	assert(!plan->refused == (plan->in.n > 0));
	if (plan->refused) {
		l->why = l->why ? l->why : plan->refused;
		return false;
	}
	if (l->last)
		to = l->last->next = arena_new(l->arena, struct fix_plan);
	*to = *plan;
	l->last = to;
	return true;
}

static uint32_t count_plans(const struct plan_list *l)
{
	uint32_t n = 0;

	for (const struct fix_plan *x = l->last ? l->first : NULL; x; x = x->next)
		n++;
	return n;
}

static struct fix_plan new_plan(const struct plan_list *l)
{
	return (struct fix_plan){ .finding = l->f, .what = "" };
}

/* Plans in one function, for the calls there that make the object. */
static void plan_in(struct plan_list *l, uint32_t func)
{
	struct plan_sim all;
	const struct finding *f = l->f;

	sim_init(&all, l->p, func);
	sim_find_births(&all);
	for (uint32_t i = 0; i < all.births.n; i++) {
		const struct plan_birth *b = &all.births.v[i];
		bool here = func == f->made.func && b->inst == f->made.inst && !(b->rows && b->rows->out[b->out].param == IR_NONE);
		bool had = false, sure = false;

		if (!here && !(b->origin.func == f->made.func && b->origin.inst == f->made.inst))
			continue;
		for (uint32_t way = 0; way < NWAYS && count_plans(l) < MAX_PLANS; way++) {
			struct fix_plan plan = new_plan(l);

			if (way == BY_KEEPER && array_is_element(l->p, func, b->inst))
				break;	/* one variable cannot hold them all */
			bool one = way == BY_CLEARED_KEEPER && had;

			if ((way == BY_PLAIN_PLACES && (!had || sure)) || (way == BY_CLEARED_KEEPER && sure))
				continue;
			had |= plan_for(l->p, l->f, l->arena, &plan, func, i, (enum way)way, &one);
			sure |= one;
			add_plan(l, &plan);
		}
	}
	sim_release(&all);
}

static bool is_place(const struct fix_planner *p, const struct finding_site *s)
{
	return s->func < p->m->funcs.n && s->inst < p->m->funcs.v[s->func].ninsts;
}

static const char *make_list(struct plan_list *l)
{
	const struct finding *f = l->f;
	struct fix_planner *p = l->p;

	if (!finding_kind_is_leak(f->kind))
		return "not a leak";
	if (!p->usable)
		return "the program is too large for the points-to analysis";
	if (!is_place(p, &f->made))
		return "the allocation is not in the program";
	if (!is_place(p, &f->lost))
		l->why = "what this call returns is not always a new object";
	else
		plan_in(l, f->lost.func);
	if (!l->last && f->lost.func != f->made.func)
		plan_in(l, f->made.func);
	if (!l->last && is_place(p, &f->lost)) {
		struct fix_plan plan = new_plan(l);

		l->why = l->why ? l->why : "what this call returns is not always a new object";
		if (!array_plan(p, l->f, l->arena, &plan))
			global_plan(p, l->f, l->arena, &plan);
		add_plan(l, &plan);
	}
	if (is_place(p, &f->lost) && count_plans(l) < MAX_PLANS) {
		struct fix_plan plan = new_plan(l);

		local_plan(p, l->f, l->arena, &plan);
		add_plan(l, &plan);
	}
	if (!l->last && f->lost.func != f->made.func && is_place(p, &f->lost)) {
		struct fix_plan plan = new_plan(l);

		if (f->kind == FINDING_NEVER_FREED)
			l->why = NULL;	/* then this is what a person would try */
		member_plan(p, l->f, l->arena, &plan);
		add_plan(l, &plan);
	}
	return l->last ? NULL : l->why;
}

void fix_plan_make(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan)
{
	struct plan_list l = { .p = p, .f = f, .arena = arena, .first = plan };

	*plan = new_plan(&l);
	plan->refused = make_list(&l);
	assert(!plan->refused == (plan->in.n > 0));
}
