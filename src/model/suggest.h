/*
 * suggest.h - functions without code or model that look like allocators, and the models they may want.
 */
#ifndef MODEL_SUGGEST_H
#define MODEL_SUGGEST_H

#include "base/vec.h"
#include "ir/ir.h"
#include "model/model.h"

struct model_suggestion {
	char *names;		/* the allocators: "kmalloc() (12 calls), kzalloc() (1 call)" */
	char *text;		/* in the language of models, on one line */
	uint32_t functions, calls;
};

VEC_TYPE(model_suggestions, struct model_suggestion);

/* One for each function that releases, those whose objects are made most often first. */
void model_suggest(struct model_suggestions *out, const struct ir_module *m, const struct model_set *models);
void model_suggestions_release(struct model_suggestions *s);

#endif
