/*
 * nulls.h - which parameters are ever given a null pointer, as far as the program shows.
 */
#ifndef PTA_NULLS_H
#define PTA_NULLS_H

#include "pta/pta.h"

struct nulls {
	const struct ir_module *m;
	uint32_t *row;		/* by function: its first parameter among all */
	struct bits given;	/* parameters */
};

/* returns_some (may be NULL): does this function, which is defined, never return null? */
void nulls_init(struct nulls *n, const struct pta *p, bool (*returns_some)(const void *arg, uint32_t func),
		const void *arg);
void nulls_release(struct nulls *n);

/* May the parameter of this function be null, by what its callers are seen to pass? */
bool nulls_may_be(const struct nulls *n, uint32_t func, uint32_t param);

#endif
