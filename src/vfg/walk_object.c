/*
 * walk_object.c - where the object is on a path, and what happens to it.
 *
 * The value-flow graph tells where the object can go; the path tells which of
 * these ways are taken: the nodes that hold the object now are kept, and each
 * instruction on the path takes it along the edges that lie there.
 */
#include "vfg/walker.h"

bool walk__holds(const struct walker *w, vnode n)
{
	for (uint32_t i = 0; i < w->held.n; i++)
		if (w->held.v[i] == n)
			return true;
	return false;
}

/* (By value: the table may move, the edges stay.) */
struct vedges walk__edges_of(struct walker *w, vnode n, uint32_t obj)
{
	bool is_new;
	struct vedges *l = edgemap_put(&w->edges, hash_join(n, obj), &is_new);

	if (is_new) {
		vfg__edges(w->g, n, obj, l);
		for (uint32_t i = 0; i < l->n; i++)
			if (l->v[i].kind != VE_PHI)
				keyset_put(&w->touched, hash_join(VNODE_FUNC(n), l->v[i].inst), NULL);
	}
	return *l;
}

void walk__hold(struct walker *w, vnode n, uint32_t obj)
{
	if (walk__holds(w, n))
		return;
	vec_push(&w->held, n);
	walk__edges_of(w, n, obj);
}

void walk__unhold(struct walker *w, vnode n)
{
	for (uint32_t i = 0; i < w->held.n; i++)
		if (w->held.v[i] == n) {
			w->held.v[i] = vec_last(&w->held);
			w->held.n--;
			return;
		}
}

/* A version is made: those of its region that were before are no more. */
void walk__unhold_region(struct walker *w, vnode n)
{
	const struct mssa_func *mf = mssa_func(w->g->s, VNODE_FUNC(n));

	for (uint32_t i = w->held.n; i-- > 0;) {
		vnode x = w->held.v[i];

		if (VNODE_IS_DEF(x) && VNODE_FUNC(x) == VNODE_FUNC(n) &&
		    mf->defs[VNODE_IDX(x)].region == mf->defs[VNODE_IDX(n)].region)
			walk__unhold(w, x);
	}
}

void walk__unhold_func(struct walker *w, uint32_t func)
{
	for (uint32_t i = w->held.n; i-- > 0;)
		if (VNODE_FUNC(w->held.v[i]) == func)
			walk__unhold(w, w->held.v[i]);
}

bool walk__in_memory(const struct walker *w)
{
	for (uint32_t i = 0; i < w->held.n; i++)
		if (VNODE_IS_DEF(w->held.v[i]) || VNODE_IS_HELD(w->held.v[i]))
			return true;
	return false;
}

void walk__deed_release(struct deed *d)
{
	vec_release(&d->to);
	vec_release(&d->calls);
	vec_release(&d->unless);
	vec_release(&d->outs);
}

static void one_edge(const struct walker *w, const struct spot *at, const struct vedge *e, struct deed *d)
{
	const struct frame *fr = at->fr;

	if (e->way != VE_EITHER && e->way != w->way)
		return;
	switch ((enum vedge_kind)e->kind) {
	case VE_FREE:
		d->if_result |= e->if_result;
		d->or_zero = MAX(d->or_zero, e->or_zero);
		d->freed |= !e->if_result;
		break;
	case VE_ESCAPE:
		d->freed = true;
		break;
	case VE_OUT:
		d->out |= fr->wraps;
		d->freed |= !fr->wraps;
		break;
	case VE_FLOW:
		vec_push(&d->to, e->to);
		break;
	case VE_CALL:
		vec_push(&d->calls, e->to);
		break;
	case VE_RET:
		if (!fr->parent) {
			d->outside = true;
			vec_push(&d->outs, ((struct vsite){ VNODE_FUNC(e->to), e->site }));
		} else if (VNODE_FUNC(e->to) == fr->parent->func && e->site == fr->call) {
			vec_push(&d->to, e->to);
		}
		break;
	case VE_PHI:
		break;
	}
}

void walk__find_deed(struct walker *w, const struct spot *at, struct deed *d)
{
	uint32_t callee;
	bool into;

	memset(d, 0, sizeof(*d));
	if (at->obj == IR_NONE || !keyset_get(&w->touched, hash_join(at->fr->func, at->inst)))
		return;
	callee = walk__pointed_callee(w, at->fr, at->inst);
	for (uint32_t i = 0; i < w->held.n; i++) {
		struct vedges e;

		if (VNODE_FUNC(w->held.v[i]) != at->fr->func)
			continue;
		e = walk__edges_of(w, w->held.v[i], at->obj);
		into = false;
		for (uint32_t k = 0; k < e.n; k++)
			into |= VNODE_IS_DEF(w->held.v[i]) && e.v[k].kind == VE_CALL &&
				e.v[k].inst == at->inst;
		for (uint32_t k = 0; k < e.n; k++) {
			if (e.v[k].kind == VE_PHI || e.v[k].inst != at->inst)
				continue;
			if (callee != IR_NONE && e.v[k].by && e.v[k].by != callee + 1)
				continue;	/* another function would do that */
			if (into && e.v[k].kind == VE_FLOW && VNODE_IS_DEF(e.v[k].to))
				vec_push(&d->unless, e.v[k].to);
			else
				one_edge(w, at, &e.v[k], d);
		}
	}
	if (w->until != IR_NONE && !at->fr->parent) {	/* only where control goes is asked */
		d->freed = d->outside = false;
		vec_clear(&d->calls);
	}
}

/* The instruction defines its nodes anew. */
void walk__define_anew(struct walker *w, const struct spot *at, const struct deed *d)
{
	const struct ir_inst *in = &func_of(w, at->fr)->insts[at->inst];
	const struct mssa_func *mf = mssa_func(w->g->s, at->fr->func);

	if (in->res != IR_NONE && in->op != IR_EXTRACT) {	/* a call gives these their values */
		walk__unhold(w, VNODE_VALUE(at->fr->func, in->res));
		walk__unhold(w, VNODE_HELD(at->fr->func, in->res));
	}
	for (uint32_t k = mf->def_row[at->inst]; k < mf->def_row[at->inst + 1]; k++)
		walk__unhold_region(w, VNODE_DEF(at->fr->func, mf->def_of[k]));
	for (uint32_t k = 0; k < d->to.n; k++)
		walk__hold(w, d->to.v[k], at->obj);
}

/* Versions of one region: to leave a callee so is to be where it was before. */
static bool same_region(const struct walker *w, vnode a, vnode b)
{
	const struct mssa_func *mf = mssa_func(w->g->s, VNODE_FUNC(a));

	return VNODE_IS_DEF(a) && VNODE_IS_DEF(b) && VNODE_FUNC(a) == VNODE_FUNC(b) &&
	       mf->defs[VNODE_IDX(a)].region == mf->defs[VNODE_IDX(b)].region;
}

/* May the function overwrite all of the region? */
static bool is_overwritten(const struct walker *w, vnode n)
{
	const struct mssa_func *mf = mssa_func(w->g->s, VNODE_FUNC(n));

	for (uint32_t i = mf->nregions; i < mf->ndefs; i++)
		if (mf->defs[i].kind == MSSA_STORE && mf->defs[i].strong &&
		    mf->defs[i].region == mf->defs[VNODE_IDX(n)].region)
			return true;
	return false;
}

/* Can anything become of the object in a callee that gets it at node n: freed,
 * kept, overwritten, handed back by another way than it came?  Asked without regard to paths. */
bool walk__matters(struct walker *w, vnode n, uint32_t obj)
{
	bool is_new, *known = keyset_put(&w->matter, hash_join(n, obj), &is_new), r = false;
	struct vnodes todo = {0};
	struct keyset seen = {0}, below = {0};
	bool stays = false;

	if (!is_new)
		return *known;
	vec_push(&todo, n);
	keyset_put(&seen, n, NULL);
	keyset_put(&below, VNODE_FUNC(n), NULL);
	for (uint32_t i = 0; i < todo.n && !r; i++) {
		struct vedges e = walk__edges_of(w, todo.v[i], obj);

		r = todo.n > MAX_SLICE;		/* too many to tell */
		for (uint32_t k = 0; k < e.n && !r; k++) {
			vnode to = e.v[k].to;

			switch ((enum vedge_kind)e.v[k].kind) {
			case VE_FREE:
			case VE_ESCAPE:
			case VE_OUT:
				r = true;
				continue;
			case VE_RET:
				/* out of the callee, or from further down back into it */
				if (VNODE_FUNC(todo.v[i]) == VNODE_FUNC(n) && same_region(w, n, todo.v[i]))
					stays = true;
				else if (VNODE_FUNC(todo.v[i]) == VNODE_FUNC(n))
					r = vfg__may_hold(w->g, to, obj);
				if (!keyset_get(&below, VNODE_FUNC(to)))
					continue;
				break;
			case VE_CALL:
				keyset_put(&below, VNODE_FUNC(to), NULL);
				break;
			default:
				break;
			}
			keyset_put(&seen, to, &is_new);
			if (is_new)
				vec_push(&todo, to);
		}
	}
	vec_release(&todo);
	keyset_release(&seen);
	keyset_release(&below);
	r |= VNODE_IS_DEF(n) && (!stays || is_overwritten(w, n));
	*keyset_get(&w->matter, hash_join(n, obj)) = r;
	return r;
}

/* A variable that may hold the object: to assign it is to lose the object, maybe. */
static void slot_deeds(struct walker *w, uint32_t func, uint32_t slot)
{
	const struct ir_func *f = &w->g->m->funcs.v[func];
	bool is_new;

	keyset_put(&w->deeds, hash_join(hash_join(func, 0x5107), slot), &is_new);
	for (uint32_t i = 0; is_new && i < f->ninsts; i++)
		if (f->insts[i].op == IR_STORE && f->insts[i].ops[0] == IR_SLOT(slot))
			keyset_put(&w->deeds, hash_join(func, i), NULL);
}

static void node_slots(struct walker *w, vnode n)
{
	uint32_t func = VNODE_FUNC(n), v = VNODE_IDX(n);
	const struct ir_func *f = &w->g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(w->g->p, func);
	const struct vuses *u = &w->g->uses[func];

	if (VNODE_IS_DEF(n) || VNODE_IS_HELD(n))
		return;
	if (v >= f->nvregs)
		slot_deeds(w, func, s->phis[v - f->nvregs].slot);
	for (uint32_t k = u->row[v]; k < u->row[v + 1]; k++) {
		const struct ir_inst *in = &f->insts[u->inst[k]];

		if (in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT &&
		    s->promoted[IR_IDX(in->ops[0])] &&
		    ssa_ref(s, in->ops[1]) == IR_VREG(v))
			slot_deeds(w, func, IR_IDX(in->ops[0]));
	}
}

/* Where anything happens to the object, by the edges that it can go along. */
void walk__find_deeds(struct walker *w)
{
	struct vnodes todo = {0};
	struct keyset seen = {0};

	vfg__start(w->g, w->src, &todo);
	for (uint32_t i = 0; i < todo.n; i++)
		keyset_put(&seen, todo.v[i], NULL);
	for (uint32_t i = 0; i < todo.n && i < MAX_DEEDS; i++) {
		struct vedges e = walk__edges_of(w, todo.v[i], w->src->obj);

		node_slots(w, todo.v[i]);
		for (uint32_t k = 0; k < e.n; k++) {
			const struct vedge *x = &e.v[k];
			bool is_new = false;

			if (x->kind == VE_CALL && !(vfg__fate(w->g, x->to) &&
						    walk__matters(w, x->to, w->src->obj)))
				continue;
			if (x->kind != VE_FLOW && x->kind != VE_PHI)
				keyset_put(&w->deeds, hash_join(VNODE_FUNC(todo.v[i]), x->inst), NULL);
			if (x->kind <= VE_RET)
				keyset_put(&seen, x->to, &is_new);
			if (is_new)
				vec_push(&todo, x->to);
		}
	}
	w->all_deeds = todo.n <= MAX_DEEDS;
	vec_release(&todo);
	keyset_release(&seen);
}

/* Can an instruction do something to the object, by what its operands may point
 * to?  IR_NONE: to any. */
static bool something_happens(const struct walker *w, uint32_t func, uint32_t inst, uint32_t obj)
{
	const struct ir_inst *in = &w->g->m->funcs.v[func].insts[inst];
	const struct ssa *s = pta_ssa(w->g->p, func);
	const struct mssa_func *mf = mssa_func(w->g->s, func);

	if (w->all_deeds && obj != IR_NONE)
		return keyset_get(&w->deeds, hash_join(func, inst));
	if (in->op != IR_CALL && in->op != IR_STORE && in->op != IR_MEMCPY && in->op != IR_ASM)
		return false;
	if (in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT && s->promoted[IR_IDX(in->ops[0])])
		return false;
	if (obj == IR_NONE)	/* inside an allocator */
		return in->op != IR_CALL || in->nops > 1;
	for (uint32_t k = in->op == IR_CALL; k < in->nops; k++) {
		ir_ref r = ssa_ref(s, in->ops[k]);

		if (IR_KIND(r) == IR_R_VREG && vfg__may_hold(w->g, VNODE_VALUE(func, IR_IDX(r)), obj))
			return true;
	}
	for (uint32_t k = mf->use_row[inst]; k < mf->use_row[inst + 1]; k++)
		if (vfg__may_hold(w->g, VNODE_DEF(func, mf->uses[k].def), obj))
			return true;
	return false;
}

/* What matters in a frame.  Where the object comes in is not known yet, so it is
 * asked of all nodes of the function that may hold it. */
struct relevant *walk__relevant_of(struct walker *w, const struct frame *fr)
{
	const struct ir_func *f = func_of(w, fr);
	uint32_t obj = fr->wraps ? IR_NONE : w->src->obj;
	bool is_new;
	struct relevant **r = relmap_put(&w->rels, hash_join(hash_join(fr->func, fr->goal), fr->wraps),
					 &is_new);
	struct bits deeds;

	if (!is_new)
		return *r;
	bits_init(&deeds, f->nblocks);
	if (fr->goal != IR_NONE)
		bits_set(&deeds, f->insts[fr->goal].block);
	if (w->until != IR_NONE && !fr->parent)
		bits_set(&deeds, f->insts[w->until].block);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (something_happens(w, fr->func, i, obj))
			bits_set(&deeds, f->insts[i].block);
	*r = xcalloc(1, sizeof(**r));
	relevant_init(*r, w->g, fr->live, fr->func, &deeds, fr->parent != NULL);
	bits_release(&deeds);
	return *r;
}
