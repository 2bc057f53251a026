/*
 * owned.h - the allocations of a program, and of which of them it is known who releases them
 * after they were stored.
 */
#ifndef PTA_OWNED_H
#define PTA_OWNED_H

#include "pta/pta.h"

struct owned;

struct owned *owned_new(const struct pta *p);
void owned_free(struct owned *o);

/* Is it an allocation to be counted?  Not what a wrapper hands out that has callers: each of these has one
 * of its own. */
bool owned_counts(const struct owned *o, uint32_t obj);
/* Can the object get from where it is stored to a release?  Then *func and *inst are the first such release;
 * otherwise they are untouched.  owned.c says which way this errs. */
bool owned_release(const struct owned *o, uint32_t obj, uint32_t *func, uint32_t *inst);

#endif
