/*
 * rows.h - lists of numbers by number, in two flat arrays.
 *
 * What belongs to x is to[row[x]] .. to[row[x + 1] - 1]: the edges of a graph,
 * the uses of a value, the callers of a function.
 */
#ifndef BASE_ROWS_H
#define BASE_ROWS_H

#include "base/vec.h"

struct row_pair {
	uint32_t of, what;
};
VEC_TYPE(row_pairs, struct row_pair);

/* Fills both arrays by counting; the order within a row is that of the pairs.
 * row has n + 2 entries, all zero; to has one for each pair.  swap: `what` owns
 * the rows, which hold `of`. */
void rows_fill(uint32_t *row, uint32_t *to, uint32_t n, const struct row_pairs *p, bool swap);

#endif
