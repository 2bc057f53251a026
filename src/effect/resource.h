/*
 * resource.h - kinds of resources: memory, open files, directories, compiled expressions, ...
 *
 * A model says of which kind is what a function makes or frees (model/model.h), engines and the planner
 * compare kinds, a finding has the name of one.  Memory is always there; the others are declared in the
 * language of models, before they are used: `resource file "open file";`.  Two kinds are one if they have
 * the same name.
 */
#ifndef EFFECT_RESOURCE_H
#define EFFECT_RESOURCE_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"

struct resource {
	const char *name;	/* "memory" */
	const char *text;	/* "memory", "open file": for messages */
	bool active;		/* it does something by being there */
};

bool resource_is_memory(const struct resource *r);
bool resource_equal(const struct resource *a, const struct resource *b);	/* either may be NULL */

#define MAP_NAME resource_index
#define MAP_KEY const char *
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

/* Those that are declared, in the order in which that happened. */
struct resources {
	VEC(struct resource *) all;	/* the first is memory */
	struct resource_index by_name;
};

void resources_init(struct resources *s);	/* with memory */
void resources_release(struct resources *s);
void resources_check(const struct resources *s);
/* Takes one of a new name; it and its texts live as long as the set. */
void resources_add(struct resources *s, struct resource *r);
struct resource *resources_find(const struct resources *s, const char *name);	/* or NULL */

/* How to speak of a resource of this name: "file opened by fopen is not closed" (words.c). */
struct resource_words {
	const char *resource, *noun, *got, *free, *freed;
};
struct resource_words resource_words(const char *name);

#endif
