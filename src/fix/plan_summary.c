/*
 * plan_summary.c - what callees do with an object that they are given, and which functions
 * make objects for their callers: the procedures of LeakFix, section III-B, by simulation of
 * each function instead of by sets alone.
 *
 * A parameter's summary lists the ways in which the function can end, as far as its caller can
 * tell them apart: "freed, returns 0", "still there, returns -1".  Functions that call
 * themselves, and those with too many states, have none; the sets of plan_effects.c are
 * taken instead, which err on the side of refusing.
 *
 * A maker is a function whose result is always null or an object that it made and nobody
 * else has.
 */
#include "fix/plan.h"

enum { MAX_DEPTH = 10 };

/* ---- parameters ------------------------------------------------------------ */

static bool same_but_result(const struct plan_outcome *a, const struct plan_outcome *b)
{
	return a->phase == b->phase && a->doubt == b->doubt && a->ret_hold == b->ret_hold;
}

/* Fewer rows, each less exact. */
static void add_row(struct plan_summary *sum, const struct plan_outcome *o, bool join)
{
	for (uint32_t i = 0; i < sum->n && join; i++)
		if (same_but_result(&sum->out[i], o)) {
			sum->out[i].ret = pval_join(sum->out[i].ret, o->ret);
			return;
		}
	if (sum->n == PLAN_MAX_OUTCOMES)
		sum->known = false;
	else
		sum->out[sum->n++] = *o;
}

static void fill_summary(struct plan_summary *sum, const struct plan_sim *sim)
{
	bool touched = false;

	for (uint32_t i = 0; i < sim->nodes.n; i++)
		touched |= sim->nodes.v[i].touches;
	sum->known = !sim->overflow && !sim->odd;
	for (uint32_t i = 0; i < sim->outcomes.n && sum->known; i++) {
		struct plan_outcome o = sim->outcomes.v[i];

		o.touched = touched;
		if (o.ret.kind != PVAL_RANGE)
			o.ret = pval_any();
		add_row(sum, &o, sim->outcomes.n > PLAN_MAX_OUTCOMES);
	}
}

const struct plan_summary *summary_of_param(struct fix_planner *pl, uint32_t func, uint32_t param)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	struct plan_summary *sum;
	struct plan_sim sim;

	assert(param < f->nparams && !ir_is_decl(f));
	if (!pl->params[func])
		pl->params[func] = arena_array(&pl->arena, struct plan_summary, f->nparams);
	sum = &pl->params[func][param];
	if (sum->done || sum->busy || pl->depth >= MAX_DEPTH || f->params[param].byval || f->params[param].sret)
		return sum;
	sum->busy = true;
	pl->depth++;
	sim_init(&sim, pl, func);
	sim.param = param;
	SBITS_FOREACH(l, pta_points_to(pl->p, func, IR_VREG(param)))
		sbits_set(&sim.objs, pta_loc(pl->p, l)->obj);
	sim_run(&sim);
	fill_summary(sum, &sim);
	sim_release(&sim);
	pl->depth--;
	sum->busy = false;
	sum->done = true;
	return sum;
}

/* ---- makers ------------------------------------------------------------------ */

/* 1: the condition on an argument holds at this call, 0: it does not, -1: not known. */
static int holds_here(const struct fix_planner *pl, const struct ir_inst *in, const struct model_cond *c)
{
	ir_ref r;

	if (c->place.base != MODEL_ARG || c->place.nsteps || c->place.arg >= in->nops)
		return -1;
	r = in->ops[c->place.arg];
	if (r == IR_NULL)
		return model_cond_holds(c, 0);
	if (IR_KIND(r) == IR_R_INT)
		return model_cond_holds(c, ir_int_value(pl->m, r));
	if (c->null && (IR_KIND(r) == IR_R_SLOT || IR_KIND(r) == IR_R_GLOBAL || IR_KIND(r) == IR_R_ADDR))
		return c->cmp == MODEL_NE;
	return -1;
}

/* 1: the effect happens (*left conditions on the result remain), 0: it does not, -1: not known. */
static int effect_happens(const struct fix_planner *pl, const struct ir_inst *in, const struct model_effect *e, bool *on_result)
{
	*on_result = false;
	for (unsigned i = 0; i < e->nconds; i++) {
		int h = holds_here(pl, in, &e->conds[i]);

		if (h == 0)
			return 0;
		if (h < 0 && e->conds[i].place.base == MODEL_RETURN && !e->conds[i].place.nsteps && e->conds[i].cmp < MODEL_HAS)
			*on_result = true;
		else if (h < 0)
			return -1;
	}
	return 1;
}

static bool is_deref(const struct model_place *p)
{
	return p->base == MODEL_ARG && p->nsteps == 1 && !p->steps[0].field && !p->steps[0].any && p->steps[0].offset == 0;
}

static bool born_by_model(const struct fix_planner *pl, const struct ir_inst *in, const struct model *md, struct plan_birth *b)
{
	const struct model_effect *found = NULL;
	unsigned others = 0;

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		bool on_result;
		int h;

		if (e->kind != MODEL_E_SET)
			continue;
		h = effect_happens(pl, in, e, &on_result);
		if (h == 0)
			continue;
		if (e->value.kind == MODEL_V_NEW) {
			if (h < 0 || found || !((e->place.base == MODEL_RETURN && !e->place.nsteps && !on_result) ||
						(is_deref(&e->place) && e->place.arg < in->nops)))
				return false;
			if (on_result && e->nconds > 1)
				return false;
			found = e;
			b->nconds = on_result ? 1 : 0;
			b->conds = e->conds;
		} else if (e->place.base == MODEL_RETURN && e->value.kind != MODEL_V_NULL) {
			others++;
		}
	}
	if (!found || (found->place.base == MODEL_RETURN && others))
		return false;
	b->arg = found->place.base == MODEL_RETURN ? 0 : found->place.arg;
	b->nonnull = found->value.nonnull;
	b->effect = found;
	return b->arg || in->res != IR_NONE;
}

bool summary_birth(struct fix_planner *pl, uint32_t func, uint32_t inst, struct plan_birth *b)
{
	const struct ir_inst *in = &pl->m->funcs.v[func].insts[inst];
	const struct plan_maker *mk;
	const struct model *md;
	struct pta_callees to;

	memset(b, 0, sizeof(*b));
	if (in->op != IR_CALL)
		return false;
	pta_callees(pl->p, func, inst, &to);
	if (to.unknown || sbits_count(to.set) != 1)
		return false;
	b->inst = inst;
	b->callee = sbits_next(to.set, 0);
	md = pta_model(pl->p, b->callee);
	if (md)
		return born_by_model(pl, in, md, b);
	if (ir_is_decl(&pl->m->funcs.v[b->callee]) || in->res == IR_NONE || in->cls != IR_C_PTR)
		return false;
	mk = summary_of_maker(pl, b->callee);
	b->nonnull = mk->nonnull;
	b->effect = mk->effect;
	return mk->fresh && mk->effect;
}

static bool same_releaser(const struct model_effect *a, const struct model_effect *b)
{
	return a->value.resource == b->value.resource && a->value.nfreers == b->value.nfreers &&
	       (!a->value.nfreers || str_eq(a->value.freers[0], b->value.freers[0]));
}

static const struct plan_birth *birth_of(const struct plan_sim *sim, uint32_t inst)
{
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (sim->births.v[i].inst == inst)
			return &sim->births.v[i];
	assert(!"a fresh value without source");
	return NULL;
}

/* One way to return when no object is followed: is the result fresh, and of what kind? */
static void judge_result(struct plan_maker *mk, const struct plan_sim *sim, const struct plan_val *ret)
{
	const struct plan_birth *b;

	if (ret->kind == PVAL_RANGE && ret->lo == 0 && ret->hi == 0) {
		mk->nonnull = false;
		return;
	}
	if (ret->kind != PVAL_FRESH) {
		mk->fresh = false;
		return;
	}
	b = birth_of(sim, ret->inst);
	mk->nonnull &= ret->lo != 0;
	if (mk->effect && !same_releaser(mk->effect, b->effect))
		mk->fresh = false;
	mk->effect = b->effect;
}

static void judge_maker(struct plan_maker *mk, const struct plan_sim *sim)
{
	mk->fresh = !sim->overflow && !sim->odd;
	mk->nonnull = true;
	for (uint32_t i = 0; i < sim->outcomes.n; i++) {
		const struct plan_outcome *o = &sim->outcomes.v[i];

		if (o->phase == PHASE_BEFORE)
			judge_result(mk, sim, &o->ret);
		else if (o->ret_hold != HOLD_NO)
			mk->fresh &= o->ret_hold == HOLD_MUST && o->phase == PHASE_ALIVE && !o->doubt;
	}
	mk->fresh &= mk->effect != NULL;
}

const struct plan_maker *summary_of_maker(struct fix_planner *pl, uint32_t func)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	struct plan_maker *mk = &pl->makers[func];
	struct plan_birth b;
	struct plan_sim sim;

	if (mk->done || mk->busy || pl->depth >= MAX_DEPTH || f->ret_cls != IR_C_PTR)
		return mk;
	mk->busy = true;
	pl->depth++;
	sim_init(&sim, pl, func);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_CALL && summary_birth(pl, func, i, &b)) {
			vec_push(&sim.births, b);
			for (unsigned k = 0; k < 4; k++)
				if (pta_heap_at(pl->p, func, i, k) != IR_NONE)
					sbits_set(&sim.objs, pta_heap_at(pl->p, func, i, k));
		}
	if (sim.births.n) {
		sim_run(&sim);
		judge_maker(mk, &sim);
	}
	sim_release(&sim);
	pl->depth--;
	mk->busy = false;
	mk->done = true;
	return mk;
}
