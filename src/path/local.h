/*
 * local.h - leaks that one function alone can show.
 */
#ifndef PATH_LOCAL_H
#define PATH_LOCAL_H

#include "finding/finding.h"
#include "ir/ir.h"
#include "model/model.h"

/* Adds to fs every local leak of every function with a body. */
void local_check(struct findings *fs, const struct ir_module *m, const struct model_set *models);

#endif
