/*
 * u_regions.c - memory divided into regions (src/mssa/regions.c).
 *
 * Judged by the definition: two locs are in one class exactly if every set has
 * both of them or neither.
 */
#include "unit.h"

#include "base/mem.h"
#include "mssa/priv.h"

/* The classes of these sets are disjoint, and the coarsest there are. */
static void check_classes(const struct sbits *const *sets, uint32_t n)
{
	struct mssa_classes c;
	struct sbits all = {0};
	uint32_t total, i = 0, *locs;
	bool *used;

	mssa__classes(&c, sets, n);
	for (uint32_t k = 0; k < n; k++)
		sbits_or(&all, sets[k]);
	CHECK(sbits__check(&c.all));
	CHECK(sbits_equal(&c.all, &all));
	total = sbits_count(&all);
	locs = xcalloc(MAX(total, 1), sizeof(*locs));
	used = xcalloc(MAX(total, 1), sizeof(*used));
	SBITS_FOREACH(loc, &all)
		locs[i++] = loc;
	CHECK_EQ_INT(i, total);
	CHECK(c.n <= total);
	for (i = 0; i < total; i++) {
		CHECK(c.class_of[i] < c.n);
		used[c.class_of[i]] = true;
		for (uint32_t j = 0; j < i; j++) {
			bool same = true;

			for (uint32_t k = 0; k < n; k++)
				same &= sbits_test(sets[k], locs[i]) == sbits_test(sets[k], locs[j]);
			if (same != (c.class_of[i] == c.class_of[j]))
				FAIL("%u and %u: in one class %d, expected %d", locs[i], locs[j], !same, same);
		}
	}
	for (i = 0; i < c.n; i++)
		CHECK(used[i]);
	free(locs);
	free(used);
	sbits_release(&all);
	mssa__classes_release(&c);
	CHECK(!c.class_of && !c.n);
}

static struct sbits set_of(const uint32_t *v, size_t n)
{
	struct sbits s = {0};

	for (size_t i = 0; i < n; i++)
		sbits_set(&s, v[i]);
	return s;
}
#define SET(...) set_of((uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static uint32_t count(const struct sbits *const *sets, uint32_t n)
{
	struct mssa_classes c;
	uint32_t k;

	mssa__classes(&c, sets, n);
	k = c.n;
	mssa__classes_release(&c);
	check_classes(sets, n);
	return k;
}

TEST(nothing)
{
	struct sbits none = {0};

	CHECK_EQ_INT(count(NULL, 0), 0);
	CHECK_EQ_INT(count((const struct sbits *[]){ &none }, 1), 0);
	CHECK_EQ_INT(count((const struct sbits *[]){ &none, &none }, 2), 0);
}

TEST(one_set)
{
	struct sbits a = SET(3, 64, 1000), none = {0};

	CHECK_EQ_INT(count((const struct sbits *[]){ &a }, 1), 1);
	CHECK_EQ_INT(count((const struct sbits *[]){ &a, &a, &a }, 3), 1);
	CHECK_EQ_INT(count((const struct sbits *[]){ &none, &a, &none }, 3), 1);
	sbits_release(&a);
}

TEST(overlap)
{
	struct sbits a = SET(1, 2, 3), b = SET(3, 4), inner = SET(2), far = SET(63, 64, 65, 4000000000u);

	CHECK_EQ_INT(count((const struct sbits *[]){ &a, &b }, 2), 3);
	CHECK_EQ_INT(count((const struct sbits *[]){ &b, &a }, 2), 3);
	CHECK_EQ_INT(count((const struct sbits *[]){ &a, &inner }, 2), 2);
	CHECK_EQ_INT(count((const struct sbits *[]){ &inner, &a }, 2), 2);
	CHECK_EQ_INT(count((const struct sbits *[]){ &a, &b, &inner }, 3), 4);
	CHECK_EQ_INT(count((const struct sbits *[]){ &a, &far }, 2), 2);
	CHECK_EQ_INT(count((const struct sbits *[]){ &a, &b, &inner, &far }, 4), 5);
	sbits_release(&a);
	sbits_release(&b);
	sbits_release(&inner);
	sbits_release(&far);
}

TEST(random_sets)
{
	struct unit_rng r = { 3 };

	for (int round = 0; round < 1500; round++) {
		struct sbits sets[10] = {0};
		const struct sbits *given[10];
		uint32_t n = unit_below(&r, 11);
		uint32_t universe = 1 + unit_below(&r, round % 3 ? 40 : 400);
		uint32_t scale = round % 5 ? 1 : 1 + unit_below(&r, 1000);

		for (uint32_t i = 0; i < n; i++) {
			/* a range, or single ones: both large classes and small ones come up */
			uint32_t from = unit_below(&r, universe), len = unit_below(&r, universe);

			if (unit_below(&r, 2))
				for (uint32_t k = from; k < universe && k < from + len; k++)
					sbits_set(&sets[i], k * scale);
			else
				for (uint32_t k = unit_below(&r, 12); k > 0; k--)
					sbits_set(&sets[i], unit_below(&r, universe) * scale);
			given[i] = &sets[i];
		}
		check_classes(given, n);
		for (uint32_t i = 0; i < n; i++)
			sbits_release(&sets[i]);
	}
}
