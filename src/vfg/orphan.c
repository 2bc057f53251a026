/*
 * orphan.c - the destructor forgets a member: what holds the object is freed, and
 * nobody ever frees the object.
 *
 * The guards of section 4.4 follow an object until it is put into something that lives on:
 * into a list that main holds, into what a constructor hands to callers outside.  There the
 * question moves to the holder, and if that is freed without its member, the answer comes
 * from no path of the object but from the whole program:
 *
 *   - no free in the program can be given the object;
 *   - no global, no unknown code and no variable of main holds it: only members of heap
 *     objects do, and variables of functions that return;
 *   - each of these heap objects is freed somewhere, by another function than the one that
 *     made it or filled it.  (The clean-up of a constructor that failed half-way frees an
 *     object whose members may not be there yet.)
 *
 * Without main the holder comes back from callers that we do not see, and types tell what
 * points-to sets cannot: the holder's type is freed by a function that is given one, and
 * nobody does more with the member than look at what it points to.
 *
 * Which way this errs: points-to sets are too large rather than too small, so that objects
 * are taken for freed or held by somebody, and leaks are missed.  One setter that frees the
 * old value hides a destructor that does not.  A false alarm needs a holder that is only
 * ever freed while the member is empty, by a function that has no part in filling it; or,
 * without main, callers outside that free the member themselves.
 */
#include "vfg/detect.h"

#include "ir/expr.h"

struct field {
	uint32_t type;
	uint64_t off;
};

struct vorphans {
	const struct vfg *g;
	struct sbits freed;		/* objects that some free may be given */
	VEC(struct vsite) frees;	/* calls that free an argument ... */
	VEC(uint32_t) arg;		/* ... this one */
	struct sbits out;		/* objects that functions hand out of the program */
	VEC(struct field) moved;	/* members of what came from outside, handed on by somebody */
	VEC(struct field) dropped;	/* types of what came from outside and is freed; off: index of the free */
	bool program;
};

/* ---- who frees what -------------------------------------------------- */

static void add_reached(struct vorphans *v, const struct sbits *locs)
{
	SBITS_FOREACH(l, locs) {
		uint32_t o = pta_loc(v->g->p, l)->obj;

		if (!sbits_set(&v->freed, o))
			continue;
		for (uint32_t k = pta_obj(v->g->p, o)->first_loc; k != IR_NONE; k = pta_loc(v->g->p, k)->next)
			add_reached(v, pta_cell(v->g->p, k));
	}
}

static void add_free(struct vorphans *v, uint32_t func, uint32_t inst, const struct model_place *what)
{
	const struct ir_inst *in = &v->g->m->funcs.v[func].insts[inst];
	const struct sbits *to;

	if (what->base == MODEL_RETURN || what->base == MODEL_GLOBAL || what->arg >= in->nops)
		return;
	to = pta_points_to(v->g->p, func, in->ops[what->arg]);
	if (what->nsteps) {
		SBITS_FOREACH(l, to)	/* members: anything that they lead to */
			for (uint32_t k = pta_obj(v->g->p, pta_loc(v->g->p, l)->obj)->first_loc; k != IR_NONE;
			     k = pta_loc(v->g->p, k)->next)
				add_reached(v, pta_cell(v->g->p, k));
		return;
	}
	SBITS_FOREACH(l, to)
		sbits_set(&v->freed, pta_loc(v->g->p, l)->obj);
	vec_push(&v->frees, ((struct vsite){ func, inst }));
	vec_push(&v->arg, what->arg);
}

static bool is_from_outside(const struct vorphans *v, uint32_t func, ir_ref r)
{
	SBITS_FOREACH(l, pta_points_to(v->g->p, func, r))
		if (pta_blob(v->g->p, pta_loc(v->g->p, l)->obj) == PTA_B_ENTRY)
			return true;
	return false;
}

/* The struct that a pointer points to, 0 if that is not known. */
static uint32_t pointee(const struct vorphans *v, uint32_t func, ir_ref r)
{
	const struct ir_module *m = v->g->m;
	uint32_t t = expr_value_type(m, &m->funcs.v[func], r);

	if (m->types.v[t].kind != IR_T_PTR)
		return 0;
	t = ir_type_strip(m, m->types.v[t].elem);
	return m->types.v[t].kind == IR_T_STRUCT ? t : 0;
}

static void look_at_call(struct vorphans *v, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &v->g->m->funcs.v[func].insts[inst];
	struct pta_callees c;

	pta_callees(v->g->p, func, inst, &c);
	if (c.unknown || !ir_callee(v->g->m, in)) {	/* may free what it is given */
		for (uint32_t k = 1; k < in->nops; k++)
			SBITS_FOREACH(l, pta_points_to(v->g->p, func, in->ops[k]))
				sbits_set(&v->freed, pta_loc(v->g->p, l)->obj);
	}
	SBITS_FOREACH(callee, c.set) {
		const struct model *md = pta_model(v->g->p, callee);

		for (unsigned i = 0; md && i < md->neffects; i++)
			if (md->effects[i].kind == MODEL_E_FREE)
				add_free(v, func, inst, &md->effects[i].place);
	}
}

/* ---- members of what comes from outside ------------------------------- */

/* Does the callee only look at the argument? */
static bool only_looks(const struct vorphans *v, uint32_t func, uint32_t inst, unsigned arg)
{
	struct pta_callees c;

	pta_callees(v->g->p, func, inst, &c);
	if (c.unknown)
		return false;
	SBITS_FOREACH(callee, c.set) {
		const struct model *md = pta_model(v->g->p, callee);

		if (!md)
			return false;
		for (unsigned i = 0; i < md->neffects; i++) {
			const struct model_effect *ef = &md->effects[i];

			if (ef->kind != MODEL_E_WRITE && (model_place_is_arg(&ef->place, arg) || ef->kind == MODEL_E_CALL ||
							   model_value_is_arg(&ef->value, arg)))
				return false;
		}
	}
	return true;
}

static bool returns_const(const struct ir_module *m, const struct ir_func *f)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, f->type)];

	if (t->kind != IR_T_FUNC)
		return false;
	t = &m->types.v[ir_type_strip(m, t->elem)];
	return t->kind == IR_T_PTR && t->flags & IR_TF_CONST;
}

/* Is the value handed to somebody who may free it? */
static bool is_moved(const struct vorphans *v, uint32_t func, uint32_t value, int depth)
{
	const struct ir_func *f = &v->g->m->funcs.v[func];
	const struct vuses *u = &v->g->uses[func];

	if (depth > 8)
		return true;
	if (u->phi_row[value] != u->phi_row[value + 1])
		return true;
	for (uint32_t k = u->row[value]; k < u->row[value + 1]; k++) {
		const struct ir_inst *in = &f->insts[u->inst[k]];
		const struct ssa *s = pta_ssa(v->g->p, func);

		switch (in->op) {
		case IR_LOAD:
		case IR_CMP:
		case IR_CONDBR:
		case IR_ELEM:
		case IR_INDEX:
		case IR_FIELD:
			break;
		case IR_CAST:
		case IR_COPY:
			if (is_moved(v, func, in->res, depth + 1))
				return true;
			break;
		case IR_STORE:	/* to a variable in SSA form: its loads are uses of the value */
			if (ssa_ref(s, in->ops[1]) == IR_VREG(value) &&
			    !(IR_KIND(in->ops[0]) == IR_R_SLOT && s->promoted[IR_IDX(in->ops[0])]))
				return true;
			break;
		case IR_RET:
			if (!returns_const(v->g->m, f))
				return true;
			break;
		case IR_CALL:
			for (unsigned a = 1; a < in->nops; a++)
				if (ssa_ref(s, in->ops[a]) == IR_VREG(value) && !only_looks(v, func, u->inst[k], a))
					return true;
			break;
		default:
			return true;
		}
	}
	return false;
}

/* A member that is read: struct and offset, whichever object it is of. */
static bool field_read(const struct vorphans *v, uint32_t func, const struct ir_inst *in, struct field *out)
{
	const struct ir_func *f = &v->g->m->funcs.v[func];
	const struct ir_inst *a = ir_def(f, expr_uncast(f, in->ops[0]));
	uint64_t off = 0;

	while (a && a->op == IR_FIELD) {
		ir_ref base = expr_uncast(f, a->ops[0]);

		off += (uint64_t)a->imm;
		out->type = expr_field_struct(v->g->m, f, a);
		out->off = off;
		a = ir_def(f, base);
		if (!a || a->op != IR_FIELD)
			return out->type != 0;
	}
	/* the first member has no FIELD of its own */
	out->type = pointee(v, func, in->ops[0]);
	out->off = 0;
	return out->type != 0;
}

static void look_outside(struct vorphans *v, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &v->g->m->funcs.v[func].insts[inst];
	struct field x;

	if (in->op == IR_LOAD && in->cls == IR_C_PTR && IR_KIND(in->ops[0]) != IR_R_SLOT && field_read(v, func, in, &x) &&
	    is_moved(v, func, in->res, 0))
		vec_push(&v->moved, x);
}

static void find_dropped(struct vorphans *v)
{
	for (uint32_t i = 0; i < v->frees.n; i++) {
		uint32_t func = v->frees.v[i].func;
		ir_ref r = v->g->m->funcs.v[func].insts[v->frees.v[i].inst].ops[v->arg.v[i]];
		uint32_t t = pointee(v, func, expr_uncast(&v->g->m->funcs.v[func], r));

		if (t && is_from_outside(v, func, r))
			vec_push(&v->dropped, ((struct field){ t, i }));
	}
}

struct vorphans *vfg__orphans_new(const struct vfg *g)
{
	struct vorphans *v = xcalloc(1, sizeof(*v));

	v->g = g;
	v->program = ir_is_program(g->m);
	for (uint32_t f = 0; f < g->m->funcs.n; f++) {
		const struct ir_func *fn = &g->m->funcs.v[f];

		sbits_or(&v->out, &g->returned[f]);
		for (uint32_t i = 0; i < fn->ninsts; i++) {
			if (fn->insts[i].op == IR_CALL)
				look_at_call(v, f, i);
			else if (!v->program)
				look_outside(v, f, i);
		}
	}
	SBITS_FOREACH(l, pta_given_away(g->p))
		sbits_set(&v->freed, pta_loc(g->p, l)->obj);
	if (!v->program)
		find_dropped(v);
	return v;
}

void vfg__orphans_free(struct vorphans *v)
{
	sbits_release(&v->freed);
	sbits_release(&v->out);
	vec_release(&v->frees);
	vec_release(&v->arg);
	vec_release(&v->moved);
	vec_release(&v->dropped);
	free(v);
}

/* ---- one object ------------------------------------------------------- */

/* Does the function make the holder, or put something into it?  Does one that it is
 * called by, alone? */
static bool fills(const struct vorphans *v, uint32_t func, uint32_t holder, const struct vsource *src)
{
	const struct ir_func *f = &v->g->m->funcs.v[func];
	const struct pta_obj *h = pta_obj(v->g->p, holder);

	if (func == h->func || func == src->func)
		return true;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		if (f->insts[i].op != IR_STORE)
			continue;
		SBITS_FOREACH(l, pta_points_to(v->g->p, func, f->insts[i].ops[1]))
			if (pta_loc(v->g->p, l)->obj == src->obj)
				SBITS_FOREACH(to, pta_points_to(v->g->p, func, f->insts[i].ops[0]))
					if (pta_loc(v->g->p, to)->obj == holder)
						return true;
	}
	return false;
}

/* The free that a person would look at: out of a function that frees just anything, to
 * the calls of it. */
static bool find_free(const struct vorphans *v, uint32_t holder, const struct vsource *src, struct vsite *at)
{
	for (uint32_t i = 0; i < v->frees.n; i++) {
		uint32_t func = v->frees.v[i].func, arg = v->arg.v[i];
		const struct ir_func *f = &v->g->m->funcs.v[func];
		bool given = false;

		SBITS_FOREACH(l, pta_points_to(v->g->p, func, f->insts[v->frees.v[i].inst].ops[arg]))
			given |= pta_loc(v->g->p, l)->obj == holder && !pta_loc(v->g->p, l)->off;
		if (!given)
			continue;
		if (pointee(v, func, expr_uncast(f, f->insts[v->frees.v[i].inst].ops[arg])) && !fills(v, func, holder, src)) {
			*at = v->frees.v[i];
			return true;
		}
		for (uint32_t k = v->g->caller_row[func]; k < v->g->caller_row[func + 1]; k++) {
			const struct vsite *c = &v->g->callers[k];
			const struct ir_inst *in = &v->g->m->funcs.v[c->func].insts[c->inst];

			for (uint32_t a = 1; a < in->nops; a++)
				SBITS_FOREACH(l, pta_points_to(v->g->p, c->func, in->ops[a]))
					if (pta_loc(v->g->p, l)->obj == holder && !pta_loc(v->g->p, l)->off &&
					    !fills(v, c->func, holder, src)) {
						*at = *c;
						return true;
					}
		}
	}
	return false;
}

/* The same where the holder goes out of the program and comes back. */
static bool find_drop(const struct vorphans *v, uint32_t holder, const struct sbits *cells, const struct vsource *src,
		      struct vsite *at)
{
	const struct pta_obj *h = pta_obj(v->g->p, holder);
	uint32_t type = ir_type_strip(v->g->m, h->type);

	if (!sbits_test(&v->out, holder) || !type || h->collapsed)
		return false;
	SBITS_FOREACH(l, cells) {
		if (pta_loc(v->g->p, l)->obj != holder)
			continue;
		for (uint32_t i = 0; i < v->moved.n; i++)
			if (v->moved.v[i].type == type && v->moved.v[i].off == pta_loc(v->g->p, l)->off)
				return false;
	}
	for (uint32_t i = 0; i < v->dropped.n; i++) {
		const struct vsite *z = &v->frees.v[v->dropped.v[i].off];

		if (v->dropped.v[i].type == type && !fills(v, z->func, holder, src)) {
			*at = *z;
			return true;
		}
	}
	return false;
}

/* Is it what a wrapper hands out?  Then the callers' clones of it are meant. */
static bool is_cloned(const struct vorphans *v, const struct pta_obj *h)
{
	const struct pta_wrapper *w = pta_wrapper(v->g->p, h->func);

	if (!w || v->g->caller_row[h->func] == v->g->caller_row[h->func + 1])
		return false;
	for (uint32_t i = 0; i < w->nouts; i++)
		for (uint32_t k = 0; k < w->out[i].n; k++)
			if (w->out[i].made[k].inst == h->index && w->out[i].made[k].nth == h->nth)
				return true;
	return false;
}

bool vfg__is_orphan(const struct vorphans *v, const struct vsource *src, struct vsite *at)
{
	const struct pta *p = v->g->p;
	struct sbits cells = {0}, holders = {0};
	bool ok = !sbits_test(&v->freed, src->obj) && !pta_obj(p, src->obj)->given && !pta_obj(p, src->obj)->common &&
		  !(v->program && sbits_test(&v->out, src->obj));
	bool found = false;

	for (uint32_t l = 0; ok && l < pta_nlocs(p); l++) {
		uint32_t holder = pta_loc(p, l)->obj;
		const struct pta_obj *h = pta_obj(p, holder);
		bool holds = false;

		SBITS_FOREACH(to, pta_cell(p, l))
			holds |= pta_loc(p, to)->obj == src->obj;
		if (!holds || (h->kind == PTA_HEAP && is_cloned(v, h)))
			continue;
		ok = h->kind == PTA_HEAP ? !h->given && !h->common && holder != src->obj
					 : h->kind == PTA_SLOT && !str_eq(v->g->m->funcs.v[h->func].name, "main");
		if (h->kind == PTA_HEAP) {
			sbits_set(&cells, l);
			sbits_set(&holders, holder);
		}
	}
	if (ok) {
		found = holders.n > 0;
		SBITS_FOREACH(h, &holders)
			found = found && (find_free(v, h, src, at) || (!v->program && find_drop(v, h, &cells, src, at)));
	}
	sbits_release(&cells);
	sbits_release(&holders);
	return found;
}
