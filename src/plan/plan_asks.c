/*
 * plan_asks.c - the program asks whether an object is its own.
 *
 *	if (!pool_owns(pool, name))
 *		free(name);
 *
 * pool_owns() compares the address with others and looks at nothing else: on one side the object is somebody
 *else's, on whichever.  The program knows that and frees it on the other; that it is "lost" on this side is
 *none of our business, even if all that we see can be there is new.
 *
 * So nothing is released behind such a question.
 *
 * Which way it errs: a function that is asked for something else by comparing addresses (is it in the list?)
 *counts, too, and so does one whose answer nobody heeds: a refusal.  One that makes a number of the address
 *does not count, nor do comparisons in the function itself.
 */
#include "plan/priv.h"

/* Does the function do no more with the argument, from 0, than to compare it? */
static bool only_compares(const struct fix_planner *pl, uint32_t func, uint32_t arg)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	bool compares = false;

	for (uint32_t i = 0; i < f->ninsts && arg < f->nparams; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++) {
			const struct ir_inst *in = &f->insts[i];

			if (IR_KIND(in->ops[k]) != IR_R_VREG ||
			    pta_same(pl->p, func, in->ops[k]) != IR_VREG(arg))
				continue;
			if (in->op == IR_CMP && IR_KIND(in->ops[1 - k]) == IR_R_VREG)	/* not with null */
				compares = true;
			else if (in->op != IR_CMP &&
				 !(in->op == IR_STORE && k == 1 && IR_KIND(in->ops[0]) == IR_R_SLOT &&
				   pta_ssa(pl->p, func)->promoted[IR_IDX(in->ops[0])]))
				return false;
		}
	return compares;
}

/* Is an object of the set M given to such a function there? */
static bool asks_for_ours(const struct plan_sim *sim, const struct ir_inst *call)
{
	const struct ir_func *g = ir_callee(sim->pl->m, call);

	for (uint32_t k = 1; g && k < call->nops; k++)
		for (uint32_t i = 0; i < sim->births.n; i++)
			if (sim->births.v[i].follow &&
			    pta_meets(sim->pl->p, pta_points_to(sim->pl->p, sim->func, call->ops[k]),
				      &sim->births.v[i].objs) &&
			    only_compares(sim->pl, (uint32_t)(g - sim->pl->m->funcs.v), k - 1))
				return true;
	return false;
}

const struct ir_func *asks_owner(const struct plan_sim *sim, const struct plan_place *at)
{
	uint32_t to = fields_behind(sim, at);

	for (uint32_t i = 0; i < sim->f->ninsts; i++)
		if (sim->f->insts[i].op == IR_CALL && ir_comes_before(sim->f, i, to, IR_NONE) &&
		    asks_for_ours(sim, &sim->f->insts[i]))
			return ir_callee(sim->pl->m, &sim->f->insts[i]);
	return NULL;
}
