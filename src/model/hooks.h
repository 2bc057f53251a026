/*
 * hooks.h - calls through variables, of a library or of the program, in which an allocator or a releaser is.
 */
#ifndef MODEL_HOOKS_H
#define MODEL_HOOKS_H

#include "model/model.h"

struct ir_module;

/* Turns each call through a variable like `xmlMalloc` or `void *(*my_malloc)(size_t) = malloc;` into a call
 * of a function that has a model, `*xmlMalloc`.  Once for a program, before any analysis; adds to the
 * models. */
void model_expand_hooks(struct ir_module *m, struct model_set *models);
/* Does the function of this name stand for the variable? */
bool model_is_hook(const char *function, const char *variable);
/* Does it stand for any variable? */
bool model_is_of_hook(const char *function);

#endif
