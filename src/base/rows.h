/*
 * rows.h - lists of numbers by number, in two flat arrays.
 *
 * The row of x is to[row[x]] .. to[row[x + 1] - 1]: the edges of a node, the uses
 * of a value, the callers of a function.
 */
#ifndef BASE_ROWS_H
#define BASE_ROWS_H

#include "base/vec.h"

struct row_pair {
	uint32_t of, what;
};
VEC_TYPE(row_pairs, struct row_pair);

/* Fills both arrays by counting; the order within a row is that of the pairs.
 * row has n + 2 entries, all zero; to has one for each pair.  swap: a pair
 * means that `of` is in the row of `what`, else the reverse. */
void rows_fill(uint32_t *row, uint32_t *to, uint32_t n, const struct row_pairs *p, bool swap);

#endif
