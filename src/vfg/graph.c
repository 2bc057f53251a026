/*
 * graph.c - the edges of the value-flow graph: Figure 6.
 *
 * [V-COPY], [V-PHI]: SSA form has made copies disappear; what is left are phis
 * and address arithmetic.  [V-MU]: a version flows to the result of a load.
 * [V-CHI]: a stored value flows to the versions that the store makes, and so
 * does the old version unless the update is strong.  [V-CSPAR]: arguments flow
 * to parameters, returned values to results.  [V-CSMU], [V-CSCHI]: the same for
 * versions at calls and returns, where the regions of caller and callee share a
 * location.
 *
 * Two sinks end a flow: a free, and an escape, which is anybody else who may
 * free the object: a global or anything reachable from one, code that we do not
 * see, a library function that keeps it.  (The paper stops at globals only.)
 *
 * Edges are asked for one object at a time, and only those are given whose
 * target may point to that object: the points-to sets thus prune flows that
 * merely share a region.
 */
#include "vfg/priv.h"

#include "base/rows.h"
#include "base/sbuf.h"

#include <assert.h>

/* ---- uses ------------------------------------------------------------ */

static void make_rows(struct vfg *g, const struct row_pairs *p, uint32_t n, uint32_t **row, uint32_t **to)
{
	*row = arena_array(&g->arena, uint32_t, n + 2);
	*to = arena_array(&g->arena, uint32_t, p->n);
	rows_fill(*row, *to, n, p, false);
}

static void value_uses(struct vfg *g, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(g->p, func);
	struct row_pairs p = {0};

	for (uint32_t i = 0; i < f->ninsts; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++) {
			ir_ref r = ssa_ref(s, f->insts[i].ops[k]);

			if (IR_KIND(r) == IR_R_VREG &&
			    (!p.n || vec_last(&p).of != IR_IDX(r) || vec_last(&p).what != i))
				vec_push(&p, ((struct row_pair){ IR_IDX(r), i }));
		}
	make_rows(g, &p, s->nvalues, &g->uses[func].row, &g->uses[func].inst);
	vec_clear(&p);
	for (uint32_t i = 0; i < s->nphis; i++)
		for (uint32_t k = 0; k < f->blocks[s->phis[i].block].npred; k++)
			if (IR_KIND(s->phis[i].args[k]) == IR_R_VREG)
				vec_push(&p, ((struct row_pair){ IR_IDX(s->phis[i].args[k]), i }));
	make_rows(g, &p, s->nvalues, &g->uses[func].phi_row, &g->uses[func].phi);
	vec_release(&p);
}

static void version_uses(struct vfg *g, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct mssa_func *mf = mssa_func(g->s, func);
	struct row_pairs p = {0};

	for (uint32_t i = 0; i < mf->nuses; i++)
		vec_push(&p, ((struct row_pair){ mf->uses[i].def, i }));
	make_rows(g, &p, mf->ndefs, &g->uses[func].mu_row, &g->uses[func].mu);
	vec_clear(&p);
	for (uint32_t d = 0; d < mf->ndefs; d++) {
		const struct mssa_def *x = &mf->defs[d];

		if (x->kind == MSSA_PHI) {
			for (uint32_t k = 0; k < f->blocks[x->block].npred; k++)
				if (!p.n || vec_last(&p).of != x->args[k] || vec_last(&p).what != d)
					vec_push(&p, ((struct row_pair){ x->args[k], d }));
		} else if (x->kind != MSSA_ENTRY && !x->strong) {
			vec_push(&p, ((struct row_pair){ x->old, d }));
		}
	}
	make_rows(g, &p, mf->ndefs, &g->uses[func].chi_row, &g->uses[func].chi);
	vec_release(&p);
}

/* Which values may point to some heap object? */
static void find_heap_values(struct vfg *g)
{
	struct sbits locs = {0};

	for (uint32_t l = 0; l < pta_nlocs(g->p); l++)
		if (pta_obj(g->p, pta_loc(g->p, l)->obj)->kind == PTA_HEAP)
			sbits_set(&locs, l);
	for (uint32_t i = 0; i < g->m->funcs.n; i++) {
		const struct ssa *s = pta_ssa(g->p, i);

		if (!s)
			continue;
		bits_init(&g->uses[i].heap, s->nvalues);
		for (uint32_t v = 0; v < s->nvalues; v++)
			if (sbits_intersects(pta_points_to(g->p, i, IR_VREG(v)), &locs))
				bits_set(&g->uses[i].heap, v);
	}
	sbits_release(&locs);
}

static void find_callers(struct vfg *g)
{
	VEC(struct vsite) sites = {0};
	struct row_pairs p = {0};
	uint32_t *order;

	for (uint32_t f = 0; f < g->m->funcs.n; f++)
		for (uint32_t i = 0; i < g->m->funcs.v[f].ninsts; i++) {
			struct pta_callees c;

			if (g->m->funcs.v[f].insts[i].op != IR_CALL)
				continue;
			pta_callees(g->p, f, i, &c);
			SBITS_FOREACH(callee, c.set) {
				if (ir_is_decl(&g->m->funcs.v[callee]))
					continue;
				vec_push(&p, ((struct row_pair){ callee, sites.n }));
				vec_push(&sites, ((struct vsite){ f, i }));
			}
		}
	make_rows(g, &p, g->m->funcs.n, &g->caller_row, &order);
	g->callers = arena_array(&g->arena, struct vsite, p.n);
	for (uint32_t i = 0; i < p.n; i++)
		g->callers[i] = sites.v[order[i]];
	vec_release(&p);
	vec_release(&sites);
}

/* Does nobody in the program call it?  Then what it returns is for outside. */
static bool leaves_program(const struct vfg *g, uint32_t func)
{
	trace_note(FACT_CALLED, func, 0);
	return g->caller_row[func] == g->caller_row[func + 1];
}

static void find_holders(struct vfg *g)
{
	g->holders = xcalloc(MAX(pta_nobjs(g->p), 1), sizeof(*g->holders));
	g->heap_holders = xcalloc(MAX(pta_nobjs(g->p), 1), sizeof(*g->heap_holders));
	for (uint32_t l = 0; l < pta_nlocs(g->p); l++) {
		uint32_t holder = pta_loc(g->p, l)->obj;
		bool heap = pta_obj(g->p, holder)->kind == PTA_HEAP;

		if (!heap && !mssa_tracked(g->s, l))
			continue;
		SBITS_FOREACH(to, pta_cell(g->p, l)) {
			uint32_t o = pta_loc(g->p, to)->obj;

			if (pta_obj(g->p, o)->kind != PTA_HEAP)
				continue;
			if (mssa_tracked(g->s, l))
				sbits_set(&g->holders[o], l);
			if (heap)
				sbits_set(&g->heap_holders[o], holder);
		}
	}
}

/* The objects that can be reached from what a function returns: of those that
 * are not in everybody's reach anyway. */
static void find_returned(struct vfg *g, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	struct sbits todo = {0}, *out = &g->returned[func];

	for (uint32_t i = 0; i < f->ninsts; i++)
		for (uint32_t k = 0; f->insts[i].op == IR_RET && k < f->insts[i].nops; k++)
			SBITS_FOREACH(l, pta_points_to(g->p, func, f->insts[i].ops[k]))
				sbits_set(&todo, pta_loc(g->p, l)->obj);
	while (todo.n) {
		uint32_t o = sbits_next(&todo, 0);

		sbits_unset(&todo, o);
		if (mssa_escaped(g->s, o) || !sbits_set(out, o))
			continue;
		for (uint32_t l = pta_obj(g->p, o)->first_loc; l != IR_NONE; l = pta_loc(g->p, l)->next)
			SBITS_FOREACH(to, pta_cell(g->p, l))
				if (!sbits_test(out, pta_loc(g->p, to)->obj))
					sbits_set(&todo, pta_loc(g->p, to)->obj);
	}
	sbits_release(&todo);
}

#ifdef PLUMB_DEBUG
static void check_graph(const struct vfg *g)
{
	for (uint32_t i = 0; i < g->m->funcs.n; i++) {
		const struct ir_func *f = &g->m->funcs.v[i];

		assert(g->caller_row[i] <= g->caller_row[i + 1]);
		for (uint32_t k = g->caller_row[i]; k < g->caller_row[i + 1]; k++)
			assert(g->m->funcs.v[g->callers[k].func].insts[g->callers[k].inst].op == IR_CALL);
		if (ir_is_decl(f))
			continue;
		assert(g->flow[i].nloops <= g->flow[i].nrounds);
		for (uint32_t k = 0; k < g->flow[i].nrounds; k++)
			assert(bits_test(&g->flow[i].loops[k].blocks, g->flow[i].loops[k].header));
	}
}
#endif

struct vfg *vfg_new(const struct mssa *s)
{
	struct vfg *g = xcalloc(1, sizeof(*g));

	g->s = s;
	g->p = mssa_pta(s);
	g->m = pta_module(g->p);
	arena_init(&g->arena);
	idents_init(&g->ids, g->m);
	g->uses = arena_array(&g->arena, struct vuses, g->m->funcs.n);
	for (uint32_t i = 0; i < g->m->funcs.n; i++)
		if (!ir_is_decl(&g->m->funcs.v[i])) {
			value_uses(g, i);
			version_uses(g, i);
		}
	find_heap_values(g);
	find_callers(g);
	vfg__visible_init(g);
	find_holders(g);
	g->returned = xcalloc(MAX(g->m->funcs.n, 1), sizeof(*g->returned));
	for (uint32_t i = 0; i < g->m->funcs.n; i++)
		if (!ir_is_decl(&g->m->funcs.v[i]) && leaves_program(g, i))
			find_returned(g, i);
	vfg__flow_init(g);
	enums_init(&g->enums, g->p);
	vfg__summarise(g);
#ifdef PLUMB_DEBUG
	check_graph(g);
#endif
	return g;
}

void vfg_free(struct vfg *g)
{
	if (!g)
		return;
	vfg__flow_release(g);
	enums_release(&g->enums);
	nulls_release(&g->nulls);
	sbits_release(&g->taken);
	sbits_release(&g->read);
	idents_release(&g->ids);
	vsitemap_release(&g->said);
	free(g->ended);
	vfg__summary_release(g);
	vfg__visible_release(g);
	for (uint32_t i = 0; i < g->m->funcs.n; i++)
		bits_release(&g->uses[i].heap);
	for (uint32_t i = 0; i < g->m->funcs.n; i++)
		sbits_release(&g->returned[i]);
	free(g->returned);
	for (uint32_t i = 0; i < pta_nobjs(g->p); i++) {
		sbits_release(&g->holders[i]);
		sbits_release(&g->heap_holders[i]);
	}
	free(g->holders);
	free(g->heap_holders);
	arena_release(&g->arena);
	free(g);
}

/* ---- nodes ----------------------------------------------------------- */

bool vfg__points_to(const struct vfg *g, const struct sbits *pts, uint32_t obj)
{
	if (!pts->n)
		return false;
	for (uint32_t l = pta_obj(g->p, obj)->first_loc; l != IR_NONE; l = pta_loc(g->p, l)->next)
		if (sbits_test(pts, l))
			return true;
	return false;
}

bool vfg__may_hold(const struct vfg *g, vnode n, uint32_t obj)
{
	uint32_t func = VNODE_FUNC(n);
	const struct mssa_func *mf;
	struct trace *t;
	bool r;

	if (VNODE_IS_HELD(n))
		return true;
	trace_note(obj == IR_NONE ? FACT_HEAP : FACT_HOLDS, func, obj);
	if (obj == IR_NONE)
		return VNODE_IS_DEF(n) || bits_test(&g->uses[func].heap, VNODE_IDX(n));
	t = trace_pause();
	if (VNODE_IS_DEF(n)) {
		mf = mssa_func(g->s, func);
		r = sbits_intersects(&mf->cells[mf->defs[VNODE_IDX(n)].region], &g->holders[obj]);
	} else {
		r = vfg__points_to(g, pta_points_to(g->p, func, IR_VREG(VNODE_IDX(n))), obj);
	}
	trace_resume(t);
	return r;
}

/* Every loc of the objects that these locs are in. */
static void whole_objects(const struct vfg *g, const struct sbits *locs, struct sbits *out)
{
	SBITS_FOREACH(l, locs)
		for (uint32_t k = pta_obj(g->p, pta_loc(g->p, l)->obj)->first_loc;
		     k != IR_NONE; k = pta_loc(g->p, k)->next)
			sbits_set(out, k);
}

void vfg__holder_locs(const struct vfg *g, uint32_t func, uint32_t region, struct sbits *out)
{
	enum { MAX_LEVELS = 3, MAX_LOCS = 64 };
	struct sbits level = {0}, up = {0};
	struct trace *t;

	trace_note(FACT_HOLDER_LOCS, func, region);
	t = trace_pause();
	sbits_copy(&level, &mssa_func(g->s, func)->cells[region]);
	for (int i = 0; i < MAX_LEVELS && level.n; i++) {
		whole_objects(g, &level, out);
		if (sbits_count(&level) > MAX_LOCS)
			break;
		sbits_clear(&up);
		SBITS_FOREACH(c, &level)
			sbits_or(&up, &g->holders[pta_loc(g->p, c)->obj]);
		sbits_copy(&level, &up);
	}
	trace_resume(t);
	sbits_release(&level);
	sbits_release(&up);
}

void vfg__where(const struct vfg *g, vnode n, uint32_t *block, uint32_t *inst)
{
	uint32_t func = VNODE_FUNC(n), i = VNODE_IDX(n);
	const struct ir_func *f = &g->m->funcs.v[func];

	assert(func < g->m->funcs.n && !ir_is_decl(f));
	trace_note(FACT_INSIDE, func, 0);
	*inst = IR_NONE;
	*block = 0;
	if (VNODE_IS_DEF(n)) {
		const struct mssa_def *d = &mssa_func(g->s, func)->defs[i];

		*block = d->block;
		*inst = d->inst;
	} else if (i == UINT32_MAX) {
		return;		/* VNODE_ENTRY */
	} else if (i >> 31) {
		*inst = i & 0x7fffffff;
		assert(*inst < f->ninsts);
		*block = f->insts[*inst].block;
	} else if (i >= f->nvregs) {
		assert(i < pta_ssa(g->p, func)->nvalues);
		*block = pta_ssa(g->p, func)->phis[i - f->nvregs].block;
	} else if (f->def[i] != IR_NONE) {
		*inst = f->def[i];
		*block = f->insts[*inst].block;
	}
}

void vfg__node_name(const struct vfg *g, vnode n, struct sbuf *out)
{
	uint32_t func = VNODE_FUNC(n), i = VNODE_IDX(n);
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(g->p, func);

	if (VNODE_IS_DEF(n)) {
		sbuf_printf(out, "%s:R%u.%u", f->name, mssa_func(g->s, func)->defs[i].region, i);
		return;
	}
	sbuf_printf(out, "%s:", f->name);
	if (VNODE_IS_HELD(n))
		sbuf_adds(out, "in ");
	if (VNODE_IS_PUT(n)) {
		sbuf_printf(out, "%u", VNODE_PUT_INST(n));
		return;
	}
	if (s->var[i] != IR_NONE && f->slots[s->var[i]].name[0])
		sbuf_printf(out, "%s.", f->slots[s->var[i]].name);
	sbuf_printf(out, "%u", i);
}

/* ---- edges ----------------------------------------------------------- */

struct edges {
	const struct vfg *g;
	uint32_t func, obj;
	const struct ir_func *f;
	struct vedges *out;
};

static void add(struct edges *e, enum vedge_kind kind, uint32_t inst, vnode to)
{
	struct vedge x = { .kind = kind, .inst = inst, .to = to };

	if ((kind == VE_FLOW || kind == VE_CALL) && !vfg__may_hold(e->g, to, e->obj))
		return;
	vec_push(e->out, x);
}

static void add_phi(struct edges *e, uint32_t block, uint32_t pred, vnode to)
{
	if (vfg__may_hold(e->g, to, e->obj))
		vec_push(e->out, ((struct vedge){ .kind = VE_PHI, .block = block, .pred = pred, .to = to }));
}

/* To the versions that instruction inst makes, of memory that may hold it. */
static bool add_chis(struct edges *e, uint32_t inst)
{
	const struct mssa_func *mf = mssa_func(e->g->s, e->func);
	uint32_t before = e->out->n;

	for (uint32_t k = mf->def_row[inst]; k < mf->def_row[inst + 1]; k++)
		add(e, VE_FLOW, inst, VNODE_DEF(e->func, mf->def_of[k]));
	return e->out->n > before;
}

static void store_edges(struct edges *e, uint32_t inst)
{
	const struct ir_inst *in = &e->f->insts[inst];
	const struct ssa *s = pta_ssa(e->g->p, e->func);
	const struct sbits *pts;
	uint32_t before;

	if (IR_KIND(in->ops[0]) == IR_R_SLOT && s->promoted[IR_IDX(in->ops[0])])
		return;
	if (pta_hands_out(e->g->p, e->func, inst)) {
		add(e, VE_OUT, inst, 0);
		return;
	}
	if (bits_test(&e->g->fates[e->func].put, inst)) {
		add(e, VE_FLOW, inst, VNODE_PUT(e->func, inst));
		return;
	}
	pts = pta_points_to(e->g->p, e->func, in->ops[0]);
	SBITS_FOREACH(l, pts) {
		if (mssa_escaped(e->g->s, pta_loc(e->g->p, l)->obj)) {
			add(e, VE_ESCAPE, inst, 0);
			return;
		}
	}
	/* Nowhere that we know of: somewhere that we do not. */
	before = e->out->n;
	if (!add_chis(e, inst))
		add(e, VE_ESCAPE, inst, 0);
	if (!bits_test(&e->g->fates[e->func].put_too, inst))
		return;
	for (uint32_t k = before; k < e->out->n; k++)
		e->out->v[k].way = VE_BY_MEMORY;
	add(e, VE_FLOW, inst, VNODE_PUT(e->func, inst));
	vec_last(e->out).way = VE_BY_HOLDER;
}

/* Memory that holds it is copied to wherever dst points. */
static void copy_edges(struct edges *e, uint32_t inst, ir_ref dst)
{
	SBITS_FOREACH(l, pta_points_to(e->g->p, e->func, dst)) {
		if (mssa_escaped(e->g->s, pta_loc(e->g->p, l)->obj)) {
			add(e, VE_ESCAPE, inst, 0);
			return;
		}
	}
	add_chis(e, inst);
}

/* A callback gets the object: into the functions it may be.  A thread that never ends has it for ever. */
static void callback_edges(struct edges *e, uint32_t inst, const struct model_effect *ef, uint32_t arg)
{
	const struct pta_callback *cb;
	uint32_t n = pta_callbacks(e->g->p, e->func, &cb);
	bool any = false;

	for (uint32_t i = 0; i < n; i++) {
		const struct ir_func *h = &e->g->m->funcs.v[cb[i].callee];

		if (cb[i].inst != inst || cb[i].effect != ef)
			continue;
		any = true;
		for (unsigned k = 0; k < ef->nargs; k++) {
			const struct model *md = pta_model(e->g->p, cb[i].callee);

			if (!model_value_is_arg(&ef->args[k], arg))
				continue;
			if (ef->later && e->g->never_returns[cb[i].callee])
				add(e, VE_ESCAPE, inst, 0);
			else if (!ir_is_decl(h) && k < h->nparams)
				add(e, VE_CALL, inst, VNODE_VALUE(cb[i].callee, k));
			else if (md && model_frees(md, k + 1))
				add(e, VE_FREE, inst, 0);
			else if (!md && ir_is_decl(h))
				add(e, VE_ESCAPE, inst, 0);
		}
	}
	if (!any)
		add(e, VE_ESCAPE, inst, 0);
}

/* Does the effect need that the call returns something? */
static bool wants_result(const struct model_effect *ef)
{
	for (unsigned i = 0; i < ef->nconds; i++)
		if (ef->conds[i].place.base == MODEL_RETURN && !ef->conds[i].place.nsteps &&
		    ef->conds[i].null &&
		    ef->conds[i].cmp == MODEL_NE)
			return true;
	return false;
}

/* The argument that must be zero for the effect (realloc to nothing frees and
 * returns null); 0 if there is none. */
static uint8_t wants_zero(const struct model_effect *ef)
{
	for (unsigned i = 0; i < ef->nconds; i++) {
		const struct model_cond *c = &ef->conds[i];

		if (c->place.base == MODEL_ARG && !c->place.nsteps && !c->null &&
		    c->cmp == MODEL_EQ && !c->value)
			return (uint8_t)c->place.arg;
	}
	return 0;
}

/* An argument is freed, maybe only if the call succeeds. */
static void free_edge(struct edges *e, uint32_t inst, const struct model *md,
		      const struct model_effect *ef, uint32_t arg)
{
	const struct ir_inst *in = &e->f->insts[inst];
	uint8_t zero = wants_zero(ef);
	ir_ref r = zero && zero < in->nops ? ssa_ref(pta_ssa(e->g->p, e->func), in->ops[zero]) : IR_UNDEF;

	if (zero && (IR_KIND(r) != IR_R_INT || ir_int_value(e->g->m, r)))
		return;		/* the other effect tells */
	add(e, VE_FREE, inst, 0);
	if (!wants_result(ef) || !vfg__can_fail(e->g, e->func, inst))
		return;
	vec_last(e->out).if_result = true;
	for (unsigned i = 0; i < md->neffects; i++)
		if (md->effects[i].kind == MODEL_E_FREE && model_place_is_arg(&md->effects[i].place, arg) &&
		    wants_zero(&md->effects[i]))
			vec_last(e->out).or_zero = wants_zero(&md->effects[i]);
}

static void model_edges(struct edges *e, uint32_t inst, const struct model *md, uint32_t arg)
{
	const struct ir_inst *in = &e->f->insts[inst];

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *ef = &md->effects[i];

		switch (ef->kind) {
		case MODEL_E_FREE:
			if (model_place_is_arg(&ef->place, arg))
				free_edge(e, inst, md, ef, arg);
			break;
		case MODEL_E_KEEP:
		case MODEL_E_REF:
			if (model_place_is_arg(&ef->place, arg))
				add(e, VE_ESCAPE, inst, 0);
			break;
		case MODEL_E_SET:
			if (!model_value_is_arg(&ef->value, arg))
				break;
			if (ef->place.base == MODEL_RETURN && !ef->place.nsteps && in->res != IR_NONE)
				add(e, VE_FLOW, inst, VNODE_VALUE(e->func, in->res));
			else if (!add_chis(e, inst))	/* strtol's end pointer and the like */
				add(e, VE_ESCAPE, inst, 0);
			break;
		case MODEL_E_CALL:
			for (unsigned k = 0; k < ef->nargs; k++)
				if (model_value_is_arg(&ef->args[k], arg)) {
					callback_edges(e, inst, ef, arg);
					break;
				}
			break;
		default:
			break;
		}
	}
}

/* Is the program over with this call?  What is held then is no leak, so nothing
 * that happens to it there matters. */
static bool ends_program(const struct edges *e, uint32_t inst)
{
	return e->g->flow[e->func].ends[e->f->insts[inst].block] == inst;
}

/* Into the memory where the callee finds its variable arguments, if it, or whom it
 * hands them on to, ever looks. */
static void variable_argument(struct edges *e, uint32_t inst, uint32_t callee)
{
	const struct mssa_func *mf = mssa_func(e->g->s, callee);
	uint32_t obj = pta_varargs(e->g->p, callee);

	if (obj == IR_NONE || mssa_escaped(e->g->s, obj)) {
		add(e, VE_ESCAPE, inst, 0);
		return;
	}
	for (uint32_t r = 0; r < mf->nregions; r++)
		SBITS_FOREACH(l, &mf->cells[r])
			if (pta_loc(e->g->p, l)->obj == obj) {
				add(e, VE_CALL, inst, VNODE_DEF(callee, r));
				break;
			}
}

void vfg__edges_by(struct vedges *out, uint32_t from, uint32_t callee)
{
	for (uint32_t i = from; i < out->n; i++)
		out->v[i].by = callee + 1;
}

static void call_edges(struct edges *e, uint32_t inst, uint32_t value)
{
	const struct ir_inst *in = &e->f->insts[inst];
	const struct ssa *s = pta_ssa(e->g->p, e->func);
	struct pta_callees c;

	if (ends_program(e, inst))
		return;
	pta_callees(e->g->p, e->func, inst, &c);
	for (uint32_t arg = 1; arg < in->nops; arg++) {
		if (ssa_ref(s, in->ops[arg]) != IR_VREG(value))
			continue;
		if (c.unknown || !c.set->n)
			add(e, VE_ESCAPE, inst, 0);
		SBITS_FOREACH(callee, c.set) {
			const struct ir_func *h = &e->g->m->funcs.v[callee];
			uint32_t from = e->out->n;

			if (!ir_is_decl(h) && arg <= h->nparams)
				add(e, VE_CALL, inst, VNODE_VALUE(callee, arg - 1));
			else if (!ir_is_decl(h))
				variable_argument(e, inst, callee);
			else if (pta_model(e->g->p, callee))
				model_edges(e, inst, pta_model(e->g->p, callee), arg);
			vfg__edges_by(e->out, from, callee);
		}
	}
}

/* Where leaf k of a call's result is. */
static void result_nodes(const struct vfg *g, struct vsite at, uint32_t leaf, struct vnodes *out)
{
	const struct ir_func *f = &g->m->funcs.v[at.func];
	const struct ir_inst *call = &f->insts[at.inst];
	const struct vuses *u = &g->uses[at.func];

	trace_note(FACT_INSIDE, at.func, 0);
	if (call->res == IR_NONE)
		return;
	if (call->cls != IR_C_AGG) {
		if (!leaf)
			vec_push(out, VNODE_VALUE(at.func, call->res));
		return;
	}
	for (uint32_t k = u->row[call->res]; k < u->row[call->res + 1]; k++) {
		const struct ir_inst *x = &f->insts[u->inst[k]];

		if (x->op == IR_EXTRACT && x->imm == leaf)
			vec_push(out, VNODE_VALUE(at.func, x->res));
	}
}

static void add_ret(struct edges *e, uint32_t inst, uint32_t site, vnode to)
{
	vec_push(e->out, ((struct vedge){ .kind = VE_RET, .inst = inst, .site = site, .to = to }));
}

static void return_edges(struct edges *e, uint32_t inst, uint32_t leaf)
{
	const struct vfg *g = e->g;
	const struct pta_wrapper *w = pta_wrapper(g->p, e->func);
	struct vnodes to = {0};
	bool any = false;

	/* The object of an allocator's own call: each caller has one of its own. */
	if (leaves_program(g, e->func) ||
	    (w && w->returns && (e->obj == IR_NONE || pta_obj(g->p, e->obj)->func == e->func))) {
		add(e, VE_OUT, inst, 0);
		return;
	}
	trace_note(FACT_CALLERS, e->func, 0);
	for (uint32_t k = g->caller_row[e->func]; k < g->caller_row[e->func + 1]; k++) {
		uint32_t before = to.n;

		result_nodes(g, g->callers[k], leaf, &to);
		for (uint32_t i = before; i < to.n; i++)
			if (vfg__may_hold(g, to.v[i], e->obj)) {
				add_ret(e, inst, g->callers[k].inst, to.v[i]);
				any = true;
			}
	}
	/* What an allocator hands out is its callers' under another name. */
	if (!any && w && w->returns)
		add(e, VE_OUT, inst, 0);
	vec_release(&to);
}

static void value_edges(struct edges *e, uint32_t value)
{
	const struct ssa *s = pta_ssa(e->g->p, e->func);
	const struct vuses *u = &e->g->uses[e->func];

	for (uint32_t k = u->phi_row[value]; k < u->phi_row[value + 1]; k++) {
		const struct ssa_phi *phi = &s->phis[u->phi[k]];

		if (k > u->phi_row[value] && u->phi[k] == u->phi[k - 1])
			continue;	/* all its predecessors were done the first time */
		for (uint32_t p = 0; p < e->f->blocks[phi->block].npred; p++)
			if (phi->args[p] == IR_VREG(value))
				add_phi(e, phi->block, p, VNODE_VALUE(e->func, e->f->nvregs + u->phi[k]));
	}
	for (uint32_t k = u->row[value]; k < u->row[value + 1]; k++) {
		uint32_t i = u->inst[k];
		const struct ir_inst *in = &e->f->insts[i];

		if (in->res != IR_NONE && in->res < e->f->nvregs && s->rep[in->res] != IR_VREG(in->res))
			continue;
		switch (in->op) {
		case IR_STORE:
			if (ssa_ref(s, in->ops[1]) == IR_VREG(value))
				store_edges(e, i);
			break;
		case IR_FIELD:
		case IR_ELEM:
		case IR_INDEX:
		case IR_SELECT:
		case IR_OPAQUE:
			add(e, VE_FLOW, i, VNODE_VALUE(e->func, in->res));
			break;
		case IR_BIN:
			for (uint32_t t = 0; t < in->nops; t++)
				if (ssa_ref(s, in->ops[t]) == IR_VREG(value) && ir_bin_carries(e->f, in, t)) {
					add(e, VE_FLOW, i, VNODE_VALUE(e->func, in->res));
					break;
				}
			break;
		case IR_PHI:
			for (uint32_t t = 0; t < in->nops; t++)
				for (uint32_t p = 0; p < e->f->blocks[in->block].npred; p++)
					if (ssa_ref(s, in->ops[t]) == IR_VREG(value) &&
					    e->f->blocks[in->block].pred[p] == in->targets[t])
						add_phi(e, in->block, p, VNODE_VALUE(e->func, in->res));
			break;
		case IR_CALL:
			call_edges(e, i, value);
			break;
		case IR_RET:
			for (uint32_t t = 0; t < in->nops; t++)
				if (ssa_ref(s, in->ops[t]) == IR_VREG(value))
					return_edges(e, i, t);
			break;
		case IR_ASM:
			add(e, VE_ESCAPE, i, 0);
			break;
		default:
			break;
		}
	}
}

/* ---- edges of memory versions ---------------------------------------- */

/* Does a model's effect reach, through the steps of a place, memory of region? */
static void model_memory_edges(struct edges *e, uint32_t inst, const struct model *md)
{
	const struct ir_inst *in = &e->f->insts[inst];

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *ef = &md->effects[i];

		if (ef->kind == MODEL_E_COPY && ef->to.base == MODEL_RETURN && in->res != IR_NONE)
			copy_edges(e, inst, IR_VREG(in->res));
		else if (ef->kind == MODEL_E_COPY && ef->to.base == MODEL_ARG && ef->to.arg < in->nops)
			copy_edges(e, inst, in->ops[ef->to.arg]);
		else if (ef->kind == MODEL_E_FREE && ef->place.nsteps)
			add(e, VE_FREE, inst, 0);
		else if ((ef->kind == MODEL_E_KEEP || ef->kind == MODEL_E_REF) && ef->place.nsteps)
			add(e, VE_ESCAPE, inst, 0);
	}
}

static void call_memory_edges(struct edges *e, uint32_t inst, const struct sbits *cells)
{
	struct pta_callees c;
	const struct pta_callback *cb;
	uint32_t n = pta_callbacks(e->g->p, e->func, &cb);
	struct sbits callees = {0};
	uint32_t from;

	if (ends_program(e, inst) || !vfg__visible(e->g, e->func, inst, false, cells))
		return;
	pta_callees(e->g->p, e->func, inst, &c);
	sbits_or(&callees, c.set);
	for (uint32_t i = 0; i < n; i++)
		if (cb[i].inst == inst)
			sbits_set(&callees, cb[i].callee);
	SBITS_FOREACH(callee, &callees) {
		const struct mssa_func *mf = mssa_func(e->g->s, callee);
		const struct pta_wrapper *w = pta_wrapper(e->g->p, callee);

		from = e->out->n;
		for (uint32_t k = 0; w && k < w->nouts; k++)
			if (w->out[k].copied != IR_NONE && w->out[k].param == IR_NONE &&
			    e->f->insts[inst].res != IR_NONE)
				copy_edges(e, inst, IR_VREG(e->f->insts[inst].res));
		if (!mf && pta_model(e->g->p, callee))
			model_memory_edges(e, inst, pta_model(e->g->p, callee));
		for (uint32_t r = 0; mf && r < mf->nregions; r++)
			if (sbits_intersects(&mf->cells[r], cells))
				add(e, VE_CALL, inst, VNODE_DEF(callee, r));
		if (sbits_test(c.set, callee))
			vfg__edges_by(e->out, from, callee);
	}
	sbits_release(&callees);
}

static void return_memory_edges(struct edges *e, uint32_t inst, const struct sbits *cells)
{
	const struct vfg *g = e->g;

	if (leaves_program(g, e->func)) {
		/* else what holds it does not leave the function, and nothing else of it does */
		if (pta_meets(g->p, cells, &g->returned[e->func]))
			add(e, VE_OUT, inst, 0);
		return;
	}
	trace_note(FACT_CALLERS, e->func, 0);
	for (uint32_t k = g->caller_row[e->func]; k < g->caller_row[e->func + 1]; k++) {
		struct vsite at = g->callers[k];
		const struct mssa_func *mf = mssa_func(g->s, at.func);

		if (!vfg__visible(g, at.func, at.inst, true, cells))
			continue;
		for (uint32_t d = mf->def_row[at.inst]; d < mf->def_row[at.inst + 1]; d++) {
			vnode to = VNODE_DEF(at.func, mf->def_of[d]);

			const struct sbits *there = &mf->cells[mf->defs[mf->def_of[d]].region];

			if (sbits_intersects(there, cells) &&
			    vfg__visible(g, at.func, at.inst, true, there) &&
			    vfg__may_hold(g, to, e->obj))
				add_ret(e, inst, at.inst, to);
		}
	}
}

static void version_edges(struct edges *e, uint32_t def)
{
	const struct mssa_func *mf = mssa_func(e->g->s, e->func);
	const struct vuses *u = &e->g->uses[e->func];
	const struct sbits *cells = &mf->cells[mf->defs[def].region];

	for (uint32_t k = u->mu_row[def]; k < u->mu_row[def + 1]; k++) {
		uint32_t i = mf->uses[u->mu[k]].inst;
		const struct ir_inst *in = &e->f->insts[i];

		if (in->op == IR_LOAD)
			add(e, VE_FLOW, i, VNODE_VALUE(e->func, in->res));
		else if (in->op == IR_CALL)
			call_memory_edges(e, i, cells);
		else if (in->op == IR_RET)
			return_memory_edges(e, i, cells);
		else
			copy_edges(e, i, in->ops[0]);
	}
	for (uint32_t k = u->chi_row[def]; k < u->chi_row[def + 1]; k++) {
		const struct mssa_def *x = &mf->defs[u->chi[k]];

		if (x->kind != MSSA_PHI) {
			add(e, VE_FLOW, x->inst, VNODE_DEF(e->func, u->chi[k]));
			continue;
		}
		for (uint32_t p = 0; p < e->f->blocks[x->block].npred; p++)
			if (x->args[p] == def)
				add_phi(e, x->block, p, VNODE_DEF(e->func, u->chi[k]));
	}
}

void vfg__edges(const struct vfg *g, vnode n, uint32_t obj, struct vedges *out)
{
	struct edges e = { g, VNODE_FUNC(n), obj, &g->m->funcs.v[VNODE_FUNC(n)], out };

	trace_note(FACT_INSIDE, e.func, 0);
	vec_clear(out);
	if (VNODE_IS_HELD(n))
		vfg__held_edges(g, n, obj, out);
	else if (VNODE_IS_DEF(n))
		version_edges(&e, VNODE_IDX(n));
	else
		value_edges(&e, VNODE_IDX(n));
}

/* ---- sources --------------------------------------------------------- */

void vfg__sources(const struct vfg *g, struct vsources *out)
{
	for (uint32_t o = 0; o < pta_nobjs(g->p); o++)
		if (pta_is_source(g->p, o))
			vec_push(out, ((struct vsource){ o, pta_obj(g->p, o)->func,
							 pta_obj(g->p, o)->index }));
}

const struct pta_handout *vfg__handout(const struct vfg *g, const struct vsource *src, uint32_t *callee)
{
	return vfg__nth_handout(g, src->func, src->inst, pta_obj(g->p, src->obj)->nth, callee);
}

const struct pta_handout *vfg__nth_handout(const struct vfg *g, uint32_t func, uint32_t inst, uint32_t nth,
					   uint32_t *callee)
{
	struct pta_callees c;

	pta_callees(g->p, func, inst, &c);
	SBITS_FOREACH(f, c.set) {
		const struct pta_wrapper *w = pta_wrapper(g->p, f);

		*callee = f;
		if (w && nth < w->nouts)
			return &w->out[nth];
	}
	return NULL;
}

/* The versions that the source makes of memory in `in` (NULL: of any) that may
 * hold the object. */
static void start_in_memory(const struct vfg *g, const struct vsource *src, const struct sbits *in,
			    struct vnodes *out)
{
	const struct mssa_func *mf = mssa_func(g->s, src->func);

	for (uint32_t k = mf->def_row[src->inst]; k < mf->def_row[src->inst + 1]; k++) {
		vnode n = VNODE_DEF(src->func, mf->def_of[k]);

		if (vfg__may_hold(g, n, src->obj) &&
		    (!in || sbits_intersects(&mf->cells[mf->defs[mf->def_of[k]].region], in)))
			vec_push(out, n);
	}
}

/* The result, and memory that a library's function stores it in as well; none if others can get at that. */
static void start_as_result(const struct vfg *g, const struct vsource *src, bool library, struct vnodes *out)
{
	const struct ir_inst *in = &g->m->funcs.v[src->func].insts[src->inst];
	const struct model *md = library ? pta_model(g->p, pta_obj(g->p, src->obj)->root) : NULL;
	const struct model_effect *e = md ? model_stores_result(md) : NULL;
	bool given = e && e->place.arg < in->nops;
	const struct sbits *to = given ? pta_points_to(g->p, src->func, in->ops[e->place.arg]) : NULL;

	if (to) {
		SBITS_FOREACH(l, to)
			if (mssa_escaped(g->s, pta_loc(g->p, l)->obj))
				return;
		start_in_memory(g, src, to, out);
	}
	if (in->res != IR_NONE)
		vec_push(out, VNODE_VALUE(src->func, in->res));
}

void vfg__start(const struct vfg *g, const struct vsource *src, struct vnodes *out)
{
	uint32_t callee;

	vfg__start_by(g, src, vfg__handout(g, src, &callee), out);
}

void vfg__start_by(const struct vfg *g, const struct vsource *src, const struct pta_handout *h,
		   struct vnodes *out)
{
	const struct ir_func *f = &g->m->funcs.v[src->func];
	const struct model_effect *ef = pta_obj(g->p, src->obj)->effect;
	struct sbits to = {0};
	bool gone = false;

	trace_note(FACT_INSIDE, src->func, 0);
	vec_clear(out);
	if (h ? h->param == IR_NONE : ef->place.base == MODEL_RETURN && !ef->place.nsteps) {
		start_as_result(g, src, !h, out);
		return;
	}
	if (!h) {
		start_in_memory(g, src, NULL, out);
		return;
	}
	pta_handed_to(g->p, src->func, src->inst, h, &to);
	SBITS_FOREACH(l, &to)
		gone |= mssa_escaped(g->s, pta_loc(g->p, l)->obj);
	if (!gone)
		start_in_memory(g, src, &to, out);
	else if (vfg__put_base(g, src->func, src->inst, f->insts[src->inst].ops[h->param + 1]) != IR_UNDEF)
		vec_push(out, VNODE_PUT(src->func, src->inst));
	sbits_release(&to);
}
