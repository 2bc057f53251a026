/*
 * plan_sole.c - a variable that was the only way to what it points to is set to something else.
 *
 * The locs of the points-to analysis stand for all objects that a call ever makes: an object that is
 * followed, and that was put into a member of another one, would seem to be in the members of all that are
 * made later, too.  In a loop that makes one holder in each round, and loses it, it would be looked at for
 * ever.  But if nothing except this variable can lead to the holder, all that is in the holder is gone with
 * it.
 *
 * Asked of the whole function, without regard to the order of its instructions, and of points-to sets, which
 * are too large: it errs by a no, and then the object is taken to be still there, as before.
 */
#include "plan/priv.h"

#include "ir/expr.h"

static bool may_be(const struct plan_sim *sim, ir_ref r, const struct sbits *objs)
{
	return IR_KIND(r) == IR_R_VREG &&
	       pta_meets(sim->pl->p, pta_points_to(sim->pl->p, sim->func, r), objs);
}

/* Is a pointer to one of the objects, or into one, put nowhere but into the variable? */
static bool is_stored_here_only(const struct plan_sim *sim, uint32_t slot, const struct sbits *objs)
{
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op == IR_STORE && in->ops[0] != IR_SLOT(slot) && may_be(sim, in->ops[1], objs))
			return false;
		if (in->res != IR_NONE && bits_test(&sim->wide, in->res) &&
		    may_be(sim, IR_VREG(in->res), objs))
			return false;
	}
	return true;
}

/* Is one in the hands of an instruction behind the store, which was there before it?  That which is stored
 * is new. */
static bool is_still_used(const struct plan_sim *sim, uint32_t store, const struct sbits *objs)
{
	const struct ir_func *f = sim->f;
	const struct ir_block *b = &f->blocks[f->insts[store].block];
	ir_ref stored = expr_uncast(f, f->insts[store].ops[1]);

	for (uint32_t i = store + 1; i < b->first + b->n; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++) {
			const struct ir_inst *d = ir_def(f, f->insts[i].ops[k]);

			if (d && (uint32_t)(d - f->insts) < store && may_be(sim, f->insts[i].ops[k], objs) &&
			    expr_uncast(f, f->insts[i].ops[k]) != stored)
				return true;
		}
	return false;
}

bool sole_is_lost(const struct plan_sim *sim, const struct plan_state *s, uint32_t store, uint32_t slot)
{
	const struct ir_inst *made = ir_def(sim->f, expr_uncast(sim->f, sim->f->insts[store].ops[1]));
	const struct sbits *objs;

	/* what is set is null, or just made: not what is there already */
	if (!sim->ssa->promoted[slot] || sim->f->slots[slot].param || !sim_is_own(sim, s, slot) ||
	    !(sim->f->insts[store].ops[1] == IR_NULL ||
	      (made && made->op == IR_CALL &&
	       sim_val(sim, s, sim->f->insts[store].ops[1]).kind == PVAL_FRESH)))
		return false;
	objs = &sim->births.v[pstate_val(s, slot).birth].objs;
	return is_stored_here_only(sim, slot, objs) && !is_still_used(sim, store, objs);
}
