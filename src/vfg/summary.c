/*
 * summary.c - what can become of what a function is given?
 *
 * A slice that enters a function it cannot gain anything from (one that prints,
 * compares, copies characters) is wasted.  So for every parameter and every
 * region that a function reads we ask beforehand, callees first: can a pointer
 * in it reach a sink here, or leave the function by another way than it came?
 * The questions are asked without regard to an object, so that the answer is good
 * for all; functions that call each other are asked until nothing changes.
 *
 * Memory that a function leaves as it found it has not left: the caller's own
 * version continues behind the call.  So every version is here twice, once for what
 * was in it when the function began, once for what the function put there.
 *
 * The answers for all the other nodes are kept, too: what leads nowhere need not
 * be in any slice.
 */
#include "vfg/priv.h"

#include "base/rows.h"

/* The nodes of one function: values, then versions with what was put there, then
 * versions with what was there before, then what values point to. */
struct graph {
	const struct vfg *g;
	uint32_t func, nvalues, ndefs, n;
	uint32_t *row, *to;	/* reversed edges */
	struct row_pairs edges;	/* of: from, what: into */
	VEC(uint32_t) sinks, leaves, kept;
	bool *mark;
};

static uint32_t number(const struct graph *x, vnode n)
{
	if (VNODE_IS_HELD(n))
		return x->nvalues + 2 * x->ndefs + IR_IDX(vfg__held_value(x->g, n, IR_NONE));
	return VNODE_IS_DEF(n) ? x->nvalues + VNODE_IDX(n) : VNODE_IDX(n);
}

static bool is_old(const struct graph *x, uint32_t i)
{
	return i >= x->nvalues + x->ndefs && i < x->nvalues + 2 * x->ndefs;
}

static vnode node(const struct graph *x, uint32_t i)
{
	if (i < x->nvalues)
		return VNODE_VALUE(x->func, i);
	if (i >= x->nvalues + 2 * x->ndefs)
		return VNODE_HELD(x->func, i - x->nvalues - 2 * x->ndefs);
	return VNODE_DEF(x->func, is_old(x, i) ? i - x->nvalues - x->ndefs : i - x->nvalues);
}

static void edge(struct graph *x, uint32_t from, uint32_t to)
{
	vec_push(&x->edges, ((struct row_pair){ from, to }));
}

/* What leaves a callee again is in the call's result, or in what it modified. */
static void comes_back(struct graph *x, uint32_t from, uint32_t inst)
{
	const struct ir_inst *in = &x->g->m->funcs.v[x->func].insts[inst];
	const struct mssa_func *mf = mssa_func(x->g->s, x->func);

	if (in->res != IR_NONE) {
		edge(x, from, in->res);
		if (from >= x->nvalues + 2 * x->ndefs)
			edge(x, from, x->nvalues + 2 * x->ndefs + in->res);
	}
	for (uint32_t k = mf->def_row[inst]; k < mf->def_row[inst + 1]; k++)
		edge(x, from, x->nvalues + mf->def_of[k]);
}

/* Does the edge only carry a version on to the next one of its region? */
static bool goes_on(const struct graph *x, uint32_t i, const struct vedge *e)
{
	const struct mssa_func *mf = mssa_func(x->g->s, x->func);

	return VNODE_IS_DEF(e->to) && is_old(x, i) &&
	       mf->defs[VNODE_IDX(e->to)].region == mf->defs[VNODE_IDX(node(x, i))].region;
}

static void add_edges(struct graph *x, uint32_t i, struct vedges *edges)
{
	vfg__edges(x->g, node(x, i), IR_NONE, edges);
	for (uint32_t k = 0; k < edges->n; k++) {
		const struct vedge *e = &edges->v[k];
		uint8_t fate;

		switch ((enum vedge_kind)e->kind) {
		case VE_FLOW:
		case VE_PHI:
			edge(x, i, number(x, e->to) + (goes_on(x, i, e) ? x->ndefs : 0));
			if (i < x->nvalues && (VNODE_IS_DEF(e->to) || VNODE_IS_HELD(e->to)))
				vec_push(&x->kept, i);
			break;
		case VE_CALL:
			fate = vfg__fate(x->g, e->to);
			if (fate & FATE_SINK)
				vec_push(&x->sinks, i);
			if (fate & FATE_KEPT)
				vec_push(&x->kept, i);
			if (fate & FATE_LEAVES)
				comes_back(x, i, e->inst);
			break;
		case VE_ESCAPE:
			vec_push(&x->kept, i);
			vec_push(&x->sinks, i);
			break;
		case VE_FREE:
			vec_push(&x->sinks, i);
			break;
		case VE_RET:
		case VE_OUT:
			if (!is_old(x, i))
				vec_push(&x->leaves, i);
			break;
		}
	}
}

static void make_rows(struct graph *x)
{
	x->row = xcalloc((size_t)x->n + 2, sizeof(*x->row));
	x->to = xcalloc(MAX(x->edges.n, 1), sizeof(*x->to));
	rows_fill(x->row, x->to, x->n, &x->edges, true);
}

static void mark_backwards(struct graph *x, const uint32_t *start, uint32_t n)
{
	VEC(uint32_t) todo = {0};

	memset(x->mark, 0, x->n);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&todo, start[i]);
	while (todo.n) {
		uint32_t i = vec_pop(&todo);

		if (x->mark[i])
			continue;
		x->mark[i] = true;
		for (uint32_t k = x->row[i]; k < x->row[i + 1]; k++)
			if (!x->mark[x->to[k]])
				vec_push(&todo, x->to[k]);
	}
	vec_release(&todo);
}

static bool add_fate(uint8_t *fate, uint8_t bit)
{
	uint8_t before = *fate;

	*fate |= bit;
	return *fate != before;
}

/* The marks as answers; true if one is new. */
static bool take(struct graph *x, uint8_t bit)
{
	struct vfates *f = &x->g->fates[x->func];
	bool changed = false;

	for (uint32_t i = 0; i < x->g->m->funcs.v[x->func].nparams; i++) {
		if (x->mark[i])
			changed |= add_fate(&f->param[i], bit);
		if (x->mark[x->nvalues + 2 * x->ndefs + i])
			changed |= add_fate(&f->held[i], bit);
	}
	for (uint32_t r = 0; r < mssa_func(x->g->s, x->func)->nregions; r++)
		if (x->mark[x->nvalues + x->ndefs + r])
			changed |= add_fate(&f->region[r], bit);
	for (uint32_t i = 0; bit != FATE_KEPT && i < x->nvalues + x->ndefs; i++)
		if (x->mark[i])
			bits_set(&f->live, i);
	for (uint32_t i = 0; bit != FATE_KEPT && i < x->nvalues; i++)
		if (x->mark[x->nvalues + 2 * x->ndefs + i])
			bits_set(&f->live, x->nvalues + x->ndefs + i);
	return changed;
}

static bool summarise(struct vfg *g, uint32_t func)
{
	const struct mssa_func *mf = mssa_func(g->s, func);
	struct graph x = { .g = g, .func = func,
			   .nvalues = pta_ssa(g->p, func)->nvalues, .ndefs = mf->ndefs };
	struct vedges edges = {0};
	bool changed;

	vfg__find_puts(g, func);
	x.n = 2 * x.nvalues + 2 * x.ndefs;
	x.mark = xcalloc(MAX(x.n, 1), sizeof(*x.mark));
	for (uint32_t i = 0; i < x.n; i++)
		add_edges(&x, i, &edges);
	make_rows(&x);
	mark_backwards(&x, x.sinks.v, x.sinks.n);
	changed = take(&x, FATE_SINK);
	mark_backwards(&x, x.leaves.v, x.leaves.n);
	changed |= take(&x, FATE_LEAVES);
	mark_backwards(&x, x.kept.v, x.kept.n);
	changed |= take(&x, FATE_KEPT);
	free(x.row);
	free(x.to);
	free(x.mark);
	vec_release(&x.edges);
	vec_release(&x.sinks);
	vec_release(&x.leaves);
	vec_release(&x.kept);
	vec_release(&edges);
	return changed;
}

uint8_t vfg__fate(const struct vfg *g, vnode n)
{
	const struct vfates *f = &g->fates[VNODE_FUNC(n)];

	assert(VNODE_IS_DEF(n) ? VNODE_IDX(n) < mssa_func(g->s, VNODE_FUNC(n))->nregions
			       : VNODE_IDX(n) < g->m->funcs.v[VNODE_FUNC(n)].nparams);
	trace_note(FACT_HEAD, VNODE_FUNC(n), 0);
	if (VNODE_IS_HELD(n))
		return f->held[VNODE_IDX(n)];
	return VNODE_IS_DEF(n) ? f->region[VNODE_IDX(n)] : f->param[VNODE_IDX(n)];
}

bool vfg__live(const struct vfg *g, vnode n)
{
	uint32_t func = VNODE_FUNC(n);

	trace_note(FACT_INSIDE, func, 0);
	if (VNODE_IS_HELD(n))
		return VNODE_IS_PUT(n) ||
		       bits_test(&g->fates[func].live,
				 VNODE_IDX(n) + pta_ssa(g->p, func)->nvalues + mssa_func(g->s, func)->ndefs);
	return bits_test(&g->fates[func].live,
			 VNODE_IDX(n) + (VNODE_IS_DEF(n) ? pta_ssa(g->p, func)->nvalues : 0));
}

/* Functions that call each other: one is asked again when another that it calls
 * has got a new answer. */
static void summarise_component(struct vfg *g, const uint32_t *func, uint32_t n)
{
	VEC(uint32_t) todo = {0};
	struct sbits waiting = {0};

	for (uint32_t i = n; i-- > 0;)
		if (!ir_is_decl(&g->m->funcs.v[func[i]])) {
			vec_push(&todo, func[i]);
			sbits_set(&waiting, func[i]);
		}
	while (todo.n) {
		uint32_t f = vec_pop(&todo);

		sbits_unset(&waiting, f);
		if (!summarise(g, f) || !pta_recursive(g->p, f))
			continue;
		for (uint32_t k = g->caller_row[f]; k < g->caller_row[f + 1]; k++) {
			uint32_t by = g->callers[k].func;

			if (pta_component(g->p, by) == pta_component(g->p, f) && sbits_set(&waiting, by))
				vec_push(&todo, by);
		}
	}
	vec_release(&todo);
	sbits_release(&waiting);
}

void vfg__summarise(struct vfg *g)
{
	uint32_t n;
	const uint32_t *order = pta_bottom_up(g->p, &n);

	g->fates = arena_array(&g->arena, struct vfates, g->m->funcs.n);
	for (uint32_t i = 0; i < g->m->funcs.n; i++) {
		if (ir_is_decl(&g->m->funcs.v[i]))
			continue;
		g->fates[i].param = arena_array(&g->arena, uint8_t, g->m->funcs.v[i].nparams);
		g->fates[i].region = arena_array(&g->arena, uint8_t, mssa_func(g->s, i)->nregions);
		g->fates[i].held = arena_array(&g->arena, uint8_t, g->m->funcs.v[i].nparams);
		bits_init(&g->fates[i].live, 2 * pta_ssa(g->p, i)->nvalues + mssa_func(g->s, i)->ndefs);
		bits_init(&g->fates[i].put, g->m->funcs.v[i].ninsts);
		bits_init(&g->fates[i].put_too, g->m->funcs.v[i].ninsts);
	}
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n &&
		     pta_component(g->p, order[end]) == pta_component(g->p, order[i]);)
			end++;
		summarise_component(g, order + i, end - i);
	}
}

void vfg__summary_release(struct vfg *g)
{
	for (uint32_t i = 0; i < g->m->funcs.n; i++)
		if (!ir_is_decl(&g->m->funcs.v[i])) {
			bits_release(&g->fates[i].live);
			bits_release(&g->fates[i].put);
			bits_release(&g->fates[i].put_too);
		}
}
