/*
 * relevant.h - which values decide what becomes of one object.
 *
 * For the walker: a branch that the object's fate does not depend on makes two
 * paths that end up the same.  This is program slicing (Weiser 1981), backwards
 * from the places where something happens to the object.
 */
#ifndef VFG_RELEVANT_H
#define VFG_RELEVANT_H

#include "vfg/live.h"

struct relevant {
	struct bits values;	/* leaves (live.h) */
	struct bits roots;	/* by number in struct live: memory */
	struct bits blocks;
};

/* deeds: blocks where something happens; result: what is returned matters too, and, if
 * callees are entered for that (live.h), what is stored for the caller. */
void relevant_init(struct relevant *r, const struct vfg *g, struct live *l, uint32_t func,
		   const struct bits *deeds, bool result);
void relevant_release(struct relevant *r);

#endif
