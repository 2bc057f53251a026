/*
 * u_sym.c - values on a path: what is decided, what is learnt, what is undone.
 *
 * The random part compares with concrete numbers: facts that are true of one
 * number are assumed of a value; whatever is decided afterwards must be true of
 * that number.  That is the promise of sym.h: no feasible path is refused.
 */
#include "unit.h"

#include "sym/sym.h"
#include "sym/text.h"

static struct syms s;

static uint32_t seed = 1;

static uint32_t any(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static struct sym number(uint64_t which)
{
	return sym_any(which, IR_C_INT, 32);
}

static struct sym is(enum ir_pred p, struct sym a, int64_t c)
{
	return sym_cmp(&s, p, a, sym_const(c));
}

TEST(ranges)
{
	struct sym x = number(1), y;

	CHECK(sym_assume(&s, is(IR_P_SGT, x, 3), true));
	CHECK(sym_assume(&s, is(IR_P_SLT, x, 6), true));
	CHECK(sym_truth(&s, is(IR_P_EQ, x, 9)) == 0);
	CHECK(sym_truth(&s, is(IR_P_EQ, x, 4)) == -1);
	CHECK(sym_assume(&s, is(IR_P_EQ, x, 4), false));
	CHECK(sym_truth(&s, is(IR_P_EQ, x, 5)) == 1);
	y = sym_bin(&s, IR_B_ADD, 32, x, sym_const(1));
	CHECK(sym_is_const(y) && y.lo == 6);
	CHECK(!sym_assume(&s, is(IR_P_SGT, x, 5), true));
	sym_clear(&s);
	/* both sides of zero, and not zero */
	CHECK(sym_assume(&s, x, true));
	CHECK(sym_assume(&s, is(IR_P_SLT, x, 0), false));
	CHECK(sym_truth(&s, is(IR_P_SGT, x, 0)) == 1);
	sym_release(&s);
}

TEST(bits)
{
	struct sym f = number(2);
	struct sym some = sym_bin(&s, IR_B_AND, 32, f, sym_const(3));

	CHECK(sym_assume(&s, some, true));
	CHECK(sym_assume(&s, sym_bin(&s, IR_B_AND, 32, f, sym_const(1)), false));
	CHECK(sym_truth(&s, sym_bin(&s, IR_B_AND, 32, f, sym_const(2))) == 1);
	sym_clear(&s);
	f = sym_bin(&s, IR_B_OR, 32, number(3), sym_const(5));
	CHECK(sym_truth(&s, sym_bin(&s, IR_B_AND, 32, f, sym_const(4))) == 1);
	CHECK(sym_truth(&s, sym_bin(&s, IR_B_AND, 32, f, sym_const(2))) == -1);
	sym_release(&s);
}

TEST(texts)
{
	struct text_way whole = {0}, folded = { .folds = true }, three = { .first = 3 }, way;

	CHECK(text_number("one", whole) != text_number("One", whole));
	CHECK(text_number("one", folded) == text_number("One", folded));
	CHECK(text_number("one", folded) != text_number("one", whole));
	CHECK(text_number("onerous", three) == text_number("one", three));
	CHECK(text_number("on", three) == text_number("on", whole));	/* its end is compared, too */
	CHECK(text_number("on", three) != text_number("one", three));
	way = text_way_of(text_number("ONE", (struct text_way){ .folds = true, .first = 2 }));
	CHECK(way.folds && way.first == 2);
	CHECK(text_order("abc", "abd", whole) < 0 && text_order("abd", "abc", whole) > 0 && text_order("abc", "ABC", folded) == 0);
	CHECK(text_order("onerous", "one", three) == 0 && text_order("onerous", "one", whole) > 0);
	CHECK(text_compares("strncasecmp", 3, 5, &way) && way.folds && way.first == 5);
	CHECK(!text_compares("strncasecmp", 3, -1, &way) && !text_compares("strncmp", 3, 0, &way) && !text_compares("strncmp", 3, TEXT_MAX + 1, &way));
	CHECK(!text_compares("strcmp", 3, 5, &way) && !text_compares("strcoll", 2, -1, &way));
}

TEST(pointers)
{
	const struct text_way whole = {0};
	struct sym p = sym_any(4, IR_C_PTR, 64), obj = sym_object(), a = sym_addr(7);

	CHECK(sym_truth(&s, is(IR_P_EQ, obj, 0)) == 0);
	CHECK(sym_truth(&s, sym_cmp(&s, IR_P_EQ, obj, a)) == 0);
	CHECK(sym_truth(&s, sym_cmp(&s, IR_P_EQ, obj, p)) == 0);
	CHECK(sym_truth(&s, sym_cmp(&s, IR_P_EQ, sym_index(&s, obj, number(5), 1), obj)) == -1);
	CHECK(sym_index(&s, a, sym_const(0), 8).id == a.id);
	CHECK(sym_truth(&s, is(IR_P_EQ, p, 0)) == -1);
	CHECK(sym_truth(&s, is(IR_P_EQ, sym_index(&s, a, sym_const(2), 8), 0)) == 0);
	/* a string that is one literal is not another */
	CHECK(sym_assume(&s, is(IR_P_EQ, sym_text(&s, p, text_number("one", whole)), 0), true));
	CHECK(sym_truth(&s, is(IR_P_EQ, sym_text(&s, p, text_number("two", whole)), 0)) == 0);
	CHECK(sym_truth(&s, is(IR_P_EQ, sym_text(&s, p, text_number("one", whole)), 0)) == 1);
	sym_release(&s);
}

static bool all_live(const struct sym_cell *c, void *arg)
{
	(void)c;
	(void)arg;
	return true;
}

TEST(undo)
{
	struct sym x = number(6);
	uint64_t before, after;
	uint32_t mark;

	sym_env_set(&s, 1, 10, x);
	sym_mem_set(&s, sym_addr(1), sym_addr(1), 1, IR_NULL, sym_const(4), true);
	before = sym_digest(&s, all_live, NULL);
	mark = sym_mark(&s);
	CHECK(sym_assume(&s, x, true));
	sym_mem_set(&s, sym_addr(1), sym_addr(1), 1, IR_NULL, sym_const(5), true);
	sym_env_set(&s, 1, 11, sym_const(1));
	CHECK(sym_visit(&s, 1, 3, false) == 1 && sym_visit(&s, 1, 3, false) == 2 && sym_visit(&s, 1, 3, true) == 1);
	after = sym_digest(&s, all_live, NULL);
	CHECK(after != before);
	sym_undo(&s, mark);
	CHECK(sym_digest(&s, all_live, NULL) == before);
	CHECK(sym_truth(&s, x) == -1 && !sym_env_get(&s, 1, 11) && sym_mem_get(&s, sym_addr(1))->v.lo == 4);
	CHECK(sym_visits(&s, 1, 3) == 0);
	sym_release(&s);
}

/* ---- against numbers ------------------------------------------------- */

struct term {
	struct sym v;
	int32_t is;
};

static struct term random_term(struct term x, int depth)
{
	static const enum ir_bin ops[] = { IR_B_ADD, IR_B_SUB, IR_B_AND, IR_B_OR };
	enum ir_bin op = ops[any() % 4];
	int32_t c = (int32_t)(any() % 17) - (op == IR_B_AND || op == IR_B_OR ? 0 : 8);
	uint32_t a = (uint32_t)x.is, b = (uint32_t)c;

	if (depth > 2)
		return x;
	x.v = sym_bin(&s, op, 32, x.v, sym_const(c));
	x.is = (int32_t)(op == IR_B_ADD ? a + b : op == IR_B_SUB ? a - b : op == IR_B_AND ? a & b : a | b);
	return any() % 2 ? x : random_term(x, depth + 1);
}

static bool holds(enum ir_pred p, int32_t a, int32_t b)
{
	switch (p) {
	case IR_P_EQ: return a == b;
	case IR_P_NE: return a != b;
	case IR_P_SLT: return a < b;
	case IR_P_SLE: return a <= b;
	case IR_P_SGT: return a > b;
	case IR_P_SGE: return a >= b;
	case IR_P_ULT: return (uint32_t)a < (uint32_t)b;
	case IR_P_ULE: return (uint32_t)a <= (uint32_t)b;
	case IR_P_UGT: return (uint32_t)a > (uint32_t)b;
	case IR_P_UGE: return (uint32_t)a >= (uint32_t)b;
	default: return false;
	}
}

TEST(random)
{
	for (unsigned round = 0; round < 3000; round++) {
		struct term x = { number(100), (int32_t)(any() % 64) - 16 };

		for (unsigned k = 0; k < 6; k++) {
			struct term t = any() % 3 ? random_term(x, 0) : x;
			enum ir_pred p = (enum ir_pred)(any() % IR_P__COUNT);
			int32_t c = (int32_t)(any() % 33) - 8;
			bool truth = holds(p, t.is, c);
			struct sym q = is(p, t.v, c);
			int known = sym_truth(&s, q);

			CHECK(known < 0 || (known == 1) == truth);
			CHECK(sym_assume(&s, q, truth));
		}
		sym_clear(&s);
	}
	sym_release(&s);
}
