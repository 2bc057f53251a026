/*
 * plan_param.c - a callee releases what it is given, on all ways but one: there it forgets to.
 *
 * The object was made in the function where it is lost, and handed to a callee that ends with it released or
 * not, and whose result does not tell which.  So the caller cannot release it; a person would mend the callee.  That is
 * safe if all of this holds:
 *
 *   - in the callee, at the place, the parameter holds the object, nobody else got it, and it is not used
 *     again: the same is asked there as of an object that the function made itself (plan_select.c);
 *   - every call of the callee is known, and what it is given there was made by calls in the caller, is released in the
 *     same way, is held by variables of the caller alone, and is never touched again after the call, on whatever way
 *     the callee has ended: all callers take it to be released.
 *
 * Which way it errs: callers that we cannot follow, and objects that come from further up, are refused.
 */
#include "fix/plan.h"

#include "ir/io.h"

struct entry {
	struct fix_planner *pl;
	uint32_t func, param;		/* the callee, and which of its parameters */
	struct plan_birth *made;	/* in a caller; a copy */
	const char *why;
};

static bool refuse(struct entry *x, const char *why)
{
	x->why = why;
	return false;
}

/* Does the callee release the argument on some ways, leave it alone on others, and nothing else? */
static bool is_forgetful(struct fix_planner *pl, uint32_t func, uint32_t param)
{
	const struct plan_summary *sum = summary_of_param(pl, func, param);
	bool frees = false, forgets = false;

	for (uint32_t i = 0; i < sum->n && sum->known; i++) {
		const struct plan_outcome *o = &sum->out[i];

		if (o->doubt || o->returned || o->ret_hold != HOLD_NO)
			return false;
		frees |= o->phase == PHASE_FREED;
		forgets |= o->phase == PHASE_ALIVE;
	}
	return sum->known && frees && forgets;
}

/* ---- callers --------------------------------------------------------------- */

/* Follows whatever the argument can be; all of it must be made there, and be released alike. */
static bool follow_argument(struct entry *x, struct plan_sim *sim, ir_ref arg)
{
	struct sbits rest = {0};
	bool ok = true, all;

	pta_add_objs(x->pl->p, pta_points_to(x->pl->p, sim->func, arg), &rest);
	for (uint32_t i = 0; i < sim->births.n; i++) {
		struct plan_birth *b = &sim->births.v[i];

		if (!sbits_intersects(&b->objs, &rest))
			continue;
		b->follow = true;
		ok &= summary_same_releaser(b->effect, x->made->effect) && b->inner == x->made->inner;
	}
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (sim->births.v[i].follow)
			sbits_minus(&rest, &sim->births.v[i].objs);
	all = !sbits_count(&rest);
	sbits_release(&rest);
	return ok && all;
}

/* Where the statement of a call ends: the instruction that the next node begins with. */
static uint32_t statement_end(const struct plan_sim *sim, uint32_t call)
{
	const struct ir_block *b = &sim->f->blocks[sim->f->insts[call].block];
	uint32_t end = call + 1;

	while (end < b->first + b->n && !bits_test(&sim->split, end))
		end++;
	return end;
}

/* Is the object, in all states behind the call, held by variables alone and not touched any more? */
static bool is_done_with(const struct plan_sim *sim, const struct plan_node *n)
{
	if (n->s.phase != PHASE_ALIVE)
		return true;
	for (uint32_t i = 0; i < n->s.n; i++)
		if (n->s.cells[i].hold != HOLD_NO && n->s.cells[i].key >= sim_first_loc(sim))
			return false;
	return !n->s.doubt && !n->dirty;
}

static bool check_nodes(const struct plan_sim *sim, uint32_t call)
{
	uint32_t end = statement_end(sim, call), begin = call;

	while (begin > sim->f->blocks[sim->f->insts[call].block].first && !bits_test(&sim->split, begin))
		begin--;
	for (uint32_t i = call + 1; i < end; i++)	/* what else the statement does */
		for (uint32_t k = 0; k < sim->f->insts[i].nops; k++)
			if (IR_KIND(sim->f->insts[i].ops[k]) == IR_R_VREG &&
			    pta_meets(sim->pl->p, pta_points_to(sim->pl->p, sim->func, sim->f->insts[i].ops[k]), &sim->objs))
				return false;
	for (uint32_t i = 0; i < sim->nodes.n; i++) {
		const struct plan_node *n = &sim->nodes.v[i];

		for (uint32_t k = 0; k < n->steps.n && n->pos == begin; k++)
			if (!is_done_with(sim, &sim->nodes.v[n->steps.v[k].to]))
				return false;
	}
	return true;
}

static bool check_call(struct entry *x, uint32_t func, uint32_t call)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[call];
	struct plan_sim sim;
	bool ok = false;

	if (x->param + 1 >= in->nops)
		return refuse(x, "a caller gives too few arguments");
	if (in->ops[x->param + 1] == IR_NULL)
		return true;
	sim_init(&sim, x->pl, func);
	sim_find_births(&sim);
	if (!follow_argument(x, &sim, in->ops[x->param + 1]))
		refuse(x, "callers give what they did not make themselves");
	else {
		sim_run(&sim);
		ok = !sim.overflow && !sim.odd && check_nodes(&sim, call);
		if (!ok)
			refuse(x, "a caller may still have it when the callee returns");
	}
	sim_release(&sim);
	return ok;
}

static bool check_callers(struct entry *x)
{
	const struct ir_module *m = x->pl->m;

	if (m->funcs.v[x->func].linkage != IR_L_STATIC && !ir_is_program(m))
		return refuse(x, "there may be callers outside");
	for (uint32_t g = 0; g < m->funcs.n; g++)
		for (uint32_t i = 0; i < m->funcs.v[g].ninsts; i++) {
			struct pta_callees to;

			if (m->funcs.v[g].insts[i].op != IR_CALL)
				continue;
			pta_callees(x->pl->p, g, i, &to);
			if (sbits_test(to.set, x->func) && !check_call(x, g, i))
				return false;
		}
	return true;
}

/* ---- the callee -------------------------------------------------------------- */

static bool plan_callee(struct entry *x, struct finding *f, struct arena *arena, struct fix_plan *plan)
{
	struct plan_request r = { .finding = f, .arena = arena, .plan = plan };
	struct plan_sim sim;

	sim_init(&sim, x->pl, x->func);
	sim.param = x->param;
	pta_add_objs(x->pl->p, pta_points_to(x->pl->p, x->func, IR_VREG(x->param)), &sim.objs);
	sim_run(&sim);
	plan->refused = sim.overflow || sim.odd ? "the callee cannot be followed" : NULL;
	if (!plan->refused) {
		vec_push(&sim.births, *x->made);	/* how it is released; nothing in this function makes it */
		sim.borrowed = true;
		r.sim = &sim;
		r.birth = sim.births.n - 1;
		select_places(&r);
	}
	sim_release(&sim);
	return !plan->refused;
}

/* The call in the function that the object of the finding is made by, or NULL. */
static const struct plan_birth *find_birth(struct fix_planner *p, const struct finding *f, uint32_t func)
{
	const struct plan_sources *s = sim_sources(p, func);

	for (uint32_t i = 0; i < s->births.n; i++) {
		const struct plan_birth *b = &s->births.v[i];

		if (!b->rows && plan_is_made_by(&f->made, func, b))
			return b;
	}
	return NULL;
}

bool param_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan)
{
	const struct ir_func *fn = &p->m->funcs.v[f->lost.func];
	const struct plan_birth *b = find_birth(p, f, f->lost.func);

	plan->refused = "no callee releases it on other ways";
	for (uint32_t i = 0; b && i < fn->ninsts; i++) {
		const struct ir_func *g = fn->insts[i].op == IR_CALL ? ir_callee(p->m, &fn->insts[i]) : NULL;
		uint32_t func = g ? (uint32_t)(g - p->m->funcs.v) : IR_NONE;

		for (uint32_t k = 1; g && !ir_is_decl(g) && !pta_model(p->p, func) && k < fn->insts[i].nops && k <= g->nparams; k++) {
			struct plan_birth made = *b;
			struct entry x = { .pl = p, .func = func, .param = k - 1, .made = &made };

			if (!pta_meets(p->p, pta_points_to(p->p, f->lost.func, fn->insts[i].ops[k]), &b->objs) || !is_forgetful(p, func, k - 1))
				continue;
			made.inst = 0;		/* of the callee: it begins with its parameters, not with a call */
			made.follow = true;
			if (check_callers(&x) && plan_callee(&x, f, arena, plan))
				return true;
			plan->refused = x.why ? x.why : plan->refused;
		}
	}
	return false;
}
