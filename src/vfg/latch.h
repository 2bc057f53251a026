/*
 * latch.h - flags that are zero at the beginning of a path; see latch.c.
 */
#ifndef VFG_LATCH_H
#define VFG_LATCH_H

#include "vfg/priv.h"

struct latches;

struct latches *latches_new(const struct vfg *g);
void latches_free(struct latches *l);
uint32_t latches_count(const struct latches *l);

/* Does the branch ask about one?  Only those that were asked for here are known to the functions below. */
bool latches_asked(struct latches *l, uint32_t func, uint32_t inst);
/* The one that a load or store is of, or IR_NONE. */
uint32_t latches_at(const struct latches *l, uint32_t func, const struct ir_inst *in);
/* Is it zero whenever the function is entered? */
bool latches_is_zero(const struct latches *l, uint32_t latch, uint32_t func);
/* May the function set it, and return something that is not null all the same? */
bool latches_may_give(const struct latches *l, uint32_t latch, uint32_t func);
/* May the function set it? */
bool latches_may_set(const struct latches *l, uint32_t latch, uint32_t func);

#endif
