/*
 * orphan.c - the destructor forgets a member: what holds the object is freed, and
 * nobody frees the object.
 *
 * The guards of section 4.4 follow an object until it is put into something that lives on:
 * into a list that main holds, into what a constructor hands to callers outside.  There the
 * question moves to the holder, and if that is freed without its member, the answer comes
 * from no path of the object but from the whole program:
 *
 *   - no free can be given the object, but in functions that fill the member: constructors,
 *     which clean up when they fail half-way, and setters, which free the old value;
 *   - no global, no unknown code and no variable of main holds it: only members of heap
 *     objects do, and variables of functions that return;
 *   - each of these heap objects is freed somewhere, by a function that neither makes it nor
 *     fills the member, nor calls such a setter (`set_name(p, NULL)` frees).
 *
 * Without main the holder comes back from callers that we do not see, and types tell what
 * points-to sets cannot: the holder's type is freed by a function that is given one, and
 * nobody does more with the member than look at what it points to.
 *
 * A function that frees a parameter of no type in particular (xfree) is treated as free:
 * its calls are the releases.
 *
 * Which way this errs: points-to sets are too large rather than too small, so that objects
 * are taken for freed or held by somebody, and leaks are missed.  A false alarm needs a
 * holder that is only ever freed while the member is empty, by a function that has no part
 * in filling it; or, without main, callers outside that free the member themselves.
 */
#include "vfg/detect.h"

#include "ir/expr.h"

enum { MAX_WRAPPED = 4, MAX_RELEASES = 200000, MAX_CALLED = 200 };

struct field {
	uint32_t type, func;
	uint64_t off;
};

struct release {		/* operand `arg` of a call is freed by it */
	uint32_t func, inst, arg;
};

struct vorphans {
	const struct vfg *g;
	struct bits gone;		/* objects that may be freed by somebody whom we do not see */
	struct sbits kept;		/* objects that something may hold as long as the program runs */
	VEC(struct release) releases;
	struct sbits *by;		/* by object: the releases that may be given it */
	struct sbits out;		/* objects that functions hand out of the program */
	VEC(struct field) moved;	/* members of what came from outside, handed on by somebody */
	VEC(struct field) dropped;	/* types of what came from outside and is freed; off: which release */
	bool program;
};

/* ---- who frees what -------------------------------------------------- */

static ir_ref operand(const struct vorphans *v, const struct release *r)
{
	return v->g->m->funcs.v[r->func].insts[r->inst].ops[r->arg];
}

static bool may_be_heap(const struct vorphans *v, uint32_t func, ir_ref r)
{
	SBITS_FOREACH(l, pta_points_to(v->g->p, func, r))
		if (pta_obj(v->g->p, pta_loc(v->g->p, l)->obj)->kind == PTA_HEAP)
			return true;
	return false;
}

/* What the operand is declared to point to, 0 if that is not known. */
static uint32_t pointed_to(const struct vorphans *v, uint32_t func, ir_ref r)
{
	const struct ir_module *m = v->g->m;
	const struct ir_type *t = &m->types.v[expr_value_type(m, &m->funcs.v[func],
							      expr_uncast(&m->funcs.v[func], r))];

	return t->kind == IR_T_PTR ? ir_type_strip(m, t->elem) : 0;
}

/* The same if it is a struct, else 0. */
static uint32_t pointee(const struct vorphans *v, uint32_t func, ir_ref r)
{
	uint32_t t = pointed_to(v, func, r);

	return v->g->m->types.v[t].kind == IR_T_STRUCT ? t : 0;
}

/* The parameter that the operand is, or IR_NONE. */
static uint32_t parameter(const struct vorphans *v, uint32_t func, ir_ref r)
{
	r = pta_origin(v->g->p, func, r);
	return IR_KIND(r) == IR_R_VREG && IR_IDX(r) < v->g->m->funcs.v[func].nparams ? IR_IDX(r) : IR_NONE;
}

static void add_release(struct vorphans *v, struct release r, int depth)
{
	uint32_t param = parameter(v, r.func, operand(v, &r));
	uint32_t row = v->g->caller_row[r.func], end = v->g->caller_row[r.func + 1];
	bool wraps = depth < MAX_WRAPPED && param != IR_NONE && row < end &&
		     !pointee(v, r.func, operand(v, &r));

	if (!wraps && v->releases.n < MAX_RELEASES)
		vec_push(&v->releases, r);
	for (uint32_t k = row; wraps && k < end; k++)
		if (param + 1 < v->g->m->funcs.v[v->g->callers[k].func].insts[v->g->callers[k].inst].nops)
			add_release(v, (struct release){ v->g->callers[k].func, v->g->callers[k].inst,
							 param + 1 }, depth + 1);
}

static void add_free(struct vorphans *v, uint32_t func, uint32_t inst, const struct model_place *what)
{
	const struct ir_inst *in = &v->g->m->funcs.v[func].insts[inst];

	if (what->base == MODEL_RETURN || what->base == MODEL_GLOBAL || what->arg >= in->nops)
		return;
	if (!what->nsteps) {
		add_release(v, (struct release){ func, inst, what->arg }, 0);
		return;
	}
	/* members: anything that they lead to */
	SBITS_FOREACH(l, pta_points_to(v->g->p, func, in->ops[what->arg]))
		for (uint32_t k = pta_obj(v->g->p, pta_loc(v->g->p, l)->obj)->first_loc; k != IR_NONE;
		     k = pta_loc(v->g->p, k)->next)
			pta_reach(v->g->p, pta_cell(v->g->p, k), &v->gone);
}

static bool is_from_outside(const struct vorphans *v, uint32_t func, ir_ref r)
{
	SBITS_FOREACH(l, pta_points_to(v->g->p, func, r))
		if (pta_blob(v->g->p, pta_loc(v->g->p, l)->obj) == PTA_B_ENTRY)
			return true;
	return false;
}

static void look_at_call(struct vorphans *v, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &v->g->m->funcs.v[func].insts[inst];
	struct pta_callees c;

	pta_callees(v->g->p, func, inst, &c);
	if (c.unknown || !ir_callee(v->g->m, in)) {	/* may free what it is given */
		for (uint32_t k = 1; k < in->nops; k++)
			SBITS_FOREACH(l, pta_points_to(v->g->p, func, in->ops[k]))
				bits_set(&v->gone, pta_loc(v->g->p, l)->obj);
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

			if (ef->kind != MODEL_E_WRITE && (model_place_is_arg(&ef->place, arg) ||
							  ef->kind == MODEL_E_CALL ||
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
				if (ssa_ref(s, in->ops[a]) == IR_VREG(value) &&
				    !only_looks(v, func, u->inst[k], a))
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

	if (in->op == IR_LOAD && in->cls == IR_C_PTR && IR_KIND(in->ops[0]) != IR_R_SLOT &&
	    field_read(v, func, in, &x) &&
	    is_moved(v, func, in->res, 0)) {
		x.func = func;
		vec_push(&v->moved, x);
	}
}

static void find_dropped(struct vorphans *v)
{
	for (uint32_t i = 0; i < v->releases.n; i++) {
		const struct release *r = &v->releases.v[i];
		uint32_t t = pointee(v, r->func, operand(v, r));

		if (t && is_from_outside(v, r->func, operand(v, r)))
			vec_push(&v->dropped, ((struct field){ t, r->func, i }));
	}
}

static void find_kept(struct vorphans *v)
{
	for (uint32_t l = 0; l < pta_nlocs(v->g->p); l++) {
		const struct pta_obj *h = pta_obj(v->g->p, pta_loc(v->g->p, l)->obj);

		if (h->kind == PTA_HEAP || (h->kind == PTA_SLOT &&
					    !str_eq(v->g->m->funcs.v[h->func].name, "main")))
			continue;
		SBITS_FOREACH(to, pta_cell(v->g->p, l))
			sbits_set(&v->kept, pta_loc(v->g->p, to)->obj);
	}
}

struct vorphans *vfg__orphans_new(const struct vfg *g)
{
	struct vorphans *v = xcalloc(1, sizeof(*v));

	v->g = g;
	v->program = ir_is_program(g->m);
	bits_init(&v->gone, pta_nobjs(g->p) + 1);
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
		bits_set(&v->gone, pta_loc(g->p, l)->obj);
	find_kept(v);
	v->by = xcalloc(MAX(pta_nobjs(g->p), 1), sizeof(*v->by));
	for (uint32_t i = 0; i < v->releases.n; i++)
		SBITS_FOREACH(l, pta_points_to(g->p, v->releases.v[i].func, operand(v, &v->releases.v[i])))
			sbits_set(&v->by[pta_loc(g->p, l)->obj], i);
	if (!v->program)
		find_dropped(v);
	return v;
}

void vfg__orphans_free(struct vorphans *v)
{
	for (uint32_t i = 0; i < pta_nobjs(v->g->p); i++)
		sbits_release(&v->by[i]);
	free(v->by);
	bits_release(&v->gone);
	sbits_release(&v->kept);
	sbits_release(&v->out);
	vec_release(&v->releases);
	vec_release(&v->moved);
	vec_release(&v->dropped);
	free(v);
}

/* ---- one object ------------------------------------------------------- */

struct orphan {
	const struct vorphans *v;
	const struct vsource *src;
	struct sbits cells, holders;	/* members that hold it; heap objects that they are of */
	struct sbits setters;		/* functions that free it and fill the member */
};

/* Does the function make the holder, or store the object or another in the same member? */
static bool fills(const struct orphan *x, uint32_t func, uint32_t holder)
{
	const struct ir_func *f = &x->v->g->m->funcs.v[func];

	if (func == pta_obj(x->v->g->p, holder)->func || func == x->src->func)
		return true;
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_STORE && may_be_heap(x->v, func, f->insts[i].ops[1]))
			SBITS_FOREACH(to, pta_points_to(x->v->g->p, func, f->insts[i].ops[0]))
				if (sbits_test(&x->cells, to) && pta_loc(x->v->g->p, to)->obj == holder)
					return true;
	return false;
}

static bool fills_any(const struct orphan *x, uint32_t func)
{
	SBITS_FOREACH(h, &x->holders)
		if (fills(x, func, h))
			return true;
	return false;
}

/* Is null given to a setter somewhere?  It may be how the member is freed. */
static bool is_reset(const struct orphan *x, uint32_t setter)
{
	const struct vfg *g = x->v->g;

	for (uint32_t k = g->caller_row[setter]; k < g->caller_row[setter + 1]; k++) {
		const struct ir_inst *in = &g->m->funcs.v[g->callers[k].func].insts[g->callers[k].inst];

		for (uint32_t a = 1; a < in->nops; a++)
			if (in->ops[a] == IR_NULL)
				return true;
	}
	return false;
}

/* Does anybody free it but those who fill the member? */
static bool is_freed(struct orphan *x)
{
	SBITS_FOREACH(i, &x->v->by[x->src->obj]) {
		const struct release *r = &x->v->releases.v[i];

		if (!fills_any(x, r->func) || is_reset(x, r->func))
			return true;
		sbits_set(&x->setters, r->func);
	}
	return false;
}

/* Can a setter be called below the function? */
static bool calls_setter(const struct orphan *x, uint32_t func)
{
	const struct vfg *g = x->v->g;
	struct sbits seen = {0}, todo = {0};
	bool found = false;

	if (!x->setters.n)
		return false;
	sbits_set(&todo, func);
	while (todo.n && !found && sbits_count(&seen) < MAX_CALLED) {
		uint32_t f = sbits_next(&todo, 0);

		sbits_unset(&todo, f);
		sbits_set(&seen, f);
		found = sbits_test(&x->setters, f);
		for (uint32_t i = 0; !found && i < g->m->funcs.v[f].ninsts; i++) {
			struct pta_callees c;

			if (g->m->funcs.v[f].insts[i].op != IR_CALL)
				continue;
			pta_callees(g->p, f, i, &c);
			SBITS_FOREACH(callee, c.set)
				if (!sbits_test(&seen, callee))
					sbits_set(&todo, callee);
		}
	}
	found |= todo.n != 0;
	sbits_release(&seen);
	sbits_release(&todo);
	return found;
}

/* Points-to sets know no types: is it said to be such a thing where it is freed? */
static bool fits(const struct vorphans *v, const struct release *r, const struct pta_obj *holder)
{
	uint32_t to = pointed_to(v, r->func, operand(v, r));

	return to == ir_type_strip(v->g->m, holder->type) || v->g->m->types.v[to].kind == IR_T_VOID;
}

/* A release of the holder that leaves the object behind. */
static bool find_free(const struct orphan *x, uint32_t holder, struct vsite *at)
{
	const struct vorphans *v = x->v;

	SBITS_FOREACH(i, &v->by[holder]) {
		const struct release *r = &v->releases.v[i];
		bool given = false;

		SBITS_FOREACH(l, pta_points_to(v->g->p, r->func, operand(v, r)))
			given |= pta_loc(v->g->p, l)->obj == holder && !pta_loc(v->g->p, l)->off;
		if (given && fits(v, r, pta_obj(v->g->p, holder)) &&
		    !fills(x, r->func, holder) && !calls_setter(x, r->func)) {
			*at = (struct vsite){ r->func, r->inst };
			return true;
		}
	}
	return false;
}

/* Is the member handed on by anybody but those who fill it? */
static bool is_handed_on(const struct orphan *x, uint32_t holder, uint32_t type)
{
	const struct vorphans *v = x->v;

	SBITS_FOREACH(l, &x->cells)
		for (uint32_t i = 0; pta_loc(v->g->p, l)->obj == holder && i < v->moved.n; i++)
			if (v->moved.v[i].type == type && v->moved.v[i].off == pta_loc(v->g->p, l)->off &&
			    !fills(x, v->moved.v[i].func, holder))
				return true;
	return false;
}

/* The same where the holder goes out of the program and comes back. */
static bool find_drop(const struct orphan *x, uint32_t holder, struct vsite *at)
{
	const struct vorphans *v = x->v;
	const struct pta_obj *h = pta_obj(v->g->p, holder);
	uint32_t type = ir_type_strip(v->g->m, h->type);

	if (!sbits_test(&v->out, holder) || !type || h->collapsed || is_handed_on(x, holder, type))
		return false;
	for (uint32_t i = 0; i < v->dropped.n; i++) {
		const struct release *r = &v->releases.v[v->dropped.v[i].off];

		if (v->dropped.v[i].type == type && !fills(x, r->func, holder) && !calls_setter(x, r->func)) {
			*at = (struct vsite){ r->func, r->inst };
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

/* The members that hold it.  False: somebody holds it who is out of sight. */
static bool find_holders(struct orphan *x)
{
	const struct pta *p = x->v->g->p;

	SBITS_FOREACH(holder, &x->v->g->heap_holders[x->src->obj]) {
		const struct pta_obj *h = pta_obj(p, holder);

		if (is_cloned(x->v, h))
			continue;
		if (h->given || h->common || holder == x->src->obj)
			return false;
		sbits_set(&x->holders, holder);
		for (uint32_t l = h->first_loc; l != IR_NONE; l = pta_loc(p, l)->next)
			SBITS_FOREACH(to, pta_cell(p, l))
				if (pta_loc(p, to)->obj == x->src->obj)
					sbits_set(&x->cells, l);
	}
	return x->holders.n > 0;
}

bool vfg__is_orphan(const struct vorphans *v, const struct vsource *src, struct vsite *at)
{
	struct orphan x = { .v = v, .src = src };
	const struct pta_obj *o = pta_obj(v->g->p, src->obj);
	bool leaves = v->program && sbits_test(&v->out, src->obj);
	bool shared = bits_test(&v->gone, src->obj) || sbits_test(&v->kept, src->obj) ||
		      o->given || o->common;
	bool found = !shared && !leaves && find_holders(&x) && !is_freed(&x);

	SBITS_FOREACH(h, &x.holders)
		found = found && (find_free(&x, h, at) || (!v->program && find_drop(&x, h, at)));
	sbits_release(&x.cells);
	sbits_release(&x.holders);
	sbits_release(&x.setters);
	return found;
}
