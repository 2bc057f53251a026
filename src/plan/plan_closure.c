/*
 * plan_closure.c - which objects can be got at from a pointer, and which memory may hold one?
 *
 * The simulations ask this of the arguments of calls, in every state.  The points-to sets do not
 * change any more, so each is answered once: the set that a pointer has is known by its
 * address, and pointers that lead to the same objects share one answer.
 *
 * One search does not look at points-to sets at all: objects that lead to each other are one
 * component of the graph of objects, and the search goes from component to component.  In a
 * large program most objects that lead anywhere are in one.
 */
#include "plan/priv.h"

#include "base/hash.h"

#define MAP_NAME setmap
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct set {
	struct bits objs;
	struct sbits sparse, locs;	/* the same, and their locs; empty: not asked for yet */
};

struct step {
	struct sbits targets;		/* the objects that those of the set lead to at once */
	struct sbits whole;		/* all locs of those of the set; empty: not asked for yet */
	bool variable;
};

struct plan_closure {
	const struct pta *p;
	uint32_t *comp;			/* by object: its component */
	struct sbits *members, *next;	/* by component: objects; components that it leads to */
	uint32_t ncomps;
	struct sbits
		*holders; /* by object: the locs that may hold a pointer to it; NULL: not asked for yet */
	struct setmap by_pointer;	/* the address of a points-to set: number in sets */
	struct setmap by_digest;	/* of what is in it: the same */
	VEC(struct set *) sets;
	struct sbits *targets;		/* by object: those that its cells point to */
	struct setmap by_step;		/* the address of a points-to set: number in steps */
	VEC(struct step *) steps;
};

/* The objects that the cells of an object point to. */
static void add_targets(const struct pta *p, uint32_t obj, struct sbits *out)
{
	for (uint32_t l = pta_obj(p, obj)->first_loc; l != IR_NONE; l = pta_loc(p, l)->next)
		SBITS_FOREACH(to, pta_cell(p, l))
			sbits_set(out, pta_loc(p, to)->obj);
}

struct plan_closure *closure_new(const struct pta *p)
{
	struct plan_closure *c = xcalloc(1, sizeof(*c));
	uint32_t n = pta_nobjs(p), *row = xcalloc((size_t)n + 1, sizeof(*row)),
		 *order = xcalloc(MAX(n, 1), sizeof(*order));
	VEC(uint32_t) to = {0};

	c->p = p;
	c->comp = xcalloc(MAX(n, 1), sizeof(*c->comp));
	c->targets = xcalloc(MAX(n, 1), sizeof(*c->targets));
	for (uint32_t o = 0; o < n; o++) {
		add_targets(p, o, &c->targets[o]);
		SBITS_FOREACH(t, &c->targets[o])
			vec_push(&to, t);
		row[o + 1] = to.n;
	}
	vec_push(&to, 0);	/* never NULL */
	pta_components(n, row, to.v, c->comp, order);
	for (uint32_t o = 0; o < n; o++)
		c->ncomps = MAX(c->ncomps, c->comp[o] + 1);
	c->members = xcalloc(MAX(c->ncomps, 1), sizeof(*c->members));
	c->next = xcalloc(MAX(c->ncomps, 1), sizeof(*c->next));
	for (uint32_t o = 0; o < n; o++) {
		sbits_set(&c->members[c->comp[o]], o);
		for (uint32_t k = row[o]; k < row[o + 1]; k++)
			if (c->comp[to.v[k]] != c->comp[o])
				sbits_set(&c->next[c->comp[o]], c->comp[to.v[k]]);
	}
	free(row);
	free(order);
	vec_release(&to);
	return c;
}

void closure_free(struct plan_closure *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < c->ncomps; i++) {
		sbits_release(&c->members[i]);
		sbits_release(&c->next[i]);
	}
	for (uint32_t o = 0; c->holders && o < pta_nobjs(c->p); o++)
		sbits_release(&c->holders[o]);
	for (uint32_t i = 0; i < c->sets.n; i++) {
		bits_release(&c->sets.v[i]->objs);
		sbits_release(&c->sets.v[i]->sparse);
		sbits_release(&c->sets.v[i]->locs);
		free(c->sets.v[i]);
	}
	for (uint32_t o = 0; o < pta_nobjs(c->p); o++)
		sbits_release(&c->targets[o]);
	for (uint32_t i = 0; i < c->steps.n; i++) {
		sbits_release(&c->steps.v[i]->targets);
		sbits_release(&c->steps.v[i]->whole);
		free(c->steps.v[i]);
	}
	free(c->targets);
	vec_release(&c->steps);
	setmap_release(&c->by_step);
	vec_release(&c->sets);
	setmap_release(&c->by_pointer);
	setmap_release(&c->by_digest);
	free(c->holders);
	free(c->members);
	free(c->next);
	free(c->comp);
	free(c);
}

static void find(const struct plan_closure *c, const struct sbits *locs, struct bits *objs)
{
	struct bits seen;
	VEC(uint32_t) todo = {0};

	bits_init(&seen, MAX(c->ncomps, 1));
	SBITS_FOREACH(l, locs) {
		uint32_t k = c->comp[pta_loc(c->p, l)->obj];

		if (bits_set(&seen, k))
			vec_push(&todo, k);
	}
	while (todo.n) {
		uint32_t k = todo.v[--todo.n];

		SBITS_FOREACH(o, &c->members[k])
			bits_set(objs, o);
		SBITS_FOREACH(to, &c->next[k])
			if (bits_set(&seen, to))
				vec_push(&todo, to);
	}
	vec_release(&todo);
	bits_release(&seen);
}

/* The number of a set with the same members, which it becomes if there is none.  Takes *objs. */
static uint32_t share(struct plan_closure *c, struct bits *objs)
{
	size_t words = ((size_t)objs->n + 63) / 64;
	uint32_t *at;
	bool is_new;

	for (uint64_t h = hash_bytes(objs->w, words * sizeof(*objs->w), 0);; h++) {
		at = setmap_put(&c->by_digest, h, &is_new);
		if (is_new)
			break;
		if (bits_equal(&c->sets.v[*at]->objs, objs)) {
			bits_release(objs);
			return *at;
		}
	}
	*at = c->sets.n;
	vec_push(&c->sets, xcalloc(1, sizeof(**c->sets.v)));
	c->sets.v[*at]->objs = *objs;
	return c->sets.n - 1;
}

static struct set *set_of(struct plan_closure *c, const struct sbits *locs)
{
	bool is_new;
	uint32_t *at = setmap_put(&c->by_pointer, (uint64_t)(uintptr_t)locs, &is_new);

	if (is_new) {
		struct bits objs;

		bits_init(&objs, pta_nobjs(c->p));
		find(c, locs, &objs);
		*at = share(c, &objs);
	}
	return c->sets.v[*at];
}

const struct bits *closure_of(struct plan_closure *c, const struct sbits *locs)
{
	return &set_of(c, locs)->objs;
}

const struct sbits *closure_objs(struct plan_closure *c, const struct sbits *locs)
{
	struct set *s = set_of(c, locs);

	for (uint32_t o = s->sparse.n ? UINT32_MAX : bits_next(&s->objs, 0); o != UINT32_MAX;
	     o = bits_next(&s->objs, o + 1))
		sbits_set(&s->sparse, o);
	return &s->sparse;
}

const struct sbits *closure_locs(struct plan_closure *c, const struct sbits *locs)
{
	struct set *s = set_of(c, locs);

	for (uint32_t o = s->locs.n ? UINT32_MAX : bits_next(&s->objs, 0); o != UINT32_MAX;
	     o = bits_next(&s->objs, o + 1))
		for (uint32_t l = pta_obj(c->p, o)->first_loc; l != IR_NONE; l = pta_loc(c->p, l)->next)
			sbits_set(&s->locs, l);
	return &s->locs;
}

static struct step *step_of(struct plan_closure *c, const struct sbits *locs)
{
	uint32_t last = IR_NONE, *at;
	struct step *s;
	bool is_new;

	at = setmap_put(&c->by_step, (uint64_t)(uintptr_t)locs, &is_new);
	if (!is_new)
		return c->steps.v[*at];
	*at = c->steps.n;
	s = xcalloc(1, sizeof(*s));
	vec_push(&c->steps, s);
	SBITS_FOREACH(l, locs) {
		uint32_t o = pta_loc(c->p, l)->obj;

		s->variable |= pta_obj(c->p, o)->kind == PTA_SLOT && pta_cell(c->p, l)->n;
		if (o != last)
			sbits_or(&s->targets, &c->targets[o]);
		last = o;
	}
	return s;
}

const struct sbits *closure_step(struct plan_closure *c, const struct sbits *locs)
{
	return &step_of(c, locs)->targets;
}

const struct sbits *closure_whole(struct plan_closure *c, const struct sbits *locs)
{
	struct step *s = step_of(c, locs);

	if (!s->whole.n)
		SBITS_FOREACH(l, locs)
	for (uint32_t k = pta_obj(c->p, pta_loc(c->p, l)->obj)->first_loc; k != IR_NONE;
	     k = pta_loc(c->p, k)->next)
		sbits_set(&s->whole, k);
	return &s->whole;
}

bool closure_has_variable(struct plan_closure *c, const struct sbits *locs)
{
	return step_of(c, locs)->variable;
}

const struct sbits *closure_holders(struct plan_closure *c, uint32_t obj)
{
	if (!c->holders) {
		uint32_t last = IR_NONE;

		c->holders = xcalloc(MAX(pta_nobjs(c->p), 1), sizeof(*c->holders));
		for (uint32_t l = 0; l < pta_nlocs(c->p); l++, last = IR_NONE)
			SBITS_FOREACH(to, pta_cell(c->p, l))
				if (pta_loc(c->p, to)->obj != last)	/* most are next to each other */
					sbits_set(&c->holders[last = pta_loc(c->p, to)->obj], l);
	}
	return &c->holders[obj];
}
