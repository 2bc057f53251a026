/*
 * enums.h - which enumerations have no other values than their enumerators.
 */
#ifndef PTA_ENUMS_H
#define PTA_ENUMS_H

#include "pta/pta.h"

struct enums {
	const struct pta *p;
	const struct ir_module *m;
	struct bits loose;	/* types: enumerations that may have other values */
};

void enums_init(struct enums *g, const struct pta *p);
void enums_release(struct enums *g);

/* Is this SSA value one of an enumeration's enumerators, or zero?  Then it lies between *lo
 * and *hi. */
bool enums_range(const struct enums *g, uint32_t func, uint32_t value, int64_t *lo, int64_t *hi);

#endif
