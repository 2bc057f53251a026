/*
 * rename.h - SSA construction for any kind of variable.
 *
 * The variables are numbers; what happens to them in a function is a list of
 * events, block by block in program order.  ssa.c uses it for source variables,
 * src/mssa for regions of memory.
 *
 * A definition is a number, too: that of its event, or nevents + i for phi i,
 * or IR_NONE for the value at entry.
 */
#ifndef IR_RENAME_H
#define IR_RENAME_H

#include "ir/dom.h"

struct rename_event {
	uint32_t var;
	bool use, def;		/* both: reads the old one, then makes a new one */
};

struct rename_phi {
	uint32_t block, var;
	uint32_t *args;		/* definitions by predecessor, in the order of block->pred */
};

struct rename {
	/* given */
	const struct ir_func *f;
	const struct dom *dom;
	uint32_t nvars, nevents;
	const struct rename_event *events;
	const uint32_t *row;		/* events of block b: row[b] .. row[b + 1] - 1 */
	/* made, in the arena */
	uint32_t *reach;		/* by event: the definition before it */
	uint32_t nphis;
	struct rename_phi *phis;	/* by block, then variable */
	uint32_t *phi_row;
};

/* Fills in what is made.  Phis stand only where the variable is live.  In
 * blocks that cannot be reached everything is IR_NONE. */
void rename_run(struct rename *r, struct arena *arena);
/* Asserts what is said above of what was made, and that definitions are of the right variable. */
void rename_check(const struct rename *r);

#endif
