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
#include "plan/priv.h"

#include "base/hash.h"

/* Half a million of instructions are executed in a second, all that hangs on it included.  plumb check takes
 * some 40 microseconds for an instruction of the program; planning may take half of that, and a leak a
 * second. */
enum { WORK_OF_LEAK = 600000, WORK_AT_LEAST = 2000000, WORK_PER_INST = 12 };

static uint64_t all_work(const struct ir_module *m)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < m->funcs.n; i++)
		n += m->funcs.v[i].ninsts;
	return MAX(n * WORK_PER_INST, WORK_AT_LEAST);
}

struct fix_planner *fix_planner_new(const struct ir_module *m, const struct model_set *models,
				    const struct pta *pta)
{
	struct fix_planner *p = xcalloc(1, sizeof(*p));
	struct pta_stats st = { .gave_up = true };

	p->m = m;
	p->models = models;
	p->p = pta;
	p->budget.all = all_work(m);
	arena_init(&p->arena);
	if (pta)
		pta_get_stats(pta, &st);
	p->usable = !st.gave_up;
	p->params = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->params));
	p->makers = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->makers));
	p->sources = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->sources));
	p->reach = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->reach));
	p->looks = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->looks));
	p->constants = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->constants));
	p->errnos = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->errnos));
	p->freers = xcalloc(MAX(m->funcs.n, 1), sizeof(*p->freers));
	bits_init(&p->crowded, MAX(m->funcs.n, 1));
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
	counted_release(p);
	acts_release(p);
	for (uint32_t i = 0; i < p->m->funcs.n; i++)
		sim_sources_free(p->sources[i]);
	free(p->sources);
	effects_release(p);
	vec_release(&p->cells);
	vec_release(&p->overflows);
	bits_release(&p->crowded);
	vec_release(&p->releases);
	vec_release(&p->usual);
	for (uint32_t i = 0; i < p->m->funcs.n; i++) {
		vec_release(&p->freers[i].insts);
		sbits_release(&p->freers[i].callees);
	}
	free(p->freers);
	vec_release(&p->slots_of);
	vec_release(&p->memories);
	vec_release(&p->shown);
	bits_release(&p->by_name);
	vec_release(&p->names);
	free(p->params);
	free(p->makers);
	free(p->reach);
	free(p->looks);
	free(p->constants);
	free(p->errnos);
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
		if (bits_next(&both, 0) != UINT32_MAX &&
		    sim->births.v[i].inner == sim->births.v[birth].inner &&
		    summary_same_releaser(sim->births.v[i].effect, sim->births.v[birth].effect))
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
	bool plain; /* by the variables that there are, but not on edges that the text may have no place for
		     */
	bool keeper;	/* by a variable of the plan's own, set where the object is made */
	bool clears;	/* ... and to null where others free it or get it */
	bool zeroed;	/* by variables that a call fills or leaves alone, and that begin as null now */
	bool guarded; /* where another variable, or what is returned, tells whether there is something to be
			 released */
	bool alone;	/* the set M has just the one source: realloc() takes what another one made */
	bool local;	/* the function has too many paths: only what comes behind the source is followed */
	bool lent;	/* in memory of others, until they may have looked */
	bool nulled; /* by the variables that there are, which are null from then on: if nothing else is left
			to be done with them than to release them */
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
	{ .nulled = true },
	{ .lent = true },
	{ .lent = true, .guarded = true },
	{ .local = true, .alone = true },
	{ .local = true },
};

/* ---- simulations that are too much ------------------------------------------------ */

/* The function, where it is followed from, and the set M. */
static uint64_t set_digest(const struct plan_sim *sim)
{
	uint64_t h = hash_join(sim->func, sim->from);

	for (uint32_t i = 0; i < sim->births.n; i++)
		h = sim->births.v[i].follow ? hash_join(h, i) : h;
	return h;
}

enum { WITH_KEEPER = 1, WITH_FLAGS = 2, WITH_NULLS = 4, WITH_ONE = 8, WITH_UNTOLD = 16, WITH_LENT = 32 };

static uint32_t ways_of(const struct plan_sim *sim)
{
	return (sim->keeper ? WITH_KEEPER : 0) | (sim->guarded ? WITH_FLAGS : 0) |
	       (sim->zeroed ? WITH_NULLS : 0) | (sim->alone ? WITH_ONE : 0) |
	       (sim->untold ? WITH_UNTOLD : 0) | (sim->lent ? WITH_LENT : 0);
}

/* Is it known that the simulation has too many states?  The sources of a large function that share a
 * variable have one set M, and as many findings as sources.  A keeper, and flags that are kept in mind, only
 * tell more states apart: each of those without them is there still.  (If fewer are forgotten for being
 * many, and it would have got done, a plan is missed.)  A keeper that is cleared may end the story of an
 * object: nothing is known of that. */
static bool is_too_much(const struct fix_planner *p, const struct plan_sim *sim)
{
	uint64_t set = set_digest(sim);
	uint32_t tried = ways_of(sim), more = WITH_KEEPER | WITH_FLAGS;

	if (sim->from == IR_NONE && bits_test(&p->crowded, sim->func))
		return true;
	for (uint32_t i = 0; i < p->overflows.n && !sim->clears.n; i++) {
		const struct plan_overflow *o = &p->overflows.v[i];

		if (o->set == set && (o->ways & ~tried) == 0 && ((o->ways ^ tried) & ~more) == 0)
			return true;
	}
	return false;
}

/* Keeps in mind that it was.  If nearly all of its states are of the time before there is an object, it is
 * the function that has so many, whatever is followed: of the set M and the way these depend only in what is
 * known of variables that get the objects. */
static void note_too_much(struct fix_planner *p, const struct plan_sim *sim)
{
	uint32_t before = 0;

	for (uint32_t i = 0; i < sim->nodes.n; i++)
		before += sim->nodes.v[i].s.phase == PHASE_BEFORE;
	if (sim->from == IR_NONE && before > PLAN_MAX_NODES / 10 * 9)
		bits_set(&p->crowded, sim->func);
	if (!sim->clears.n)
		vec_push(&p->overflows, ((struct plan_overflow){ set_digest(sim), ways_of(sim) }));
}

/* As sim_run(), but what was too much before is not followed again. */
static void run_unless(struct fix_planner *p, struct plan_sim *sim)
{
	sim->overflow = is_too_much(p, sim);
	if (sim->overflow)
		return;
	sim_run(sim);
	if (sim->overflow && !p->budget.over)
		note_too_much(p, sim);
}

/* Do two follow the same objects in the same way? */
static bool is_same_sim(const struct plan_sim *a, const struct plan_sim *b)
{
	if (a->func != b->func || a->keeper != b->keeper || a->guarded != b->guarded ||
	    a->zeroed != b->zeroed || a->alone != b->alone || a->mend != b->mend || a->untold != b->untold ||
	    a->lent != b->lent || a->from != b->from || a->clears.n != b->clears.n)
		return false;
	for (uint32_t i = 0; i < a->births.n; i++)
		if (a->births.v[i].follow != b->births.v[i].follow)
			return false;
	for (uint32_t i = 0; i < a->clears.n; i++)
		if (a->clears.v[i].pos != b->clears.v[i].pos || a->clears.v[i].from != b->clears.v[i].from ||
		    a->clears.v[i].to != b->clears.v[i].to)
			return false;
	return true;
}

/* Runs a simulation, or finds that it was run before: the findings of a function, and the ways to plan,
 * often want the same. Takes *sim; the result is the planner's, and there until the next call. */
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
	first.mend = sim->mend;
	done = run_once(sim->pl, &first);
	if (!done->overflow && !done->odd)
		select_clears(done, &sim->clears);
}

static const char *const too_many = "the function has too many paths";

/* Plans for one of the things that calls of the function make. */
static bool plan_for(struct fix_planner *p, uint32_t func, const struct way *way, struct plan_request *r)
{
	struct fix_plan *plan = r->plan;
	struct plan_sim sim;

	sim_init(&sim, p, func);
	sim_find_births(&sim);
	find_set(&sim, r->birth, way->alone);
	sim.keeper = way->keeper;
	sim.guarded = way->guarded;
	sim.zeroed = way->zeroed;
	sim.alone = way->alone;
	sim.mend = r->mend;
	sim.untold = r->untold;
	sim.lent = way->lent;
	sim.from = way->local ? sim.births.v[r->birth].inst : IR_NONE;
	if (way->clears)
		find_clears(&sim, r->birth);
	if (way->alone && !way->local && !is_taken_over(&sim))
		plan->refused = "there is nobody to leave out";
	else if (way->clears && !sim.clears.n)
		plan->refused = "there is nothing to forget";
	if (plan->refused) {
		sim_release(&sim);
		return false;
	}
	r->sim = run_once(p, &sim);
	if (r->sim->overflow)
		plan->refused = too_many;
	else if (r->sim->odd)
		plan->refused = arena_printf(r->arena, "the function cannot be followed: %s", r->sim->odd);
	else if (grown_is_shared(r->sim))
		plan->refused = "it may be what somebody else had a pointer to before it was reallocated";
	else
		select_places(r);
	return !plan->refused && !r->foreign;
}

/* ---- which function, and the list of plans ------------------------------------------- */

struct plan_list {
	struct fix_planner *p;
	struct finding *f;
	struct arena *arena;
	struct fix_plan *first, *last;	/* last: NULL as long as there is none */
	const char *why;		/* of the first that was tried */
	const struct plan_mend *mend;	/* what is done besides; or NULL */
	bool untold; /* what a callee may have kept, and does not tell, counts as kept: the leak is looked
			for elsewhere */
};

enum { MAX_PLANS = 4 };

/* Takes a plan that is tried before all others. */
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

/* Takes a plan that was made; false if it was refused.  One by the destructor is better than one that frees
 * the object alone. */
static bool add_plan(struct plan_list *l, struct fix_plan *plan)
{
	struct fix_plan *to = l->first;

	assert(!plan->refused == (plan->in.n > 0));
	if (plan->refused) {
		l->why = l->why ? l->why : plan->refused;
		return false;
	}
	if (l->last && l->first->shallow && !plan->shallow) {
		add_first(l, plan);
		return true;
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
			    m->types.v[ir_type_strip(m,
						     m->funcs.v[in->func].slots[in->names.v[k].slot].type)]
					    .kind == IR_T_STRUCT)
				return true;
		}
	return false;
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
	return (struct fix_plan){ .finding = l->f, .what = "", .daring = l->untold };
}

/* How sure it is that a source of the function makes what the finding is of. */
enum match { MATCH_NONE, MATCH_OBJECT, MATCH_CALL };

/* May the source make this object?  If it stores it through an argument, what can be there is asked for. */
static bool may_make(const struct fix_planner *p, uint32_t func, const struct plan_birth *b, uint32_t obj)
{
	const struct ir_inst *in = &p->m->funcs.v[func].insts[b->inst];
	const struct plan_out *o = b->rows ? &b->rows->out[b->out] : NULL;
	bool found = sbits_test(&b->objs, obj);

	if (!o || o->param + 1 >= in->nops)
		return !o && found;
	SBITS_FOREACH(l, pta_points_to(p->p, func, in->ops[o->param + 1])) {
		uint32_t at = pta_loc_at(p->p, l, o->off);

		if (at != IR_NONE)
			SBITS_FOREACH(to, pta_cell(p->p, at))
				found |= pta_loc(p->p, to)->obj == obj;
	}
	return found;
}

bool plan_is_made_by(const struct finding_site *made, uint32_t func, const struct plan_birth *b)
{
	if (func == made->func && b->inst == made->inst &&
	    !(b->rows && b->rows->out[b->out].param == IR_NONE))
		return true;
	return b->origin.func == made->func && b->origin.inst == made->inst;
}

void plan_add_made(const struct fix_planner *pl, uint32_t func, uint32_t inst, struct sbits *objs)
{
	for (unsigned n = 0; n < PTA_MAX_OUTS; n++) {
		uint32_t o = pta_heap_at(pl->p, func, inst, n);

		if (o != IR_NONE)
			sbits_set(objs, o);
	}
}

/* By the call that makes it, here or in callees; or as one of several that its object may be of. */
static enum match match_source(const struct plan_list *l, uint32_t func, const struct plan_birth *b)
{
	const struct finding *f = l->f;

	if (plan_is_made_by(&f->made, func, b))
		return MATCH_CALL;
	for (unsigned n = 0; n < PTA_MAX_OUTS; n++) {
		uint32_t o = pta_heap_at(l->p->p, f->made.func, f->made.inst, n);

		if (o != IR_NONE && may_make(l->p, func, b, o))
			return MATCH_OBJECT;
	}
	return MATCH_NONE;
}

/* Plans for what one source makes.  own: only if it is lost where the finding says so.  False: it is not. If
 * there is no way on which it is lost, none is tried but the first: the others keep hold of it otherwise, or
 * tell more states apart, and all of that makes none, but for those that follow it further. */
static bool plan_source(struct plan_list *l, uint32_t func, uint32_t birth, const struct plan_birth *b,
			bool own)
{
	bool had = false, sure = false, never = false;

	for (const struct way *way = ways; way < ways + ARRAY_LEN(ways) && count_plans(l) < MAX_PLANS;
	     way++) {
		struct fix_plan plan = new_plan(l);
		struct plan_request r = { .finding = l->f,
					  .arena = l->arena,
					  .plan = &plan,
					  .birth = birth,
					  .own = own,
					  .mend = l->mend,
					  .untold = l->untold,
					  .nulled = way->nulled,
					  .plain = way->plain || ((way->clears || way->guarded) && had) };

		if ((l->untold && way != ways) || l->p->budget.over)
			break;
		if (way->lent ? had : never)
			continue;
		if (way->local && (had || l->why != too_many))
			continue;
		if (way->keeper && array_is_element(l->p, func, b->inst))
			continue;	/* one variable cannot hold them all */
		if ((way->plain && (!had || sure)) || ((way->clears || way->guarded) && sure) ||
		    (way->zeroed && (had || !b->rows)) || (way->nulled && had))
			continue;
		had |= plan_for(l->p, func, way, &r);
		if (r.foreign)
			return false;
		sure |= !plan.refused && !r.awkward;
		add_plan(l, &plan);
		never |= r.never_lost && way == ways;
	}
	return true;
}

/* Plans in one function, for the calls there that make the object: first for those whose object is lost
 * where the finding says so.  Others are not left out, for the engines may follow it further than we do. */
static void plan_in(struct plan_list *l, uint32_t func)
{
	enum match best = MATCH_OBJECT, *match;
	struct plan_sim all;
	struct bits later;

	sim_init(&all, l->p, func);
	sim_find_births(&all);
	bits_init(&later, all.births.n + 1);
	match = xcalloc(MAX(all.births.n, 1), sizeof(*match));
	for (uint32_t i = 0; i < all.births.n; i++)
		best = MAX(best, match[i] = match_source(l, func, &all.births.v[i]));
	for (uint32_t i = 0; i < all.births.n; i++)
		if (match[i] == best && !plan_source(l, func, i, &all.births.v[i], true))
			bits_set(&later, i);
	for (uint32_t i = bits_next(&later, 0); i != UINT32_MAX && !l->last; i = bits_next(&later, i + 1))
		plan_source(l, func, i, &all.births.v[i], false);
	bits_release(&later);
	free(match);
	sim_release(&all);
}

static bool is_place(const struct fix_planner *p, const struct finding_site *s)
{
	return s->func < p->m->funcs.n && s->inst < p->m->funcs.v[s->func].ninsts;
}

/* Is it given to a call that does more than to release it, anywhere in the program? */
static bool is_asked(const struct fix_planner *p, const struct sbits *objs)
{
	for (uint32_t f = 0; f < p->m->funcs.n; f++)
		for (uint32_t i = 0; i < p->m->funcs.v[f].ninsts; i++) {
			const struct ir_inst *in = &p->m->funcs.v[f].insts[i];
			const struct ir_func *g = in->op == IR_CALL ? ir_callee(p->m, in) : NULL;
			const struct model *md = g ? pta_model(p->p, (uint32_t)(g - p->m->funcs.v)) : NULL;

			for (uint32_t k = 1; k < in->nops && in->op == IR_CALL; k++)
				if (!(md && model_frees(md, k)) &&
				    pta_meets(p->p, pta_points_to(p->p, f, in->ops[k]), objs))
					return true;
		}
	return false;
}

/* Is it of a kind that does something by being there, and nobody asks anything else of it?  Such a library
 * was loaded for what it does by itself, and that would end.  Given to a function of the program it counts
 * as asked, whatever that does: a plan may follow then that ends it. */
static bool is_in_effect(const struct plan_list *l)
{
	const struct resource *r = resources_find(model_resources(l->p->models), l->f->resource);
	struct sbits objs = {0};
	bool asked;

	if (!r || !r->active)
		return false;
	plan_add_made(l->p, l->f->made.func, l->f->made.inst, &objs);
	asked = is_asked(l->p, &objs);
	sbits_release(&objs);
	return !asked;
}

/* Takes the plan for a struct on the stack, as the program does it itself.  That needs no simulation of all
 * of the function, which takes its time if that has thousands of statements. */
static bool plan_in_large(struct plan_list *l)
{
	enum { LARGE_FUNCTION = 4000 };	/* instructions */
	struct fix_plan plan = new_plan(l);

	return l->p->m->funcs.v[l->f->lost.func].ninsts > LARGE_FUNCTION &&
	       local_plan(l->p, l->f, l->arena, &plan) && add_plan(l, &plan);
}

/* Takes the insertions of another plan, which loses them. */
static void take_insertions(struct fix_plan *to, struct fix_plan *from)
{
	for (uint32_t i = 0; i < from->in.n; i++)
		vec_push(&to->in, from->in.v[i]);
	vec_clear(&from->in);
}

/* Takes a plan that is better than all others. */
static void put_first(struct plan_list *l, struct fix_plan *plan)
{
	if (l->last)
		add_first(l, plan);
	else
		add_plan(l, plan);
}

/* Two leaks in one: the object is lost in a function, and where it is not, a destructor forgets the member
 * that it is in.  The plan that ends both is tried first: with the release in the destructor, what else is
 * to be done is planned anew. */
static void add_forgotten(struct plan_list *l)
{
	struct plan_list both = *l;
	struct fix_plan first = new_plan(l), more = new_plan(l);
	struct plan_mend *mend = arena_new(&l->p->arena, struct plan_mend);

	both.first = &first;
	both.last = NULL;
	both.mend = mend;
	if (member_plan(l->p, l->f, l->arena, &more, mend) && mend->above.n &&
	    l->f->lost.func != mend->func) {
		plan_in(&both, l->f->lost.func);
		if (both.last) {
			take_insertions(&more, &first);
			more.shallow = first.shallow;
			more.what = arena_printf(l->arena, "%s, and %s", first.what, more.what);
			put_first(l, &more);
			memset(&more, 0, sizeof(more));
		}
	}
	fix_plan_release(&first);
	fix_plan_release(&more);
	bits_release(&mend->above);
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
	if (is_in_effect(l))
		return "nothing is asked of it: what it does by itself would end";
	if (is_place(p, &f->lost) && plan_in_large(l))
		return NULL;
	if (!is_place(p, &f->lost))
		l->why = "what this call returns is not always a new object";
	else
		plan_in(l, f->lost.func);
	if (!l->last && f->lost.func != f->made.func)
		plan_in(l, f->made.func);
	if (is_place(p, &f->lost))
		add_forgotten(l);
	if (!l->last && is_place(p, &f->lost)) {
		struct fix_plan plan = new_plan(l);

		if (param_plan(p, l->f, l->arena, &plan))
			add_plan(l, &plan);
	}
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
		member_plan(p, l->f, l->arena, &plan, NULL);
		add_plan(l, &plan);
	}
	l->untold = true; /* such a plan may leave ways on which it is lost: the proof tells whether this
			     leak is one of them */
	if (!l->last && is_place(p, &f->lost))
		plan_in(l, f->lost.func);
	return l->last ? NULL : l->why;
}

double fix_planner_work(const struct fix_planner *p)
{
	return 100.0 * (double)p->budget.spent / (double)p->budget.all;
}

void fix_plan_make(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan)
{
	struct plan_list l = { .p = p, .f = f, .arena = arena, .first = plan };

	*plan = new_plan(&l);
	if (p->budget.over) {
		drop_sims(p);
		counted_release(p);
	}
	p->budget.of_leak = p->budget.spent + WORK_OF_LEAK;
	p->budget.over = false;
	plan->refused = make_list(&l);
	if (plan->refused && p->budget.over)
		plan->refused = p->budget.spent < p->budget.all
					? "planning it takes too much work"
					: "the work that may be spent on planning is used up (plumb fix "
					  "--finding ID plans for one leak alone)";
	assert(!plan->refused == (plan->in.n > 0));
}
