/*
 * one.c - questions about a single unknown, without the solver.
 *
 * Most independent parts of a path's conditions (solver.c) are about one value that
 * nothing is known of but its range, and compare it with constants: `p != 0`,
 * `n > 0`, a switch.  For those the solver is a large machine for a small thing; half
 * of its time went into being set up.
 *
 * Each comparison with a constant c changes its truth only at c, and an unsigned one
 * also between -1 and 0.  So if any value satisfies all terms, one of these does: an end
 * of the range, a constant, one beside it, -1 or 0.  The answer is the solver's, always.
 */
#include "path/one.h"

enum { MAX_TERMS = 24 };

struct one {
	const struct syms *syms;
	uint64_t id;		/* of the unknown; 0: not met yet */
	int64_t lo, hi;
	uint32_t n;
	struct one_term {
		int pred;	/* enum ir_pred; -1: the unknown itself */
		bool swapped;	/* the constant is on the left */
		bool truth;
		int64_t c;
	} t[MAX_TERMS];
};

static bool holds_pred(enum ir_pred p, int64_t a, int64_t b)
{
	switch (p) {
	case IR_P_EQ: return a == b;
	case IR_P_SLT: return a < b;
	case IR_P_SGT: return a > b;
	case IR_P_ULT: return (uint64_t)a < (uint64_t)b;
	case IR_P_UGT: return (uint64_t)a > (uint64_t)b;
	default: break;
	}
	assert(!"sym_cmp() makes no such comparison");
	return false;
}

static bool satisfies(const struct one *o, int64_t x)
{
	if (x < o->lo || x > o->hi)
		return false;
	for (uint32_t i = 0; i < o->n; i++) {
		const struct one_term *t = &o->t[i];
		bool is;

		if (t->pred < 0)
			is = x != 0;
		else
			is = t->swapped ? holds_pred((enum ir_pred)t->pred, t->c, x)
					: holds_pred((enum ir_pred)t->pred, x, t->c);
		if (is != t->truth)
			return false;
	}
	return true;
}

/* Is it the unknown that all terms are about? */
static bool is_it(struct one *o, struct sym v)
{
	const struct sym_expr *e = symexprs_get(&o->syms->exprs, v.id);

	if (sym_tag(v) == SYM_T_CONST || smt_parts(e) || (e && e->op == SYM_TEXT))
		return false;
	if (o->id && o->id != v.id)
		return false;
	o->id = v.id;
	o->lo = MAX(o->lo, v.lo);
	o->hi = MIN(o->hi, v.hi);
	return true;
}

/* A truth value of which the range says which it is. */
static bool contradicts(struct sym v, bool truth)
{
	return truth ? v.lo == 0 && v.hi == 0 : v.lo > 0 || v.hi < 0;
}

static bool add(struct one *o, struct sym v, bool truth)
{
	const struct sym_expr *e = symexprs_get(&o->syms->exprs, v.id);
	struct one_term t = { .pred = -1, .truth = truth };

	while (e && e->op == SYM_NOT) {
		if (contradicts(v, t.truth))
			return false;
		v = e->a;
		t.truth = !t.truth;
		e = symexprs_get(&o->syms->exprs, v.id);
	}
	if (o->n == MAX_TERMS || sym_tag(v) == SYM_T_CONST)
		return false;
	if (e && e->op == IR_CMP) {
		if (contradicts(v, t.truth))
			return false;
		t.pred = e->sub;
		t.swapped = sym_tag(e->a) == SYM_T_CONST;
		t.c = t.swapped ? e->a.lo : e->b.lo;
		if ((!t.swapped && sym_tag(e->b) != SYM_T_CONST) || !is_it(o, t.swapped ? e->b : e->a))
			return false;
	} else if (!is_it(o, v)) {
		return false;
	}
	o->t[o->n++] = t;
	return true;
}

static bool satisfies_near(const struct one *o, int64_t c)
{
	return satisfies(o, c) || (c > INT64_MIN && satisfies(o, c - 1)) ||
	       (c < INT64_MAX && satisfies(o, c + 1));
}

bool one_decide(const struct syms *syms, const struct smt_term *t, uint32_t n, enum solver_answer *out)
{
	struct one o = { .syms = syms, .lo = INT64_MIN, .hi = INT64_MAX };
	bool can;

	for (uint32_t i = 0; i < n; i++)
		if (!add(&o, t[i].t.v, t[i].t.truth))
			return false;
	can = satisfies(&o, o.lo) || satisfies(&o, o.hi) || satisfies_near(&o, 0);
	for (uint32_t i = 0; i < o.n && !can; i++)
		can = o.t[i].pred >= 0 && satisfies_near(&o, o.t[i].c);
	*out = can ? SOLVER_SAT : SOLVER_UNSAT;
	return true;
}
