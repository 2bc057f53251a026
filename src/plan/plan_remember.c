/*
 * plan_remember.c - what a function of a library remembers from call to call: the text that strtok() was
 *given.
 *
 *	for (word = strtok(copy, " "); word; word = strtok(NULL, " "))
 *		...
 *
 * Each call with null looks at `copy`, whichever variables hold that by then.  So such a call touches every
 *object that a call of the same function may have given it; a release comes behind it.
 *
 * Once the text is freed, nobody may go on with it, neither here nor in a caller.  It must be shown that the
 *program does not: each call with null goes on with what the same activation has given, that is, on every
 *way to it there is a call with a text, and behind that none of a function that may lead to one of these
 *calls.  Else the text counts as kept.
 *
 * Which way it errs: a text that is in a variable counts as one, though it could be null; but not a
 *parameter that some call passes null for.  Code outside the program is not thought to go on with what the
 *program began, nor are functions that a library calls back thought to begin anew.
 */
#include "plan/priv.h"

#include "ir/expr.h"

/* What is remembered: the number of the argument; 0 if nothing is. */
static uint32_t remembered(const struct model *md)
{
	for (unsigned i = 0; i < md->neffects; i++)
		if (md->effects[i].kind == MODEL_E_HOLD && md->effects[i].later)
			return md->effects[i].place.arg;
	return 0;
}

/* ---- does everybody go on with his own? ---- */

struct asked {
	struct fix_planner *pl;
	uint32_t callee, arg;
	struct bits above;
};

static bool is_direct(const struct asked *a, const struct ir_inst *in)
{
	return in->op == IR_CALL && in->ops[0] == IR_REF(IR_R_FUNC, a->callee);
}

/* Does some call of the function pass null for the parameter? */
static bool is_given_null(const struct asked *a, uint32_t func, uint32_t param)
{
	const struct ir_module *m = a->pl->m;

	for (uint32_t g = 0; g < m->funcs.n; g++)
		for (uint32_t i = 0; i < m->funcs.v[g].ninsts; i++) {
			const struct ir_inst *in = &m->funcs.v[g].insts[i];

			if (in->op == IR_CALL && in->ops[0] == IR_REF(IR_R_FUNC, func) &&
			    param + 1 < in->nops &&
			    pta_origin(a->pl->p, g, expr_uncast(&m->funcs.v[g], in->ops[param + 1])) ==
				    IR_NULL)
				return true;
		}
	return false;
}

static bool may_be_null(const struct asked *a, uint32_t func, ir_ref r)
{
	ir_ref from[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(a->pl, func, r, from);

	for (uint32_t i = 0; i < n; i++)
		if (from[i] == IR_NULL ||
		    (IR_KIND(from[i]) == IR_R_VREG && IR_IDX(from[i]) < a->pl->m->funcs.v[func].nparams &&
		     is_given_null(a, func, IR_IDX(from[i]))))
			return true;
	return !n;
}

/* `for (p = text; (word = strtok(p, " ")); p = NULL)`: null only when the loop comes round. */
static bool is_text_at_first(const struct asked *a, uint32_t func, ir_ref r)
{
	const struct ir_func *f = &a->pl->m->funcs.v[func];
	const struct ssa *ssa = pta_ssa(a->pl->p, func);
	const struct ssa_phi *phi;

	r = pta_origin(a->pl->p, func, expr_uncast(f, r));
	if (!ssa_is_phi(ssa, r))
		return false;
	phi = ssa_phi(ssa, r);
	for (uint32_t k = 0; k < f->blocks[phi->block].npred; k++)
		if (!dom_dominates(&ssa->dom, phi->block, f->blocks[phi->block].pred[k]) &&
		    may_be_null(a, func, phi->args[k]))
			return false;
	return true;
}

/* The call gets a text for sure. */
static bool begins(const struct asked *a, uint32_t func, const struct ir_inst *in)
{
	return a->arg < in->nops &&
	       (!may_be_null(a, func, in->ops[a->arg]) || is_text_at_first(a, func, in->ops[a->arg]));
}

/* Can a call with null be reached from the start of the function, or from a call that may have begun anew,
 * without one that gets a text? */
static bool goes_on_with_others(const struct asked *a, uint32_t func)
{
	const struct ir_func *f = &a->pl->m->funcs.v[func];
	VEC(uint32_t) todo = {0};
	bool bad = false;
	struct bits seen;

	bits_init(&seen, f->ninsts + 1);
	vec_push(&todo, f->blocks[0].first);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (callees_lead_into(a->pl, &a->above, func, i) && !is_direct(a, &f->insts[i])) {
			struct pta_callees to;

			pta_callees(a->pl->p, func, i, &to);
			bad |= sbits_test(to.set, a->callee);
			vec_push(&todo, i + 1);		/* a call is not the last of its block */
		}
	while (todo.n && !bad) {
		uint32_t i = vec_pop(&todo);
		const struct ir_block *b = &f->blocks[f->insts[i].block];
		bool done = false;

		for (; i < b->first + b->n && !done; i++) {
			bool its = is_direct(a, &f->insts[i]);

			done = !bits_set(&seen, i) || its;
			bad |= its && !begins(a, func, &f->insts[i]);
		}
		for (uint32_t k = 0; k < b->nsucc && !done; k++)
			vec_push(&todo, f->blocks[b->succ[k]].first);
	}
	vec_release(&todo);
	bits_release(&seen);
	return bad;
}

static bool all_their_own(struct fix_planner *pl, uint32_t func)
{
	const struct model *md = pta_model(pl->p, func);
	struct asked a = { .pl = pl, .callee = func, .arg = md ? remembered(md) : 0 };
	bool ok = a.arg != 0;

	callees_above(pl, func, &a.above);
	for (uint32_t g = 0; g < pl->m->funcs.n && ok; g++)
		if (!ir_is_decl(&pl->m->funcs.v[g]) && bits_test(&a.above, g))
			ok = !goes_on_with_others(&a, g);
	bits_release(&a.above);
	return ok;
}

bool remember_is_private(struct fix_planner *pl, uint32_t func)
{
	struct plan_memory x = { .func = func };

	for (uint32_t i = 0; i < pl->memories.n; i++)
		if (pl->memories.v[i].func == func)
			return pl->memories.v[i].is_private;
	x.is_private = all_their_own(pl, func);
	vec_push(&pl->memories, x);
	return x.is_private;
}

/* ---- one object ---- */

/* Has a call of the same function been given what may be the object? */
static bool is_given(const struct plan_sim *sim, const struct ir_inst *like, uint32_t arg)
{
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op == IR_CALL && in->ops[0] == like->ops[0] && arg < in->nops &&
		    (!sim->objs.n ||
		     pta_meets(sim->pl->p, pta_points_to(sim->pl->p, sim->func, in->ops[arg]), &sim->objs)))
			return true;
	}
	return false;
}

bool remember_is_used(const struct plan_sim *sim, const struct plan_state *s, uint32_t inst,
		      const struct model *md)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	uint32_t arg = remembered(md);

	return arg && arg < in->nops && pval_decide(sim_val(sim, s, in->ops[arg]), IR_P_NE, 0) != 1 &&
	       is_given(sim, in, arg);
}
