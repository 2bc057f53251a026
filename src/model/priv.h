/*
 * priv.h - what the files of src/model/ share.
 */
#ifndef MODEL_PRIV_H
#define MODEL_PRIV_H

#include "base/vec.h"
#include "model/model.h"

#define MAP_NAME model_index
#define MAP_KEY const char *
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_str(k)
#define MAP_EQ(a, b) str_eq(a, b)
#include "base/map.h"

/* Everything that models point to lives in the arena, names included.  The remains of
 * a rejected text stay there until the set is freed. */
struct model_set {
	struct arena arena;
	uint64_t digest;			/* of the texts that were added, and their names */
	VEC(const struct model *) models;	/* in order of first definition */
	struct model_index by_name;		/* -> index in models */
	struct resources resources;
};

/* Takes what lives in the set's arena, or for ever.  It may replace another. */
void model__add(struct model_set *s, const struct model *m);

/* Is the place what the function returns, and nothing behind that? */
static inline bool model__is_return(const struct model_place *p)
{
	return p->base == MODEL_RETURN && !p->nsteps;
}

/* Is the step a plain `*`? */
static inline bool model__is_deref(const struct model_step *s)
{
	return !s->field && !s->any && !s->offset;
}

#endif
