/*
 * plan_value.c - what a variable may hold: a range of integers, null or not, what a source
 * made.  Enough for flags, return codes and null tests; no arithmetic.
 */
#include "plan/priv.h"

struct plan_val pval_any(void)
{
	return (struct plan_val){ .kind = PVAL_ANY };
}

struct plan_val pval_range(int64_t lo, int64_t hi)
{
	assert(lo <= hi);
	return lo == INT64_MIN && hi == INT64_MAX
		       ? pval_any()
		       : (struct plan_val) { .kind = PVAL_RANGE, .lo = lo, .hi = hi };
}

struct plan_val pval_int(int64_t c)
{
	return pval_range(c, c);
}

static bool is_null(struct plan_val a)
{
	return a.kind == PVAL_RANGE && a.lo == 0 && a.hi == 0;
}

static bool same(struct plan_val a, struct plan_val b)
{
	return a.kind == b.kind && a.birth == b.birth && a.lo == b.lo && a.hi == b.hi;
}

struct plan_val pval_join(struct plan_val a, struct plan_val b)
{
	if (same(a, b))
		return a;
	if (a.kind == PVAL_RANGE && b.kind == PVAL_RANGE)
		return pval_range(MIN(a.lo, b.lo), MAX(a.hi, b.hi));
	if (a.kind == PVAL_OTHER && b.kind == PVAL_OTHER)
		return (struct plan_val){ .kind = PVAL_OTHER };
	if (a.kind == PVAL_FRESH && (is_null(b) || (b.kind == PVAL_FRESH && b.birth == a.birth))) {
		a.lo = 0;
		return a;
	}
	if (b.kind == PVAL_FRESH && is_null(a)) {
		b.lo = 0;
		return b;
	}
	return pval_any();
}

enum ir_pred pval_negate(enum ir_pred p)
{
	switch (p) {
	case IR_P_EQ: return IR_P_NE;
	case IR_P_NE: return IR_P_EQ;
	case IR_P_ULT: return IR_P_UGE;
	case IR_P_ULE: return IR_P_UGT;
	case IR_P_UGT: return IR_P_ULE;
	case IR_P_UGE: return IR_P_ULT;
	case IR_P_SLT: return IR_P_SGE;
	case IR_P_SLE: return IR_P_SGT;
	case IR_P_SGT: return IR_P_SLE;
	case IR_P_SGE: return IR_P_SLT;
	default: break;
	}
	return p;
}

/* The numbers for which `x pred c` holds, as a range; false if they are none (*none) or no
 * range. */
static bool wanted(enum ir_pred pred, int64_t c, int64_t *lo, int64_t *hi, bool *none)
{
	*lo = INT64_MIN;
	*hi = INT64_MAX;
	*none = false;
	switch (pred) {
	case IR_P_EQ:
		*lo = *hi = c;
		return true;
	case IR_P_SLT:
		*none = c == INT64_MIN;
		*hi = *none ? c : c - 1;
		return !*none;
	case IR_P_SLE:
		*hi = c;
		return true;
	case IR_P_SGT:
		*none = c == INT64_MAX;
		*lo = *none ? c : c + 1;
		return !*none;
	case IR_P_SGE:
		*lo = c;
		return true;
	default:
		return false;
	}
}

/* Unsigned comparisons of numbers that are not negative are signed ones. */
static enum ir_pred as_signed(enum ir_pred p)
{
	switch (p) {
	case IR_P_ULT: return IR_P_SLT;
	case IR_P_ULE: return IR_P_SLE;
	case IR_P_UGT: return IR_P_SGT;
	case IR_P_UGE: return IR_P_SGE;
	default: return p;
	}
}

int pval_decide(struct plan_val a, enum ir_pred pred, int64_t c)
{
	int64_t lo, hi;
	bool none;

	if (a.kind == PVAL_OTHER || a.kind == PVAL_INNER || (a.kind == PVAL_FRESH && a.lo)) {
		/* no object is at the end of the address space, where -1 and error numbers are */
		if (c > 0 || c < -4095 || (pred != IR_P_EQ && pred != IR_P_NE))
			return -1;
		return pred == IR_P_NE;
	}
	if (a.kind == PVAL_NOT && a.lo == c && (pred == IR_P_EQ || pred == IR_P_NE))
		return pred == IR_P_NE;
	if (a.kind != PVAL_RANGE)
		return -1;
	if (as_signed(pred) != pred) {
		if (a.lo < 0 || c < 0)
			return -1;
		pred = as_signed(pred);
	}
	if (pred == IR_P_NE) {
		int d = pval_decide(a, IR_P_EQ, c);

		return d < 0 ? d : !d;
	}
	if (!wanted(pred, c, &lo, &hi, &none))
		return none ? 0 : -1;
	if (a.lo >= lo && a.hi <= hi)
		return 1;
	return a.hi < lo || a.lo > hi ? 0 : -1;
}

bool pval_refine(struct plan_val *a, enum ir_pred pred, int64_t c)
{
	struct plan_val not = { .kind = PVAL_NOT, .lo = c };
	int64_t lo, hi;
	bool none;
	int d = pval_decide(*a, pred, c);

	if (d >= 0)
		return d;
	if (a->kind == PVAL_FRESH) {
		if (c == 0 && pred == IR_P_EQ)
			*a = pval_int(0);
		else if (c == 0 && pred == IR_P_NE)
			a->lo = 1;
		return true;
	}
	if (a->kind != PVAL_ANY && a->kind != PVAL_RANGE && a->kind != PVAL_NOT)
		return true;
	if (as_signed(pred) != pred) {
		if (a->kind != PVAL_RANGE || a->lo < 0 || c < 0)
			return true;
		pred = as_signed(pred);
	}
	if (pred == IR_P_NE) {
		if (a->kind != PVAL_RANGE)
			*a = not;
		else if (a->lo == c)
			a->lo++;
		else if (a->hi == c)
			a->hi--;
		return true;
	}
	if (wanted(pred, c, &lo, &hi, &none)) {
		struct plan_val r = { .kind = PVAL_RANGE, .lo = lo, .hi = hi };

		return pval_meet(a, r);
	}
	return true;
}

bool pval_meet(struct plan_val *a, struct plan_val b)
{
	struct plan_val old = *a;

	if (b.kind == PVAL_NOT && a->kind == PVAL_RANGE)
		return pval_refine(a, IR_P_NE, b.lo);
	if (a->kind == PVAL_ANY || (a->kind == PVAL_NOT && b.kind == PVAL_RANGE)) {
		if (b.kind == PVAL_RANGE || b.kind == PVAL_NOT)
			*a = b;
		return old.kind != PVAL_NOT || a->kind != PVAL_RANGE || pval_refine(a, IR_P_NE, old.lo);
	}
	if (a->kind == PVAL_RANGE && b.kind == PVAL_RANGE) {
		a->lo = MAX(a->lo, b.lo);
		a->hi = MIN(a->hi, b.hi);
		return a->lo <= a->hi;
	}
	if (a->kind == PVAL_FRESH && b.kind == PVAL_RANGE && b.lo == 0 && b.hi == 0)
		return pval_refine(a, IR_P_EQ, 0);
	if (a->kind == PVAL_FRESH && b.kind == PVAL_NOT && b.lo == 0)
		return pval_refine(a, IR_P_NE, 0);
	return true;
}
