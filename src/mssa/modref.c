/*
 * modref.c - which memory is tracked, and what functions do to it: Figure 3.
 *
 * [I-LD] and [I-ST]: a load reads, a store modifies, the tracked locs that its
 * address may point to.  [I-CALL]: a call does what its callees do to what the
 * caller can see (visible.c).  [I-PROC]: a function does what its instructions do,
 * less its own locals, unless it is recursive.  Functions of one component of the
 * call graph get the same sets, which over-approximates the fixed point: more def-use
 * chains, never fewer.
 *
 * What is not tracked: an object has escaped if it can be reached from a global, from
 * memory of libraries or unknown code, or from what the outside passes in.  That is
 * decided for the whole run of the program, not for a point of the run.  A leak before
 * the object escapes is still seen, since escaping is an event of its own for the value
 * that escapes (vfg).  But what is stored inside an object that ever escapes is not
 * followed: misses, no false alarms.
 */
#include "mssa/priv.h"

/* ---- tracked and escaped --------------------------------------------- */

static void mark_escaped(struct mssa *s, const struct sbits *pts, struct sbits *todo)
{
	SBITS_FOREACH(loc, pts) {
		uint32_t obj = pta_loc(s->p, loc)->obj;

		if (bits_set(&s->escaped, obj))
			sbits_set(todo, obj);
	}
}

static void find_escaped(struct mssa *s)
{
	struct sbits todo = {0};

	bits_init(&s->escaped, pta_nobjs(s->p));
	for (uint32_t o = 0; o < pta_nobjs(s->p); o++) {
		uint8_t kind = pta_obj(s->p, o)->kind;

		if (kind == PTA_GLOBAL || kind == PTA_BLOB || kind == PTA_FUNC || pta_obj(s->p, o)->common) {
			bits_set(&s->escaped, o);
			sbits_set(&todo, o);
		}
	}
	mark_escaped(s, pta_given_away(s->p), &todo);
	while (todo.n) {
		uint32_t o = sbits_next(&todo, 0);

		sbits_unset(&todo, o);
		for (uint32_t l = pta_obj(s->p, o)->first_loc; l != IR_NONE; l = pta_loc(s->p, l)->next)
			mark_escaped(s, pta_cell(s->p, l), &todo);
	}
	sbits_release(&todo);
}

static bool holds_heap(const struct mssa *s, uint32_t loc)
{
	SBITS_FOREACH(to, pta_cell(s->p, loc))
		if (pta_obj(s->p, pta_loc(s->p, to)->obj)->kind == PTA_HEAP)
			return true;
	return false;
}

void mssa__find_tracked(struct mssa *s)
{
	find_escaped(s);
	bits_init(&s->tracked, pta_nlocs(s->p));
	for (uint32_t l = 0; l < pta_nlocs(s->p); l++)
		if (!bits_test(&s->escaped, pta_loc(s->p, l)->obj) && holds_heap(s, l)) {
			bits_set(&s->tracked, l);
			s->stats.tracked++;
		}
}

/* ---- one instruction ------------------------------------------------- */

static void add_targets(const struct mssa *s, uint32_t func, ir_ref addr, struct sbits *out)
{
	SBITS_FOREACH(loc, pta_points_to(s->p, func, addr))
		if (bits_test(&s->tracked, loc))
			sbits_set(out, loc);
}

/* Every tracked loc of the objects pointed to, from there on. */
static void add_whole(const struct mssa *s, const struct sbits *pts, struct sbits *out)
{
	SBITS_FOREACH(loc, pts) {
		const struct pta_loc *from = pta_loc(s->p, loc);
		uint32_t first = pta_obj(s->p, from->obj)->first_loc;

		for (uint32_t l = first; l != IR_NONE; l = pta_loc(s->p, l)->next)
			if (pta_loc(s->p, l)->off >= from->off && bits_test(&s->tracked, l))
				sbits_set(out, l);
	}
}

/* The locs that a model's place names, if it has steps: the last dereference.
 * Steps before it are followed through the cells. */
static void add_place(const struct mssa *s, uint32_t func, const struct ir_inst *in,
		      const struct model_place *pl, struct sbits *out)
{
	struct sbits now = {0}, next = {0};

	if (!pl->nsteps || pl->base == MODEL_GLOBAL || pl->base == MODEL_RETURN ||
	    pl->arg >= in->nops)
		return;
	sbits_copy(&now, pta_points_to(s->p, func, in->ops[pl->arg]));
	for (unsigned i = 0; i < pl->nsteps; i++) {
		sbits_clear(&next);
		add_whole(s, &now, &next);
		if (i + 1 == pl->nsteps)
			break;
		sbits_clear(&now);
		SBITS_FOREACH(l, &next)
			sbits_or(&now, pta_cell(s->p, l));
	}
	sbits_or(out, &next);
	sbits_release(&now);
	sbits_release(&next);
}

static void model_access(const struct mssa *s, uint32_t func, const struct ir_inst *in,
			 const struct model *md, struct mssa_access *a)
{
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		switch (e->kind) {
		case MODEL_E_SET:
			add_place(s, func, in, &e->place, &a->mod);
			if (e->value.kind == MODEL_V_PLACE || e->value.kind == MODEL_V_INTO)
				add_place(s, func, in, &e->value.place, &a->ref);
			break;
		case MODEL_E_FREE:
		case MODEL_E_KEEP:
		case MODEL_E_REF:
			add_place(s, func, in, &e->place, &a->ref);
			break;
		case MODEL_E_COPY: {
			bool to_result = e->to.base == MODEL_RETURN;

			if (e->place.base == MODEL_ARG && e->place.arg < in->nops)
				add_whole(s, pta_points_to(s->p, func, in->ops[e->place.arg]), &a->ref);
			if (to_result && in->res != IR_NONE)
				add_whole(s, pta_points_to(s->p, func, IR_VREG(in->res)), &a->mod);
			if (e->to.base == MODEL_ARG && e->to.arg < in->nops)
				add_whole(s, pta_points_to(s->p, func, in->ops[e->to.arg]), &a->mod);
			if (a->mod.n)
				a->kind = MSSA_COPY;
			break;
		}
		default:
			break;
		}
	}
}

/* What a wrapper does to what the caller sees: it copies into the object that the call gets, and stores
 * new objects through arguments. */
static void wrapper_access(const struct mssa *s, uint32_t func, uint32_t inst, const struct pta_wrapper *w,
			   struct mssa_access *a)
{
	const struct ir_inst *in = &s->m->funcs.v[func].insts[inst];

	for (uint32_t k = 0; k < w->nouts; k++) {
		uint32_t copied = w->out[k].copied;
		struct sbits to = {0};

		if (copied != IR_NONE && copied + 1 < in->nops && in->res != IR_NONE) {
			add_whole(s, pta_points_to(s->p, func, in->ops[copied + 1]), &a->ref);
			add_whole(s, pta_points_to(s->p, func, IR_VREG(in->res)), &a->mod);
		}
		pta_handed_to(s->p, func, inst, &w->out[k], &to);
		SBITS_FOREACH(l, &to)
			if (bits_test(&s->tracked, l))
				sbits_set(&a->mod, l);
		sbits_release(&to);
	}
}

static void call_access(const struct mssa *s, uint32_t func, uint32_t inst, struct mssa_access *a)
{
	const struct ir_inst *in = &s->m->funcs.v[func].insts[inst];
	const struct pta_callback *cb;
	struct pta_callees c;
	uint32_t n;

	assert(s->visible && s->ref && s->mod);	/* of callees in other components: done */
	a->kind = MSSA_CALL;
	pta_callees(s->p, func, inst, &c);
	SBITS_FOREACH(g, c.set) {
		const struct pta_wrapper *w = pta_wrapper(s->p, g);

		sbits_or(&a->ref, &s->ref[g]);
		sbits_or(&a->mod, &s->mod[g]);
		if (w)
			wrapper_access(s, func, inst, w, a);
		if (pta_model(s->p, g))
			model_access(s, func, in, pta_model(s->p, g), a);
	}
	n = pta_callbacks(s->p, func, &cb);
	for (uint32_t i = 0; i < n; i++)
		if (cb[i].inst == inst) {
			sbits_or(&a->ref, &s->ref[cb[i].callee]);
			sbits_or(&a->mod, &s->mod[cb[i].callee]);
		}
	sbits_and(&a->ref, &s->visible[func]);
	sbits_and(&a->mod, &s->visible[func]);
}

/* Does the address name one concrete place, so that a store leaves nothing of
 * what was there?  A variable of this very activation, and no array element. */
static bool is_strong(const struct mssa *s, uint32_t func, const struct sbits *pts)
{
	uint32_t loc = sbits_next(pts, 0);
	const struct pta_loc *l;
	const struct pta_obj *o;
	const struct ir_type *t;

	if (loc == UINT32_MAX || sbits_next(pts, loc + 1) != UINT32_MAX)
		return false;
	l = pta_loc(s->p, loc);
	o = pta_obj(s->p, l->obj);
	if (o->kind != PTA_SLOT || o->collapsed || o->func != func || pta_recursive(s->p, func))
		return false;
	if (s->m->funcs.v[func].slots[o->index].flags & IR_S_DYNAMIC)
		return false;
	/* Any array in the type may be what the loc lies in. */
	t = &s->m->types.v[ir_type_strip(s->m, o->type)];
	for (int depth = 0; depth < 16 && t->kind == IR_T_STRUCT; depth++) {
		const struct ir_field *fl = ir_field_at(s->m, (uint32_t)(t - s->m->types.v), l->off);

		if (!fl)
			return false;
		if (s->m->types.v[ir_type_strip(s->m, fl->type)].kind == IR_T_STRUCT)
			return false;	/* nested: not worth the walk */
		t = &s->m->types.v[ir_type_strip(s->m, fl->type)];
	}
	return t->kind == IR_T_PTR || t->kind == IR_T_INT || t->kind == IR_T_ENUM;
}

void mssa__access(const struct mssa *s, uint32_t func, uint32_t inst, struct mssa_access *a)
{
	const struct ir_inst *in = &s->m->funcs.v[func].insts[inst];
	const struct ssa *ssa = pta_ssa(s->p, func);

	memset(a, 0, sizeof(*a));
	switch (in->op) {
	case IR_LOAD:
		if (IR_KIND(in->ops[0]) != IR_R_SLOT || !ssa->promoted[IR_IDX(in->ops[0])])
			add_targets(s, func, in->ops[0], &a->ref);
		break;
	case IR_STORE:
		a->kind = MSSA_STORE;
		if (IR_KIND(in->ops[0]) != IR_R_SLOT || !ssa->promoted[IR_IDX(in->ops[0])])
			add_targets(s, func, in->ops[0], &a->mod);
		a->strong = a->mod.n && !(in->flags & IR_F_MAYBE) &&
			    is_strong(s, func, pta_points_to(s->p, func, in->ops[0]));
		break;
	case IR_MEMCPY:
	case IR_VACOPY:
		a->kind = MSSA_COPY;
		add_whole(s, pta_points_to(s->p, func, in->ops[0]), &a->mod);
		add_whole(s, pta_points_to(s->p, func, in->ops[1]), &a->ref);
		break;
	case IR_CALL:
		call_access(s, func, inst, a);
		break;
	default:
		break;
	}
}

void mssa__access_release(struct mssa_access *a)
{
	sbits_release(&a->ref);
	sbits_release(&a->mod);
}

/* ---- functions ------------------------------------------------------- */

static void remove_locals(const struct mssa *s, uint32_t func, struct sbits *set)
{
	struct sbits rest = {0};

	if (pta_recursive(s->p, func))
		return;
	SBITS_FOREACH(l, set) {
		const struct pta_obj *o = pta_obj(s->p, pta_loc(s->p, l)->obj);

		if (o->kind != PTA_SLOT || o->func != func)
			sbits_set(&rest, l);
	}
	sbits_release(set);
	*set = rest;
}

static void add_function(const struct mssa *s, uint32_t func, struct sbits *ref, struct sbits *mod)
{
	const struct ir_func *f = &s->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		struct mssa_access a;

		mssa__access(s, func, i, &a);
		sbits_or(ref, &a.ref);
		sbits_or(mod, &a.mod);
		mssa__access_release(&a);
	}
	remove_locals(s, func, ref);
	remove_locals(s, func, mod);
}

void mssa__modref(struct mssa *s)
{
	uint32_t n, i = 0;
	const uint32_t *order = pta_bottom_up(s->p, &n);

	s->ref = xcalloc(MAX(s->m->funcs.n, 1), sizeof(*s->ref));
	s->mod = xcalloc(MAX(s->m->funcs.n, 1), sizeof(*s->mod));
	while (i < n) {
		struct sbits ref = {0}, mod = {0};
		uint32_t end = i;

		for (; end < n && pta_component(s->p, order[end]) == pta_component(s->p, order[i]); end++)
			if (!ir_is_decl(&s->m->funcs.v[order[end]]))
				add_function(s, order[end], &ref, &mod);
		assert(end > i);
		shares_put(&s->shares, &ref);
		shares_put(&s->shares, &mod);
		for (; i < end; i++) {
			sbits_borrow(&s->ref[order[i]], &ref);
			sbits_borrow(&s->mod[order[i]], &mod);
		}
	}
}
