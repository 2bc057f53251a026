/*
 * link.h - what link.c and linktypes.c share.
 */
#ifndef IR_LINK_H
#define IR_LINK_H

#include "ir/ir.h"

VEC_TYPE(typelist, uint32_t);

struct typelink;

struct typelink *typelink_new(struct ir_module *out);
void typelink_free(struct typelink *l);

/* Puts the types of n modules into the output.  Result: for each module an array
 * that gives the output's number for each of its types; free all of them. */
uint32_t **typelink_all(struct typelink *l, struct ir_module *const *in, unsigned n);

#endif
