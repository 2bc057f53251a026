/*
 * smt_none.c - no SMT solver: plumb was built without one.
 */
#include "path/smt.h"

const char *smt_name(void)
{
	return NULL;
}

struct smt *smt_new(void)
{
	assert(!"there is a solver");
	return NULL;
}

void smt_free(struct smt *m)
{
	assert(!m);
	(void)m;
}

enum solver_answer smt_check(struct smt *m, const struct syms *syms, const struct smt_term *t, uint32_t n)
{
	(void)m;
	(void)syms;
	(void)t;
	(void)n;
	return SOLVER_UNKNOWN;
}
