/*
 * hooks.h - calls through variables of a library's, or of the program's, that hold an allocator.
 */
#ifndef MODEL_HOOKS_H
#define MODEL_HOOKS_H

#include "model/model.h"

struct ir_module;

/* Makes of each call through a variable like `xmlMalloc` or `void *(*my_malloc)(size_t) = malloc;` a call of a function
 * that has a model, `*xmlMalloc`.  Once for a program, before any analysis; models grows. */
void model_expand_hooks(struct ir_module *m, struct model_set *models);
/* Does the function stand for the variable? */
bool model_is_hook(const char *function, const char *variable);
/* ... or for any variable? */
bool model_is_of_hook(const char *function);

#endif
