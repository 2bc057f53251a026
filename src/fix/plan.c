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

#include "base/hash.h"

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
	p->sources = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->sources));
	p->reach = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->reach));
	p->looks = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->looks));
	if (p->usable)
		effects_build(p);
	return p;
}

static void drop_sims(struct fix_planner *p)
{
	for (uint32_t i = 0; i < p->sims.n; i++) {
		sim_release(p->sims.v[i]);
		free(p->sims.v[i]);
	}
	vec_clear(&p->sims);
	p->nnodes = 0;
}

void fix_planner_free(struct fix_planner *p)
{
	if (!p)
		return;
	drop_sims(p);
	vec_release(&p->sims);
	for (uint32_t i = 0; i < p->m->funcs.n; i++)
		sim_sources_free(p->sources[i]);
	free(p->sources);
	effects_release(p);
	vec_release(&p->cells);
	vec_release(&p->contexts);
	vec_release(&p->overflows);
	vec_release(&p->releases);
	vec_release(&p->slots_of);
	vec_release(&p->names);
	free(p->params);
	free(p->makers);
	free(p->reach);
	free(p->looks);
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

/* The set M: this source, and those of objects that can be in the same variables and are
 * released in the same way. */
static void find_set(struct plan_sim *sim, uint32_t birth, bool alone)
{
	const struct plan_sources *x = sim_sources(sim->pl, sim->func);
	struct bits both;

	bits_init(&both, sim->f->nslots + 1);
	sim->births.v[birth].follow = true;
	for (uint32_t i = 0; i < sim->births.n && !alone; i++) {
		bits_copy(&both, &x->slots[i]);
		bits_and(&both, &x->slots[birth]);
		if (bits_next(&both, 0) != UINT32_MAX && sim->births.v[i].inner == sim->births.v[birth].inner && summary_same_releaser(sim->births.v[i].effect, sim->births.v[birth].effect))
			sim->births.v[i].follow = true;
	}
	bits_release(&both);
}

/* Does the set leave out a source that may take over the object of another, as realloc() does? */
static bool is_taken_over(const struct plan_sim *sim)
{
	for (uint32_t i = 0; i < sim->births.n; i++) {
		const struct plan_birth *b = &sim->births.v[i];
		const struct model *md = pta_model(sim->pl->p, b->callee);

		for (uint32_t k = 1; md && !b->follow && !b->rows && k < sim->f->insts[b->inst].nops; k++)
			if (model_frees(md, k))
				return true;
	}
	return false;
}

/* ---- one plan -------------------------------------------------------------------- */

/* How the object is kept hold of.  In the order in which they are tried: what a person would write
 * first. */
static const struct way {
	bool plain;	/* by the variables that there are, but not on edges that the text may have no place for */
	bool keeper;	/* by a variable of the plan's own, set where the object is made */
	bool clears;	/* ... and to null where others free it or get it */
	bool zeroed;	/* by variables that a call fills or leaves alone, and that begin as null now */
	bool guarded;	/* where another variable, or what is returned, tells whether there is something to be released */
	bool alone;	/* the set M has just the one source: realloc() takes what another one made */
} ways[] = {
	{ .plain = false },
	{ .plain = true },
	{ .keeper = true },
	{ .keeper = true, .clears = true },
	{ .zeroed = true },
	{ .guarded = true },
	{ .keeper = true, .guarded = true },
	{ .keeper = true, .clears = true, .guarded = true },
	{ .keeper = true, .guarded = true, .alone = true },
};

/* What a simulation depends on, variables that are cleared aside. */
static uint64_t sim_digest(const struct plan_sim *sim)
{
	uint64_t h = hash_join(sim->func, sim->keeper | sim->guarded << 1 | sim->zeroed << 2 | sim->alone << 3);

	for (uint32_t i = 0; i < sim->births.n; i++)
		h = sim->births.v[i].follow ? hash_join(h, i) : h;
	return h;
}

/* As sim_run(), but a set M that was too much in this function before is not followed again: the
 * sources of a large function that share a variable have one set, and as many findings as sources. */
static void run_unless(struct fix_planner *p, struct plan_sim *sim)
{
	uint64_t h = sim_digest(sim);

	for (uint32_t i = 0; i < p->overflows.n && !sim->clears.n && !sim->overflow; i++)
		sim->overflow = p->overflows.v[i] == h;
	if (sim->overflow)
		return;
	sim_run(sim);
	if (sim->overflow && !sim->clears.n)
		vec_push(&p->overflows, h);
}

/* Do two follow the same objects in the same way? */
static bool is_same_sim(const struct plan_sim *a, const struct plan_sim *b)
{
	if (a->func != b->func || a->keeper != b->keeper || a->guarded != b->guarded || a->zeroed != b->zeroed || a->alone != b->alone ||
	    a->clears.n != b->clears.n)
		return false;
	for (uint32_t i = 0; i < a->births.n; i++)
		if (a->births.v[i].follow != b->births.v[i].follow)
			return false;
	for (uint32_t i = 0; i < a->clears.n; i++)
		if (a->clears.v[i].pos != b->clears.v[i].pos || a->clears.v[i].from != b->clears.v[i].from || a->clears.v[i].to != b->clears.v[i].to)
			return false;
	return true;
}

/* Runs a simulation, or finds that it was run before: the findings of a function, and the ways to plan, often want the same.
 * Takes *sim; the result is the planner's, and there until the next call. */
static struct plan_sim *run_once(struct fix_planner *p, struct plan_sim *sim)
{
	enum { MANY_NODES = 80000 };
	struct plan_sim *s;

	for (uint32_t i = 0; i < p->sims.n; i++)
		if (is_same_sim(p->sims.v[i], sim)) {
			sim_release(sim);
			return p->sims.v[i];
		}
	if (p->nnodes > MANY_NODES)
		drop_sims(p);
	s = xmalloc(sizeof(*s));
	*s = *sim;
	run_unless(p, s);
	p->nnodes += s->nodes.n;
	vec_push(&p->sims, s);
	return s;
}

/* What a variable of the plan's own must forget, and where. */
static void find_clears(struct plan_sim *sim, uint32_t birth)
{
	struct plan_sim first, *done;

	sim_init(&first, sim->pl, sim->func);
	sim_find_births(&first);
	find_set(&first, birth, false);
	first.keeper = true;
	first.guarded = sim->guarded;
	done = run_once(sim->pl, &first);
	if (!done->overflow && !done->odd)
		select_clears(done, &sim->clears);
}

/* Plans for one of the things that calls of the function make.  *sure: only by places that the text is sure to
 * have; then, whether the plan is so. */
static bool plan_for(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan, uint32_t func,
		     uint32_t birth, const struct way *way, bool *sure)
{
	struct plan_request r = { .finding = f, .arena = arena, .plan = plan, .birth = birth, .plain = way->plain || *sure };
	struct plan_sim sim;

	*sure = false;
	sim_init(&sim, p, func);
	sim_find_births(&sim);
	find_set(&sim, birth, way->alone);
	sim.keeper = way->keeper;
	sim.guarded = way->guarded;
	sim.zeroed = way->zeroed;
	sim.alone = way->alone;
	if (way->clears)
		find_clears(&sim, birth);
	if (way->alone && !is_taken_over(&sim))
		plan->refused = "there is nobody to leave out";
	else if (way->clears && !sim.clears.n)
		plan->refused = "there is nothing to forget";
	if (plan->refused) {
		sim_release(&sim);
		return false;
	}
	r.sim = run_once(p, &sim);
	if (r.sim->overflow)
		plan->refused = "the function has too many paths";
	else if (r.sim->odd)
		plan->refused = arena_printf(arena, "the function cannot be followed: %s", r.sim->odd);
	else
		select_places(&r);
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

/* Does the first plan release a member of a struct on the stack? */
static bool is_of_struct(const struct plan_list *l)
{
	const struct ir_module *m = l->p->m;

	for (uint32_t i = 0; l->last && i < l->first->in.n; i++)
		for (uint32_t k = 0; k < l->first->in.v[i].names.n; k++) {
			const struct fix_insertion *in = &l->first->in.v[i];

			if (in->names.v[k].slot != IR_NONE &&
			    m->types.v[ir_type_strip(m, m->funcs.v[in->func].slots[in->names.v[k].slot].type)].kind == IR_T_STRUCT)
				return true;
		}
	return false;
}

/* The same, but it is tried before all others. */
static void add_first(struct plan_list *l, struct fix_plan *plan)
{
	struct fix_plan *old = arena_new(l->arena, struct fix_plan);

	assert(l->last && !plan->refused);
	*old = *l->first;
	plan->next = old;
	*l->first = *plan;
	if (l->last == l->first)
		l->last = old;
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
		for (const struct way *way = ways; way < ways + sizeof(ways) / sizeof(*ways) && count_plans(l) < MAX_PLANS; way++) {
			struct fix_plan plan = new_plan(l);
			bool one = (way->clears || way->guarded) && had;

			if (way->keeper && array_is_element(l->p, func, b->inst))
				continue;	/* one variable cannot hold them all */
			if ((way->plain && (!had || sure)) || ((way->clears || way->guarded) && sure) || (way->zeroed && (had || !b->rows)))
				continue;
			had |= plan_for(l->p, l->f, l->arena, &plan, func, i, way, &one);
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

		if (local_plan(p, l->f, l->arena, &plan) && is_of_struct(l))
			add_first(l, &plan);	/* as the program does it itself */
		else
			add_plan(l, &plan);
	}
	if (!l->last && is_place(p, &f->lost)) {
		struct fix_plan plan = new_plan(l);

		if (f->kind == FINDING_NEVER_FREED && f->lost.func != f->made.func)
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
