/*
 * rows.c - lists of numbers by number, in two flat arrays: see rows.h.
 */
#include "base/rows.h"

#include <assert.h>

void rows_fill(uint32_t *row, uint32_t *to, uint32_t n, const struct row_pairs *p, bool swap)
{
	assert(row[0] == 0 && row[n + 1] == 0);
	/* Counts are two places further on, so that after the sums the row of x begins
	 * at row[x + 1]; filling moves that to its end, where the row of x + 1 begins. */
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
	assert(row[0] == 0 && row[n] == p->n);
}
