/*
 * plan_compare.c - a number that was found to be greater than another is not null.
 *
 *	if (size < need + 1) {
 *		size = need + 1;
 *		q = realloc(p, size);
 *
 * With unsigned numbers `need + 1` is not 0 there, and realloc() does not free what it is given.  States
 *know of variables, not of what is computed from them; so it is asked of the text: is the same expression,
 *of variables that were not set in between, the greater side of the comparison that led here?
 *
 * Which way it errs: only straight ways up from a block are looked at, and no calls are passed with
 *variables that others have the address of: "no".
 */
#include "plan/priv.h"

enum { MAX_UP = 4, MAX_DEPTH = 6 };

/* The side of a condition that is greater than another number, or not null, if the condition is so; IR_NULL.
 */
static ir_ref greater_side(const struct ir_inst *cmp, bool taken)
{
	uint32_t pred = taken ? cmp->sub : (uint32_t)pval_negate((enum ir_pred)cmp->sub);

	if (pred == IR_P_ULT)
		return cmp->ops[1];
	if (pred == IR_P_UGT)
		return cmp->ops[0];
	return IR_NULL;
}

/* May the variable be set by an instruction of these?  If somebody has its address, by all that writes to
 * memory. */
static bool is_set(const struct plan_sim *sim, ir_ref slot, uint32_t from, uint32_t to)
{
	bool known = sim->ssa->promoted[IR_IDX(slot)];

	for (uint32_t i = from; i < to; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op == IR_STORE &&
		    (in->ops[0] == slot || (!known && IR_KIND(in->ops[0]) != IR_R_SLOT)))
			return true;
		if (!known && in->op != IR_STORE && in->op != IR_LOAD && in->op != IR_BIN &&
		    in->op != IR_CAST && in->op != IR_CMP && in->op != IR_COPY && in->op != IR_BR &&
		    in->op != IR_CONDBR)
			return true;
	}
	return false;
}

/* Do two loads of a variable give the same?  The second is in a block that one way alone leads to, from that
 * of the first. */
static bool is_same_load(const struct plan_sim *sim, const struct ir_inst *a, const struct ir_inst *b)
{
	const struct ir_func *f = sim->f;
	uint32_t at = b->block, first = (uint32_t)(a - f->insts), end = (uint32_t)(b - f->insts);

	if (a->ops[0] != b->ops[0] || IR_KIND(a->ops[0]) != IR_R_SLOT ||
	    (a->flags | b->flags) & IR_F_VOLATILE)
		return false;
	for (unsigned n = 0; n <= MAX_UP; n++) {
		const struct ir_block *x = &f->blocks[at];

		if (at == a->block)
			return !is_set(sim, a->ops[0], first + 1, end);
		if (is_set(sim, a->ops[0], x->first, end) || x->npred != 1)
			return false;
		at = x->pred[0];
		end = f->blocks[at].first + f->blocks[at].n;
	}
	return false;
}

static bool is_same(const struct plan_sim *sim, ir_ref a, ir_ref b, unsigned depth)
{
	const struct ir_inst *x = ir_def(sim->f, a), *y = ir_def(sim->f, b);

	if (a == b)
		return true;
	if (!x || !y || x->op != y->op || x->sub != y->sub || x->bits != y->bits || x->from != y->from ||
	    x->nops != y->nops || depth > MAX_DEPTH)
		return false;
	if (x->op == IR_LOAD)
		return is_same_load(sim, x, y);
	if (x->op != IR_BIN && x->op != IR_CAST && x->op != IR_COPY)
		return false;
	for (uint32_t k = 0; k < x->nops; k++)
		if (!is_same(sim, x->ops[k], y->ops[k], depth + 1))
			return false;
	return true;
}

bool compare_not_null(const struct plan_sim *sim, uint32_t inst, ir_ref value)
{
	const struct ir_func *f = sim->f;
	uint32_t at = f->insts[inst].block;

	for (unsigned n = 0; n < MAX_UP && f->blocks[at].npred == 1; n++) {
		uint32_t from = f->blocks[at].pred[0];
		const struct ir_inst *br = &f->insts[f->blocks[from].first + f->blocks[from].n - 1];
		const struct ir_inst *cmp = br->op == IR_CONDBR && br->targets[0] != br->targets[1]
						    ? ir_def(f, br->ops[0])
						    : NULL;
		ir_ref side = cmp && cmp->op == IR_CMP && cmp->block == from
				      ? greater_side(cmp, br->targets[0] == at)
				      : IR_NULL;

		if (side != IR_NULL && is_same(sim, side, value, 0))
			return true;
		at = from;
	}
	return false;
}
