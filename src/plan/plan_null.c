/*
 * plan_null.c - a variable is released early, and set to null: would the rest of the function notice?
 *
 *	while (...) {
 *		...
 *		if (lookup(name, &list) != 0)		the old list is lost, if this succeeds
 *			break;
 *	}
 *	if (list)
 *		list_free(list);			and freed here, if it does not
 *
 * There is no place on the way of the first alone.  But `if (list) { list_free(list); list = NULL; }` before
 *the call is right for both, if all that is done with the object behind that place is to release it through
 *this variable:
 *
 *   - at the place nothing but the variable holds the object;
 *   - as long as it holds it, the variable is only set, given by its address to a call that fills it,
 *released by what takes null, or tested for null, where all that depends on the answer is that release.
 *
 * Which way it errs: any other use is a "no".
 */
#include "plan/priv.h"

static const struct model *called_model(const struct plan_sim *sim, const struct ir_inst *in)
{
	const struct ir_func *g = ir_callee(sim->pl->m, in);

	return g ? pta_model(sim->pl->p, (uint32_t)(g - sim->pl->m->funcs.v)) : NULL;
}

/* Does the call release this operand, whatever happens, and nothing but that? */
static bool is_release(const struct plan_sim *sim, const struct ir_inst *in, uint32_t k)
{
	const struct model *md = in->op == IR_CALL ? called_model(sim, in) : NULL;

	return md && k == 1 && in->nops == 2 && in->res == IR_NONE && model_frees(md, 1) &&
	       !model_frees(md, 1)->nconds && md->neffects == 1;
}

static bool takes_null(const struct plan_sim *sim, const struct ir_inst *in)
{
	const struct ir_func *g = ir_callee(sim->pl->m, in);

	return g && str_eq(g->src, "free");
}

/* Does the block do nothing but to release the variable, and set it to null, and go on with another? */
static bool only_releases(const struct plan_sim *sim, uint32_t block, uint32_t then, uint32_t slot)
{
	const struct ir_block *b = &sim->f->blocks[block];

	if (b->npred != 1 || b->nsucc != 1 || b->succ[0] != then ||
	    sim->f->insts[sim->f->blocks[then].first].op == IR_PHI)
		return false;
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		const struct ir_inst *in = &sim->f->insts[i];
		bool ok = in->op == IR_BR || in->op == IR_CAST ||
			  (in->op == IR_LOAD && in->ops[0] == IR_SLOT(slot)) || is_release(sim, in, 1) ||
			  (in->op == IR_STORE && in->ops[0] == IR_SLOT(slot) && in->ops[1] == IR_NULL);

		if (!ok)
			return false;
	}
	return true;
}

/* A comparison of the variable with null: is all that it decides whether that is released? */
static bool is_harmless_test(const struct plan_sim *sim, const struct ir_inst *cmp, uint32_t slot)
{
	const struct ir_block *b = &sim->f->blocks[cmp->block];
	const struct ir_inst *br = &sim->f->insts[b->first + b->n - 1];
	bool is_null = cmp->sub == IR_P_EQ;

	if ((cmp->sub != IR_P_EQ && cmp->sub != IR_P_NE) || cmp->ops[1] != IR_NULL || br->op != IR_CONDBR ||
	    br->ops[0] != IR_VREG(cmp->res))
		return false;
	for (uint32_t i = 0; i < sim->f->ninsts; i++)
		for (uint32_t k = 0; k < sim->f->insts[i].nops; k++)
			if (sim->f->insts[i].ops[k] == IR_VREG(cmp->res) && &sim->f->insts[i] != br)
				return false;
	return only_releases(sim, br->targets[is_null], br->targets[!is_null], slot);
}

/* Is the release one that such a test has asked for? */
static bool is_asked(const struct plan_sim *sim, const struct ir_inst *call, uint32_t slot)
{
	const struct ir_block *b = &sim->f->blocks[call->block];
	const struct ir_inst *br =
		b->npred == 1
			? &sim->f->insts[sim->f->blocks[b->pred[0]].first + sim->f->blocks[b->pred[0]].n - 1]
			: NULL;
	const struct ir_inst *cmp = br && br->op == IR_CONDBR ? ir_def(sim->f, br->ops[0]) : NULL;
	const struct ir_inst *of = cmp && cmp->op == IR_CMP ? ir_def(sim->f, cmp->ops[0]) : NULL;

	return of && of->op == IR_LOAD && of->ops[0] == IR_SLOT(slot) && is_harmless_test(sim, cmp, slot) &&
	       br->targets[cmp->sub == IR_P_EQ] == call->block;
}

/* Is all that is done with a value of the variable to test and release it? */
static bool is_harmless_value(const struct plan_sim *sim, uint32_t vreg, uint32_t slot, unsigned depth)
{
	if (bits_test(&sim->wide, vreg) || depth > 3)
		return false;
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			if (in->ops[k] != IR_VREG(vreg))
				continue;
			if (in->op == IR_CAST && in->sub == IR_CAST_BITCAST
				    ? is_harmless_value(sim, in->res, slot, depth + 1)
			    : in->op == IR_CMP ? !k && is_harmless_test(sim, in, slot)
					       : is_release(sim, in, k) &&
							 (takes_null(sim, in) || is_asked(sim, in, slot)))
				continue;
			return false;
		}
	}
	return true;
}

/* Does the call fill the variable, or leave it alone, and never look at what was there? */
static bool fills(const struct plan_sim *sim, uint32_t call, uint32_t slot)
{
	for (uint32_t i = 0; i < sim->births.n; i++) {
		const struct plan_birth *b = &sim->births.v[i];
		uint32_t out = b->rows && b->inst == call ? b->rows->out[b->out].param : IR_NONE;

		if (out < PLAN_RESULT && out + 1 < sim->f->insts[call].nops &&
		    sim->f->insts[call].ops[out + 1] == IR_SLOT(slot) && !b->rows->out[b->out].off &&
		    called_model(sim, &sim->f->insts[call]))
			return true;
	}
	return false;
}

/* The instructions of a node, as long as the variable is not set. */
static bool is_harmless_node(const struct plan_sim *sim, const struct plan_node *n, uint32_t slot)
{
	const struct ir_block *b = &sim->f->blocks[sim->f->insts[n->pos].block];

	for (uint32_t i = n->pos; i < b->first + b->n && (i == n->pos || !bits_test(&sim->split, i)); i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op == IR_STORE && in->ops[0] == IR_SLOT(slot))
			return true;
		for (uint32_t k = 0; k < in->nops; k++) {
			if (in->ops[k] != IR_SLOT(slot))
				continue;
			if (!(in->op == IR_LOAD && !(in->flags & IR_F_VOLATILE) &&
			      is_harmless_value(sim, in->res, slot, 0)) &&
			    !(in->op == IR_CALL && fills(sim, i, slot)))
				return false;
		}
	}
	return true;
}

/* Is the address of the variable used for nothing else than to read, set and fill it? */
static bool is_ours_alone(const struct plan_sim *sim, uint32_t slot)
{
	for (uint32_t i = 0; i < sim->f->ninsts; i++)
		for (uint32_t k = 0; k < sim->f->insts[i].nops; k++) {
			uint8_t op = sim->f->insts[i].op;

			if (sim->f->insts[i].ops[k] == IR_SLOT(slot) &&
			    !((op == IR_LOAD || op == IR_STORE) && !k) &&
			    !(op == IR_CALL && fills(sim, i, slot)))
				return false;
		}
	return true;
}

bool null_is_harmless(const struct plan_sim *sim, uint32_t node, uint32_t key)
{
	const struct plan_state *s = &sim->nodes.v[node].s;
	VEC(uint32_t) todo = {0};
	struct bits seen;
	bool ok = key < sim->f->nslots && pstate_hold(s, key) == HOLD_MUST && sim_is_scalar(sim, key) &&
		  is_ours_alone(sim, key);

	for (uint32_t i = 0; i < s->n && ok; i++)
		ok = s->cells[i].hold == HOLD_NO || s->cells[i].key == key;
	bits_init(&seen, sim->nodes.n);
	bits_set(&seen, node);
	vec_push(&todo, node);
	while (todo.n && ok) {
		const struct plan_node *n = &sim->nodes.v[vec_pop(&todo)];

		ok = is_harmless_node(sim, n, key);
		for (uint32_t k = 0; k < n->steps.n && ok; k++)
			if (pstate_hold(&sim->nodes.v[n->steps.v[k].to].s, key) != HOLD_NO &&
			    bits_set(&seen, n->steps.v[k].to))
				vec_push(&todo, n->steps.v[k].to);
	}
	vec_release(&todo);
	bits_release(&seen);
	return ok;
}
