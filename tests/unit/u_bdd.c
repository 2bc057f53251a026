/*
 * u_bdd.c - binary decision diagrams against truth tables.
 *
 * A table of eight variables has 256 rows.  The variables of the diagrams have
 * gaps between their numbers and are not in the order of the table's, so that
 * neither is taken for the other.
 */
#include "unit.h"

#include "vfg/bdd.h"

enum { NVARS = 8, ROWS = 1 << NVARS, POOL = 60 };

static const uint32_t number[NVARS] = { 40, 3, 0, 1000, 7, 8, 9, 100 };

struct table {
	uint64_t w[ROWS / 64];
};

struct function {
	struct table t;
	bdd f;
};

static bool row(const struct table *t, unsigned i)
{
	return t->w[i / 64] >> i % 64 & 1;
}

static void set_row(struct table *t, unsigned i, bool v)
{
	t->w[i / 64] = (t->w[i / 64] & ~(1ull << i % 64)) | (uint64_t)v << i % 64;
}

static bool same(const struct table *a, const struct table *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

static struct function variable(struct bdd_manager *m, unsigned v)
{
	struct function r = { .f = bdd_var(m, number[v]) };

	for (unsigned i = 0; i < ROWS; i++)
		set_row(&r.t, i, i >> v & 1);
	return r;
}

/* The value of f where variable number[v] is bit v of i.  Looks at the order of
 * the variables, and that no node is there for nothing. */
static bool eval(const struct bdd_manager *m, bdd f, unsigned i)
{
	uint32_t above = UINT32_MAX;

	while (f > BDD_TRUE) {
		uint32_t var;
		bdd low, high;
		unsigned v = 0;

		bdd_top(m, f, &var, &low, &high);
		CHECK(above == UINT32_MAX || above < var);
		CHECK(low != high);
		above = var;
		while (v < NVARS && number[v] != var)
			v++;
		CHECK(v < NVARS);
		f = i >> v & 1 ? high : low;
	}
	return f == BDD_TRUE;
}

static void check_table(const struct bdd_manager *m, const struct function *x)
{
	for (unsigned i = 0; i < ROWS; i++)
		CHECK_EQ_INT(eval(m, x->f, i), row(&x->t, i));
}

static struct function apply(struct bdd_manager *m, unsigned op, const struct function *a, const struct function *b,
			     const struct function *c, unsigned v)
{
	struct function r = {0};

	switch (op) {
	case 0:
		r.f = bdd_not(m, a->f);
		break;
	case 1:
		r.f = bdd_and(m, a->f, b->f);
		break;
	case 2:
		r.f = bdd_or(m, a->f, b->f);
		break;
	case 3:
		r.f = bdd_ite(m, a->f, b->f, c->f);
		break;
	case 4:
		r.f = bdd_exists(m, a->f, number[v]);
		break;
	case 5:
	case 6:
		r.f = bdd_restrict(m, a->f, number[v], op == 6);
		break;
	}
	for (unsigned i = 0; i < ROWS; i++) {
		bool x = row(&a->t, i), y = row(&b->t, i), z = row(&c->t, i);
		bool low = row(&a->t, i & ~(1u << v)), high = row(&a->t, i | 1u << v);
		bool want[] = { !x, x && y, x || y, x ? y : z, low || high, low, high };

		set_row(&r.t, i, want[op]);
	}
	return r;
}

TEST(constants)
{
	struct bdd_manager *m = bdd_manager_new(1000);
	bdd a = bdd_var(m, 5);
	uint32_t var;
	bdd low, high;

	CHECK_EQ_INT(bdd_not(m, BDD_TRUE), BDD_FALSE);
	CHECK_EQ_INT(bdd_not(m, BDD_FALSE), BDD_TRUE);
	CHECK_EQ_INT(bdd_and(m, a, BDD_TRUE), a);
	CHECK_EQ_INT(bdd_and(m, BDD_FALSE, a), BDD_FALSE);
	CHECK_EQ_INT(bdd_or(m, a, BDD_FALSE), a);
	CHECK_EQ_INT(bdd_or(m, BDD_TRUE, a), BDD_TRUE);
	CHECK_EQ_INT(bdd_ite(m, a, BDD_TRUE, BDD_FALSE), a);
	CHECK_EQ_INT(bdd_and(m, a, bdd_not(m, a)), BDD_FALSE);
	CHECK_EQ_INT(bdd_or(m, a, bdd_not(m, a)), BDD_TRUE);
	CHECK_EQ_INT(bdd_not(m, bdd_not(m, a)), a);
	CHECK_EQ_INT(bdd_exists(m, a, 5), BDD_TRUE);
	CHECK_EQ_INT(bdd_exists(m, a, 4), a);
	CHECK_EQ_INT(bdd_exists(m, BDD_FALSE, 5), BDD_FALSE);
	CHECK_EQ_INT(bdd_restrict(m, a, 5, true), BDD_TRUE);
	CHECK_EQ_INT(bdd_restrict(m, a, 5, false), BDD_FALSE);
	CHECK_EQ_INT(bdd_restrict(m, a, 6, false), a);
	CHECK_EQ_INT(bdd_var(m, 5), a);
	bdd_top(m, a, &var, &low, &high);
	CHECK_EQ_INT(var, 5);
	CHECK_EQ_INT(low, BDD_FALSE);
	CHECK_EQ_INT(high, BDD_TRUE);
	CHECK(!bdd_overflow(m));
	bdd_manager_free(m);
	bdd_manager_free(NULL);
}

/* Functions made of functions made before; of all that were kept, those with
 * equal tables have equal numbers, and no others. */
TEST(random_functions)
{
	struct bdd_manager *m = bdd_manager_new(1000000);
	struct unit_rng r = { 4 };

	for (int round = 0; round < 8; round++) {
		struct function pool[POOL];
		unsigned n = 0;

		for (unsigned v = 0; v < NVARS; v++)
			pool[n++] = variable(m, v);
		for (int step = 0; step < 700; step++) {
			const struct function *a = &pool[unit_below(&r, n)], *b = &pool[unit_below(&r, n)],
					      *c = &pool[unit_below(&r, n)];
			struct function x = apply(m, unit_below(&r, 7), a, b, c, unit_below(&r, NVARS));

			check_table(m, &x);
			for (unsigned i = 0; i < n; i++)
				CHECK_EQ_INT(x.f == pool[i].f, same(&x.t, &pool[i].t));
			/* the variables stay */
			if (n < POOL)
				pool[n++] = x;
			else
				pool[NVARS + unit_below(&r, POOL - NVARS)] = x;
		}
		CHECK(!bdd_overflow(m));
		bdd_manager_clear(m);
		CHECK_EQ_INT(bdd_nodes(m), 2);
	}
	bdd_manager_free(m);
}

/* The same function by its rows and by cofactors: one number. */
TEST(canonical)
{
	struct bdd_manager *m = bdd_manager_new(1000000);
	struct unit_rng r = { 5 };

	for (int round = 0; round < 20; round++) {
		struct function x = { .f = BDD_FALSE };
		bdd g = BDD_TRUE;

		for (unsigned i = 0; i < ROWS; i++) {
			bdd term = BDD_TRUE, clause = BDD_FALSE;

			set_row(&x.t, i, unit_below(&r, 2));
			for (unsigned v = 0; v < NVARS; v++) {
				bdd var = bdd_var(m, number[v]);

				term = bdd_and(m, term, i >> v & 1 ? var : bdd_not(m, var));
				clause = bdd_or(m, i >> v & 1 ? bdd_not(m, var) : var, clause);
			}
			if (row(&x.t, i))
				x.f = bdd_or(m, x.f, term);
			else
				g = bdd_and(m, clause, g);
		}
		CHECK_EQ_INT(x.f, g);
		check_table(m, &x);
	}
	bdd_manager_free(m);
}

/* x0 y0 + x1 y1 + ... with all x above all y: more than 2^n nodes. */
static bdd large(struct bdd_manager *m, uint32_t n, bool backwards)
{
	bdd f = BDD_FALSE;

	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = backwards ? n - 1 - k : k;

		f = bdd_or(m, f, bdd_and(m, bdd_var(m, i), bdd_var(m, n + i)));
	}
	return f;
}

TEST(many_nodes)
{
	enum { N = 14 };
	struct bdd_manager *m = bdd_manager_new(1 << 20);
	bdd f = large(m, N, false), rest;

	CHECK(bdd_nodes(m) > 1 << N);
	CHECK_EQ_INT(large(m, N, true), f);
	CHECK(!bdd_overflow(m));
	/* with all x true it is the disjunction of the y, with all false nothing */
	rest = f;
	for (uint32_t i = 0; i < N; i++)
		rest = bdd_restrict(m, rest, i, false);
	CHECK_EQ_INT(rest, BDD_FALSE);
	rest = f;
	for (uint32_t i = 0; i < N; i++)
		rest = bdd_restrict(m, rest, i, true);
	for (uint32_t i = 0; i < N; i++)
		rest = bdd_restrict(m, rest, N + i, false);
	CHECK_EQ_INT(rest, BDD_FALSE);
	CHECK_EQ_INT(bdd_exists(m, f, N), bdd_or(m, bdd_restrict(m, f, N, false), bdd_restrict(m, f, N, true)));

	/* small again after that */
	bdd_manager_clear(m);
	CHECK_EQ_INT(bdd_nodes(m), 2);
	f = large(m, 3, false);
	CHECK_EQ_INT(f, large(m, 3, true));
	CHECK(bdd_nodes(m) < 100);
	bdd_manager_free(m);
}

TEST(overflow)
{
	enum { LIMIT = 50 };
	struct bdd_manager *m = bdd_manager_new(LIMIT);
	bdd a, b, small;

	small = large(m, 2, false);
	CHECK(!bdd_overflow(m));
	large(m, 8, false);
	CHECK(bdd_overflow(m));
	CHECK_EQ_INT(bdd_nodes(m), LIMIT);
	/* it is not forgotten, and nothing new comes out */
	a = bdd_var(m, 0);
	b = bdd_var(m, 1);
	CHECK_EQ_INT(bdd_and(m, a, b), BDD_TRUE);
	CHECK_EQ_INT(bdd_or(m, a, b), BDD_TRUE);
	CHECK_EQ_INT(bdd_not(m, a), BDD_TRUE);
	CHECK_EQ_INT(bdd_ite(m, a, b, bdd_var(m, 2)), BDD_TRUE);
	CHECK_EQ_INT(bdd_var(m, 1234), BDD_TRUE);
	CHECK(bdd_overflow(m));
	CHECK_EQ_INT(bdd_nodes(m), LIMIT);

	/* nothing of what came out then is remembered */
	bdd_manager_clear(m);
	CHECK(!bdd_overflow(m));
	CHECK_EQ_INT(large(m, 2, false), small);
	a = bdd_var(m, 0);
	b = bdd_var(m, 1);
	CHECK(bdd_and(m, a, b) > BDD_TRUE);
	CHECK_EQ_INT(bdd_and(m, a, b), bdd_not(m, bdd_or(m, bdd_not(m, a), bdd_not(m, b))));
	CHECK(!bdd_overflow(m));
	bdd_manager_free(m);
}

/* Every limit: never more nodes than that, and without the flag the right result. */
TEST(limits)
{
	for (uint32_t limit = 2; limit < 80; limit++) {
		struct bdd_manager *m = bdd_manager_new(limit);
		struct function x = variable(m, 0);

		for (unsigned v = 1; v < 6; v++) {
			struct function y = variable(m, v), z = apply(m, 0, &y, &y, &y, 0);

			x = apply(m, 3, &x, &z, &y, 0);		/* exclusive or */
		}
		CHECK(bdd_nodes(m) <= limit);
		if (!bdd_overflow(m))
			check_table(m, &x);
		CHECK(limit > 10 || bdd_overflow(m));
		CHECK(limit < 70 || !bdd_overflow(m));
		bdd_manager_free(m);
	}
}
