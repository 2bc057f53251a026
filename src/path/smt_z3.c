/*
 * smt_z3.c - the SMT solver: Z3, through its C interface.
 *
 * Values are bit-vectors.  sym.h has every integer sign-extended to 64 bits (one
 * bit is 0 or 1); here a value has the width it needs, and is meant to be
 * sign-extended to any other, so that `int` stays at 32 bits.  Unsigned order is
 * the same at every width that way.  Comparisons are truth values until somebody
 * computes with them.
 *
 * Ranges that sym.h knows of a value are asserted together with the first term
 * that the value occurs in.  Addresses of things that have names differ from each
 * other, unless they are null.  strcmp() and its kin with a literal are an unknown that is zero exactly
 * if the pointer points to that text, and a pointer points to one text.
 *
 * Z3 is loaded when it is first needed: its shared library costs every start of
 * plumb 2 ms otherwise, and `plumb cc` starts once for every file of a build.  A
 * machine without the library is like a plumb without a solver.
 *
 * One struct smt is for one thread.  Z3's steps are counted (rlimit), not time.
 */
#include "path/smt.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <z3.h>

enum { STEPS = 200000 };	/* for one query; a quarter of a second where all are needed */

#define Z3_FUNCTIONS(X) \
	X(get_version) X(mk_config) X(del_config) X(mk_context) X(del_context) X(set_error_handler) \
	X(mk_params) X(params_inc_ref) X(params_dec_ref) X(params_set_uint) X(params_set_bool) \
	X(mk_string_symbol) X(mk_bv_sort) X(mk_fresh_const) X(mk_int64) \
	X(mk_solver_for_logic) X(solver_inc_ref) X(solver_dec_ref) X(solver_set_params) X(solver_push) \
	X(solver_pop) \
	X(solver_assert) X(solver_check) \
	X(mk_not) X(mk_or) X(mk_eq) X(mk_iff) X(mk_ite) X(mk_extract) X(mk_sign_ext) X(mk_zero_ext) \
	X(mk_bvadd) X(mk_bvsub) X(mk_bvmul) X(mk_bvudiv) X(mk_bvsdiv) X(mk_bvurem) X(mk_bvsrem) \
	X(mk_bvand) X(mk_bvor) \
	X(mk_bvxor) X(mk_bvshl) X(mk_bvlshr) X(mk_bvashr) X(mk_bvslt) X(mk_bvsgt) X(mk_bvult) X(mk_bvugt) \
	X(mk_bvsle)

static struct {
#define X(f) __typeof__(Z3_##f) *f;
	Z3_FUNCTIONS(X)
#undef X
} z3;

static char name[40];
static bool loaded;

static void load(void)
{
	void *lib = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);	/* plumb-ignore: stays loaded */
	unsigned a, b, c, d;

	if (!lib)
		lib = dlopen("libz3.so", RTLD_NOW | RTLD_LOCAL);	/* plumb-ignore: stays loaded */
	if (!lib)
		return;
#define X(f) \
	z3.f = (__typeof__(z3.f))dlsym(lib, "Z3_" #f); \
	if (!z3.f) \
		return;
	Z3_FUNCTIONS(X)
#undef X
	z3.get_version(&a, &b, &c, &d);
	snprintf(name, sizeof(name), "Z3 %u.%u.%u", a, b, c);
	loaded = true;
}

const char *smt_name(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return loaded ? name : NULL;
}

/* ---- the stack ------------------------------------------------------- */

struct val {
	Z3_ast ast;
	uint8_t w;		/* bits; 0: a truth value */
};

#define MAP_NAME valmap
#define MAP_KEY uint64_t
#define MAP_VAL struct val
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME saidmap
#define MAP_KEY uint64_t
#define MAP_VAL bool
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct level {			/* one term that is asserted */
	uint64_t digest;
	uint32_t nsaid, naddrs;	/* before it */
};

struct smt {
	Z3_context c;
	Z3_solver s;
	const struct syms *syms;
	struct valmap unknowns;		/* by identity; widths only grow */
	struct valmap vals;		/* of identities, with these unknowns */
	bool grown;			/* an unknown is wider than it was: begin anew */
	VEC(struct level) stack;
	struct saidmap said;		/* what is asserted besides: values with their ranges */
	VEC(uint64_t) said_order;
	VEC(Z3_ast) addrs;		/* of things that have names */
};

/* Called where Z3 would otherwise end the program.  What it cannot do (no memory)
 * ends in no answer; what it should not be asked is our mistake. */
static void on_error(Z3_context c, Z3_error_code e)
{
	(void)c;
	assert(e != Z3_SORT_ERROR && e != Z3_INVALID_ARG && e != Z3_INVALID_USAGE);
	(void)e;
}

struct smt *smt_new(void)
{
	struct smt *m = xcalloc(1, sizeof(*m));
	Z3_config f;
	Z3_params p;

	assert(loaded);
	f = z3.mk_config();
	m->c = z3.mk_context(f);
	z3.del_config(f);
	z3.set_error_handler(m->c, on_error);
	m->s = z3.mk_solver_for_logic(m->c, z3.mk_string_symbol(m->c, "QF_BV"));
	z3.solver_inc_ref(m->c, m->s);
	p = z3.mk_params(m->c);
	z3.params_inc_ref(m->c, p);
	z3.params_set_uint(m->c, p, z3.mk_string_symbol(m->c, "rlimit"), STEPS);
	z3.params_set_bool(m->c, p, z3.mk_string_symbol(m->c, "ctrl_c"), false);
	z3.solver_set_params(m->c, m->s, p);
	z3.params_dec_ref(m->c, p);
	return m;
}

void smt_free(struct smt *m)
{
	if (!m)
		return;
	z3.solver_dec_ref(m->c, m->s);
	z3.del_context(m->c);
	valmap_release(&m->unknowns);
	valmap_release(&m->vals);
	saidmap_release(&m->said);
	vec_release(&m->said_order);
	vec_release(&m->stack);
	vec_release(&m->addrs);
	free(m);
}

static void pop_to(struct smt *m, uint32_t n)
{
	const struct level *l;

	if (n == m->stack.n)
		return;
	l = &m->stack.v[n];
	z3.solver_pop(m->c, m->s, m->stack.n - n);
	while (m->said_order.n > l->nsaid)
		saidmap_del(&m->said, vec_pop(&m->said_order));
	m->addrs.n = l->naddrs;
	m->stack.n = n;
}

/* ---- values ---------------------------------------------------------- */

static Z3_ast number(struct smt *m, int64_t v, unsigned w)
{
	return z3.mk_int64(m->c, v, z3.mk_bv_sort(m->c, w));
}

/* The bits that a range needs, signed. */
static unsigned width(int64_t lo, int64_t hi)
{
	unsigned w = 1;

	while (w < 64 && (lo < -((int64_t)1 << (w - 1)) || hi >= (int64_t)1 << (w - 1)))
		w++;
	return w;
}

static Z3_ast as_bits(struct smt *m, struct val v, unsigned w)
{
	if (!v.w)
		return z3.mk_ite(m->c, v.ast, number(m, 1, w), number(m, 0, w));
	if (v.w == w)
		return v.ast;
	return v.w < w ? z3.mk_sign_ext(m->c, w - v.w, v.ast) : z3.mk_extract(m->c, w - 1, 0, v.ast);
}

static Z3_ast as_truth(struct smt *m, struct val v)
{
	return v.w ? z3.mk_not(m->c, z3.mk_eq(m->c, v.ast, number(m, 0, v.w))) : v.ast;
}

/* Bits that are the result of something of this width: one bit is 0 or 1. */
static struct val of_width(struct smt *m, Z3_ast a, unsigned w)
{
	return w == 1 ? (struct val){ z3.mk_zero_ext(m->c, 1, a), 2 } : (struct val){ a, (uint8_t)w };
}

/* An unknown has 8, 16, 32 or 64 bits, as many as its ranges so far have needed. */
static struct val unknown(struct smt *m, uint64_t id, int64_t lo, int64_t hi)
{
	unsigned need = width(lo, hi), w = 8;
	bool is_new;
	struct val *v = valmap_put(&m->unknowns, id, &is_new);

	while (w < need && w < 64)
		w *= 2;
	if (is_new || v->w < w) {
		m->grown |= !is_new;
		*v = (struct val){ z3.mk_fresh_const(m->c, "x", z3.mk_bv_sort(m->c, w)), (uint8_t)w };
	}
	return *v;
}

static Z3_ast binary(struct smt *m, enum ir_bin op, Z3_ast a, Z3_ast b)
{
	switch (op) {
	case IR_B_ADD: return z3.mk_bvadd(m->c, a, b);
	case IR_B_SUB: return z3.mk_bvsub(m->c, a, b);
	case IR_B_MUL: return z3.mk_bvmul(m->c, a, b);
	case IR_B_UDIV: return z3.mk_bvudiv(m->c, a, b);
	case IR_B_SDIV: return z3.mk_bvsdiv(m->c, a, b);
	case IR_B_UREM: return z3.mk_bvurem(m->c, a, b);
	case IR_B_SREM: return z3.mk_bvsrem(m->c, a, b);
	case IR_B_AND: return z3.mk_bvand(m->c, a, b);
	case IR_B_OR: return z3.mk_bvor(m->c, a, b);
	case IR_B_XOR: return z3.mk_bvxor(m->c, a, b);
	case IR_B_SHL: return z3.mk_bvshl(m->c, a, b);
	case IR_B_LSHR: return z3.mk_bvlshr(m->c, a, b);
	case IR_B_ASHR: return z3.mk_bvashr(m->c, a, b);
	case IR_B__COUNT: break;
	}
	assert(!"no such operation");
	return a;
}

static Z3_ast comparison(struct smt *m, enum ir_pred p, struct val a, struct val b)
{
	unsigned w = MAX(MAX(a.w, b.w), 2);
	Z3_ast x, y;

	if (p == IR_P_EQ && !a.w && !b.w)
		return z3.mk_iff(m->c, a.ast, b.ast);
	x = as_bits(m, a, w);
	y = as_bits(m, b, w);
	switch (p) {
	case IR_P_EQ: return z3.mk_eq(m->c, x, y);
	case IR_P_SLT: return z3.mk_bvslt(m->c, x, y);
	case IR_P_SGT: return z3.mk_bvsgt(m->c, x, y);
	case IR_P_ULT: return z3.mk_bvult(m->c, x, y);
	case IR_P_UGT: return z3.mk_bvugt(m->c, x, y);
	default: break;
	}
	assert(!"sym_cmp() makes no such comparison");
	return x;
}

static struct val value(struct smt *m, struct sym v);

static struct val compute(struct smt *m, const struct sym_expr *e)
{
	struct val a = value(m, e->a), b = smt_parts(e) > 1 ? value(m, e->b) : a;
	Z3_ast x;

	switch (e->op) {
	case IR_BIN:
		x = binary(m, (enum ir_bin)e->sub, as_bits(m, a, e->bits), as_bits(m, b, e->bits));
		return of_width(m, x, e->bits);
	case IR_CAST:
		x = as_bits(m, a, e->bits);
		if (e->sub == IR_CAST_ZEXT && e->bits < 64)
			return (struct val){ z3.mk_zero_ext(m->c, 1, x), (uint8_t)(e->bits + 1) };
		return of_width(m, x, e->bits);
	case IR_CMP:
		return (struct val){ comparison(m, (enum ir_pred)e->sub, a, b), 0 };
	case SYM_NOT:
		return (struct val){ z3.mk_not(m->c, as_truth(m, a)), 0 };
	case IR_INDEX:
		x = z3.mk_bvmul(m->c, as_bits(m, b, 64), number(m, e->bits, 64));
		return (struct val){ z3.mk_bvadd(m->c, as_bits(m, a, 64), x), 64 };
	case SYM_OFFSET:
		return (struct val){ z3.mk_bvadd(m->c, as_bits(m, a, 64), as_bits(m, b, 64)), 64 };
	}
	assert(!"smt_parts() knows no such expression");
	return a;
}

static struct val value(struct smt *m, struct sym v)
{
	const struct sym_expr *e;
	struct val *known, r;

	if (sym_tag(v) == SYM_T_CONST) {
		unsigned w = MAX(width(v.lo, v.lo), 2);

		return (struct val){ number(m, v.lo, w), (uint8_t)w };
	}
	e = symexprs_get(&m->syms->exprs, v.id);
	if (!smt_parts(e))
		return unknown(m, v.id, v.lo, v.hi);	/* always: its range may be wider here */
	known = valmap_get(&m->vals, v.id);
	if (known)
		return *known;
	r = compute(m, e);
	valmap_set(&m->vals, v.id, r);
	return r;
}

/* ---- what is asserted ------------------------------------------------ */

static void say(struct smt *m, Z3_ast truth)
{
	z3.solver_assert(m->c, m->s, truth);
}

static void say_range(struct smt *m, struct val x, int64_t lo, int64_t hi)
{
	int64_t max = x.w < 64 && x.w ? ((int64_t)1 << (x.w - 1)) - 1 : INT64_MAX, min = -max - 1;

	if (!x.w) {
		if (lo == hi)
			say(m, lo ? x.ast : z3.mk_not(m->c, x.ast));
		return;
	}
	if (lo > min && lo <= max)
		say(m, z3.mk_bvsle(m->c, number(m, lo, x.w), x.ast));
	if (hi < max && hi >= min)
		say(m, z3.mk_bvsle(m->c, x.ast, number(m, hi, x.w)));
}

static void say_text(struct smt *m, const struct sym_expr *e, struct val result)
{
	struct val text = unknown(m, smt_text_of(e), INT64_MIN, INT64_MAX);

	say(m, z3.mk_iff(m->c, z3.mk_eq(m->c, result.ast, number(m, 0, result.w)),
			 z3.mk_eq(m->c, text.ast, number(m, e->b.lo, 64))));
}

/* Two addresses of things that have names: one thing may be missing, or both. */
static void say_differ(struct smt *m, Z3_ast a, Z3_ast b)
{
	Z3_ast null = z3.mk_eq(m->c, a, number(m, 0, 64)), differ = z3.mk_not(m->c, z3.mk_eq(m->c, a, b));
	Z3_ast null_or_differ[] = { null, differ };

	say(m, z3.mk_or(m->c, 2, null_or_differ));
}

/* All that is known of a value and its parts, whatever is asked of it. */
static void say_known(struct smt *m, struct sym v)
{
	uint64_t key = hash_join(hash_join(v.id, (uint64_t)v.lo), (uint64_t)v.hi);
	const struct sym_expr *e = symexprs_get(&m->syms->exprs, v.id);
	unsigned parts = smt_parts(e);
	struct val x;
	bool is_new;

	if (sym_tag(v) == SYM_T_CONST)
		return;
	saidmap_put(&m->said, key, &is_new);
	if (!is_new)
		return;
	vec_push(&m->said_order, key);
	x = value(m, v);
	say_range(m, x, v.lo, v.hi);
	if (e && e->op == SYM_TEXT)
		say_text(m, e, x);
	if (sym_tag(v) == SYM_T_ADDR || sym_tag(v) == SYM_T_OBJ) {
		Z3_ast a = as_bits(m, x, 64);
		bool there = false;

		for (uint32_t i = 0; i < m->addrs.n; i++)
			there |= m->addrs.v[i] == a;
		for (uint32_t i = 0; i < m->addrs.n && !there; i++)
			say_differ(m, m->addrs.v[i], a);
		if (!there)
			vec_push(&m->addrs, a);
	}
	if (parts > 0)
		say_known(m, e->a);
	if (parts > 1)
		say_known(m, e->b);
}

static void push_term(struct smt *m, const struct smt_term *t)
{
	Z3_ast truth;

	vec_push(&m->stack, ((struct level){ t->digest, m->said_order.n, m->addrs.n }));
	z3.solver_push(m->c, m->s);
	truth = as_truth(m, value(m, t->t.v));
	say(m, t->t.truth ? truth : z3.mk_not(m->c, truth));
	say_known(m, t->t.v);
}

enum solver_answer smt_check(struct smt *m, const struct syms *syms, const struct smt_term *t, uint32_t n)
{
	uint32_t same = 0;

	m->syms = syms;
	while (same < n && same < m->stack.n && m->stack.v[same].digest == t[same].digest)
		same++;
	pop_to(m, same);
	do {
		m->grown = false;
		for (uint32_t i = m->stack.n; i < n && !m->grown; i++)
			push_term(m, &t[i]);
		if (m->grown) {
			pop_to(m, 0);
			valmap_clear(&m->vals);
		}
	} while (m->grown);
	switch (z3.solver_check(m->c, m->s)) {
	case Z3_L_TRUE: return SOLVER_SAT;
	case Z3_L_FALSE: return SOLVER_UNSAT;
	default: return SOLVER_UNKNOWN;
	}
}
