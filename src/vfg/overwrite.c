/*
 * overwrite.c - a place that is the only one to hold an object gets another value.
 *
 * The paper's Assumption 1 ends the question where an object is stored in a
 * global, and ours where it is stored in memory that others reach.  Most of the
 * leaks that this hides are pointers overwritten: a member set twice in a
 * constructor, a static that each call sets anew.  Two such shapes can be recognised
 * with some certainty in the code of one function.
 *
 * Twice in one function: the object goes into a place (a global, a member of
 * what a value points to) and nowhere else, and then, on a way on which nobody
 * looks at that place to do something with what it finds, the same place is
 * stored to again.  Calls that store there for us (wrappers) count as stores.
 *
 * At the next call: nobody in the whole program ever looks at the global to do
 * something with what it finds, the function does not ask before whether there
 * is something in it, and it may be called more than once.  In a unit without main that
 * can only be said of a static.
 *
 * Parked: the same, in a whole program, of a function that is called once: the global-variable
 * rule of Gao et al. (ICSE 2015, II-C3).  What main itself parks is held until the end.
 *
 * Places are the same if they are the same number of bytes from the same SSA
 * value: an alias that frees the object in between is overlooked where it is not
 * in a callee, which may give a false alarm.
 */
#include "vfg/detect.h"

struct place {
	ir_ref base;
	int64_t off;
	struct sbits locs;
	ir_ref object;		/* the value that was put there, if it is one */
};

enum { MAX_STEPS = 16, MAX_REACHED = 400 };

/* False if the address depends on an index that is no constant. */
static bool find_place(const struct vfg *g, uint32_t func, ir_ref addr, int64_t more, struct place *p)
{
	const struct ssa *s = pta_ssa(g->p, func);

	p->off = more;
	for (int i = 0; i < MAX_STEPS; i++) {
		const struct ir_inst *d;

		addr = ssa_ref(s, addr);
		if (IR_KIND(addr) == IR_R_ADDR) {
			p->off += g->m->addrs.v[IR_IDX(addr)].offset;
			addr = g->m->addrs.v[IR_IDX(addr)].base;
		}
		p->base = addr;
		d = ssa_def(s, addr);
		if (!d || (d->op != IR_FIELD && d->op != IR_ELEM && d->op != IR_INDEX))
			return IR_KIND(addr) == IR_R_VREG || IR_KIND(addr) == IR_R_GLOBAL ||
			       IR_KIND(addr) == IR_R_SLOT;
		if (d->op == IR_FIELD) {
			p->off += d->imm;
		} else {
			ir_ref index = ssa_ref(s, d->ops[1]);

			if (IR_KIND(index) != IR_R_INT)
				return false;
			p->off += ir_int_value(g->m, index) * d->imm;
		}
		addr = d->ops[0];
	}
	return false;
}

static bool is_promoted(const struct vfg *g, uint32_t func, ir_ref addr)
{
	return IR_KIND(addr) == IR_R_SLOT && pta_ssa(g->p, func)->promoted[IR_IDX(addr)];
}

/* ---- where the object is --------------------------------------------- */

/* The only store of the source's result, if nothing else is done with it that
 * counts; IR_NONE otherwise. */
static uint32_t only_store(const struct vfg *g, const struct vsource *src, vnode n)
{
	struct vedges edges = {0};
	uint32_t store = IR_NONE;
	bool ok = true;

	vfg__edges(g, n, src->obj, &edges);
	for (uint32_t i = 0; i < edges.n && ok; i++) {
		const struct vedge *e = &edges.v[i];
		const struct ir_inst *in = e->kind == VE_PHI ? NULL
					   : &g->m->funcs.v[src->func].insts[e->inst];

		if (in && in->op == IR_STORE) {
			ok = store == IR_NONE || store == e->inst;
			store = e->inst;
		} else if (e->kind == VE_FLOW || e->kind == VE_PHI) {
			ok = !vfg__live(g, e->to);
		} else if (e->kind == VE_CALL) {
			ok = !vfg__fate(g, e->to);
		} else {
			ok = false;
		}
	}
	vec_release(&edges);
	return ok ? store : IR_NONE;
}

/* The instruction that puts the object into its place, and the place. */
static uint32_t find_put(const struct vfg *g, const struct vsource *src, struct place *p)
{
	const struct ir_inst *call = &g->m->funcs.v[src->func].insts[src->inst];
	uint32_t callee, at;
	const struct pta_handout *h = vfg__handout(g, src, &callee);
	const struct model_effect *ef = pta_obj(g->p, src->obj)->effect;

	if (h && h->param != IR_NONE) {
		if (!find_place(g, src->func, call->ops[h->param + 1], h->off, p))
			return IR_NONE;
		pta_handed_to(g->p, src->func, src->inst, h, &p->locs);
		return src->inst;
	}
	if (call->res == IR_NONE || call->cls != IR_C_PTR ||
	    (!h && (ef->place.base != MODEL_RETURN || ef->place.nsteps)))
		return IR_NONE;
	at = only_store(g, src, VNODE_VALUE(src->func, call->res));
	if (at == IR_NONE || g->m->funcs.v[src->func].insts[at].flags & IR_F_ATOMIC ||
	    !find_place(g, src->func, g->m->funcs.v[src->func].insts[at].ops[0], 0, p))
		return IR_NONE;
	if (IR_KIND(p->base) == IR_R_SLOT)
		return IR_NONE;		/* a variable: memory SSA and the walker know better */
	sbits_or(&p->locs, pta_points_to(g->p, src->func, g->m->funcs.v[src->func].insts[at].ops[0]));
	p->object = IR_VREG(call->res);
	return at;
}

/* ---- who looks at it ------------------------------------------------- */

/* Does the load give a pointer that anything is then done with? */
static bool makes_use(const struct vfg *g, uint32_t func, const struct ir_inst *in)
{
	return in->cls == IR_C_PTR && !is_promoted(g, func, in->ops[0]) &&
	       pta_ssa(g->p, func)->rep[in->res] == IR_VREG(in->res) &&
	       vfg__live(g, VNODE_VALUE(func, in->res));
}

static void add_whole(const struct vfg *g, uint32_t obj, struct sbits *out)
{
	for (uint32_t l = pta_obj(g->p, obj)->first_loc; l != IR_NONE; l = pta_loc(g->p, l)->next)
		sbits_set(out, l);
}

/* Does the instruction take from the place something that it then does anything with? */
static bool takes(const struct vfg *g, uint32_t func, uint32_t inst, const struct sbits *locs)
{
	const struct ir_inst *in = &g->m->funcs.v[func].insts[inst];

	if (in->op == IR_MEMCPY) {
		SBITS_FOREACH(l, pta_points_to(g->p, func, in->ops[1]))
			SBITS_FOREACH(k, locs)
				if (pta_loc(g->p, l)->obj == pta_loc(g->p, k)->obj)
					return true;
		return false;
	}
	return in->op == IR_LOAD && makes_use(g, func, in) &&
	       sbits_intersects(pta_points_to(g->p, func, in->ops[0]), locs);
}

/* Does a function, or one that it calls, take something from the place? */
static bool taken_below(const struct vfg *g, uint32_t func, const struct sbits *locs)
{
	VEC(uint32_t) todo = {0};
	struct sbits seen = {0};
	bool found = false;

	vec_push(&todo, func);
	sbits_set(&seen, func);
	while (todo.n && !found) {
		const struct ir_func *f = &g->m->funcs.v[func = vec_pop(&todo)];

		for (uint32_t i = 0; i < f->ninsts && !found; i++) {
			struct pta_callees c;

			found = takes(g, func, i, locs);
			if (f->insts[i].op != IR_CALL)
				continue;
			pta_callees(g->p, func, i, &c);
			found |= c.unknown;
			SBITS_FOREACH(callee, c.set)
				if (!ir_is_decl(&g->m->funcs.v[callee]) && sbits_set(&seen, callee))
					vec_push(&todo, callee);
		}
		found |= sbits_count(&seen) > MAX_REACHED;
	}
	sbits_release(&seen);
	vec_release(&todo);
	return found;
}

/* May the call do something to the object in the place? */
static bool call_takes(const struct vfg *g, uint32_t func, uint32_t inst, const struct place *p)
{
	struct pta_callees c;

	pta_callees(g->p, func, inst, &c);
	if (c.unknown || !c.set->n)
		return true;
	SBITS_FOREACH(callee, c.set) {
		const struct model *md = pta_model(g->p, callee);

		if (!ir_is_decl(&g->m->funcs.v[callee]) ? taken_below(g, callee, &p->locs) : !md)
			return true;
		for (unsigned i = 0; md && i < md->neffects; i++)
			if (md->effects[i].kind == MODEL_E_CALL || md->effects[i].place.nsteps ||
			    md->effects[i].kind == MODEL_E_COPY || md->effects[i].kind == MODEL_E_FREE)
				return true;
	}
	return false;
}

static bool touches(const struct vfg *g, uint32_t func, uint32_t inst, const struct place *p)
{
	const struct ir_inst *in = &g->m->funcs.v[func].insts[inst];

	if (in->op == IR_CALL)
		return call_takes(g, func, inst, p);
	return in->op == IR_ASM || takes(g, func, inst, &p->locs);
}

static bool is_place(const struct vfg *g, uint32_t func, ir_ref addr, int64_t more, const struct place *p)
{
	struct place x = {0};

	return find_place(g, func, addr, more, &x) && x.base == p->base && x.off == p->off;
}

/* The target that control takes if the branch asks whether the object, or what is
 * in the place, is null; IR_NONE if it asks something else. */
static uint32_t non_null_target(const struct vfg *g, uint32_t func, const struct ir_inst *br,
				const struct place *p)
{
	const struct ssa *s = pta_ssa(g->p, func);
	const struct ir_inst *c, *d;
	ir_ref asked;

	if (br->op != IR_CONDBR)
		return IR_NONE;
	c = ssa_def(s, ssa_ref(s, br->ops[0]));
	if (!vfg__is_equality(c) || ssa_ref(s, c->ops[1]) != IR_NULL)
		return IR_NONE;
	asked = ssa_ref(s, c->ops[0]);
	d = ssa_def(s, asked);
	if (asked != p->object && !(d && d->op == IR_LOAD && is_place(g, func, d->ops[0], 0, p)))
		return IR_NONE;
	return br->targets[c->sub == IR_P_EQ];
}

/* Is there a way between the instructions on which nobody looks?  With d, by
 * branches that are open while the object is there.  from IR_NONE: from the
 * function's entry.  Not through where the place's base is made anew. */
static bool clean_way(const struct vfg *g, struct detect *d, uint32_t func, uint32_t from, uint32_t to,
		      const struct place *p)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(g->p, func);
	const struct ir_inst *base = ssa_def(s, p->base);
	struct guard_start start = { VNODE_PUT(func, from), 0, IR_NONE };
	VEC(uint32_t) todo = {0};
	struct bits seen;
	bool found = false;

	bits_init(&seen, f->nblocks);
	if (ssa_is_phi(s, p->base))
		bits_set(&seen, ssa_phi(s, p->base)->block);
	vec_push(&todo, from == IR_NONE ? 0 : IR_NONE);		/* IR_NONE: the rest of the first block */
	while (todo.n && !found) {
		uint32_t at = vec_pop(&todo);
		const struct ir_block *b = &f->blocks[at == IR_NONE ? f->insts[from].block : at];
		uint32_t i = at == IR_NONE ? from + 1 : b->first, end = b->first + b->n, only;

		for (; i < end && !found; i++) {
			found = i == to;
			if (!found && (&f->insts[i] == base || touches(g, func, i, p)))
				break;
		}
		if (i < end || found)
			continue;
		only = from == IR_NONE ? IR_NONE : non_null_target(g, func, &f->insts[end - 1], p);
		for (uint32_t k = 0; k < b->nsucc; k++) {
			if (only != IR_NONE && only != b->succ[k])
				continue;
			if (d && from != IR_NONE && guards_edge(detect_guards(d), &start, IR_NONE,
								f->insts[end - 1].block,
							   b->succ[k]) == BDD_FALSE)
				continue;
			if (bits_set(&seen, b->succ[k]))
				vec_push(&todo, b->succ[k]);
		}
	}
	bits_release(&seen);
	vec_release(&todo);
	return found;
}

/* ---- who stores there again ------------------------------------------ */

/* Does the function store to what the parameter points to, whatever happens?
 * That the parameter is null is not what happens. */
static bool always_stores(const struct vfg *g, uint32_t func, uint32_t param, int64_t off)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(g->p, func);
	struct place p = { .base = IR_VREG(param), .off = off };
	VEC(uint32_t) todo = {0};
	struct bits seen;
	bool always = true;

	bits_init(&seen, f->nblocks);
	bits_set(&seen, 0);
	vec_push(&todo, 0);
	while (todo.n && always) {
		uint32_t at = vec_pop(&todo);
		const struct ir_block *b = &f->blocks[at];
		const struct ir_inst *br = &f->insts[b->first + b->n - 1], *c;
		bool stores = g->flow[func].ends[at] != IR_NONE;

		for (uint32_t i = b->first; i < b->first + b->n; i++)
			stores |= f->insts[i].op == IR_STORE && is_place(g, func, f->insts[i].ops[0], 0, &p);
		if (stores)
			continue;
		always = br->op != IR_RET;
		c = br->op == IR_CONDBR ? ssa_def(s, ssa_ref(s, br->ops[0])) : NULL;
		if (c && (!vfg__is_equality(c) || ssa_ref(s, c->ops[1]) != IR_NULL ||
			  ssa_ref(s, c->ops[0]) != IR_VREG(param)))
			c = NULL;
		for (uint32_t k = 0; k < b->nsucc; k++)
			if ((!c || br->targets[c->sub == IR_P_EQ] == b->succ[k]) &&
			    bits_set(&seen, b->succ[k]))
				vec_push(&todo, b->succ[k]);
	}
	bits_release(&seen);
	vec_release(&todo);
	return always;
}

/* Does the instruction give the place another value? */
static bool overwrites(const struct vfg *g, const struct vsource *src, uint32_t put,
		       uint32_t inst, const struct place *p)
{
	const struct ir_inst *in = &g->m->funcs.v[src->func].insts[inst];
	struct pta_callees c;

	if (in->op == IR_STORE) {
		ir_ref v = ssa_ref(pta_ssa(g->p, src->func), in->ops[1]);

		if (in->flags & (IR_F_MAYBE | IR_F_ATOMIC) || is_promoted(g, src->func, in->ops[0]) ||
		    !is_place(g, src->func, in->ops[0], 0, p))
			return false;
		return inst == put || IR_KIND(v) != IR_R_VREG ||
		       !vfg__may_hold(g, VNODE_VALUE(src->func, IR_IDX(v)), src->obj);
	}
	if (in->op != IR_CALL)
		return false;
	pta_callees(g->p, src->func, inst, &c);
	SBITS_FOREACH(callee, c.set) {
		const struct pta_wrapper *w = pta_wrapper(g->p, callee);

		for (uint32_t k = 0; w && k < w->nouts; k++)
			if (w->out[k].param != IR_NONE && w->out[k].param + 1 < in->nops &&
			    is_place(g, src->func, in->ops[w->out[k].param + 1], w->out[k].off, p))
				return sbits_count(c.set) == 1 && !c.unknown &&
				       always_stores(g, callee, w->out[k].param, w->out[k].off);
	}
	return false;
}

/* ---- at the next call ------------------------------------------------ */

/* Is the instruction only reached if some global, this one or a flag, has not
 * been set before? */
static bool is_once(const struct vfg *g, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(g->p, func);

	for (uint32_t b = f->insts[inst].block; s->dom.idom[b] != b; b = s->dom.idom[b]) {
		const struct ir_block *up = &f->blocks[s->dom.idom[b]];
		const struct ir_inst *br = &f->insts[up->first + up->n - 1], *d;

		if (br->op != IR_CONDBR && br->op != IR_SWITCH)
			continue;
		d = ssa_def(s, ssa_ref(s, br->ops[0]));
		for (int depth = 0; d && depth < 4 && d->op != IR_LOAD && d->nops; depth++)
			d = ssa_def(s, ssa_ref(s, d->ops[0]));
		if (d && d->op == IR_LOAD)
			SBITS_FOREACH(l, pta_points_to(g->p, func, d->ops[0]))
				if (pta_obj(g->p, pta_loc(g->p, l)->obj)->kind == PTA_GLOBAL)
					return true;
	}
	return false;
}

static bool in_loop(const struct vfg *g, uint32_t func, uint32_t inst)
{
	const struct vflow *fl = &g->flow[func];

	trace_note(FACT_INSIDE, func, 0);
	for (uint32_t i = 0; i < fl->nrounds; i++)
		if (bits_test(&fl->loops[i].blocks, g->m->funcs.v[func].insts[inst].block))
			return true;
	return false;
}

static bool may_run_again(const struct vfg *g, uint32_t func)
{
	uint32_t first = g->caller_row[func], n = g->caller_row[func + 1] - first;

	trace_note(FACT_CALLERS, func, 0);
	if (!n)
		return pta_is_entry(g->p, func) && !str_eq(g->m->funcs.v[func].name, "main");
	return n > 1 || in_loop(g, g->callers[first].func, g->callers[first].inst);
}

void vfg__find_looked(struct vfg *g)
{
	for (uint32_t f = 0; f < g->m->funcs.n; f++)
		for (uint32_t i = 0; i < g->m->funcs.v[f].ninsts; i++) {
			const struct ir_inst *in = &g->m->funcs.v[f].insts[i];

			if (in->op == IR_MEMCPY) {
				sbits_or(&g->read, pta_points_to(g->p, f, in->ops[1]));
				SBITS_FOREACH(l, pta_points_to(g->p, f, in->ops[1]))
					add_whole(g, pta_loc(g->p, l)->obj, &g->taken);
			} else if (in->op == IR_LOAD) {
				sbits_or(&g->read, pta_points_to(g->p, f, in->ops[0]));
				if (makes_use(g, f, in))
					sbits_or(&g->taken, pta_points_to(g->p, f, in->ops[0]));
			}
		}
}

static void note_looked(const struct vfg *g, const struct place *p)
{
	SBITS_FOREACH(l, &p->locs)
		trace_note(FACT_LOOKED, pta_loc(g->p, l)->obj, 0);
}

/* Does nobody look at the global?  Then its object is lost at the next call, if there is one;
 * in a whole program it is lost in any case. */
static bool lost_later(const struct vfg *g, struct detect *d, const struct vsource *src, uint32_t put,
		       const struct place *p, enum vfg_loss *how)
{
	bool program, again;
	uint8_t linkage;

	if (IR_KIND(p->base) != IR_R_GLOBAL)
		return false;
	trace_note(FACT_GLOBAL, IR_IDX(p->base), 0);
	linkage = g->m->globals.v[IR_IDX(p->base)].linkage;
	program = ir_is_program(g->m);
	again = may_run_again(g, src->func) && !is_once(g, src->func, put);
	if (linkage == IR_L_DECL || (!program && linkage != IR_L_STATIC))
		return false;
	if (!again && (!program || str_eq(g->m->funcs.v[src->func].name, "main")))
		return false;
	*how = again ? LOSS_NEXT_CALL : LOSS_PARKED;
	note_looked(g, p);
	if (sbits_intersects(&g->taken, &p->locs) || (!again && sbits_intersects(&g->read, &p->locs)))
		return false;
	return clean_way(g, d, src->func, IR_NONE, put, p);
}

bool vfg__overwritten(const struct vfg *g, struct detect *d, const struct vsource *src, struct vfg_lost *out)
{
	const struct ir_func *f = &g->m->funcs.v[src->func];
	struct place p = { .object = IR_UNDEF };
	uint32_t put = find_put(g, src, &p);
	enum vfg_loss how = LOSS_HERE;
	bool found = false;

	for (uint32_t i = 0; put != IR_NONE && i < f->ninsts && !found; i++) {
		if (!overwrites(g, src, put, i, &p) || !clean_way(g, NULL, src->func, put, i, &p))
			continue;
		/* once more with guards, which cost more; detect_can_reach() sets them up */
		if (!detect_can_reach(d, src, put, i) || !clean_way(g, d, src->func, put, i, &p))
			continue;
		*out = (struct vfg_lost){ put, i, LOSS_HERE };
		found = true;
	}
	if (put != IR_NONE && !found && lost_later(g, d, src, put, &p, &how)) {
		*out = (struct vfg_lost){ put, put, (uint8_t)how };
		found = true;
	}
	sbits_release(&p.locs);
	return found;
}
