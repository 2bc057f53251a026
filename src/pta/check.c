/*
 * check.c - the invariants of the points-to analysis.
 *
 * A build with PLUMB_DEBUG asserts them twice: when the constraints are solved, while nodes, edges
 * and views are still there, and at the end, for what the questions of pta.h are answered from.
 */
#include "pta/priv.h"

/* ---- while there are nodes ------------------------------------------- */

static void check_con(const struct pta *p, const struct con *c)
{
	bool is_alone_kind = c->kind == CON_LOAD || c->kind == CON_FIELD || c->kind == CON_SHIFT;

	assert(!c->alone || is_alone_kind);
	switch ((enum con_kind)c->kind) {
	case CON_CALL:
		assert(c->other < p->sites.n);
		break;
	case CON_CALLBACK:
		assert(c->other < p->callbacks.n);
		break;
	case CON_COPY_FROM:
	case CON_COPY_TO:
		assert(c->other < p->copies.n);
		break;
	case CON_LOAD:
	case CON_STORE:
	case CON_FIELD:
	case CON_SHIFT:
		assert(c->other < p->nodes.n);
		break;
	case CON_ESCAPE:
		break;
	}
}

static void check_node(const struct pta *p, uint32_t node)
{
	const struct node *n = &p->nodes.v[node];

	assert(n->rep < p->nodes.n);
	if (n->rep != node) {	/* merged into another, which has all that it had */
		assert(!n->pts.n && !n->succ.n && !n->cons.n && !n->share);
		return;
	}
	assert(n->want == WANT_NOTHING || n->want < p->m->types.n);
	assert(sbits__check(&n->pts) && sbits__check(&n->fresh));
	assert(sbits_subset(&n->fresh, &n->pts));
	assert(!n->share || n->share->set.v == n->pts.v);
	SBITS_FOREACH(loc, &n->pts)
		assert(loc < p->locs.n);
	SBITS_FOREACH(s, &n->succ)
		assert(s < p->nodes.n);
	for (uint32_t i = 0; i < n->cons.n; i++)
		check_con(p, &n->cons.v[i]);
}

void pta__check_solver(const struct pta *p)
{
	for (uint32_t i = 0; i < p->nodes.n; i++)
		check_node(p, i);
	for (uint32_t l = 0; l < p->locs.n; l++) {
		const struct pta_obj *o = &p->objs.v[p->locs.v[l].obj];

		assert(p->locs.v[l].node < p->nodes.n);
		assert(p->locs.v[l].layout == p->locs.v[l].obj);	/* views are objects yet */
		assert(!pta__is_raw(p, l) || sbits_test(&p->raw, l));
		assert(o->kind != PTA_VIEW || p->objs.v[o->site].kind == PTA_HEAP);
	}
	for (uint32_t i = 0; i < p->copies.n; i++)
		SBITS_FOREACH(l, &p->copies.v[i].to)
			assert(l < p->locs.n && p->objs.v[p->locs.v[l].obj].kind != PTA_BLOB);
}

/* ---- at the end ------------------------------------------------------ */

static void check_obj(const struct pta *p, uint32_t obj)
{
	const struct pta_obj *o = &p->objs.v[obj];
	const struct ir_func *f = o->func == IR_NONE ? NULL : &p->m->funcs.v[o->func];
	uint32_t n = 0;

	switch ((enum pta_okind)o->kind) {
	case PTA_GLOBAL:
		assert(!f && p->global_obj[o->index] == obj);
		break;
	case PTA_FUNC:
		assert(!f && p->func_obj[o->index] == obj && o->text);
		break;
	case PTA_SLOT:
		assert(f && o->index < f->nslots);
		break;
	case PTA_HEAP:
		assert(f && f->insts[o->index].op == IR_CALL);
		assert(pta_heap_at(p, o->func, o->index, o->nth) == obj);
		break;
	case PTA_VARARG:
		assert(f && p->vararg_obj[o->func] == obj);
		break;
	case PTA_BLOB:
		assert(p->blob[o->index] == obj && o->collapsed);
		break;
	case PTA_VIEW:	/* its locs are those of the object that it is a view of */
		assert(o->first_loc == IR_NONE && p->objs.v[o->site].kind == PTA_HEAP);
		return;
	}
	assert(o->type < p->m->types.n);
	assert(!o->text || o->blank);
	assert(!o->common || o->kind == PTA_HEAP);
	for (uint32_t l = o->first_loc; l != IR_NONE; l = p->locs.v[l].next, n++)
		assert(l < p->locs.n && p->locs.v[l].obj == obj);
	assert(n == o->nlocs);
}

static void check_wrapper(const struct pta *p, uint32_t func)
{
	const struct pta_wrapper *w = p->wrapper[func];
	const struct ir_func *f = &p->m->funcs.v[func];

	assert(!ir_is_decl(f) && w->nouts && w->nouts <= PTA_MAX_OUTS);
	assert(!w->returns || w->out[0].param == IR_NONE);
	for (uint32_t k = 0; k < w->nouts; k++) {
		const struct pta_handout *h = &w->out[k];

		assert(h->n && (h->param == IR_NONE || h->param < f->nparams));
		assert(h->copied == IR_NONE || h->copied < f->nparams);
		for (uint32_t i = 0; i < h->n; i++) {
			assert(f->insts[h->made[i].inst].op == IR_CALL);
			assert(h->made[i].store == IR_NONE || f->insts[h->made[i].store].op == IR_STORE);
			assert(h->made[i].need.param == IR_NONE || h->made[i].need.param < f->nparams);
		}
	}
}

/* Callees first: a call leads to a component with the same number or a smaller one. */
static void check_order(const struct pta *p)
{
	for (uint32_t i = 0; i < p->nbottom_up; i++)
		assert(!i || p->comp[p->bottom_up[i - 1]] <= p->comp[p->bottom_up[i]]);
	for (uint32_t i = 0; i < p->sites.n; i++)
		SBITS_FOREACH(g, &p->sites.v[i].callees)
			assert(p->comp[g] <= p->comp[p->sites.v[i].func]);
}

void pta__check(const struct pta *p)
{
	assert(p->nbottom_up == p->m->funcs.n);
	for (uint32_t i = 0; i < p->objs.n; i++)
		check_obj(p, i);
	for (uint32_t i = 0; i < p->stats.nodes; i++)
		assert(p->set_of[i] < p->sets.n);
	for (uint32_t i = 0; i < p->sets.n; i++)
		SBITS_FOREACH(loc, &p->sets.v[i])
			assert(loc < p->locs.n && p->objs.v[p->locs.v[loc].obj].kind != PTA_VIEW);
	for (uint32_t i = 0; i < p->m->funcs.n; i++) {
		assert(ir_is_decl(&p->m->funcs.v[i]) || !p->model[i]);
		if (p->wrapper[i])
			check_wrapper(p, i);
	}
	check_order(p);
}
