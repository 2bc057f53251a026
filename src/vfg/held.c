/*
 * held.c - an object inside another one that is not yet out of our hands.
 *
 * Memory that others can ever reach is not in SSA form (mssa.h), and a pointer
 * stored there has escaped.  But an object that is put into a list at the end of
 * a constructor is the constructor's own until then:
 *
 *	h = malloc(sizeof(*h));
 *	h->name = strdup(s);
 *	if (failed) {
 *		free(h);		// h->name is lost
 *		return NULL;
 *	}
 *	list_add(h);
 *
 * So if the address of a store is made from the result of an allocating call of
 * the same function, and that result cannot have got anywhere else before, we go
 * on with the holder instead of the object: two more kinds of nodes, `put` (from
 * the store on, inside the result) and `held` (inside what a value points to).
 * Loads through the holder give the object back; where the holder escapes, so
 * does the object; freeing the holder frees nothing else.
 *
 * The same is a second way to follow what is put into memory in SSA form.  A
 * version tells that some object may hold ours; it does not tell that the holder
 * is freed on this path and returned on that.  So there a source is judged twice
 * (detect.c), once by each way, and both must find it freed.
 *
 * A holder that is itself stored in memory that we do follow is trusted, as is
 * one whose contents are copied: that may hide leaks.  Which member of the holder
 * it is, is left to the points-to sets: two members that may hold the same object
 * are not distinguished, which may hide leaks, too.
 */
#include "vfg/priv.h"

enum { MAX_STEPS = 16, MAX_DERIVED = 256 };

/* The value that an address is made from by members and elements, and how far
 * from it the address is. */
static ir_ref base_of(const struct vfg *g, uint32_t func, ir_ref addr, int64_t *off)
{
	const struct ssa *s = pta_ssa(g->p, func);

	*off = 0;
	for (int i = 0; i < MAX_STEPS; i++) {
		ir_ref r = ssa_ref(s, addr);
		const struct ir_inst *d = ssa_def(s, r);

		if (!d || (d->op != IR_FIELD && d->op != IR_ELEM && d->op != IR_INDEX))
			return r;
		*off += d->op == IR_FIELD ? d->imm : 0;
		addr = d->ops[0];
	}
	return IR_UNDEF;
}

/* Is the value just what this function got from an allocating call? */
static bool is_fresh(const struct vfg *g, uint32_t func, ir_ref r)
{
	const struct ir_inst *d = ssa_def(pta_ssa(g->p, func), r);
	const struct sbits *pts;
	const struct pta_obj *o;
	uint32_t first;

	if (!d || d->op != IR_CALL)
		return false;
	pts = pta_points_to(g->p, func, r);
	first = sbits_next(pts, 0);
	if (first == UINT32_MAX)
		return false;
	o = pta_obj(g->p, pta_loc(g->p, first)->obj);
	if (o->kind != PTA_HEAP || o->func != func || &g->m->funcs.v[func].insts[o->index] != d)
		return false;
	SBITS_FOREACH(l, pts)
		if (pta_loc(g->p, l)->obj != pta_loc(g->p, first)->obj)
			return false;
	return true;
}

/* May the callee make the argument known to others? */
static bool gives_away(const struct vfg *g, uint32_t func, uint32_t inst, uint32_t arg)
{
	struct pta_callees c;

	pta_callees(g->p, func, inst, &c);
	if (c.unknown || !c.set->n)
		return true;
	SBITS_FOREACH(callee, c.set) {
		const struct ir_func *h = &g->m->funcs.v[callee];
		const struct model *md = pta_model(g->p, callee);

		if (!ir_is_decl(h)) {
			if (arg > h->nparams || vfg__fate(g, VNODE_VALUE(callee, arg - 1)) & FATE_KEPT)
				return true;
			continue;
		}
		for (unsigned i = 0; md && i < md->neffects; i++) {
			const struct model_effect *ef = &md->effects[i];

			if (((ef->kind == MODEL_E_KEEP || ef->kind == MODEL_E_REF) &&
			     model_place_is_arg(&ef->place, arg)) ||
			    (ef->kind == MODEL_E_SET && model_value_is_arg(&ef->value, arg)))
				return true;
		}
	}
	return false;
}

static bool is_promoted_store(const struct ir_inst *in, const struct ssa *s)
{
	return IR_KIND(in->ops[0]) == IR_R_SLOT && s->promoted[IR_IDX(in->ops[0])];
}

/* Does the instruction make `value`, which points into base, known to others? */
static bool is_escape(const struct vfg *g, uint32_t func, uint32_t inst, ir_ref value, ir_ref base)
{
	const struct ir_inst *in = &g->m->funcs.v[func].insts[inst];
	const struct ssa *s = pta_ssa(g->p, func);
	int64_t off;

	switch (in->op) {
	case IR_STORE:
		return ssa_ref(s, in->ops[1]) == value && !is_promoted_store(in, s) &&
		       base_of(g, func, in->ops[0], &off) != base;
	case IR_CALL:
		for (uint32_t k = 1; k < in->nops; k++)
			if (ssa_ref(s, in->ops[k]) == value && gives_away(g, func, inst, k))
				return true;
		return false;
	case IR_ASM:
		return true;
	default:
		return false;
	}
}

/* Can base, or a pointer into it, have got to others before the instruction? */
static bool escaped_before(const struct vfg *g, uint32_t func, ir_ref base, uint32_t inst)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct vuses *u = &g->uses[func];
	VEC(uint32_t) derived = {0};
	bool found = false;

	vec_push(&derived, IR_IDX(base));
	for (uint32_t i = 0; i < derived.n && !found; i++) {
		uint32_t v = derived.v[i];

		if (derived.n > MAX_DERIVED)
			found = true;
		for (uint32_t k = u->row[v]; k < u->row[v + 1] && !found; k++) {
			const struct ir_inst *in = &f->insts[u->inst[k]];

			if (u->inst[k] == inst)
				continue;
			if (in->op == IR_FIELD || in->op == IR_ELEM ||
			    in->op == IR_INDEX || in->op == IR_SELECT)
				vec_push(&derived, in->res);
			else
				found = is_escape(g, func, u->inst[k], IR_VREG(v), base) &&
					ir_comes_before(f, u->inst[k], inst,
							f->insts[f->def[IR_IDX(base)]].block);
		}
		for (uint32_t k = u->phi_row[v]; k < u->phi_row[v + 1]; k++) {
			bool known = false;

			for (uint32_t t = 0; t < derived.n; t++)
				known |= derived.v[t] == f->nvregs + u->phi[k];
			if (!known)
				vec_push(&derived, f->nvregs + u->phi[k]);
		}
	}
	vec_release(&derived);
	return found;
}

ir_ref vfg__put_base(const struct vfg *g, uint32_t func, uint32_t inst, ir_ref addr)
{
	int64_t off;
	ir_ref base = base_of(g, func, addr, &off);

	return is_fresh(g, func, base) && !escaped_before(g, func, base, inst) ? base : IR_UNDEF;
}

/* The address that the instruction of a `put` node stores the object at. */
static ir_ref put_address(const struct vfg *g, vnode n, uint32_t obj, int64_t *off)
{
	const struct ir_inst *in = &g->m->funcs.v[VNODE_FUNC(n)].insts[VNODE_PUT_INST(n)];
	struct vsource src = { obj, VNODE_FUNC(n), VNODE_PUT_INST(n) };
	const struct pta_handout *h;
	uint32_t callee;

	*off = 0;
	if (in->op == IR_STORE)
		return in->ops[0];
	h = obj == IR_NONE ? NULL : vfg__handout(g, &src, &callee);
	if (!h || h->param == IR_NONE)
		return IR_UNDEF;
	*off = h->off;
	return in->ops[h->param + 1];
}

ir_ref vfg__held_value(const struct vfg *g, vnode n, uint32_t obj)
{
	int64_t off;

	assert(VNODE_IS_HELD(n));
	return VNODE_IS_PUT(n) ? base_of(g, VNODE_FUNC(n), put_address(g, n, obj, &off), &off)
	       : IR_VREG(VNODE_IDX(n));
}

bool vfg__is_put_place(const struct vfg *g, vnode n, uint32_t obj, ir_ref addr)
{
	int64_t off, more, at;
	ir_ref base = base_of(g, VNODE_FUNC(n), put_address(g, n, obj, &more), &off);

	return base != IR_UNDEF && base_of(g, VNODE_FUNC(n), addr, &at) == base && at == off + more;
}

bool vfg__is_put_element(const struct vfg *g, vnode n, uint32_t obj)
{
	const struct ssa *s = pta_ssa(g->p, VNODE_FUNC(n));
	int64_t off;
	ir_ref r = put_address(g, n, obj, &off);

	for (int i = 0; i < MAX_STEPS; i++) {
		const struct ir_inst *d = ssa_def(s, ssa_ref(s, r));

		if (!d || (d->op != IR_FIELD && d->op != IR_ELEM && d->op != IR_INDEX))
			return false;
		if (d->op != IR_FIELD && IR_KIND(ssa_ref(s, d->ops[1])) != IR_R_INT)
			return true;
		r = d->ops[0];
	}
	return false;
}

/* May the value point to something that holds the object? */
static bool may_point_to_holder(const struct vfg *g, uint32_t func, uint32_t value, uint32_t obj)
{
	if (obj == IR_NONE)
		return vfg__may_hold(g, VNODE_VALUE(func, value), obj);
	trace_note(FACT_HOLDERS, obj, 0);
	return pta_meets(g->p, pta_points_to(g->p, func, IR_VREG(value)), &g->heap_holders[obj]);
}

/* ---- edges ----------------------------------------------------------- */

struct edges {
	const struct vfg *g;
	uint32_t func, obj;
	const struct ir_func *f;
	struct vedges *out;
	vnode deep;		/* VNODE_DEEP if the node is */
};

static void add(struct edges *e, enum vedge_kind kind, uint32_t inst, vnode to)
{
	vec_push(e->out, ((struct vedge){ .kind = kind, .inst = inst, .to = to }));
}

static void add_phi(struct edges *e, uint32_t block, uint32_t pred, uint32_t phi)
{
	vec_push(e->out, ((struct vedge){ .kind = VE_PHI, .block = block, .pred = pred,
					  .to = e->deep | VNODE_HELD(e->func, phi) }));
}

static void model_edges(struct edges *e, uint32_t inst, const struct model *md, uint32_t arg)
{
	const struct ir_inst *in = &e->f->insts[inst];

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *ef = &md->effects[i];
		const struct model_place *to = ef->kind == MODEL_E_SET ? &ef->place : &ef->to;
		bool frees = ef->kind == MODEL_E_FREE && ef->place.base == MODEL_ARG && ef->place.arg == arg;
		bool keeps = (ef->kind == MODEL_E_KEEP || ef->kind == MODEL_E_REF) &&
			     model_place_is_arg(&ef->place, arg);
		bool moves = (ef->kind == MODEL_E_SET && model_value_is_arg(&ef->value, arg)) ||
			     (ef->kind == MODEL_E_COPY && model_place_is_arg(&ef->place, arg));

		if (moves && to->base == MODEL_RETURN && in->res != IR_NONE)
			add(e, VE_FLOW, inst, e->deep | VNODE_HELD(e->func, in->res));
		else if (moves || keeps)
			add(e, VE_ESCAPE, inst, 0);
		for (unsigned k = 0; ef->kind == MODEL_E_CALL && k < ef->nargs; k++)
			if (model_value_is_arg(&ef->args[k], arg))
				add(e, VE_ESCAPE, inst, 0);
		if (frees && (ef->place.nsteps || (ef->resource && !resource_is_memory(ef->resource))))
			add(e, VE_FREE, inst, 0);
	}
}

static void call_edges(struct edges *e, uint32_t inst, ir_ref value)
{
	const struct ir_inst *in = &e->f->insts[inst];
	const struct ssa *s = pta_ssa(e->g->p, e->func);
	struct pta_callees c;

	if (e->g->flow[e->func].ends[in->block] == inst)
		return;
	pta_callees(e->g->p, e->func, inst, &c);
	for (uint32_t arg = 1; arg < in->nops; arg++) {
		if (ssa_ref(s, in->ops[arg]) != value)
			continue;
		if (c.unknown || !c.set->n)
			add(e, VE_ESCAPE, inst, 0);
		SBITS_FOREACH(callee, c.set) {
			const struct ir_func *h = &e->g->m->funcs.v[callee];
			uint32_t from = e->out->n;

			if (!ir_is_decl(h) && arg <= h->nparams)
				add(e, VE_CALL, inst, e->deep | VNODE_HELD(callee, arg - 1));
			else if (!ir_is_decl(h))
				add(e, VE_ESCAPE, inst, 0);
			else if (pta_model(e->g->p, callee))
				model_edges(e, inst, pta_model(e->g->p, callee), arg);
			vfg__edges_by(e->out, from, callee);
		}
	}
}

static void return_edges(struct edges *e, uint32_t inst)
{
	const struct vfg *g = e->g;

	trace_note(FACT_CALLERS, e->func, 0);
	if (g->caller_row[e->func] == g->caller_row[e->func + 1])
		add(e, VE_OUT, inst, 0);
	for (uint32_t k = g->caller_row[e->func]; k < g->caller_row[e->func + 1]; k++) {
		struct vsite at = g->callers[k];
		const struct ir_inst *call = &g->m->funcs.v[at.func].insts[at.inst];

		trace_note(FACT_INSIDE, at.func, 0);
		if (call->res != IR_NONE && call->cls == IR_C_PTR)
			vec_push(e->out, ((struct vedge){ .kind = VE_RET, .inst = inst, .site = at.inst,
							  .to = e->deep | VNODE_HELD(at.func, call->res) }));
		else if (call->cls == IR_C_AGG)
			add(e, VE_OUT, inst, 0);
	}
}

static void store_edges(struct edges *e, uint32_t inst)
{
	const struct ir_inst *in = &e->f->insts[inst];

	if (is_promoted_store(in, pta_ssa(e->g->p, e->func)))
		return;
	if (bits_test(&e->g->fates[e->func].put, inst) || bits_test(&e->g->fates[e->func].put_too, inst))
		add(e, VE_FLOW, inst, VNODE_DEEP | VNODE_PUT(e->func, inst));	/* one in another */
	else
		add(e, VE_ESCAPE, inst, 0);
}

static void use_edges(struct edges *e, uint32_t inst, ir_ref value)
{
	const struct ir_inst *in = &e->f->insts[inst];
	const struct ssa *s = pta_ssa(e->g->p, e->func);

	switch (in->op) {
	case IR_LOAD:
		if (in->cls == IR_C_PTR && vfg__may_hold(e->g, VNODE_VALUE(e->func, in->res), e->obj))
			add(e, VE_FLOW, inst, VNODE_VALUE(e->func, in->res));
		if (in->cls == IR_C_PTR && e->deep && may_point_to_holder(e->g, e->func, in->res, e->obj))
			add(e, VE_FLOW, inst, e->deep | VNODE_HELD(e->func, in->res));
		break;
	case IR_STORE:
		if (ssa_ref(s, in->ops[1]) == value)
			store_edges(e, inst);
		break;
	case IR_FIELD:
	case IR_ELEM:
	case IR_INDEX:
	case IR_SELECT:
		add(e, VE_FLOW, inst, e->deep | VNODE_HELD(e->func, in->res));
		break;
	case IR_PHI:
		for (uint32_t t = 0; t < in->nops; t++)
			for (uint32_t p = 0; p < e->f->blocks[in->block].npred; p++)
				if (ssa_ref(s, in->ops[t]) == value &&
				    e->f->blocks[in->block].pred[p] == in->targets[t])
					add_phi(e, in->block, p, in->res);
		break;
	case IR_CALL:
		call_edges(e, inst, value);
		break;
	case IR_RET:
		return_edges(e, inst);
		break;
	case IR_MEMCPY:
		if (ssa_ref(s, in->ops[1]) == value)
			add(e, VE_ESCAPE, inst, 0);
		break;
	case IR_BIN:
	case IR_OPAQUE:
	case IR_ASM:
		add(e, VE_ESCAPE, inst, 0);
		break;
	default:
		break;
	}
}

void vfg__held_edges(const struct vfg *g, vnode n, uint32_t obj, struct vedges *out)
{
	struct edges e = { g, VNODE_FUNC(n), obj, &g->m->funcs.v[VNODE_FUNC(n)], out,
			   obj == IR_NONE ? VNODE_DEEP : n & VNODE_DEEP };
	const struct ssa *s = pta_ssa(g->p, e.func);
	const struct vuses *u = &g->uses[e.func];
	ir_ref value = vfg__held_value(g, n, obj);
	uint32_t v = IR_IDX(value), from = VNODE_IS_PUT(n) ? VNODE_PUT_INST(n) : IR_NONE;

	if (IR_KIND(value) != IR_R_VREG)
		return;
	for (uint32_t k = u->phi_row[v]; k < u->phi_row[v + 1]; k++) {
		const struct ssa_phi *phi = &s->phis[u->phi[k]];

		if (k > u->phi_row[v] && u->phi[k] == u->phi[k - 1])
			continue;
		for (uint32_t p = 0; p < e.f->blocks[phi->block].npred; p++)
			if (phi->args[p] == value)
				add_phi(&e, phi->block, p, e.f->nvregs + u->phi[k]);
	}
	for (uint32_t k = u->row[v]; k < u->row[v + 1]; k++) {
		const struct ir_inst *in = &e.f->insts[u->inst[k]];

		uint32_t before = out->n;

		if (in->res != IR_NONE && in->res < e.f->nvregs && s->rep[in->res] != IR_VREG(in->res))
			continue;
		use_edges(&e, u->inst[k], value);
		/* what happened to the holder before is over */
		if (from != IR_NONE && in->block == e.f->insts[from].block && u->inst[k] <= from)
			for (uint32_t i = before; i < out->n; i++)
				out->v[i].again = true;
	}
}

void vfg__find_puts(struct vfg *g, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	struct vfates *x = &g->fates[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		ir_ref base = IR_UNDEF;
		uint32_t loc;

		bits_unset(&x->put, i);
		bits_unset(&x->put_too, i);
		if (f->insts[i].op == IR_STORE && f->insts[i].cls == IR_C_PTR)
			base = vfg__put_base(g, func, i, f->insts[i].ops[0]);
		if (base == IR_UNDEF)
			continue;
		loc = sbits_next(pta_points_to(g->p, func, base), 0);
		bits_set(mssa_escaped(g->s, pta_loc(g->p, loc)->obj) ? &x->put : &x->put_too, i);
	}
}
