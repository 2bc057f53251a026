/*
 * u_solver.c - the solver: relations between values, arithmetic as the machine does
 * it, questions that continue each other, limits.
 *
 * The random part has all unknowns be numbers that we know and asserts facts that
 * are true of these: that must be satisfiable.  With the unknowns pinned to their
 * numbers, the negation of such a fact must not be.  So every operation of sym.h
 * agrees with what a C compiler makes of it.
 *
 * Without a solver every question is unknown, and only that is tested.
 */
#include "unit.h"

#include "path/solver.h"
#include "sym/text.h"

static struct syms s;
static struct solver *solver;
static VEC(struct sym_term) terms;

static struct sym i32(uint64_t which)
{
	return sym_any(which, IR_C_INT, 32);
}

static void begin(void)
{
	sym_clear(&s);
	vec_clear(&terms);
	if (!solver)
		solver = solver_new();
}

static void end(void)
{
	solver_free(solver);
	solver = NULL;
	sym_release(&s);
	vec_release(&terms);
}

static void add(struct sym v, bool truth)
{
	vec_push(&terms, ((struct sym_term){ v, truth }));
}

static void relate(enum ir_pred p, struct sym a, struct sym b)
{
	add(sym_cmp(&s, p, a, b), true);
}

static void with(enum ir_pred p, struct sym a, int64_t c)
{
	relate(p, a, sym_const(c));
}

static struct sym bin(enum ir_bin op, unsigned bits, struct sym a, struct sym b)
{
	return sym_bin(&s, op, bits, a, b);
}

/* The answer must be this; without a solver there is none. */
static void expect(enum solver_answer a)
{
	CHECK_EQ_INT(solver_check(solver, &s, terms.v, terms.n), solver_name() ? a : SOLVER_UNKNOWN);
}

TEST(relations)
{
	struct sym a = i32(1), b = i32(2), c = i32(3);

	begin();
	expect(SOLVER_SAT);
	relate(IR_P_SLT, a, b);
	relate(IR_P_SLT, b, c);
	expect(SOLVER_SAT);
	relate(IR_P_SLT, c, a);
	expect(SOLVER_UNSAT);
	/* the cheap domain holds this to be possible */
	begin();
	CHECK(sym_assume(&s, sym_cmp(&s, IR_P_SLT, a, b), true));
	CHECK(sym_assume(&s, sym_cmp(&s, IR_P_SLT, b, a), true));
	CHECK_EQ_INT(s.assumed.n, 2);
	CHECK_EQ_INT(solver_check(solver, &s, s.assumed.v, s.assumed.n), solver_name() ? SOLVER_UNSAT : SOLVER_UNKNOWN);
	/* equal, then not */
	begin();
	relate(IR_P_EQ, a, b);
	relate(IR_P_EQ, b, c);
	relate(IR_P_NE, a, c);
	expect(SOLVER_UNSAT);
	end();
}

TEST(sums)
{
	struct sym a = i32(1), b = i32(2);

	begin();
	relate(IR_P_SGT, bin(IR_B_ADD, 32, a, b), sym_const(10));
	with(IR_P_SLT, a, 5);
	with(IR_P_SGE, a, 0);
	with(IR_P_SGE, b, 0);
	expect(SOLVER_SAT);
	with(IR_P_SLE, b, 3);
	expect(SOLVER_UNSAT);
	/* a - b == 0 and a != b */
	begin();
	with(IR_P_EQ, bin(IR_B_SUB, 32, a, b), 0);
	relate(IR_P_NE, a, b);
	expect(SOLVER_UNSAT);
	/* of sums of unknowns, some are smaller than their parts: no overflow is excluded there */
	begin();
	with(IR_P_SGT, a, 0);
	with(IR_P_SGT, b, 0);
	with(IR_P_SLT, bin(IR_B_ADD, 32, a, b), 0);
	expect(SOLVER_SAT);
	end();
}

TEST(bits)
{
	struct sym f = i32(4), g = i32(5);

	begin();
	add(bin(IR_B_AND, 32, f, g), true);
	with(IR_P_EQ, f, 4);
	expect(SOLVER_SAT);
	add(bin(IR_B_AND, 32, g, sym_const(4)), false);
	expect(SOLVER_UNSAT);
	/* three bits of which one is set: the cheap domain has room for two such facts */
	begin();
	add(bin(IR_B_AND, 32, f, sym_const(7)), true);
	for (int k = 0; k < 3; k++)
		add(bin(IR_B_AND, 32, f, sym_const(1 << k)), false);
	expect(SOLVER_UNSAT);
	begin();
	with(IR_P_EQ, bin(IR_B_XOR, 32, f, g), 0);
	relate(IR_P_NE, f, g);
	expect(SOLVER_UNSAT);
	end();
}

TEST(unsigned_numbers)
{
	struct sym a = i32(6), b = i32(7), n = sym_any(8, IR_C_INT, 64);

	begin();
	/* (unsigned)a > (unsigned)b though a < 0 <= b */
	with(IR_P_SLT, a, 0);
	with(IR_P_SGE, b, 0);
	relate(IR_P_UGT, a, b);
	expect(SOLVER_SAT);
	relate(IR_P_ULT, a, b);
	expect(SOLVER_UNSAT);
	/* n - 1 > n only where n is 0 */
	begin();
	relate(IR_P_UGT, bin(IR_B_ADD, 64, n, sym_const(-1)), n);
	expect(SOLVER_SAT);
	with(IR_P_NE, n, 0);
	expect(SOLVER_UNSAT);
	end();
}

TEST(narrow_numbers)
{
	struct sym c = sym_any(9, IR_C_INT, 8), u = sym_cast(&s, IR_CAST_ZEXT, 8, 32, c);
	struct sym n = i32(10), t = sym_cast(&s, IR_CAST_TRUNC, 32, 8, n);

	begin();
	/* (unsigned char)c is 200: c is -56 */
	u = sym_cast(&s, IR_CAST_ZEXT, 8, 32, c);
	with(IR_P_EQ, u, 200);
	with(IR_P_EQ, c, -56);
	expect(SOLVER_SAT);
	with(IR_P_SGE, c, -55);
	expect(SOLVER_UNSAT);
	/* (char)n is n only from -128 to 127 */
	begin();
	t = sym_cast(&s, IR_CAST_TRUNC, 32, 8, n);
	relate(IR_P_EQ, t, n);
	with(IR_P_SGT, n, 120);
	expect(SOLVER_SAT);
	with(IR_P_SGT, n, 127);
	expect(SOLVER_UNSAT);
	/* an 8-bit sum wraps */
	begin();
	with(IR_P_EQ, bin(IR_B_ADD, 8, c, c), -2);
	with(IR_P_EQ, c, 127);
	expect(SOLVER_SAT);
	/* a truth value is 0 or 1 */
	begin();
	t = sym_cmp(&s, IR_P_SLT, n, i32(11));
	with(IR_P_EQ, bin(IR_B_ADD, 32, sym_cast(&s, IR_CAST_ZEXT, 1, 32, t), n), 5);
	with(IR_P_NE, n, 5);
	expect(SOLVER_SAT);
	with(IR_P_NE, n, 4);
	expect(SOLVER_UNSAT);
	end();
}

TEST(division)
{
	struct sym a = i32(12), b = i32(13);

	begin();
	with(IR_P_EQ, bin(IR_B_SDIV, 32, a, sym_const(3)), -2);
	expect(SOLVER_SAT);
	with(IR_P_SGT, a, -6);
	expect(SOLVER_UNSAT);
	begin();
	with(IR_P_EQ, bin(IR_B_SREM, 32, a, sym_const(4)), 3);
	relate(IR_P_EQ, a, bin(IR_B_MUL, 32, b, sym_const(2)));
	expect(SOLVER_UNSAT);
	begin();
	with(IR_P_EQ, bin(IR_B_UREM, 32, a, sym_const(10)), 5);
	with(IR_P_SLT, a, 0);
	expect(SOLVER_SAT);
	end();
}

TEST(addresses)
{
	struct sym p = sym_any(14, IR_C_PTR, 64), q = sym_any(15, IR_C_PTR, 64), x = sym_addr(1), y = sym_addr(2);

	begin();
	relate(IR_P_EQ, p, x);
	relate(IR_P_EQ, q, y);
	expect(SOLVER_SAT);
	relate(IR_P_EQ, p, q);
	expect(SOLVER_UNSAT);
	begin();
	relate(IR_P_EQ, p, x);
	add(p, false);
	expect(SOLVER_UNSAT);
	/* things that may be missing: equal only if both are */
	begin();
	x = sym_maybe(3);
	y = sym_maybe(4);
	relate(IR_P_EQ, p, x);
	relate(IR_P_EQ, p, y);
	expect(SOLVER_SAT);
	add(p, true);
	expect(SOLVER_UNSAT);
	/* members are somewhere else than what they are members of */
	begin();
	relate(IR_P_EQ, sym_index(&s, p, sym_const(1), 8), q);
	relate(IR_P_EQ, p, q);
	expect(SOLVER_UNSAT);
	/* an element may be the first */
	begin();
	relate(IR_P_EQ, sym_index(&s, p, i32(16), 24), p);
	expect(SOLVER_SAT);
	with(IR_P_SGT, i32(16), 0);
	expect(SOLVER_UNSAT);
	end();
}

static uint64_t text(const char *literal)
{
	return text_number(literal, (struct text_way){0});
}

TEST(texts)
{
	struct sym p = sym_any(17, IR_C_PTR, 64), q = sym_any(18, IR_C_PTR, 64);

	begin();
	add(sym_text(&s, p, text("one")), false);
	add(sym_text(&s, p, text("two")), true);
	add(sym_text(&s, q, text("two")), false);
	expect(SOLVER_SAT);
	add(sym_text(&s, p, text_number("on", (struct text_way){ .first = 2 })), true);	/* another way: nothing is concluded */
	expect(SOLVER_SAT);
	add(sym_text(&s, p, text("three")), false);
	expect(SOLVER_UNSAT);
	begin();
	with(IR_P_SLT, sym_text(&s, p, text("one")), 0);
	expect(SOLVER_SAT);
	add(sym_text(&s, p, text("one")), false);
	expect(SOLVER_UNSAT);
	end();
}

/* Ranges that only another path knows are not believed. */
TEST(ranges_of_other_paths)
{
	struct sym x = i32(19), y = i32(20), c;
	uint32_t mark;

	begin();
	c = sym_cmp(&s, IR_P_SLT, x, y);
	mark = sym_mark(&s);
	CHECK(sym_assume(&s, sym_cmp(&s, IR_P_SGT, x, sym_const(50)), true));
	sym_cmp(&s, IR_P_SLT, sym_refined(&s, x), y);		/* made anew, with x > 50 */
	sym_undo(&s, mark);
	CHECK_EQ_INT(s.assumed.n, 0);
	CHECK(sym_assume(&s, sym_cmp(&s, IR_P_SLT, y, sym_const(20)), true));
	CHECK(sym_truth(&s, c) == -1);
	add(c, true);
	with(IR_P_SLT, sym_refined(&s, y), 20);
	expect(SOLVER_SAT);
	/* an unknown that needs more room than it was given at first */
	x.lo = 0;
	x.hi = 9;
	with(IR_P_NE, x, 3);
	expect(SOLVER_SAT);
	x = i32(19);
	begin();
	with(IR_P_SGT, x, 100000);
	expect(SOLVER_SAT);
	end();
}

TEST(questions_that_continue)
{
	struct sym a = i32(21), b = i32(22), c = i32(23);
	const struct solver_stats *st;
	uint32_t cached;

	begin();
	for (int round = 0; round < 3; round++) {
		vec_clear(&terms);
		relate(IR_P_SLT, a, b);
		expect(SOLVER_SAT);
		relate(IR_P_SLT, b, c);
		expect(SOLVER_SAT);
		relate(IR_P_SLT, c, a);
		expect(SOLVER_UNSAT);
		terms.n--;
		relate(IR_P_SGT, c, a);
		expect(SOLVER_SAT);
		/* in another order it is the same question */
		st = solver_stats(solver);
		cached = st->cached;
		struct sym_term t = terms.v[0];
		terms.v[0] = terms.v[2];
		terms.v[2] = t;
		expect(SOLVER_SAT);
		if (solver_name()) {
			CHECK_EQ_INT(st->cached, cached + 1);
			CHECK_EQ_INT(st->parts - st->cached, round < 2 ? 4 : 8);
		}
		if (round == 1)
			solver_reset(solver);
	}
	/* what has nothing to do with it makes no new question of it */
	cached = solver_stats(solver)->cached;
	with(IR_P_SGT, i32(24), 5);
	expect(SOLVER_SAT);
	if (solver_name())
		CHECK_EQ_INT(solver_stats(solver)->cached, cached + 1);
	CHECK_EQ_INT(solver_stats(solver)->unknown, 0);
	end();
}

/* The factors of a product of two primes: too much for the limit, in every run. */
TEST(limits)
{
	struct sym x = sym_any(25, IR_C_INT, 64), y = sym_any(26, IR_C_INT, 64), v = i32(27);

	for (int round = 0; round < 2; round++) {
		begin();
		with(IR_P_UGT, x, 1);
		with(IR_P_UGT, y, 1);
		with(IR_P_ULT, x, 1ll << 31);
		with(IR_P_ULT, y, 1ll << 31);
		with(IR_P_EQ, bin(IR_B_MUL, 64, x, y), 2147483647ll * 2147483629ll);
		expect(SOLVER_UNKNOWN);
		solver_reset(solver);
	}
	/* too large an expression */
	begin();
	for (int k = 0; k < 3000; k++)
		v = bin(IR_B_XOR, 32, bin(IR_B_ADD, 32, v, i32(100 + (uint64_t)k)), i32(28));
	with(IR_P_EQ, v, 3);
	expect(SOLVER_UNKNOWN);
	end();
}

/* ---- against numbers ------------------------------------------------- */

static uint32_t seed = 1;

static uint32_t any(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

struct known {
	struct sym v;
	int64_t is;
};

static int64_t narrowed(unsigned bits, uint64_t v)
{
	return bits == 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* C's arithmetic on numbers of this width; false where C has none. */
static bool compute(enum ir_bin op, unsigned bits, int64_t a, int64_t b, int64_t *r)
{
	uint64_t mask = bits == 64 ? UINT64_MAX : (1ull << bits) - 1, x = (uint64_t)a & mask, y = (uint64_t)b & mask;
	bool divides = op == IR_B_UDIV || op == IR_B_SDIV || op == IR_B_UREM || op == IR_B_SREM;
	bool shifts = op == IR_B_SHL || op == IR_B_LSHR || op == IR_B_ASHR;

	if ((divides && (!y || b == -1)) || (shifts && y >= bits))
		return false;
	switch (op) {
	case IR_B_ADD: x += y; break;
	case IR_B_SUB: x -= y; break;
	case IR_B_MUL: x *= y; break;
	case IR_B_UDIV: x /= y; break;
	case IR_B_SDIV: x = (uint64_t)(a / b); break;
	case IR_B_UREM: x %= y; break;
	case IR_B_SREM: x = (uint64_t)(a % b); break;
	case IR_B_AND: x &= y; break;
	case IR_B_OR: x |= y; break;
	case IR_B_XOR: x ^= y; break;
	case IR_B_SHL: x <<= y; break;
	case IR_B_LSHR: x >>= y; break;
	case IR_B_ASHR: x = (uint64_t)(a >> y); break;
	default: return false;
	}
	*r = narrowed(bits, x);
	return true;
}

/* sym.h takes counters and sizes not to overflow: such sums are left out. */
static bool is_assumed_away(struct known k)
{
	return k.is < k.v.lo || k.is > k.v.hi;
}

static bool holds(enum ir_pred p, int64_t a, int64_t b)
{
	switch (p) {
	case IR_P_EQ: return a == b;
	case IR_P_NE: return a != b;
	case IR_P_ULT: return (uint64_t)a < (uint64_t)b;
	case IR_P_UGE: return (uint64_t)a >= (uint64_t)b;
	case IR_P_SLT: return a < b;
	default: return a > b;
	}
}

/* Questions about one value and constants, which are answered without the solver: all values
 * of a small range are tried. */
TEST(one_unknown)
{
	static const enum ir_pred preds[] = { IR_P_EQ, IR_P_NE, IR_P_ULT, IR_P_UGE, IR_P_SLT, IR_P_SGT };
	uint64_t number = 1;
	unsigned possible = 0;

	for (int round = 0; round < 2000; round++) {
		int64_t lo, hi;
		bool can[40] = { false }, any = false;
		struct sym v;

		begin();
		number = hash_mix(number);
		lo = (int64_t)(number % 20) - 12;
		hi = lo + (int64_t)(number >> 8) % 15 + 1;
		v = sym_between(77, lo, hi);
		for (int64_t x = lo; x <= hi; x++)
			can[x - lo] = true;
		for (unsigned k = 0; k <= (unsigned)round % 5; k++) {
			enum ir_pred p = preds[(number = hash_mix(number)) % ARRAY_LEN(preds)];
			int64_t c = (int64_t)(number >> 8) % 24 - 12;

			with(p, v, c);
			for (int64_t x = lo; x <= hi; x++)
				can[x - lo] &= holds(p, x, c);
		}
		if (number >> 30 & 1) {
			add(v, number >> 31 & 1);
			for (int64_t x = lo; x <= hi; x++)
				can[x - lo] &= (x != 0) == (number >> 31 & 1);
		}
		for (int64_t x = lo; x <= hi; x++)
			any |= can[x - lo];
		expect(any ? SOLVER_SAT : SOLVER_UNSAT);
		possible += any;
	}
	CHECK(possible > 100 && possible < 1900);
	end();
}

TEST(agrees_with_numbers)
{
	static const unsigned widths[] = { 8, 16, 32, 64 };
	static const enum ir_pred preds[] = { IR_P_EQ, IR_P_ULT, IR_P_SLT, IR_P_UGT, IR_P_SGE, IR_P_ULE };
	unsigned tried = 0;

	for (int round = 0; round < 120; round++) {
		unsigned bits = widths[any() % 4];
		enum ir_bin op = (enum ir_bin)(any() % IR_B__COUNT);
		bool heavy = bits > 16 && (op == IR_B_MUL || (op >= IR_B_UDIV && op <= IR_B_SREM));
		struct known a = { sym_any(200, IR_C_INT, bits), narrowed(bits, any() % 4 ? any() % 40 - 20 : (uint64_t)any() << 20 ^ any()) };
		struct known b = { sym_any(201, IR_C_INT, bits), narrowed(bits, any() % 4 ? any() % 24 - 8 : any()) };
		struct known r;
		enum ir_pred p = preds[any() % 6];
		bool truth;

		if (heavy)
			b.v = sym_const(b.is);
		begin();
		r.v = bin(op, bits, a.v, b.v);
		if (!compute(op, bits, a.is, b.is, &r.is) || is_assumed_away(r))
			continue;
		tried++;
		switch (p) {
		case IR_P_EQ: truth = r.is == a.is; break;
		case IR_P_ULT: truth = (uint64_t)r.is < (uint64_t)a.is; break;
		case IR_P_SLT: truth = r.is < a.is; break;
		case IR_P_UGT: truth = (uint64_t)r.is > (uint64_t)a.is; break;
		case IR_P_SGE: truth = r.is >= a.is; break;
		default: truth = (uint64_t)r.is <= (uint64_t)a.is; break;
		}
		with(IR_P_EQ, a.v, a.is);
		if (!heavy)
			with(IR_P_EQ, b.v, b.is);
		with(IR_P_EQ, r.v, r.is);
		add(sym_cmp(&s, p, r.v, a.v), truth);
		expect(SOLVER_SAT);
		vec_last(&terms).truth = !truth;
		expect(SOLVER_UNSAT);
		terms.n -= 2;
		with(IR_P_NE, r.v, r.is);
		expect(SOLVER_UNSAT);
	}
	CHECK(tried > 60);
	end();
}
