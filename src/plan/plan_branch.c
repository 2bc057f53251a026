/*
 * plan_branch.c - from block to block: what a branch says of the values it asks for (the null
 * tests of LeakFix, II-C1, and the flags and return codes that go together with them), and
 * what need not be known behind it.
 */
#include "plan/priv.h"

/* ---- edges ---------------------------------------------------------------- */

/* Is the slot not written between two instructions of a block? */
static bool is_kept(const struct plan_sim *sim, uint32_t slot, uint32_t inst, uint32_t at)
{
	for (uint32_t i = inst + 1; i < at; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op == IR_STORE && in->ops[0] == IR_SLOT(slot))
			return false;
		if (!sim->ssa->promoted[slot] &&
		    (in->op == IR_CALL || in->op == IR_STORE || in->op == IR_MEMCPY || in->op == IR_ASM))
			return false;
	}
	return true;
}

static bool refine_key(struct plan_state *s, uint32_t key, bool pointer, enum ir_pred pred, int64_t c)
{
	struct plan_val v = pstate_val(s, key);

	if (v.kind == PVAL_ANY && pointer && c >= 0)
		v = (struct plan_val){ .kind = PVAL_RANGE, .lo = 0, .hi = INT64_MAX };
	if (!pval_refine(&v, pred, c))
		return false;
	if (pointer && v.kind == PVAL_RANGE && v.lo == 0 && v.hi == INT64_MAX)
		v = pval_any();
	pstate_set(s, key, pstate_hold(s, key), v);
	return true;
}

/* The same for what was read through a variable, if nothing was written since. */
static bool refine_path(const struct plan_sim *sim, struct plan_state *s, uint32_t load, uint32_t at,
			bool pointer, enum ir_pred pred, int64_t c)
{
	const struct ir_inst *in = &sim->f->insts[load];
	uint32_t key = in->flags & IR_F_VOLATILE ? IR_NONE : sim_path_at(sim, in->ops[0], load);

	if (key == IR_NONE || pstate_val(s, key).kind == PVAL_ANY)
		return true;
	for (uint32_t i = load + 1; i < at; i++) {
		const struct ir_inst *x = &sim->f->insts[i];

		if (x->op == IR_STORE && IR_KIND(x->ops[0]) == IR_R_SLOT &&
		    sim->ssa->promoted[IR_IDX(x->ops[0])])
			continue;
		if (x->op == IR_STORE || x->op == IR_CALL || x->op == IR_MEMCPY || x->op == IR_MEMSET ||
		    x->op == IR_ASM)
			return true;
	}
	return refine_key(s, key, pointer, pred, c);
}

/* Numbers are kept with their sign: an unsigned one of the upper half is another number after it
 * was widened. */
static bool is_same_after_zext(const struct ir_inst *cast, enum ir_pred pred, int64_t c)
{
	return cast->sub == IR_CAST_ZEXT && (pred == IR_P_EQ || pred == IR_P_NE) && c >= 0 &&
	       cast->from > 1 && cast->from <= 32 && c < INT64_C(1) << (cast->from - 1);
}

/* A product with a number that is not zero, of something that was widened before so that it does not
 * overflow: it is zero exactly if that is; without the widening, it is zero if that is. */
static ir_ref factor_of(const struct plan_sim *sim, const struct ir_inst *d, enum ir_pred pred, int64_t c)
{
	const struct ir_inst *x;

	for (uint32_t k = 0; k < 2 && d->op == IR_BIN && d->sub == IR_B_MUL && c == 0 &&
			     (pred == IR_P_EQ || pred == IR_P_NE);
	     k++) {
		int64_t by = IR_KIND(d->ops[k]) == IR_R_INT ? ir_int_value(sim->pl->m, d->ops[k]) : 0;

		x = ir_def(sim->f, d->ops[1 - k]);
		if (by > 0 && by <= INT32_MAX &&
		    (pred == IR_P_NE ||
		     (d->bits == 64 && x && x->op == IR_CAST &&
		      (x->sub == IR_CAST_SEXT || x->sub == IR_CAST_ZEXT) && x->from <= 32)))
			return d->ops[1 - k];
	}
	return IR_NULL;
}

/* `v pred c` holds from the instruction `at` on.  False: it cannot. */
bool sim_assume_value(struct plan_sim *sim, struct plan_state *s, uint32_t at, ir_ref v, enum ir_pred pred,
		      int64_t c)
{
	const struct ir_inst *d = ir_def(sim->f, v);
	uint16_t bits;
	bool pointer;

	if (IR_KIND(v) != IR_R_VREG)
		return true;
	pointer = ir_vreg_class(sim->f, IR_IDX(v), &bits) == IR_C_PTR;
	if (c == 0 && sim_hold(sim, s, v) == HOLD_MUST && (pred == IR_P_EQ || pred == IR_P_NE)) {
		if (pred == IR_P_EQ && s->nonnull)
			return false;
		if (pred == IR_P_EQ)
			pstate_no_object(s);
		else
			s->nonnull = 1;
	}
	if (!refine_key(s, sim_vreg_key(sim, IR_IDX(v)), pointer, pred, c))
		return false;
	for (uint32_t i = sim->f->blocks[sim->f->insts[at].block].first; i < at; i++) {
		const struct ir_inst *in = &sim->f->insts[i];
		uint32_t slot = IR_NONE;

		if (in->op == IR_LOAD && in->res == IR_IDX(v) && sim_exact(sim, in->ops[0], 0) == IR_NONE &&
		    !refine_path(sim, s, i, at, pointer, pred, c))
			return false;
		if ((in->op == IR_LOAD && in->res == IR_IDX(v)) || (in->op == IR_STORE && in->ops[1] == v))
			slot = IR_KIND(in->ops[0]) == IR_R_SLOT ? IR_IDX(in->ops[0]) : IR_NONE;
		if (slot == IR_NONE || !sim_is_scalar(sim, slot) || !sim_is_whole(sim, slot, in) ||
		    in->flags & IR_F_VOLATILE || !is_kept(sim, slot, i, at) || !sim_keeps(sim, slot))
			continue;
		if (!refine_key(s, slot, pointer, pred, c))
			return false;
	}
	if (d && d->op == IR_CAST &&
	    (d->sub == IR_CAST_SEXT || d->sub == IR_CAST_BITCAST || is_same_after_zext(d, pred, c)))
		return sim_assume_value(sim, s, at, d->ops[0], pred, c);
	if (d && factor_of(sim, d, pred, c) != IR_NULL)
		return sim_assume_value(sim, s, at, factor_of(sim, d, pred, c), pred, c);
	return true;
}

/* The condition has this outcome.  False: it cannot. */
static bool assume_cond(struct plan_sim *sim, struct plan_state *s, uint32_t at, ir_ref cond, bool taken,
			int depth)
{
	const struct ir_inst *d = ir_def(sim->f, cond);
	struct plan_val v = sim_val(sim, s, cond);
	struct plan_val b;
	enum ir_pred pred;

	if (v.kind == PVAL_RANGE && v.lo == v.hi && (v.lo != 0) != taken)
		return false;
	if (!d || depth > 8)
		return true;
	if (d->op == IR_CAST && (d->sub == IR_CAST_TRUNC || d->sub == IR_CAST_ZEXT) &&
	    (d->bits == 1 || d->from == 1)) {
		const struct ir_inst *x = ir_def(sim->f, d->ops[0]);

		if (d->sub == IR_CAST_TRUNC && x && x->op == IR_LOAD && d->from == 8)	/* a _Bool */
			return sim_assume_value(sim, s, at, d->ops[0], taken ? IR_P_EQ : IR_P_NE, 1) &&
			       sim_assume_value(sim, s, at, d->ops[0], taken ? IR_P_NE : IR_P_EQ, 0);
		if (d->sub == IR_CAST_TRUNC &&
		    !(x && x->op == IR_CAST && x->sub == IR_CAST_ZEXT && x->from == 1))
			return true;	/* only its lowest bit */
		return assume_cond(sim, s, at, d->ops[0], taken, depth + 1);
	}
	if (d->op == IR_BIN && d->sub == IR_B_XOR && d->bits == 1)
		return assume_cond(sim, s, at, d->ops[0], !taken, depth + 1);
	if (d->op != IR_CMP)
		return true;
	b = sim_val(sim, s, d->ops[1]);
	/* both are its start: `if (t != value) free(t);` does not */
	if (sim_hold(sim, s, d->ops[0]) == HOLD_MUST && sim_hold(sim, s, d->ops[1]) == HOLD_MUST &&
	    (d->sub == IR_P_EQ || d->sub == IR_P_NE))
		return taken == (d->sub == IR_P_EQ);
	if ((d->sub == IR_P_EQ || d->sub == IR_P_NE) && echo_differs(sim, s, d->ops[0], d->ops[1]))
		return taken == (d->sub == IR_P_NE);
	if (b.kind != PVAL_RANGE || b.lo != b.hi)
		return true;
	pred = taken ? (enum ir_pred)d->sub : pval_negate((enum ir_pred)d->sub);
	if (b.lo == 0 && (pred == IR_P_EQ || pred == IR_P_NE)) {
		const struct ir_inst *x = ir_def(sim->f, d->ops[0]);

		if (x && ((x->op == IR_CAST && x->sub == IR_CAST_ZEXT && x->from == 1) || x->op == IR_CMP) &&
		    !assume_cond(sim, s, at, x->op == IR_CMP ? d->ops[0] : x->ops[0], pred == IR_P_NE,
				 depth + 1))
			return false;
	}
	return sim_assume_value(sim, s, at, d->ops[0], pred, b.lo);
}

bool sim_assume(struct plan_sim *sim, struct plan_state *s, uint32_t at, ir_ref cond, bool taken)
{
	return assume_cond(sim, s, at, cond, taken, 0);
}

/* Leaves the block by target number t.  False: that way cannot be taken. */
bool sim_leave(struct plan_sim *sim, struct plan_state *s, const struct ir_inst *in, uint32_t t)
{
	struct plan_val v;

	switch (in->op) {
	case IR_CONDBR:
		if (in->targets[0] == in->targets[1])
			return true;
		return assume_cond(sim, s, (uint32_t)(in - sim->f->insts), in->ops[0], t == 0, 0);
	case IR_SWITCH:
		if (t) {
			if (IR_KIND(in->ops[t]) != IR_R_INT)
				return true;
			for (uint32_t k = 0; k < in->ntargets;
			     k++) /* another case, or the default, with the same target */
				if (k != t && in->targets[k] == in->targets[t])
					return true;
			return sim_assume_value(sim, s, (uint32_t)(in - sim->f->insts), in->ops[0], IR_P_EQ,
						ir_int_value(sim->pl->m, in->ops[t]));
		}
		v = sim_val(sim, s, in->ops[0]);
		for (uint32_t k = 1; k < in->ntargets; k++)
			if (IR_KIND(in->ops[k]) == IR_R_INT && v.kind == PVAL_RANGE && v.lo == v.hi &&
			    in->targets[k] != in->targets[0] && v.lo == ir_int_value(sim->pl->m, in->ops[k]))
				return false;
		return true;
	default:
		return true;
	}
}

/* Is the object in a member of what the variable points to, and got there in no other way?  Then it matters
 * when that is lost. */
static bool is_way(const struct plan_sim *sim, const struct plan_state *s, uint32_t slot)
{
	for (uint32_t i = s->n; i-- > 0 && s->cells[i].key >= sim_first_loc(sim);) {
		const struct plan_path *q =
			s->cells[i].via ? sim_key_path(sim, (uint32_t)s->cells[i].via) : NULL;

		if (q && s->cells[i].hold != HOLD_NO && q->slot == slot)
			return true;
	}
	return false;
}

/* Is a vreg read at the start of the block, or later on? */
static bool is_live(const struct plan_sim *sim, uint32_t block, uint32_t vreg)
{
	return vreg < sim->f->nvregs && sim->wide_bit[vreg] &&
	       bits_test(&sim->live[block], sim->wide_bit[vreg]);
}

/* Is it a member behind a variable that is not read any more, and that the objects of M never get into?  A
 * place that names it could ask for those alone. */
static bool is_dead_member(const struct plan_sim *sim, uint32_t block, const struct plan_cell *c)
{
	const struct plan_path *q = c->hold == HOLD_NO ? sim_key_path(sim, c->key) : NULL;

	return q && q->out == IR_NONE && q->param == IR_NONE && q->member == IR_NONE &&
	       !bits_test(&sim->ours, c->key - sim_first_path(sim)) && !bits_test(&sim->cand, q->slot) &&
	       !bits_test(&sim->live[block], q->slot);
}

/* What a block's successors need not know is dropped, and phis get their values. */
void sim_cross(struct plan_sim *sim, struct plan_state *s, uint32_t from, uint32_t to)
{
	const struct ir_block *b = &sim->f->blocks[to];
	VEC(struct plan_cell) phis = {0};
	uint32_t kept = 0;

	for (uint32_t i = b->first; i < b->first + b->n && sim->f->insts[i].op == IR_PHI; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		for (uint32_t k = 0; k < in->ntargets; k++)
			if (in->targets[k] == from)
				vec_push(&phis, ((struct plan_cell) { .key = sim_vreg_key(sim, in->res),
								      .hold = sim_hold(sim, s, in->ops[k]),
								      .val = sim_val(sim, s, in->ops[k]) }));
	}
	for (uint32_t i = 0; i < s->n; i++) {
		struct plan_cell *c = &s->cells[i];

		if (c->key >= sim->f->nslots && c->key < sim_first_loc(sim) &&
		    !is_live(sim, to, c->key - sim->f->nslots))
			continue;
		if (c->key < sim->f->nslots && bits_test(&sim->brief, c->key))
			continue;
		if (c->key < sim->f->nslots && !bits_test(&sim->cand, c->key) &&
		    !bits_test(&sim->live[to], c->key) &&
		    !(sim->guarded && bits_test(&sim->flags, c->key)) &&
		    !(c->val.kind == PVAL_FRESH && is_way(sim, s, c->key)))
			c->val = pval_any();
		else if (is_dead_member(sim, to, c))
			c->val = pval_any();
		if (c->hold == HOLD_NO && c->val.kind == PVAL_ANY)
			continue;
		if (kept < i)
			s->cells[kept] = *c;
		kept++;
	}
	s->n = kept;
	for (uint32_t i = 0; i < phis.n; i++)
		pstate_set(s, phis.v[i].key, (enum plan_hold)phis.v[i].hold, phis.v[i].val);
	vec_release(&phis);
	sim_unshow_lost(sim, s);
}
