/*
 * plan_grown.c - realloc() has made an object of what somebody else may still have a pointer to.
 *
 *	s = table;
 *	if (n == max)
 *		s = realloc(s, ++max * sizeof(*s));
 *	if (is_bad(x))
 *		return -1;
 *	table = s;
 *
 * Behind the realloc() `table` must not be used any more, and the object is lost if x is bad.  But most of
 *the time it has not moved, and the program goes on with `table` as if nothing had happened: to free it
 *would break what works. What is wrong is that `table` is not set, and that is not for us to mend.
 *
 * Which way it errs: whether the place is set before the release is not asked: a refusal.
 */
#include "plan/priv.h"

#include "ir/expr.h"

enum { MAX_DEPTH = 4 };

/* Does the function free this argument itself, or reallocate it? */
static bool takes(const struct fix_planner *pl, uint32_t func, uint32_t arg, int depth)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct model *md = pta_model(pl->p, func);

	if (md || ir_is_decl(f) || arg > f->nparams || depth > MAX_DEPTH)
		return md && model_frees(md, arg);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_func *g = f->insts[i].op == IR_CALL ? ir_callee(pl->m, &f->insts[i]) : NULL;

		for (uint32_t k = 1; g && k < f->insts[i].nops; k++)
			if (pta_origin(pl->p, func, expr_uncast(f, f->insts[i].ops[k])) == IR_VREG(arg - 1) &&
			    takes(pl, (uint32_t)(g - pl->m->funcs.v), k, depth + 1))
				return true;
	}
	return false;
}

/* May the value have been read from memory that others see, or come from the caller? */
static bool is_from_outside(const struct plan_sim *sim, ir_ref r)
{
	ir_ref v[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(sim->pl, sim->func, r, v);

	for (uint32_t i = 0; i < n; i++) {
		const struct ir_inst *d = ssa_def(sim->ssa, v[i]);

		if (IR_KIND(v[i]) == IR_R_VREG && IR_IDX(v[i]) < sim->f->nparams)
			return true;
		if (d && d->op == IR_LOAD)
			SBITS_FOREACH(l, pta_points_to(sim->pl->p, sim->func, d->ops[0]))
				if (sim_is_outside(sim, pta_loc(sim->pl->p, l)->obj))
					return true;
	}
	return !n;
}

bool grown_is_shared(const struct plan_sim *sim)
{
	for (uint32_t i = 0; i < sim->births.n; i++) {
		const struct plan_birth *b = &sim->births.v[i];
		const struct ir_inst *in = &sim->f->insts[b->inst];

		for (uint32_t k = 1; b->follow && !b->rows && k < in->nops; k++)
			if (takes(sim->pl, b->callee, k, 0) && is_from_outside(sim, in->ops[k]))
				return true;
	}
	return false;
}
