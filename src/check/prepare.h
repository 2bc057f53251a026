/*
 * prepare.h - a linked program made fit for analysis.
 */
#ifndef CHECK_PREPARE_H
#define CHECK_PREPARE_H

#include "ir/ir.h"
#include "model/model.h"

/* Models that count more than a body, models made from others by the way they are called.
 * check_load() has done it. */
void prepare_program(struct ir_module *program, struct model_set *models);

#endif
