/*
 * u_bits.c - dense and sparse bit sets: random work against an array of bool.
 */
#include "unit.h"

#include "base/bits.h"
#include "base/mem.h"

/* ---- dense ---- */

TEST(dense_empty_universe)
{
	struct bits a, b;

	bits_init(&a, 0);
	bits_init(&b, 0);
	CHECK(!bits_or(&a, &b));
	CHECK(!bits_and(&a, &b));
	bits_copy(&a, &b);
	bits_zero(&a);
	CHECK(bits_equal(&a, &b));
	CHECK_EQ_INT(bits_count(&a), 0);
	CHECK_EQ_INT(bits_next(&a, 0), UINT32_MAX);
	bits_release(&a);
	bits_release(&b);
}

TEST(dense_borders)
{
	static const uint32_t sizes[] = { 1, 63, 64, 65, 127, 128, 129 };

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		uint32_t n = sizes[k];
		struct bits a;

		bits_init(&a, n);
		CHECK_EQ_INT(bits_next(&a, 0), UINT32_MAX);
		CHECK(bits_set(&a, n - 1));
		CHECK(!bits_set(&a, n - 1));
		CHECK_EQ_INT(bits_next(&a, 0), n - 1);
		CHECK_EQ_INT(bits_next(&a, n - 1), n - 1);
		CHECK_EQ_INT(bits_next(&a, n), UINT32_MAX);
		bits_unset(&a, n - 1);
		CHECK(!bits_test(&a, n - 1));
		for (uint32_t i = 0; i < n; i++)
			bits_set(&a, i);
		CHECK_EQ_INT(bits_count(&a), n);
		bits_zero(&a);
		CHECK_EQ_INT(bits_count(&a), 0);
		bits_release(&a);
	}
}

enum { SETS = 4, DENSE = 150 };

TEST(dense_random)
{
	static bool model[SETS][DENSE];
	struct bits set[SETS];
	struct unit_rng rng = { 51 };

	for (int s = 0; s < SETS; s++)
		bits_init(&set[s], DENSE);
	for (int round = 0; round < 50000; round++) {
		uint32_t d = unit_below(&rng, SETS), s = unit_below(&rng, SETS);
		uint32_t x = unit_below(&rng, DENSE), count = 0, next = UINT32_MAX;
		bool changed = false, equal = true;

		switch (unit_below(&rng, 12)) {
		case 0:
			for (int i = 0; i < DENSE; i++) {
				changed |= model[s][i] && !model[d][i];
				model[d][i] |= model[s][i];
			}
			CHECK_EQ_INT(bits_or(&set[d], &set[s]), changed);
			break;
		case 1:
			for (int i = 0; i < DENSE; i++) {
				changed |= !model[s][i] && model[d][i];
				model[d][i] &= model[s][i];
			}
			CHECK_EQ_INT(bits_and(&set[d], &set[s]), changed);
			break;
		case 2:
			memmove(model[d], model[s], sizeof(model[d]));
			bits_copy(&set[d], &set[s]);
			break;
		case 3: case 4: case 5:
			bits_unset(&set[d], x);
			model[d][x] = false;
			break;
		case 6:
			if (unit_below(&rng, 10))
				break;
			bits_zero(&set[d]);
			memset(model[d], 0, sizeof(model[d]));
			break;
		default:
			CHECK_EQ_INT(bits_set(&set[d], x), !model[d][x]);
			model[d][x] = true;
		}
		for (uint32_t i = 0; i < DENSE; i++) {
			count += model[d][i];
			equal &= model[d][i] == model[s][i];
			if (i >= x && next == UINT32_MAX && model[d][i])
				next = i;
		}
		CHECK_EQ_INT(bits_count(&set[d]), count);
		CHECK_EQ_INT(bits_equal(&set[d], &set[s]), equal);
		CHECK_EQ_INT(bits_next(&set[d], x), next);
		CHECK_EQ_INT(bits_test(&set[d], x), model[d][x]);
	}
	for (int s = 0; s < SETS; s++)
		bits_release(&set[s]);
}

/* ---- sparse ---- */

TEST(sparse_empty)
{
	struct sbits a = {0}, b = {0}, diff = {0};

	CHECK(!sbits_test(&a, 0));
	CHECK(!sbits_unset(&a, 0));
	CHECK(!sbits_or(&a, &b));
	CHECK(!sbits_or_diff(&a, &b, &diff));
	CHECK(!sbits_and(&a, &b));
	CHECK(!sbits_intersects(&a, &b));
	CHECK(sbits_subset(&a, &b));
	CHECK(sbits_equal(&a, &b));
	sbits_copy(&a, &b);
	CHECK_EQ_INT(sbits_count(&a), 0);
	CHECK_EQ_INT(sbits_next(&a, 0), UINT32_MAX);
	SBITS_FOREACH(i, &a)
		FAIL("%u is in the empty set", i);
	sbits_clear(&a);
	sbits_release(&a);
	sbits_release(&a);
}

TEST(sparse_far_apart)
{
	static const uint32_t in[] = { 0, 63, 64, 1000000, 0x7fffffff, 0xffffffc0, 0xfffffffe };
	struct sbits a = {0};
	size_t n = 0;

	for (size_t i = ARRAY_LEN(in); i-- > 0;)
		CHECK(sbits_set(&a, in[i]));
	CHECK_EQ_INT(sbits_count(&a), ARRAY_LEN(in));
	SBITS_FOREACH(i, &a)
		CHECK_EQ_INT(i, in[n++]);
	CHECK_EQ_INT(n, ARRAY_LEN(in));
	CHECK_EQ_INT(sbits_next(&a, 65), 1000000);
	CHECK_EQ_INT(sbits_next(&a, 0xffffffff), UINT32_MAX);
	CHECK(sbits__check(&a));
	sbits_release(&a);
}

TEST(sparse_with_itself)
{
	struct sbits a = {0}, diff = {0};

	for (uint32_t i = 0; i < 1000; i += 7)
		sbits_set(&a, i);
	CHECK(!sbits_or(&a, &a));
	CHECK(!sbits_or_diff(&a, &a, &diff));
	CHECK(!sbits_and(&a, &a));
	CHECK(sbits_intersects(&a, &a));
	CHECK(sbits_subset(&a, &a));
	CHECK(sbits_equal(&a, &a));
	sbits_copy(&a, &a);
	CHECK_EQ_INT(sbits_count(&a), 143);
	CHECK_EQ_INT(diff.n, 0);
	sbits_release(&a);
}

TEST(foreach_break_continue_and_change)
{
	struct sbits a = {0};
	uint32_t seen = 0, last = 0;

	for (uint32_t i = 0; i < 1000; i += 10)
		sbits_set(&a, i);
	SBITS_FOREACH(i, &a) {
		if (i % 20)
			continue;
		if (i > 500)
			break;
		seen++;
	}
	CHECK_EQ_INT(seen, 26);
	/* what is added before the place is not seen, behind it it is; removing
	 * members, the present one too, is harmless */
	seen = 0;
	SBITS_FOREACH(i, &a) {
		CHECK(seen == 0 || i > last);
		last = i;
		seen++;
		if (i == 500) {
			sbits_set(&a, 3);
			sbits_set(&a, 505);
			sbits_set(&a, 100000);
			sbits_unset(&a, 510);
			sbits_unset(&a, 500);
		}
		if (i == 505)
			for (uint32_t k = 0; k < 400; k++)
				sbits_unset(&a, k);
		if (i == 900)
			sbits_clear(&a);
	}
	/* 0, 10 .. 900 are 91; without 510, with 505 */
	CHECK_EQ_INT(seen, 91);
	CHECK_EQ_INT(last, 900);
	sbits_release(&a);
}

enum { WIDE = 3000 };

static bool model[SETS][WIDE];

static void make_equal(struct sbits *b, const bool *m, uint32_t stretch)
{
	for (uint32_t i = 0; i < WIDE; i++)
		if (m[i])
			sbits_set(b, i * stretch);
}

/* The whole set by all ways of reading it. */
static void check_against(const struct sbits *b, const bool *m, uint32_t stretch)
{
	struct sbits same = {0};
	uint32_t count = 0, next = sbits_next(b, 0), walk = 0;

	CHECK(sbits__check(b));
	for (uint32_t i = 0; i < WIDE; i++) {
		CHECK_EQ_INT(sbits_test(b, i * stretch), m[i]);
		if (!m[i])
			continue;
		count++;
		CHECK_EQ_INT(next, i * stretch);
		next = sbits_next(b, next + 1);
	}
	CHECK_EQ_INT(next, UINT32_MAX);
	CHECK_EQ_INT(sbits_count(b), count);
	SBITS_FOREACH(i, b) {
		CHECK_EQ_INT(i % stretch, 0);
		CHECK(m[i / stretch]);
		walk++;
	}
	CHECK_EQ_INT(walk, count);
	make_equal(&same, m, stretch);
	CHECK(sbits_equal(b, &same));
	CHECK_EQ_INT(sbits_hash(b), sbits_hash(&same));
	sbits_release(&same);
}

/* A random set: of all densities, and gathered in one stretch or all over. */
static void fill(struct sbits *b, bool *m, uint32_t stretch, struct unit_rng *rng)
{
	uint32_t from = unit_below(rng, WIDE), to = from + unit_below(rng, WIDE - from + 1);
	uint32_t one_in = 1u << unit_below(rng, 9);

	sbits_clear(b);
	memset(m, 0, WIDE);
	if (unit_below(rng, 2)) {
		from = 0;
		to = WIDE;
	}
	for (uint32_t i = from; i < to; i++)
		if (unit_below(rng, one_in) == 0)
			m[i] = sbits_set(b, i * stretch);
}

static void union_round(struct sbits *d, bool *md, const struct sbits *s, const bool *ms,
			struct sbits *diff, bool *mdiff, bool with_diff)
{
	bool grew = false;

	for (int i = 0; i < WIDE; i++) {
		bool new = ms[i] && !md[i];

		grew |= new;
		md[i] |= new;
		if (with_diff)
			mdiff[i] |= new;
	}
	if (with_diff)
		CHECK_EQ_INT(sbits_or_diff(d, s, diff), grew);
	else
		CHECK_EQ_INT(sbits_or(d, s), grew);
}

static void compare(const struct sbits *a, const bool *ma, const struct sbits *b, const bool *mb)
{
	bool meet = false, within = true, equal = true;

	for (int i = 0; i < WIDE; i++) {
		meet |= ma[i] && mb[i];
		within &= !ma[i] || mb[i];
		equal &= ma[i] == mb[i];
	}
	CHECK_EQ_INT(sbits_intersects(a, b), meet);
	CHECK_EQ_INT(sbits_subset(a, b), within);
	CHECK_EQ_INT(sbits_equal(a, b), equal);
	if (equal)
		CHECK_EQ_INT(sbits_hash(a), sbits_hash(b));
}

static void random_sparse(uint32_t stretch, uint64_t seed, int rounds)
{
	struct sbits set[SETS] = {0};
	struct unit_rng rng = { seed };

	memset(model, 0, sizeof(model));
	for (int round = 0; round < rounds; round++) {
		uint32_t d = unit_below(&rng, SETS), s = unit_below(&rng, SETS);
		uint32_t f = unit_below(&rng, SETS), x;
		bool shrank = false;

		switch (unit_below(&rng, 8)) {
		case 0:
			fill(&set[d], model[d], stretch, &rng);
			break;
		case 1:
			if (d != s)
				union_round(&set[d], model[d], &set[s], model[s], NULL, NULL, false);
			break;
		case 2: case 3:
			if (d != s && f != d && f != s)
				union_round(&set[d], model[d], &set[s], model[s], &set[f], model[f], true);
			break;
		case 4:
			for (int i = 0; i < WIDE; i++) {
				shrank |= model[d][i] && !model[s][i];
				model[d][i] &= model[s][i];
			}
			CHECK_EQ_INT(sbits_and(&set[d], &set[s]), shrank);
			break;
		case 5:
			sbits_copy(&set[d], &set[s]);
			memmove(model[d], model[s], WIDE);
			break;
		default:
			for (int k = 0; k < 50; k++) {
				x = unit_below(&rng, WIDE);
				CHECK_EQ_INT(sbits_set(&set[d], x * stretch), !model[d][x]);
				model[d][x] = true;
				x = unit_below(&rng, WIDE);
				CHECK_EQ_INT(sbits_unset(&set[d], x * stretch), model[d][x]);
				model[d][x] = false;
			}
		}
		check_against(&set[d], model[d], stretch);
		check_against(&set[f], model[f], stretch);
		compare(&set[d], model[d], &set[s], model[s]);
		compare(&set[s], model[s], &set[d], model[d]);
	}
	for (int s = 0; s < SETS; s++)
		sbits_release(&set[s]);
}

TEST(sparse_random_dense_words)
{
	random_sparse(1, 52, 1000);
}

TEST(sparse_random_some_bits_a_word)
{
	random_sparse(17, 53, 1000);
}

TEST(sparse_random_one_bit_a_word)
{
	random_sparse(1000003, 54, 1000);
}

/* A borrowed set is written: the one that it borrows from stays as it was. */
TEST(sparse_borrowed)
{
	struct sbits from = {0}, b = {0}, more = {0}, fresh = {0}, before = {0};

	for (uint32_t i = 0; i < 400; i += 40)
		sbits_set(&from, i);
	sbits_copy(&before, &from);
	sbits_set(&more, 40);
	sbits_set(&more, 41);
	sbits_set(&more, 5000);
	for (int op = 0; op < 8; op++) {
		sbits_borrow(&b, &from);
		CHECK(sbits__check(&b) && sbits_equal(&b, &from));
		CHECK(!sbits_set(&b, 80) && !sbits_unset(&b, 81) && !sbits_or(&b, &from));
		CHECK(b.v == from.v);
		switch (op) {
		case 0: CHECK(sbits_set(&b, 81)); break;
		case 1: CHECK(sbits_set(&b, 9000)); break;
		case 2: CHECK(sbits_unset(&b, 80)); break;
		case 3: CHECK(sbits_or(&b, &more)); break;
		case 4: CHECK(sbits_or_diff(&b, &more, &fresh)); break;
		case 5: CHECK(sbits_and(&b, &more)); break;
		case 6: sbits_minus(&b, &more); break;
		case 7: sbits_copy(&b, &more); break;
		}
		CHECK(sbits__check(&b) && !sbits_equal(&b, &from));
		CHECK(sbits_equal(&from, &before));
	}
	CHECK_EQ_INT(sbits_count(&fresh), 2);
	sbits_borrow(&b, &from);
	sbits_clear(&b);
	CHECK(sbits_set(&b, 1) && sbits_count(&b) == 1);
	sbits_borrow(&b, &from);
	sbits_release(&b);
	CHECK(sbits_equal(&from, &before));
	sbits_borrow(&b, &fresh);
	sbits_release(&from);
	sbits_release(&more);
	sbits_release(&fresh);
	sbits_release(&before);
}

/* The invariant's check itself must be able to say no. */
TEST(check_finds_damage)
{
	struct sbits a = {0};

	sbits_set(&a, 1);
	sbits_set(&a, 100);
	CHECK(sbits__check(&a));
	a.v[1].at = 0;
	CHECK(!sbits__check(&a));
	a.v[1].at = 1;
	a.v[1].w = 0;
	CHECK(!sbits__check(&a));
	sbits_release(&a);
}
