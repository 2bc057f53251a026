/*
 * plan_param.c - a callee releases what it is given, on all ways but one: there it forgets to.
 *
 * The object was made in the function where it is lost, and handed to a callee that ends with it released or
 * not, and whose result does not tell which.  So the caller cannot release it; a person would mend the
 * callee.  That is safe if all of this holds:
 *
 *   - in the callee, at the place, the parameter holds the object, nobody else got it, and it is not used
 *     again: the same is asked there as of an object that the function made itself (plan_select.c);
 *   - every call of the callee is known, and what it is given there was made by calls in the caller, is
 * released in the same way, is held by variables of the caller alone, and is never touched again after the
 * call, on whatever way the callee has ended: all callers take it to be released;
 *   - or the caller was given it by a parameter, and the same holds for it and for all of its own callers;
 *   - or it was read from a member that the callee's result is put into at once, `p->text = append(p->text,
 * s);`: that alone holds it, all that the program ever puts there is new, and no function has it in its
 * hands (plan_member.c).
 *
 * On some ways the callee may return the object itself, `all = append(all, s);`: there it is not released,
 * and the caller goes on with the result.  A source that may return what it was given, too, has made what it
 * returns if that was made, and only then.
 *
 * Which way it errs: callers that we cannot follow are refused.
 */
#include "plan/priv.h"

#include "ir/expr.h"
#include "ir/io.h"

/* A parameter that callers give the object to, and that gets to the callee. */
struct given_to {
	uint32_t func, param;
};

struct entry {
	struct fix_planner *pl;
	uint32_t func, param;		/* the callee, and which of its parameters */
	struct plan_birth *made;	/* in a caller; a copy */
	VEC(struct given_to) given;	/* all of whose callers are checked */
	const char *why;
};

static bool refuse(struct entry *x, const char *why)
{
	x->why = why;
	return false;
}

/* Does the callee release the argument on some ways, leave it alone on others, and nothing else?  Its result
 * is the argument itself, on ways of their own, or does not lead to it. */
static bool is_forgetful(struct fix_planner *pl, uint32_t func, uint32_t param)
{
	const struct plan_summary *sum = summary_of_param(pl, func, param);
	bool frees = false, forgets = false;

	for (uint32_t i = 0; i < sum->n && sum->known; i++) {
		const struct plan_outcome *o = &sum->out[i];

		if (!o->doubt && o->phase == PHASE_ALIVE && o->ret_hold == HOLD_MUST)
			continue;	/* handed back */
		if (o->doubt || o->returned || o->ret_hold != HOLD_NO)
			return false;
		frees |= o->phase == PHASE_FREED;
		forgets |= o->phase == PHASE_ALIVE;
	}
	return sum->known && frees && forgets;
}

/* ---- callers --------------------------------------------------------------- */

/* Follows whatever the argument can be, but for `others`; all of it must be made there, and be released
 * alike. */
static bool follow_argument(struct entry *x, struct plan_sim *sim, ir_ref arg, const struct sbits *others)
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
	sbits_minus(&rest, others);
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

/* The variable that the statement of a call puts its result into; or IR_NONE. */
static uint32_t result_slot(const struct plan_sim *sim, uint32_t call, uint32_t end)
{
	const struct ir_func *f = sim->f;

	for (uint32_t i = call + 1; i < end && f->insts[call].res != IR_NONE; i++)
		if (f->insts[i].op == IR_STORE && IR_KIND(f->insts[i].ops[0]) == IR_R_SLOT &&
		    sim->ssa->promoted[IR_IDX(f->insts[i].ops[0])] &&
		    expr_uncast(f, f->insts[i].ops[1]) == IR_VREG(f->insts[call].res))
			return IR_IDX(f->insts[i].ops[0]);
	return IR_NONE;
}

/* The variable that an argument is the value of, as it was when the statement began; IR_NONE: it is
 * something else. */
static uint32_t argument_slot(const struct plan_sim *sim, uint32_t call, uint32_t param, uint32_t begin)
{
	const struct ir_inst *d = ir_def(sim->f, expr_uncast(sim->f, sim->f->insts[call].ops[param + 1]));

	if (!d || d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT ||
	    !sim->ssa->promoted[IR_IDX(d->ops[0])] || (uint32_t)(d - sim->f->insts) < begin)
		return IR_NONE;
	for (uint32_t i = begin; i < call; i++)
		if (sim->f->insts[i].op == IR_STORE && sim->f->insts[i].ops[0] == d->ops[0])
			return IR_NONE;
	return IR_IDX(d->ops[0]);
}

/* Of what else is followed, and is not given to the callee, nothing is asked. */
static bool check_nodes(const struct plan_sim *sim, uint32_t call, uint32_t param)
{
	uint32_t end = statement_end(sim, call), begin = call;
	uint32_t slot = result_slot(sim, call, end), given;
	ir_ref result = sim->f->insts[call].res == IR_NONE
				? IR_NULL
				: IR_VREG(sim->f->insts[call].res); /* does not lead to it: is_forgetful() */

	while (begin > sim->f->blocks[sim->f->insts[call].block].first && !bits_test(&sim->split, begin))
		begin--;
	given = argument_slot(sim, call, param, begin);
	for (uint32_t i = call + 1; i < end; i++)	/* what else the statement does */
		for (uint32_t k = 0; k < sim->f->insts[i].nops; k++)
			if (IR_KIND(sim->f->insts[i].ops[k]) == IR_R_VREG &&
			    expr_uncast(sim->f, sim->f->insts[i].ops[k]) != result &&
			    pta_meets(sim->pl->p,
				      pta_points_to(sim->pl->p, sim->func, sim->f->insts[i].ops[k]),
				      &sim->objs))
				return false;
	for (uint32_t i = 0; i < sim->nodes.n; i++) {
		const struct plan_node *n = &sim->nodes.v[i];
		bool other = given != IR_NONE && n->s.phase != PHASE_BEFORE &&
			     pstate_hold(&n->s, given) == HOLD_NO;

		for (uint32_t k = 0; k < n->steps.n && n->pos == begin && !other; k++)
			if (!(slot != IR_NONE && pstate_hold(&sim->nodes.v[n->steps.v[k].to].s, slot) ==
							 HOLD_MUST) && /* another one */
			    !is_done_with(sim, &sim->nodes.v[n->steps.v[k].to]))
				return false;
	}
	return true;
}

static bool check_calls(struct entry *x, uint32_t func, uint32_t param);

/* The argument, of this number, is one that the function was given itself: it, and all of its callers, are
 * done with it. */
static bool check_given(struct entry *x, uint32_t func, uint32_t call, uint32_t arg, uint32_t param)
{
	struct plan_sim sim;
	bool ok;

	if (!is_forgetful(x->pl, func, param))
		return refuse(x, "callers give what they did not make themselves");
	sim_init(&sim, x->pl, func);
	sim.param = param;
	pta_add_objs(x->pl->p, pta_points_to(x->pl->p, func, IR_VREG(param)), &sim.objs);
	sim_run(&sim);
	ok = !sim.overflow && !sim.odd && check_nodes(&sim, call, arg);
	sim_release(&sim);
	if (!ok)
		return refuse(x, "a caller may still have it when the callee returns");
	for (uint32_t i = 0; i < x->given.n; i++)
		if (x->given.v[i].func == func && x->given.v[i].param == param)
			return true;
	return check_calls(x, func, param);
}

/* ---- callers that put the result where the argument was -------------------------- */

/* Is what the call returns stored, at once, where the value was loaded from: the same member of what one
 * variable points to? Whatever else was put there meanwhile is not what the callee was given. */
static bool is_replaced(const struct fix_planner *pl, uint32_t func, uint32_t load, uint32_t call)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_block *b = &f->blocks[f->insts[call].block];
	int64_t from = 0;
	ir_ref base = plan_base(f, f->insts[load].ops[0], &from);

	for (uint32_t i = call + 1; i < b->first + b->n && f->insts[call].res != IR_NONE; i++) {
		const struct ir_inst *in = &f->insts[i];
		int64_t to = 0;

		if (in->op == IR_STORE)
			return expr_uncast(f, in->ops[1]) == IR_VREG(f->insts[call].res) &&
			       pta_same(pl->p, func, plan_base(f, in->ops[0], &to)) ==
				       pta_same(pl->p, func, base) &&
			       to == from;
		if (in->op == IR_CALL || in->op == IR_MEMCPY || in->op == IR_ASM)
			return false;
	}
	return false;
}

/* Is it made by a call that nobody outside gets the object of, and released as the finding's? */
static bool is_alike(struct entry *x, uint32_t obj)
{
	const struct pta_obj *o = pta_obj(x->pl->p, obj);
	const struct ir_func *g = o->kind == PTA_HEAP
					  ? ir_callee(x->pl->m, &x->pl->m->funcs.v[o->func].insts[o->index])
					  : NULL;
	uint32_t callee = g ? (uint32_t)(g - x->pl->m->funcs.v) : IR_NONE;
	const struct model *md = g ? pta_model(x->pl->p, callee) : NULL;
	const struct model_effect *e = !g	       ? NULL
				       : md	       ? model_allocates(md)
				       : ir_is_decl(g) ? NULL
						       : summary_of_maker(x->pl, callee)->effect;

	return e && !o->given && !o->common && summary_same_releaser(e, x->made->effect);
}

/* Is the object held by these locs alone?  What stands for the result of a wrapper inside it does not count.
 */
static bool is_held_by(const struct entry *x, uint32_t obj, const struct sbits *locs)
{
	SBITS_FOREACH(l, closure_holders(x->pl->closure, obj)) {
		const struct pta_obj *h = pta_obj(x->pl->p, pta_loc(x->pl->p, l)->obj);

		if (!sbits_test(locs, l) && !plan_stands_in(x->pl->p, h))
			return false;
	}
	return true;
}

/* The argument is read from a member, which gets the result: that is the only one to hold it, all that ever
 * gets there is new, and nobody has it in hand. */
static bool check_replaced(struct entry *x, uint32_t func, uint32_t call, uint32_t load)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_inst *field = ir_def(f, f->insts[load].ops[0]);
	struct sbits objs = {0};
	bool ok = field && field->op == IR_FIELD && field->type && is_replaced(x->pl, func, load, call) &&
		  owned_member_new(x->pl, field->type, (uint64_t)field->imm);

	pta_add_objs(x->pl->p, pta_points_to(x->pl->p, func, IR_VREG(f->insts[load].res)), &objs);
	SBITS_FOREACH(o, &objs)
	ok = ok && is_alike(x, o) && is_held_by(x, o, pta_points_to(x->pl->p, func, f->insts[load].ops[0]));
	ok = ok && !member_in_hand(x->pl, func, call, &objs);
	sbits_release(&objs);
	return ok ? true : refuse(x, "callers give what they did not make themselves");
}

static bool is_param(const struct ir_func *f, ir_ref r)
{
	return IR_KIND(r) == IR_R_VREG && IR_IDX(r) < f->nparams;
}

/* Is it read from memory that others than this activation may have filled? */
static bool is_loaded(const struct ir_func *f, ir_ref r)
{
	const struct ir_inst *d = ir_def(f, r);
	int64_t off = 0;

	return d && d->op == IR_LOAD && IR_KIND(plan_base(f, d->ops[0], &off)) != IR_R_SLOT;
}

/* What the argument may be that the function has not made, or not just now.  The objects are added to
 * *others; *more: it may be something else as well. */
static bool check_others(struct entry *x, uint32_t func, uint32_t call, uint32_t arg, struct sbits *others,
			 bool *more)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	ir_ref from[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(x->pl, func, f->insts[call].ops[arg + 1], from);

	for (uint32_t i = 0; i < n; i++) {
		bool param = is_param(f, from[i]);

		if (!param && !is_loaded(f, from[i])) {
			*more |= from[i] != IR_NULL;
			continue;
		}
		if (param ? !check_given(x, func, call, arg, IR_IDX(from[i]))
			  : !check_replaced(x, func, call, (uint32_t)(ir_def(f, from[i]) - f->insts)))
			return false;
		pta_add_objs(x->pl->p, pta_points_to(x->pl->p, func, from[i]), others);
	}
	return n ? true : refuse(x, "callers give what they did not make themselves");
}

/* Is what the followed sources make held by no memory but variables of functions, and what they are given? */
static bool is_in_variables(const struct plan_sim *sim)
{
	const struct pta *p = sim->pl->p;

	for (uint32_t i = 0; i < sim->births.n; i++)
		SBITS_FOREACH(o, &sim->births.v[i].objs)
			SBITS_FOREACH(l, closure_holders(sim->pl->closure, o)) {
				const struct pta_obj *h = pta_obj(p, pta_loc(p, l)->obj);

				if (sim->births.v[i].follow && h->kind != PTA_SLOT &&
				    h->kind != PTA_VARARG && !plan_stands_in(p, h))
					return false;
			}
	return true;
}

/* Is the call of a function one that always returns what it has made, as a source, null, or one of its
 * parameters?  These are added. */
static bool returns_params(struct fix_planner *pl, uint32_t func, struct sbits *params)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct plan_sources *x = sim_sources(pl, func);

	for (uint32_t i = 0; i < f->ninsts; i++) {
		ir_ref from[PLAN_MAX_ORIGINS];
		uint32_t n = f->insts[i].op == IR_RET && f->insts[i].nops == 1
				     ? plan_origins(pl, func, f->insts[i].ops[0], from)
				     : 0;

		if (f->insts[i].op == IR_RET && !n)
			return false;
		for (uint32_t k = 0; k < n; k++) {
			const struct ir_inst *d = ir_def(f, from[k]);
			bool made = from[k] == IR_NULL;

			for (uint32_t j = 0; j < x->births.n; j++)
				made |= !x->births.v[j].rows && &f->insts[x->births.v[j].inst] == d;
			if (is_param(f, from[k]))
				sbits_set(params, IR_IDX(from[k]));
			else if (!made)
				return false;
		}
	}
	return true;
}

static bool is_of_now(const struct plan_sim *sim, ir_ref r, struct bits *seen);

/* The same of all that the argument of a call can be, of which nothing else is known. */
static bool is_given_of_now(const struct plan_sim *sim, ir_ref arg, struct bits *seen)
{
	ir_ref from[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(sim->pl, sim->func, arg, from);

	for (uint32_t i = 0; i < n; i++)
		if (is_param(sim->f, from[i]) || is_loaded(sim->f, from[i]) || !is_of_now(sim, from[i], seen))
			return false;
	return n;
}

/* Has the source returned what it has made in this activation?  If it may also return what it was given,
 * that must be of now, too. */
static bool is_result_of_now(const struct plan_sim *sim, const struct plan_birth *b, struct bits *seen)
{
	const struct ir_inst *in = &sim->f->insts[b->inst];
	struct sbits params = {0};
	bool ok = true;

	if (!b->rows || !bits_set(seen, b->inst))
		return true;
	ok = !pta_model(sim->pl->p, b->callee) && b->rows->out[b->out].param == PLAN_RESULT &&
	     returns_params(sim->pl, b->callee, &params);
	SBITS_FOREACH(k, &params)
		ok = ok && k + 1 < in->nops && is_given_of_now(sim, in->ops[k + 1], seen);
	sbits_release(&params);
	return ok;
}

/* Is the value what a source has returned in this activation?  By a variable that others may fill it may be
 * of an older one, if anything else holds that. */
static bool is_of_now(const struct plan_sim *sim, ir_ref r, struct bits *seen)
{
	const struct ir_inst *d = ir_def(sim->f, r);

	for (uint32_t i = 0; d && d->op == IR_CALL && i < sim->births.n; i++)
		if (sim->births.v[i].follow && &sim->f->insts[sim->births.v[i].inst] == d)
			return is_result_of_now(sim, &sim->births.v[i], seen);
	return r == IR_NULL || (d && d->op == IR_LOAD && is_in_variables(sim));
}

/* seen: calls that were asked. */
static bool all_of_now(const struct plan_sim *sim, ir_ref arg, struct bits *seen)
{
	ir_ref from[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(sim->pl, sim->func, arg, from);

	for (uint32_t i = 0; i < n; i++)
		if (!is_param(sim->f, from[i]) && !is_loaded(sim->f, from[i]) &&
		    !is_of_now(sim, from[i], seen))
			return false;
	return n;
}

/* What the function has made, this time. */
static bool check_made(struct entry *x, uint32_t func, uint32_t call, uint32_t param,
		       const struct sbits *others)
{
	ir_ref arg = x->pl->m->funcs.v[func].insts[call].ops[param + 1];
	struct plan_sim sim;
	struct bits seen;
	bool ok = false;

	sim_init(&sim, x->pl, func);
	sim_find_births(&sim);
	bits_init(&seen, sim.f->ninsts + 1);
	if (!follow_argument(x, &sim, arg, others) || !all_of_now(&sim, arg, &seen))
		refuse(x, "callers give what they did not make themselves");
	else {
		sim_run(&sim);
		ok = !sim.overflow && !sim.odd && check_nodes(&sim, call, param);
		if (!ok)
			refuse(x, "a caller may still have it when the callee returns");
	}
	bits_release(&seen);
	sim_release(&sim);
	return ok;
}

static bool check_call(struct entry *x, uint32_t func, uint32_t call, uint32_t param)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[call];
	struct sbits others = {0};
	bool ok, more = false;

	if (param + 1 >= in->nops)
		return refuse(x, "a caller gives too few arguments");
	if (in->ops[param + 1] == IR_NULL)
		return true;
	ok = check_others(x, func, call, param, &others, &more) &&
	     (!more || check_made(x, func, call, param, &others));
	sbits_release(&others);
	return ok;
}

/* All calls of a function that gets the object by a parameter. */
static bool check_calls(struct entry *x, uint32_t func, uint32_t param)
{
	const struct ir_module *m = x->pl->m;

	vec_push(&x->given, ((struct given_to){ func, param }));
	if (!x->pl->by_name.n)
		ir_called_by_name(m, &x->pl->by_name);
	if (!bits_test(&x->pl->by_name, func))
		return refuse(x, "there may be callers outside");
	for (uint32_t g = 0; g < m->funcs.n; g++)
		for (uint32_t i = 0; i < m->funcs.v[g].ninsts; i++) {
			struct pta_callees to;

			if (m->funcs.v[g].insts[i].op != IR_CALL)
				continue;
			pta_callees(x->pl->p, g, i, &to);
			if (sbits_test(to.set, func) && !check_call(x, g, i, param))
				return false;
		}
	return true;
}

static bool check_callers(struct entry *x)
{
	bool ok = check_calls(x, x->func, x->param);

	vec_release(&x->given);
	return ok;
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
		vec_push(&sim.births, *x->made); /* how it is released; nothing in this function makes it */
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

		if ((!b->rows || b->rows->out[b->out].param == PLAN_RESULT) &&
		    plan_is_made_by(&f->made, func, b))
			return b;
	}
	return NULL;
}

struct trying {
	struct fix_planner *pl;
	struct finding *f;
	const struct plan_birth *made;
	struct arena *arena;
	struct fix_plan *plan;
};

enum { MAX_BELOW = 3 };		/* callees of callees that the object is passed on to */

static bool try_callee(const struct trying *t, uint32_t func, uint32_t param, unsigned depth);

/* Tries the callees that a parameter is passed on to. */
static bool try_below(const struct trying *t, uint32_t func, uint32_t param, unsigned depth)
{
	const struct ir_func *f = &t->pl->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts && depth < MAX_BELOW; i++)
		for (uint32_t k = 1; k < f->insts[i].nops && f->insts[i].op == IR_CALL; k++) {
			const struct ir_func *g = ir_callee(t->pl->m, &f->insts[i]);
			ir_ref from[PLAN_MAX_ORIGINS];
			uint32_t n = g ? plan_origins(t->pl, func, f->insts[i].ops[k], from) : 0;

			for (uint32_t j = 0; j < n; j++)
				if (from[j] == IR_VREG(param) &&
				    try_callee(t, (uint32_t)(g - t->pl->m->funcs.v), k - 1, depth + 1))
					return true;
		}
	return false;
}

/* The release in a function that gets the object by a parameter, or in one that it passes it on to. */
static bool try_callee(const struct trying *t, uint32_t func, uint32_t param, unsigned depth)
{
	const struct ir_func *g = &t->pl->m->funcs.v[func];
	struct plan_birth made = *t->made;
	struct entry x = { .pl = t->pl, .func = func, .param = param, .made = &made };

	if (ir_is_decl(g) || pta_model(t->pl->p, func) || param >= g->nparams ||
	    !is_forgetful(t->pl, func, param))
		return false;
	made.inst = 0;		/* of the callee: it begins with its parameters, not with a call */
	made.follow = true;
	if (check_callers(&x) && plan_callee(&x, t->f, t->arena, t->plan))
		return true;
	t->plan->refused = x.why ? x.why : t->plan->refused;
	return try_below(t, func, param, depth);
}

bool param_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan)
{
	const struct ir_func *fn = &p->m->funcs.v[f->lost.func];
	const struct plan_birth *b = find_birth(p, f, f->lost.func);
	struct trying t = { p, f, b, arena, plan };

	plan->refused = "no callee releases it on other ways";
	for (uint32_t i = 0; b && i < fn->ninsts; i++) {
		const struct ir_func *g = fn->insts[i].op == IR_CALL ? ir_callee(p->m, &fn->insts[i]) : NULL;

		for (uint32_t k = 1; g && k < fn->insts[i].nops; k++)
			if (pta_meets(p->p, pta_points_to(p->p, f->lost.func, fn->insts[i].ops[k]),
				      &b->objs) &&
			    try_callee(&t, (uint32_t)(g - p->m->funcs.v), k - 1, 0))
				return true;
	}
	return false;
}
