/*
 * rows.c - lists of numbers by number, in two flat arrays.
 */
#include "base/rows.h"

#include <assert.h>

void rows_fill(uint32_t *row, uint32_t *to, uint32_t n, const struct row_pairs *p, bool swap)
{
	/* Counted two places further on, so that after the sums row[x + 1] is where
	 * x begins; filling moves it to where x ends, which is where x + 1 begins. */
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t of = swap ? p->v[i].what : p->v[i].of;

		assert(of < n);
		row[of + 2]++;
	}
	for (uint32_t i = 2; i < n + 2; i++)
		row[i] += row[i - 1];
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t of = swap ? p->v[i].what : p->v[i].of;

		to[row[of + 1]++] = swap ? p->v[i].of : p->v[i].what;
	}
}
