/*
 * plan_release.c - what releases an object of this kind?
 */
#include "fix/plan.h"

const char *release_text(struct fix_planner *pl, const struct plan_sim *sim, const struct plan_birth *b, const char *expr,
			 struct arena *arena, const char **why)
{
	const struct model_value *v = &b->effect->value;
	const char *name = v->nfreers ? v->freers[0] : "free";

	(void)pl;
	(void)sim;
	*why = NULL;
	return arena_printf(arena, "%s(%s);", name, expr);
}
