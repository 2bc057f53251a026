/*
 * plan_own.c - objects that this activation made and nobody else has seen, and what leads to them.
 *
 * An object that nobody has been shown is in no memory that others see; so the search from a pointer
 * ends at such memory.  What a pointer leads to does not depend on the state, and simulations ask it
 * of every argument of every call in every state: the sources whose objects it leads to are found
 * once (own_sources()), the points-to set being known by its address as in plan_closure.c.
 */
#include "plan/priv.h"

#include "base/hash.h"

#define MAP_NAME ownmap
#define MAP_KEY uint64_t
#define MAP_VAL struct bits
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct plan_own {
	struct bits passed;	/* objects of sources that paths may lead through */
	struct ownmap found;	/* by the address of a points-to set, and whether it is hops: sources */
};

/* ---- what a pointer leads to ---------------------------------------------------- */

struct plan_own *own_new(const struct plan_sim *sim)
{
	struct plan_own *own = xcalloc(1, sizeof(*own));

	bits_init(&own->passed, pta_nobjs(sim->pl->p));
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (bits_test(&sim->bases, i))
			SBITS_FOREACH(o, &sim->births.v[i].objs)
				bits_set(&own->passed, o);
	return own;
}

void own_free(struct plan_own *own)
{
	struct bits *to;
	uint32_t it = 0;
	uint64_t key;

	if (!own)
		return;
	while (ownmap_next(&own->found, &it, &key, &to))
		bits_release(to);
	ownmap_release(&own->found);
	bits_release(&own->passed);
	free(own);
}

/* The objects that this set leads to, as far as through memory that others do not see: an object that nobody
 * has been shown is in no other.  hops: without those that it points to itself. */
static void reach(const struct plan_sim *sim, const struct sbits *pts, bool hops, struct bits *objs)
{
	const struct pta *p = sim->pl->p;
	struct bits first;
	VEC(uint32_t) todo = {0};

	bits_init(&first, pta_nobjs(p));
	SBITS_FOREACH(l, pts)
		if (bits_set(hops ? &first : objs, pta_loc(p, l)->obj))
			vec_push(&todo, pta_loc(p, l)->obj);
	for (uint32_t i = 0; i < todo.n; i++) {
		uint32_t o = todo.v[i];
		bool put = sbits_test(&sim->puts, o);

		if (sim_is_outside(sim, o) && !bits_test(&sim->own->passed, o))
			continue;
		for (uint32_t c = pta_obj(p, o)->first_loc; c != IR_NONE; c = pta_loc(p, c)->next)
			SBITS_FOREACH(l, pta_cell(p, c))
		if ((put || !sbits_test(&sim->results, pta_loc(p, l)->obj)) &&
		    bits_set(objs, pta_loc(p, l)->obj))
			vec_push(&todo, pta_loc(p, l)->obj);
	}
	vec_release(&todo);
	bits_release(&first);
}

/* The sources some object of which the pointer leads to. */
static const struct bits *own_sources(const struct plan_sim *sim, ir_ref r, bool hops)
{
	const struct sbits *pts = pta_points_to(sim->pl->p, sim->func, r);
	struct bits *to, objs;
	bool is_new;

	to = ownmap_put(&sim->own->found, (uint64_t)(uintptr_t)pts | hops, &is_new);	/* sets are aligned */
	if (!is_new)
		return to;
	bits_init(&objs, pta_nobjs(sim->pl->p));
	bits_init(to, sim->births.n + 1);
	reach(sim, pts, hops, &objs);
	for (uint32_t i = 0; i < sim->births.n; i++)
		SBITS_FOREACH(o, &sim->births.v[i].objs)
			if (bits_test(&objs, o)) {
				bits_set(to, i);
				break;
			}
	bits_release(&objs);
	return to;
}

bool sim_reaches_own(const struct plan_sim *sim, const struct plan_state *s, ir_ref r, uint32_t slot)
{
	return bits_test(own_sources(sim, r, false), pstate_val(s, slot).birth);
}

/* ---- who has been shown what ------------------------------------------------------ */

enum { MANY_BIRTHS = 63 };

static uint64_t birth_bit(uint32_t birth)
{
	return UINT64_C(1) << MIN(birth, MANY_BIRTHS);
}

bool sim_is_own(const struct plan_sim *sim, const struct plan_state *s, uint32_t slot)
{
	struct plan_val v = pstate_val(s, slot);

	return !sim->lent && v.kind == PVAL_FRESH && bits_test(&sim->bases, v.birth) &&
	       !(s->shown & birth_bit(v.birth));
}

void sim_unshow(struct plan_state *s, uint32_t birth)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->cells[i].val.kind == PVAL_FRESH && s->cells[i].val.birth == birth)
			return;
	if (birth < MANY_BIRTHS)
		s->shown &= ~birth_bit(birth);
}

void sim_unshow_lost(const struct plan_sim *sim, struct plan_state *s)
{
	for (uint32_t i = 0; s->shown && s->shown != UINT64_MAX && i < MIN(sim->births.n, MANY_BIRTHS); i++)
		if (s->shown & birth_bit(i))
			sim_unshow(s, i);
}

bool sim_owns_any(const struct plan_sim *sim, const struct plan_state *s)
{
	for (uint32_t i = 0; i < sim->births.n && !sim->lent; i++)
		if (bits_test(&sim->bases, i) && !(s->shown & birth_bit(i)))
			return true;
	return false;
}

/* Is it one of these sources, and its objects are such that nobody has been shown yet? */
static bool is_shown_by(const struct plan_sim *sim, const struct plan_state *s, uint32_t birth,
			const struct bits *sources)
{
	return bits_test(sources, birth) && bits_test(&sim->bases, birth) && !(s->shown & birth_bit(birth));
}

/* The sources whose objects are no longer this function's alone once others have the value. */
static uint64_t shown_with(const struct plan_sim *sim, const struct plan_state *s, ir_ref v)
{
	struct plan_val val = sim_val(sim, s, v);
	const struct bits *to;
	uint64_t shown = 0;

	if (val.kind == PVAL_FRESH && bits_test(&sim->bases, val.birth))
		shown |= birth_bit(val.birth);
	if (!pta_points_to(sim->pl->p, sim->func, v)->n || !sim_owns_any(sim, s))
		return shown;
	to = own_sources(sim, v, false);
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (is_shown_by(sim, s, i, to))
			shown |= birth_bit(i);
	return shown;
}

void sim_show(struct plan_sim *sim, struct plan_state *s, ir_ref v, uint32_t inst)
{
	uint64_t shown = shown_with(sim, s, v);

	if (sim_leads_to(sim, s, v))
		sim_escape(sim, s, inst);
	s->shown |= shown;
}

bool sim_would_show(const struct plan_sim *sim, const struct plan_state *s, ir_ref v)
{
	return shown_with(sim, s, v) & ~s->shown || sim_leads_to(sim, s, v);
}

bool sim_leads_to_own(const struct plan_sim *sim, const struct plan_state *s, ir_ref r)
{
	const struct bits *to;
	bool leads = false;

	if (!pta_points_to(sim->pl->p, sim->func, r)->n || !sim_owns_any(sim, s))
		return false;
	to = own_sources(sim, r, true);
	for (uint32_t i = 0; i < sim->births.n && !leads; i++)
		leads = is_shown_by(sim, s, i, to);
	return leads;
}
