/*
 * u_rows.c - rows against lists made one by one.
 */
#include "unit.h"

#include "base/rows.h"

#include <stdlib.h>

static uint32_t next_random(uint32_t *s)
{
	*s = *s * 1664525u + 1013904223u;
	return *s >> 8;
}

TEST(empty)
{
	uint32_t row[5] = {0}, to[1];
	struct row_pairs p = {0};

	rows_fill(row, to, 3, &p, false);
	for (int i = 0; i < 4; i++)
		CHECK_EQ_INT(row[i], 0);
}

static void check_against_lists(uint32_t n, uint32_t npairs, uint32_t seed, bool swap)
{
	uint32_t *row = xcalloc(n + 2, sizeof(*row)), *to = xcalloc(npairs + 1, sizeof(*to));
	struct row_pairs p = {0};

	for (uint32_t i = 0; i < npairs; i++) {
		uint32_t a = next_random(&seed) % n, b = next_random(&seed) % n;

		vec_push(&p, ((struct row_pair){ a, b }));
	}
	rows_fill(row, to, n, &p, swap);
	for (uint32_t x = 0; x < n; x++) {
		uint32_t at = row[x];

		for (uint32_t i = 0; i < npairs; i++) {
			if ((swap ? p.v[i].what : p.v[i].of) != x)
				continue;
			CHECK(at < row[x + 1]);
			CHECK_EQ_INT(to[at], swap ? p.v[i].of : p.v[i].what);
			at++;
		}
		CHECK_EQ_INT(at, row[x + 1]);
	}
	free(row);
	free(to);
	vec_release(&p);
}

TEST(random)
{
	for (uint32_t seed = 1; seed <= 50; seed++) {
		check_against_lists(1 + seed % 17, seed * 3 % 90, seed, false);
		check_against_lists(1 + seed % 13, seed * 5 % 70, seed, true);
	}
}
