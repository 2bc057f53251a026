/*
 * visible.c - which memory can a call's callees get at?
 *
 * The N of rule [I-CALL] (Figure 3): of what a callee may ever read or modify, a
 * call concerns only what can be reached from its arguments.  Memory that can be
 * reached otherwise, from globals or by code out of sight, is not followed anyway
 * (mssa.h).  On the way back there is also what can be reached from the result.
 *
 * Without this every version of memory that is ever given to anybody would go
 * through every call of xmalloc().
 */
#include "vfg/priv.h"

#include <assert.h>

#define MAP_NAME setmap
#define MAP_KEY const struct sbits *
#define MAP_VAL uint32_t
#define MAP_HASH(k) sbits_hash(k)
#define MAP_EQ(a, b) sbits_equal(a, b)
#include "base/map.h"

struct builder {
	struct vfg *g;
	struct sbits **reach;	/* by object, made on demand: tracked locs in what can be reached from it */
	struct setmap sets;	/* of locs -> number */
};

/* Breadth first through the cells. */
static const struct sbits *reach_of(struct builder *b, uint32_t obj)
{
	const struct vfg *g = b->g;
	VEC(uint32_t) todo = {0};
	struct sbits seen = {0}, *out;

	if (b->reach[obj])
		return b->reach[obj];
	out = b->reach[obj] = xcalloc(1, sizeof(*out));
	sbits_set(&seen, obj);
	vec_push(&todo, obj);
	while (todo.n) {
		uint32_t o = vec_pop(&todo);

		if (b->reach[o] && o != obj) {
			sbits_or(out, b->reach[o]);
			continue;
		}
		for (uint32_t l = pta_obj(g->p, o)->first_loc; l != IR_NONE; l = pta_loc(g->p, l)->next) {
			if (mssa_tracked(g->s, l))
				sbits_set(out, l);
			SBITS_FOREACH(to, pta_cell(g->p, l)) {
				uint32_t next = pta_loc(g->p, to)->obj;

				if (!mssa_escaped(g->s, next) && sbits_set(&seen, next))
					vec_push(&todo, next);
			}
		}
	}
	sbits_release(&seen);
	vec_release(&todo);
	return out;
}

static void add_reach(struct builder *b, uint32_t func, ir_ref r, struct sbits *out)
{
	uint32_t last = IR_NONE;

	SBITS_FOREACH(l, pta_points_to(b->g->p, func, r)) {
		uint32_t o = pta_loc(b->g->p, l)->obj;

		if (o != last && !mssa_escaped(b->g->s, o))
			sbits_or(out, reach_of(b, o));
		last = o;
	}
}

/* The number of a set, which is taken over. */
static uint32_t number_of(struct builder *b, struct sbits *set)
{
	const uint32_t *at = setmap_get(&b->sets, set);
	struct sbits *keep;

	if (at) {
		sbits_release(set);
		return *at;
	}
	keep = xmalloc(sizeof(*keep));
	*keep = *set;
	vec_push(&b->g->visible_sets, keep);
	setmap_set(&b->sets, keep, b->g->visible_sets.n - 1);
	memset(set, 0, sizeof(*set));
	return b->g->visible_sets.n - 1;
}

static void find_calls(struct builder *b, uint32_t func)
{
	struct vfg *g = b->g;
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct mssa_func *mf = mssa_func(g->s, func);

	g->visible[func] = arena_array(&g->arena, struct vvisible, f->ninsts);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		struct sbits set = {0}, all = {0};

		if (in->op != IR_CALL ||
		    (mf->use_row[i] == mf->use_row[i + 1] && mf->def_row[i] == mf->def_row[i + 1]))
			continue;
		for (uint32_t k = 1; k < in->nops; k++)
			add_reach(b, func, in->ops[k], &set);
		sbits_copy(&all, &set);
		if (in->res != IR_NONE)
			add_reach(b, func, IR_VREG(in->res), &all);
		g->visible[func][i].in = number_of(b, &set);
		g->visible[func][i].out = number_of(b, &all);
	}
}

void vfg__visible_init(struct vfg *g)
{
	struct builder b = { .g = g };
	uint32_t n = pta_nobjs(g->p);
	struct sbits none = {0};

	b.reach = xcalloc(MAX(n, 1), sizeof(*b.reach));
	number_of(&b, &none);	/* 0: the empty set */
	g->visible = arena_array(&g->arena, struct vvisible *, g->m->funcs.n);
	for (uint32_t i = 0; i < g->m->funcs.n; i++)
		if (!ir_is_decl(&g->m->funcs.v[i]))
			find_calls(&b, i);
	for (uint32_t i = 0; i < n; i++)
		if (b.reach[i]) {
			sbits_release(b.reach[i]);
			free(b.reach[i]);
		}
	free(b.reach);
	setmap_release(&b.sets);
}

bool vfg__visible(const struct vfg *g, uint32_t func, uint32_t inst, bool out, const struct sbits *cells)
{
	const struct vvisible *v = &g->visible[func][inst];

	trace_note(FACT_VISIBLE, func, inst);
	assert((out ? v->out : v->in) < g->visible_sets.n);
	return sbits_intersects(cells, g->visible_sets.v[out ? v->out : v->in]);
}

void vfg__visible_release(struct vfg *g)
{
	for (uint32_t i = 0; i < g->visible_sets.n; i++) {
		sbits_release(g->visible_sets.v[i]);
		free(g->visible_sets.v[i]);
	}
	vec_release(&g->visible_sets);
}
