/*
 * format.h - what a conversion in a format does to its argument.
 */
#ifndef MODEL_FORMAT_H
#define MODEL_FORMAT_H

#include "model/model.h"

struct ir_module;

/* Puts a call of "NAME %c" after each call of NAME whose constant format has a
 * conversion %c, where there is a model of that name: its arg1 is the argument
 * converted.  If the model has a condition on arg2, that is whether the conversion was done,
 * by the result of NAME.  Once for a program, before any analysis. */
void model_expand_formats(struct ir_module *m, const struct model_set *models);

#endif
