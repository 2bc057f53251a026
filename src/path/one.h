/*
 * one.h - questions about a single unknown, answered without the solver.
 */
#ifndef PATH_ONE_H
#define PATH_ONE_H

#include "path/smt.h"

/* Are the terms about one unknown and constants?  Then *out is the answer. */
bool one_decide(const struct syms *syms, const struct smt_term *t, uint32_t n, enum solver_answer *out);

#endif
