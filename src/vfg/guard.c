/*
 * guard.c - under which branches does control get from here to there?
 *
 * Equations (4) and (5) of the paper: the guard of a path is the conjunction of
 * its branches, that of a place the disjunction over the paths to it.  A loop is
 * gone through at most once, and a path that has been through the loop leaves it
 * without a condition (Figure 8).
 *
 * A variable is a condition, not a branch: two branches that compare the same
 * values share it, so that `if (f) ... if (f)` is no surprise.  Same values are
 * found by their structure (value numbering).  Two loads of one address count
 * as the same value unless the function itself stores there; a callee or an
 * alias that changes it in between is overlooked.  That may hide a leak and
 * makes no false alarm.
 *
 * Tests of the object's own address against null are decided: it is not null, and it is no other
 * object's address either (`if (p != buf) free(p)`).  So are tests of the allocating call's result
 * where its model says when it allocates (asprintf gives a string when it returns >= 0).
 */
#include "vfg/guard.h"

#include <assert.h>

/* ---- value numbers --------------------------------------------------- */

enum { MAX_DEPTH = 10, MAX_GUARD_NODES = 50000 };

static uint64_t number(struct guards *gd, uint32_t func, ir_ref r, int depth, bool *of_object);

/* Addresses that a function stores to, by number. */
static const struct guardmap *stored_in(struct guards *gd, uint32_t func)
{
	const struct ir_func *f = &gd->g->m->funcs.v[func];
	struct guardmap *m = &gd->stored[func];

	if (m->cap)
		return m;
	guardmap_put(m, 0, NULL);	/* so that it is made once */
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_STORE) {
			bool unused = false;
			uint64_t key = number(gd, func, f->insts[i].ops[0], MAX_DEPTH - 2, &unused);

			guardmap_put(m, key, NULL);
		}
	return m;
}

static uint64_t number_inst(struct guards *gd, uint32_t func, const struct ir_inst *in, int depth,
			    bool *of_object)
{
	uint64_t h = hash_join(in->op, in->sub), addr;
	const struct ir_func *g;

	switch (in->op) {
	case IR_LOAD:
		addr = number(gd, func, in->ops[0], depth + 1, of_object);
		/* While the table itself is made it is incomplete: depth tells. */
		if (in->flags & IR_F_VOLATILE ||
		    (depth < MAX_DEPTH - 2 && guardmap_get(stored_in(gd, func), addr)))
			return hash_join(hash_join(func, 0x10ad), in->res);
		return hash_join(h, addr);
	case IR_FIELD:
		return hash_join(hash_join(h, (uint64_t)in->imm),
				 number(gd, func, in->ops[0], depth + 1, of_object));
	case IR_CALL:
		g = ir_callee(gd->g->m, in);
		if (!g || !(g->flags & IR_FN_READONLY))
			return hash_join(hash_join(func, 0xca11), in->res);
		break;
	case IR_ELEM:
	case IR_INDEX:
	case IR_CAST:
	case IR_BIN:
	case IR_CMP:
		h = hash_join(h, (uint64_t)in->imm);
		break;
	default:
		return hash_join(hash_join(func, 0x0dd), in->res);
	}
	for (uint32_t k = 0; k < in->nops; k++)
		h = hash_join(h, number(gd, func, in->ops[k], depth + 1, of_object));
	return h;
}

static uint64_t number(struct guards *gd, uint32_t func, ir_ref r, int depth, bool *of_object)
{
	const struct ir_inst *d;

	r = ssa_ref(pta_ssa(gd->g->p, func), r);
	if (IR_KIND(r) == IR_R_INT)
		return hash_join(1, (uint64_t)ir_int_value(gd->g->m, r));
	if (r == IR_NULL)
		return hash_join(1, 0);
	if (IR_KIND(r) != IR_R_VREG)
		return hash_join(hash_join(2, IR_KIND(r) == IR_R_SLOT ? func : 0), r);
	if (gd->src && vfg__may_hold(gd->g, VNODE_VALUE(func, IR_IDX(r)), gd->src->obj))
		*of_object = true;
	d = ssa_def(pta_ssa(gd->g->p, func), r);
	if (!d || depth >= MAX_DEPTH)
		return hash_join(hash_join(3, func), r);
	return number_inst(gd, func, d, depth, of_object);
}

/* ---- conditions ------------------------------------------------------ */

/* An operand as SSA sees it, with the phi at hand replaced by what it is, and the
 * result of a function that returns its argument by that. */
static ir_ref operand(const struct guards *gd, uint32_t func, ir_ref r)
{
	r = ssa_ref(pta_ssa(gd->g->p, func), r);
	if (r == gd->phi && gd->phi != IR_UNDEF)
		r = gd->phi_is;
	return pta_same(gd->g->p, func, r);
}

struct cond {
	enum { COND_VAR, COND_FALSE, COND_TRUE } kind;
	uint64_t key;
	bool flip;		/* the branch is taken when the variable is false */
	bool of_object;
};

static bool is_zero(const struct guards *gd, ir_ref r)
{
	return r == IR_NULL || (IR_KIND(r) == IR_R_INT && ir_int_value(gd->g->m, r) == 0);
}

static int64_t number_of(const struct guards *gd, ir_ref r)
{
	return r == IR_NULL ? 0 : ir_int_value(gd->g->m, r);
}

/* Is the value the object's address for sure: what the source gave, or what the
 * node at hand defines? */
static bool is_object(const struct guards *gd, uint32_t func, vnode n, ir_ref r)
{
	const struct ir_inst *call;

	if (IR_KIND(r) != IR_R_VREG)
		return false;
	if (n == VNODE_VALUE(func, IR_IDX(r)))
		return true;
	if (VNODE_IS_DEF(n)) {
		const struct ir_inst *d = ssa_def(pta_ssa(gd->g->p, func), r);
		const struct mssa_func *mf = mssa_func(gd->g->s, func);
		uint32_t i = d ? (uint32_t)(d - gd->g->m->funcs.v[func].insts) : 0;

		/* A load of just this version. */
		if (d && d->op == IR_LOAD && mf->use_row[i] + 1 == mf->use_row[i + 1] &&
		    mf->uses[mf->use_row[i]].def == VNODE_IDX(n))
			return true;
	}
	if (VNODE_IS_PUT(n)) {
		const struct ir_inst *d = ssa_def(pta_ssa(gd->g->p, func), r);

		if (d && d->op == IR_LOAD && vfg__is_put_place(gd->g, n, gd->src->obj, d->ops[0]))
			return true;
	}
	if (func != gd->src->func)
		return false;
	call = &gd->g->m->funcs.v[func].insts[gd->src->inst];
	return call->res == IR_IDX(r) && call->cls == IR_C_PTR;
}

/* Was the value there before the object?  Then it is not its address. */
static bool is_older(const struct guards *gd, uint32_t func, ir_ref r)
{
	return func == gd->src->func && IR_IDX(r) < gd->g->m->funcs.v[func].nparams;
}

/* Is the value read from memory that others reach?  If the object were there it
 * would have escaped before, and that way counts as freed already. */
static bool is_from_elsewhere(const struct guards *gd, uint32_t func, ir_ref r)
{
	const struct ir_inst *d = ssa_def(pta_ssa(gd->g->p, func), r);
	const struct sbits *pts;

	if (!d || d->op != IR_LOAD)
		return false;
	pts = pta_points_to(gd->g->p, func, d->ops[0]);
	SBITS_FOREACH(l, pts)
		if (!mssa_escaped(gd->g->s, pta_loc(gd->g->p, l)->obj))
			return false;
	return pts->n;
}

/* Can the value not be the object's address?  Null, -1 and the like, and what
 * points only to other objects: the buffer on the stack that is used unless
 * something larger was needed. */
static bool is_elsewhere(const struct guards *gd, uint32_t func, ir_ref r)
{
	const struct sbits *pts;

	if (r == IR_NULL || IR_KIND(r) == IR_R_INT)
		return true;
	if (IR_KIND(r) != IR_R_VREG)
		return r != IR_UNDEF && r != IR_CONST;
	if (is_older(gd, func, r))
		return true;
	if (is_from_elsewhere(gd, func, r))
		return true;
	pts = pta_points_to(gd->g->p, func, r);
	return pts->n && !vfg__may_hold(gd->g, VNODE_VALUE(func, IR_IDX(r)), gd->src->obj);
}

/* What the allocating call returns when it allocates, by its model. */
static bool model_range(const struct guards *gd, int64_t *lo, int64_t *hi)
{
	const struct ir_inst *call = &gd->g->m->funcs.v[gd->src->func].insts[gd->src->inst];
	const struct model_effect *e = pta_obj(gd->g->p, gd->src->obj)->effect;
	const struct ir_func *callee = ir_callee(gd->g->m, call);
	bool any = false;

	*lo = INT64_MIN;
	*hi = INT64_MAX;
	if (!callee || !ir_is_decl(callee))
		return false;
	for (unsigned i = 0; i < e->nconds; i++) {
		const struct model_cond *c = &e->conds[i];

		if (c->place.base != MODEL_RETURN || c->place.nsteps)
			continue;
		any = true;
		if (c->cmp == MODEL_EQ || c->cmp == MODEL_GE)
			*lo = c->value;
		if (c->cmp == MODEL_EQ || c->cmp == MODEL_LE)
			*hi = c->value;
		if (c->cmp == MODEL_GT)
			*lo = c->value + 1;
		if (c->cmp == MODEL_LT)
			*hi = c->value - 1;
	}
	return any;
}

/* What is known of the result of a call while the object is alive. */
static bool known_result(const struct guards *gd, uint32_t func, ir_ref r, int64_t *lo, int64_t *hi)
{
	const struct ir_func *f = &gd->g->m->funcs.v[func];

	if (IR_KIND(r) != IR_R_VREG || IR_IDX(r) >= f->nvregs || f->def[IR_IDX(r)] == IR_NONE)
		return false;
	if (func == gd->src->func && f->def[IR_IDX(r)] == gd->src->inst && model_range(gd, lo, hi))
		return true;
	for (uint32_t i = 0; i < gd->ranges.n; i++) {
		const struct guard_range *x = &gd->ranges.v[i];

		if (x->func == func && x->inst == f->def[IR_IDX(r)]) {
			*lo = x->lo;
			*hi = x->hi;
			return true;
		}
	}
	return false;
}

void guards_result(struct guards *gd, uint32_t func, uint32_t inst, int64_t lo, int64_t hi)
{
	for (uint32_t i = 0; i < gd->ranges.n; i++) {
		struct guard_range *x = &gd->ranges.v[i];

		if (x->func == func && x->inst == inst) {
			x->lo = MIN(x->lo, lo);
			x->hi = MAX(x->hi, hi);
			return;
		}
	}
	vec_push(&gd->ranges, ((struct guard_range){ func, inst, lo, hi }));
}

/* 1, 0, or -1 if neither is known. */
static int yes_or_no(bool yes, bool no)
{
	return yes ? 1 :
	       no ? 0 : -1;
}

/* Is `x p c` decided for x between lo and hi?  1 yes, 0 no, -1 not decided. */
static int decide(int64_t lo, int64_t hi, enum ir_pred p, int64_t c)
{
	switch (p) {
	case IR_P_EQ: return yes_or_no(lo == hi && lo == c, c < lo || c > hi);
	case IR_P_NE: return yes_or_no(c < lo || c > hi, lo == hi && lo == c);
	case IR_P_SLT: return yes_or_no(hi < c, lo >= c);
	case IR_P_SLE: return yes_or_no(hi <= c, lo > c);
	case IR_P_SGT: return yes_or_no(lo > c, hi <= c);
	case IR_P_SGE: return yes_or_no(lo >= c, hi < c);
	default: return -1;
	}
}

static bool constants(const struct guards *gd, ir_ref a, ir_ref b, int64_t *x, int64_t *y)
{
	bool ka = is_zero(gd, a) || IR_KIND(a) == IR_R_INT, kb = is_zero(gd, b) || IR_KIND(b) == IR_R_INT;

	*x = IR_KIND(a) == IR_R_INT ? ir_int_value(gd->g->m, a) : 0;
	*y = IR_KIND(b) == IR_R_INT ? ir_int_value(gd->g->m, b) : 0;
	return ka && kb;
}

/* Where a pointer to a holder of what is in the region may point. */
static const struct sbits *holders_of(struct guards *gd, uint32_t func, uint32_t region)
{
	bool is_new;
	uint32_t *at = guardmap_put(&gd->holder_at, (uint64_t)func << 32 | region, &is_new);
	struct sbits all = {0};

	trace_note(FACT_HOLDER_LOCS, func, region);
	if (!is_new)
		return &gd->holder_sets.v[*at];
	*at = gd->holder_sets.n;
	vfg__holder_locs(gd->g, func, region, &all);
	vec_push(&gd->holder_sets, all);
	return &vec_last(&gd->holder_sets);
}

/* May the value point to what holds the object, if that is memory, or to what
 * holds that (a list of words that hold strings)?  A function that is given the
 * holder and asks whether it is null asks in vain, and so does the loop over a
 * list that holds it.  (If the value points elsewhere the answer is wrong, which
 * may hide a leak.) */
static bool is_holder(struct guards *gd, uint32_t func, vnode n, ir_ref r)
{
	const struct sbits *pts;

	if (VNODE_IS_HELD(n))
		return vfg__held_value(gd->g, n, gd->src->obj) == r;
	if (!VNODE_IS_DEF(n) || IR_KIND(r) != IR_R_VREG)
		return false;
	pts = pta_points_to(gd->g->p, func, r);
	return pts->n &&
	       sbits_intersects(pts, holders_of(gd, func,
						mssa_func(gd->g->s, func)->defs[VNODE_IDX(n)].region));
}

/* Is the comparison decided while the object is alive?  1 true, 0 false, -1 no. */
static int outcome(struct guards *gd, vnode n, enum ir_pred p, ir_ref a, ir_ref b)
{
	uint32_t func = VNODE_FUNC(n);
	bool equality = p == IR_P_EQ || p == IR_P_NE || (p == IR_P_UGT && is_zero(gd, b));
	int64_t lo, hi;

	if (constants(gd, a, b, &lo, &hi))
		return decide(lo, lo, p, hi);
	if (a == b && IR_KIND(a) == IR_R_VREG && (p == IR_P_EQ || p == IR_P_NE))
		return p == IR_P_EQ;
	if (equality && ((is_object(gd, func, n, a) && is_elsewhere(gd, func, b)) ||
			 (is_object(gd, func, n, b) && is_elsewhere(gd, func, a))))
		return p != IR_P_EQ;
	if (equality && is_zero(gd, b) && is_holder(gd, func, n, a))
		return p != IR_P_EQ;
	if ((IR_KIND(b) == IR_R_INT || b == IR_NULL) && known_result(gd, func, a, &lo, &hi))
		return decide(lo, hi, p, number_of(gd, b));
	return -1;
}

static void compare(struct guards *gd, vnode n, enum ir_pred p, ir_ref a, ir_ref b, struct cond *c)
{
	uint32_t func = VNODE_FUNC(n);
	uint64_t x, y;
	int known;

	a = operand(gd, func, a);
	b = operand(gd, func, b);
	known = outcome(gd, n, p, a, b);
	if (known >= 0) {
		c->kind = (known == 1) != c->flip ? COND_TRUE : COND_FALSE;
		return;
	}
	p = ir_pred_base(p, &c->flip);
	x = number(gd, func, a, 0, &c->of_object);
	y = number(gd, func, b, 0, &c->of_object);
	if (p == IR_P_EQ && x > y) {	/* symmetric */
		uint64_t t = x;

		x = y;
		y = t;
	}
	c->key = hash_join(hash_join(hash_join(4, p), x), y);
}

/* The phi of an earlier round of a loop, by which the one at hand is told (`on = !on;`): a variable
 * of its own, of which nothing is known. */
static struct cond of_round_before(const struct guards *gd, vnode n, struct cond c)
{
	c.key = hash_join(hash_join(hash_join(5, VNODE_FUNC(n)), gd->phi), gd->phi_is);
	return c;
}

/* `x ^ 1` of one bit: it is !x. */
static bool is_bit_not(const struct ir_module *m, const struct ir_inst *in)
{
	return in->op == IR_BIN && in->sub == IR_B_XOR && in->bits == 1 && IR_KIND(in->ops[1]) == IR_R_INT &&
	       ir_int_value(m, in->ops[1]);
}

/* The condition of a CONDBR, seen through negations and widenings. */
static struct cond condition(struct guards *gd, vnode n, ir_ref r)
{
	const struct ssa *s = pta_ssa(gd->g->p, VNODE_FUNC(n));
	struct cond c = { .kind = COND_VAR };
	bool replaced = false;

	for (;;) {
		const struct ir_inst *d;
		bool is_phi = gd->phi != IR_UNDEF && ssa_ref(s, r) == gd->phi;

		if (is_phi && replaced)
			return of_round_before(gd, n, c);
		replaced |= is_phi;
		r = operand(gd, VNODE_FUNC(n), r);
		if (IR_KIND(r) == IR_R_INT || r == IR_NULL) {
			bool yes = r != IR_NULL && ir_int_value(gd->g->m, r) != 0;

			c.kind = yes != c.flip ? COND_TRUE : COND_FALSE;
			return c;
		}
		d = ssa_def(s, r);
		if (d && d->op == IR_CAST) {
			r = d->ops[0];
		} else if (d && is_bit_not(gd->g->m, d)) {
			c.flip = !c.flip;
			r = d->ops[0];
		} else if (vfg__is_equality(d) && is_zero(gd, d->ops[1]) && d->cls == IR_C_INT) {
			/* x == 0 is !x; continue with x if x is a truth value itself */
			ir_ref inner = operand(gd, VNODE_FUNC(n), d->ops[0]);
			const struct ir_inst *x = ssa_def(s, inner);

			if (!x || (x->op != IR_CMP && !(x->op == IR_CAST && x->from == 1))) {
				compare(gd, n, d->sub, d->ops[0], d->ops[1], &c);
				return c;
			}
			c.flip ^= d->sub == IR_P_EQ;
			r = d->ops[0];
		} else if (d && d->op == IR_CMP) {
			compare(gd, n, d->sub, d->ops[0], d->ops[1], &c);
			return c;
		} else {
			compare(gd, n, IR_P_NE, r, IR_NULL, &c);
			return c;
		}
	}
}

/* Does the function count there: `x->refs--`? */
static bool counts_at(const struct guards *gd, uint32_t func, const struct sbits *pts)
{
	const struct ir_func *f = &gd->g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(gd->g->p, func);

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_inst *d = in->op == IR_STORE ? ssa_def(s, ssa_ref(s, in->ops[1])) : NULL;

		if (d && d->op == IR_BIN && (d->sub == IR_B_ADD || d->sub == IR_B_SUB) &&
		    sbits_equal(pta_points_to(gd->g->p, func, f->insts[i].ops[0]), pts))
			return true;
	}
	return false;
}

/* Does a condition ask for the reference count of something that holds the
 * object? */
static bool asks_holder(const struct guards *gd, uint32_t func, ir_ref r, int depth)
{
	const struct ir_inst *d = ssa_def(pta_ssa(gd->g->p, func), ssa_ref(pta_ssa(gd->g->p, func), r));
	const struct sbits *pts;

	if (!d || depth > 6)
		return false;
	if (d->op == IR_LOAD) {
		pts = pta_points_to(gd->g->p, func, d->ops[0]);
		trace_note(FACT_HOLDERS, gd->src->obj, 0);
		return pta_meets(gd->g->p, pts, &gd->g->heap_holders[gd->src->obj]) &&
		       counts_at(gd, func, pts);
	}
	if (d->op != IR_CMP && d->op != IR_BIN && d->op != IR_CAST)
		return false;
	for (uint32_t k = 0; k < d->nops; k++)
		if (asks_holder(gd, func, d->ops[k], depth + 1))
			return true;
	return false;
}

static bdd variable(struct guards *gd, uint64_t key, struct guard_var info)
{
	bool is_new;
	uint32_t *v = guardmap_put(&gd->vars, hash_join(key, info.ctx), &is_new);

	if (is_new) {
		const struct ir_inst *br = &gd->g->m->funcs.v[info.func].insts[info.inst];

		*v = gd->info.n;
		if (!info.of_object && info.ctx && br->nops)
			info.of_object = asks_holder(gd, info.func, br->ops[0], 0);
		vec_push(&gd->info, info);
	}
	return bdd_var(gd->bdd, *v);
}

/* The condition for target number t of the terminator of a block. */
static bdd target_guard(struct guards *gd, vnode n, uint32_t ctx, uint32_t inst, uint32_t t)
{
	uint32_t func = VNODE_FUNC(n);
	const struct ir_inst *in = &gd->g->m->funcs.v[func].insts[inst];
	bdd r = BDD_TRUE;

	if (in->op == IR_CONDBR) {
		struct cond c = condition(gd, n, in->ops[0]);
		bool taken = t == 0;

		if (c.kind != COND_VAR)
			return (c.kind == COND_TRUE) == taken ? BDD_TRUE : BDD_FALSE;
		r = variable(gd, c.key, (struct guard_var){ func, inst, 0, c.flip, ctx, c.of_object });
		return taken != c.flip ? r : bdd_not(gd->bdd, r);
	}
	if (in->op == IR_SWITCH) {
		/* case t and none before it; the default is none at all */
		for (uint32_t k = 1; k < in->nops && (t == 0 || k <= t); k++) {
			struct cond c = { .kind = COND_VAR };
			bdd x;

			compare(gd, n, IR_P_EQ, in->ops[0], in->ops[k], &c);
			if (c.kind == COND_VAR)
				x = variable(gd, c.key,
					     (struct guard_var){ func, inst, k, false, ctx, c.of_object });
			else
				x = c.kind == COND_TRUE ? BDD_TRUE : BDD_FALSE;
			r = bdd_and(gd->bdd, r, k == t ? x : bdd_not(gd->bdd, x));
		}
		return r;
	}
	if (in->op == IR_GOTO) {
		for (uint32_t k = 0; k + 1 < in->ntargets && k <= t; k++) {
			bdd x = variable(gd, hash_join(hash_join(hash_join(5, func), inst), k),
					 (struct guard_var){ func, inst, k, false, ctx, false });

			r = bdd_and(gd->bdd, r, k == t ? x : bdd_not(gd->bdd, x));
		}
		return r;
	}
	return BDD_TRUE;
}

/* A branch may ask a phi of its own block: the truth value of a short-circuit
 * `a && b`, or a flag that was set on the way (`ok = false; goto out;`).  Then
 * the answer depends on where control came from.  Finds that phi. */
static ir_ref asked_phi(const struct guards *gd, uint32_t func, uint32_t block)
{
	const struct ir_func *f = &gd->g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(gd->g->p, func);
	const struct ir_inst *br = &f->insts[f->blocks[block].first + f->blocks[block].n - 1];
	ir_ref r = br->nops ? br->ops[0] : IR_UNDEF;

	if (br->op != IR_CONDBR && br->op != IR_SWITCH)
		return IR_UNDEF;
	for (int depth = 0; depth < 8; depth++) {
		const struct ir_inst *d;

		r = ssa_ref(s, r);
		if (ssa_is_phi(s, r))
			return ssa_phi(s, r)->block == block ? r : IR_UNDEF;
		d = ssa_def(s, r);
		if (!d)
			return IR_UNDEF;
		if (d->op == IR_PHI)
			return d->block == block ? r : IR_UNDEF;
		if (d->op == IR_CAST || (d->op == IR_CMP && IR_KIND(d->ops[1]) != IR_R_VREG) ||
		    (d->op == IR_BIN && IR_KIND(d->ops[1]) == IR_R_INT))
			r = d->ops[0];
		else
			return IR_UNDEF;
	}
	return IR_UNDEF;
}

/* What the phi is when control comes from block `before`. */
static ir_ref phi_value(const struct guards *gd, uint32_t func, ir_ref phi, uint32_t before)
{
	const struct ir_func *f = &gd->g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(gd->g->p, func);
	const struct ir_inst *d;

	if (ssa_is_phi(s, phi)) {
		const struct ssa_phi *x = ssa_phi(s, phi);

		for (uint32_t k = 0; k < f->blocks[x->block].npred; k++)
			if (f->blocks[x->block].pred[k] == before)
				return x->args[k];
		return IR_UNDEF;
	}
	d = ssa_def(s, phi);
	for (uint32_t k = 0; d && k < d->nops; k++)
		if (d->targets[k] == before)
			return ssa_ref(s, d->ops[k]);
	return IR_UNDEF;
}

bdd guards_edge(struct guards *gd, const struct guard_start *start, uint32_t before, uint32_t block,
		uint32_t succ)
{
	vnode n = start->node;
	const struct ir_func *f = &gd->g->m->funcs.v[VNODE_FUNC(n)];
	uint32_t inst = f->blocks[block].first + f->blocks[block].n - 1;
	const struct ir_inst *in = &f->insts[inst];
	bdd r = BDD_FALSE;

	if (f->blocks[block].nsucc == 1)
		return BDD_TRUE;
	if (before != IR_NONE) {
		gd->phi = asked_phi(gd, VNODE_FUNC(n), block);
		gd->phi_is = gd->phi == IR_UNDEF ? IR_UNDEF : phi_value(gd, VNODE_FUNC(n), gd->phi, before);
		/* the phi that holds the object needs no replacing: it is the object */
		if (gd->phi_is == IR_UNDEF || n == VNODE_VALUE(VNODE_FUNC(n), IR_IDX(gd->phi)) ||
		    (n & ~VNODE_DEEP) == VNODE_HELD(VNODE_FUNC(n), IR_IDX(gd->phi)))
			gd->phi = IR_UNDEF;
	}
	for (uint32_t t = 0; t < in->ntargets; t++)
		if (in->targets[t] == succ)
			r = bdd_or(gd->bdd, r, target_guard(gd, n, start->ctx, inst, t));
	gd->phi = IR_UNDEF;
	return r;
}

bdd guards_via(struct guards *gd, const struct guard_start *s, const bdd *out, uint32_t block,
	       uint32_t succ, int depth)
{
	const struct ir_func *f = &gd->g->m->funcs.v[VNODE_FUNC(s->node)];
	uint32_t start, inst;
	bdd r = BDD_FALSE;

	if (out[block] == BDD_FALSE)
		return BDD_FALSE;
	vfg__where(gd->g, s->node, &start, &inst);
	if (block == start || depth > 20 || asked_phi(gd, VNODE_FUNC(s->node), block) == IR_UNDEF)
		return bdd_and(gd->bdd, out[block],
			       guards_edge(gd, s, block == start ? s->via : IR_NONE, block, succ));
	for (uint32_t k = 0; k < f->blocks[block].npred; k++) {
		uint32_t before = f->blocks[block].pred[k];
		bdd here = guards_via(gd, s, out, before, block, depth + 1);

		if (here != BDD_FALSE)
			r = bdd_or(gd->bdd, r, bdd_and(gd->bdd, here,
						       guards_edge(gd, s, before, block, succ)));
	}
	return r;
}

bdd guards_not_null(struct guards *gd, const struct guard_start *start, uint32_t inst)
{
	uint32_t func = VNODE_FUNC(start->node);
	const struct ir_func *f = &gd->g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(gd->g->p, func);
	uint32_t res = f->insts[inst].res;

	for (uint32_t b = 0; res != IR_NONE && b < f->nblocks; b++) {
		uint32_t i = f->blocks[b].first + f->blocks[b].n - 1;
		const struct ir_inst *br = &f->insts[i];
		const struct ir_inst *c = br->op == IR_CONDBR ? ssa_def(s, ssa_ref(s, br->ops[0])) : NULL;

		if (vfg__is_equality(c) &&
		    ssa_ref(s, c->ops[0]) == IR_VREG(res) && is_zero(gd, ssa_ref(s, c->ops[1])))
			return target_guard(gd, start->node, start->ctx, i, c->sub == IR_P_EQ);
	}
	return BDD_TRUE;
}

/* ---- from a node to every block -------------------------------------- */

struct pass {
	struct guards *gd;
	const struct guard_start *s;
	uint32_t start, start_inst;
	uint32_t within;		/* only blocks that this one dominates: the start, for nodes that SSA
					 * form knows; where the holder was made, for what is put into it */
	const struct ir_func *f;
	const struct dom *dom;
	const struct vflow *flow;
	bdd *out, *extra;
};

/* Does control that enters block leave it again by its terminator? */
static bool goes_on(const struct pass *p, uint32_t block)
{
	uint32_t end = p->flow->ends[block];

	if (end == IR_NONE)
		return true;
	/* an end before the node's own definition is behind us */
	return block == p->start && p->start_inst != IR_NONE && end <= p->start_inst;
}

static bool one_pass(struct pass *p)
{
	bool changed = false;

	for (uint32_t i = p->dom->num[p->within]; i < p->dom->nreach; i++) {
		uint32_t b = p->dom->order[i];
		bdd r = p->extra[b];

		if (b == p->start)
			r = BDD_TRUE;
		else if (!dom_dominates(p->dom, p->within, b))
			continue;
		for (uint32_t k = 0; b != p->start && k < p->f->blocks[b].npred; k++) {
			uint32_t from = p->f->blocks[b].pred[k];

			if (p->out[from] == BDD_FALSE || dom_dominates(p->dom, b, from) || !goes_on(p, from))
				continue;
			r = bdd_or(p->gd->bdd, r, guards_via(p->gd, p->s, p->out, from, b, 0));
		}
		changed |= p->out[b] != r;
		p->out[b] = r;
	}
	return changed;
}

/* Which blocks of a loop lead out of it: its header if that one does, else its
 * latches, else any. */
static bool is_exit(const struct vloop *l, uint32_t block, int way)
{
	if (way == 0)
		return block == l->header;
	for (uint32_t i = 0; way == 1 && i < l->latches.n; i++)
		if (l->latches.v[i] == block)
			return true;
	return way == 2;
}

static int exit_way(const struct pass *p, const struct vloop *l)
{
	for (int way = 0; way < 2; way++)
		for (uint32_t b = bits_next(&l->blocks, 0); b != UINT32_MAX; b = bits_next(&l->blocks, b + 1))
			for (uint32_t k = 0; is_exit(l, b, way) && k < p->f->blocks[b].nsucc; k++)
				if (!bits_test(&l->blocks, p->f->blocks[b].succ[k]))
					return way;
	return 2;
}

/* A path that has come round the loop leaves it, without a condition. */
static void leave_loop(struct pass *p, const struct vloop *l)
{
	bdd round = BDD_FALSE;
	int way = exit_way(p, l);

	if (!dom_dominates(p->dom, p->within, l->header) || l->header == p->within)
		return;
	for (uint32_t i = 0; i < l->latches.n; i++)
		if (goes_on(p, l->latches.v[i]))
			round = bdd_or(p->gd->bdd, round,
				       guards_via(p->gd, p->s, p->out, l->latches.v[i], l->header, 0));
	if (round == BDD_FALSE)
		return;
	/* begun inside the loop: what is before the header comes next */
	if (!dom_dominates(p->dom, p->start, l->header))
		p->extra[l->header] = bdd_or(p->gd->bdd, p->extra[l->header], round);
	for (uint32_t b = bits_next(&l->blocks, 0); b != UINT32_MAX; b = bits_next(&l->blocks, b + 1))
		for (uint32_t k = 0; is_exit(l, b, way) && k < p->f->blocks[b].nsucc; k++) {
			uint32_t x = p->f->blocks[b].succ[k];

			if (!bits_test(&l->blocks, x))
				p->extra[x] = bdd_or(p->gd->bdd, p->extra[x], round);
		}
}

void guards_from(struct guards *gd, const struct guard_start *s, bdd *out)
{
	uint32_t func = VNODE_FUNC(s->node);
	struct pass p = { .gd = gd, .s = s, .f = &gd->g->m->funcs.v[func],
			  .dom = &pta_ssa(gd->g->p, func)->dom, .flow = &gd->g->flow[func], .out = out };

	vfg__where(gd->g, s->node, &p.start, &p.start_inst);
	p.within = p.start;
	if (!VNODE_IS_DEF(s->node) && !VNODE_IS_HELD(s->node) && VNODE_IDX(s->node) >> 31) {
		p.within = 0;		/* a point, not a definition */
	} else if (VNODE_IS_PUT(s->node)) {
		const struct ir_inst *d = ssa_def(pta_ssa(gd->g->p, func),
						  vfg__held_value(gd->g, s->node, gd->src->obj));

		p.within = d ? d->block : 0;
	}
	memset(out, 0, p.f->nblocks * sizeof(*out));
	if (!dom_reachable(p.dom, p.start))
		return;
	p.extra = xcalloc(p.f->nblocks, sizeof(*p.extra));
	/* What leaves one loop enters the next: a round for each settles it. */
	for (uint32_t round = 0; round < p.flow->nloops + 2 && round < 64; round++) {
		if (!one_pass(&p) || !p.flow->nloops)
			break;
		for (uint32_t i = 0; i < p.flow->nloops; i++)
			leave_loop(&p, &p.flow->loops[i]);
	}
	free(p.extra);
}

void guards_init(struct guards *gd, const struct vfg *g)
{
	memset(gd, 0, sizeof(*gd));
	gd->g = g;
	gd->bdd = bdd_manager_new(MAX_GUARD_NODES);
	gd->nstored = g->m->funcs.n;
	gd->stored = xcalloc(MAX(gd->nstored, 1), sizeof(*gd->stored));
}

void guards_begin(struct guards *gd, const struct vsource *src)
{
	gd->src = src;
	gd->phi = gd->phi_is = IR_UNDEF;
	bdd_manager_clear(gd->bdd);
	guardmap_clear(&gd->vars);
	vec_clear(&gd->info);
	vec_clear(&gd->ranges);
}

void guards_release(struct guards *gd)
{
	for (uint32_t i = 0; i < gd->nstored; i++)
		guardmap_release(&gd->stored[i]);
	free(gd->stored);
	guardmap_release(&gd->holder_at);
	for (uint32_t i = 0; i < gd->holder_sets.n; i++)
		sbits_release(&gd->holder_sets.v[i]);
	vec_release(&gd->holder_sets);
	bdd_manager_free(gd->bdd);
	guardmap_release(&gd->vars);
	vec_release(&gd->info);
	vec_release(&gd->ranges);
	memset(gd, 0, sizeof(*gd));
}

bool guards_returned(struct guards *gd, const struct guard_start *start, const bdd *out, uint32_t inst,
		     int64_t *lo, int64_t *hi)
{
	uint32_t func = VNODE_FUNC(start->node), block, at;
	const struct ir_func *f = &gd->g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(gd->g->p, func);
	const struct ir_inst *ret = &f->insts[inst];
	ir_ref r = ret->nops == 1 ? ssa_ref(s, ret->ops[0]) : IR_UNDEF;
	const struct ssa_phi *phi;

	assert(ret->op == IR_RET);
	*lo = INT64_MAX;
	*hi = INT64_MIN;
	if (IR_KIND(r) == IR_R_INT || r == IR_NULL) {
		*lo = *hi = number_of(gd, r);
		return true;
	}
	if (!ssa_is_phi(s, r) || ssa_phi(s, r)->block != ret->block)
		return false;
	phi = ssa_phi(s, r);
	vfg__where(gd->g, start->node, &block, &at);
	for (uint32_t k = 0; k < f->blocks[ret->block].npred; k++) {
		uint32_t pred = f->blocks[ret->block].pred[k];

		/* a phi of this very block: we know where control came from */
		if (block == ret->block && start->via != IR_NONE ?
		    pred != start->via : guards_via(gd, start, out, pred, ret->block, 0) == BDD_FALSE)
			continue;
		if (IR_KIND(phi->args[k]) != IR_R_INT && phi->args[k] != IR_NULL)
			return false;
		*lo = MIN(*lo, number_of(gd, phi->args[k]));
		*hi = MAX(*hi, number_of(gd, phi->args[k]));
	}
	return *lo <= *hi;
}
