/*
 * lower.h - LLVM bitcode to leak IR.  The only door to LLVM-C.
 */
#ifndef FRONT_LOWER_H
#define FRONT_LOWER_H

#include "ir/ir.h"

/* Lowers one module, given as the bytes of bitcode or of text (.ll); name is for
 * messages and, without debug information, for positions.  0: *out is the
 * caller's.  Negative: not bitcode, truncated, of a newer LLVM: one line.  What
 * LLVM aborts on ends the process, which should be a worker. */
int lower_bitcode(struct ir_module **out, const void *p, size_t n, const char *name);

/* The version of LLVM we read with, for messages and cache keys: "19.1.7". */
const char *lower_version(void);

#endif
