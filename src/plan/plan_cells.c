/*
 * plan_cells.c - the cells of a function: what an address means, who can be reached from it, and
 * what a write leaves of what was known.
 */
#include "plan/priv.h"

#include "ir/expr.h"

/* ---- keys ---------------------------------------------------------------- */

bool sim_is_scalar(const struct plan_sim *s, uint32_t slot)
{
	const struct ir_slot *x = &s->f->slots[slot];

	return s->ssa->promoted[slot] ||
	       (x->size && x->size <= 8 && !(x->flags & IR_S_DYNAMIC) &&
		s->pl->m->types.v[ir_type_strip(s->pl->m, x->type)].kind != IR_T_STRUCT &&
		s->pl->m->types.v[ir_type_strip(s->pl->m, x->type)].kind != IR_T_UNION &&
		s->pl->m->types.v[ir_type_strip(s->pl->m, x->type)].kind != IR_T_ARRAY);
}

uint32_t sim_loc_key(const struct plan_sim *s, uint32_t loc)
{
	const struct pta_loc *l = pta_loc(s->pl->p, loc);
	const struct pta_obj *o = pta_obj(s->pl->p, l->obj);

	if (o->kind == PTA_SLOT && o->func == s->func && sim_is_scalar(s, o->index))
		return o->index;
	return sim_first_loc(s) + loc;
}

uint32_t sim_path_key(const struct plan_sim *s, uint32_t path)
{
	return sim_first_path(s) + path;
}

uint32_t sim_member_key(const struct plan_sim *s, uint32_t birth)
{
	return sim_first_path(s) + s->paths.n + birth;
}

uint32_t sim_keeper_key(const struct plan_sim *s)
{
	return sim_member_key(s, s->births.n);
}

/* The object of the points-to analysis that a cell of memory is in, or IR_NONE. */
uint32_t sim_key_object(const struct plan_sim *s, uint32_t key)
{
	uint32_t loc, member = key - sim_first_path(s) - s->paths.n;

	if (key >= sim_first_path(s))	/* a member of what a call returned? */
		return key < sim_first_path(s) + s->paths.n || member >= s->births.n
			       ? IR_NONE
			       : pta_heap_at(s->pl->p, s->func, s->births.v[member].inst, 0);
	if (key >= sim_first_loc(s))
		return pta_loc(s->pl->p, key - sim_first_loc(s))->obj;
	if (key >= s->f->nslots || s->ssa->promoted[key])
		return IR_NONE;
	if (s->slot_obj)
		return s->slot_obj[key];
	loc = pta_address(s->pl->p, s->func, IR_SLOT(key));
	return loc == IR_NONE ? IR_NONE : pta_loc(s->pl->p, loc)->obj;
}

bool sim_is_outside(const struct plan_sim *s, uint32_t obj)
{
	const struct pta_obj *o = pta_obj(s->pl->p, obj);

	if ((o->kind == PTA_SLOT || o->kind == PTA_HEAP) && o->func == s->func)
		return bits_test(&s->outside, obj);
	return true;
}

/* The base that members are taken of; *off grows by where they are. */
ir_ref sim_base(const struct plan_sim *s, ir_ref addr, int64_t *off)
{
	return plan_base(s->f, addr, off);
}

ir_ref plan_base(const struct ir_func *f, ir_ref addr, int64_t *off)
{
	const struct ir_inst *d;

	while ((d = ir_def(f, addr)) &&
	       (d->op == IR_FIELD || d->op == IR_COPY || (d->op == IR_CAST && d->sub == IR_CAST_BITCAST))) {
		if (d->op == IR_FIELD)
			*off += d->imm;
		addr = d->ops[0];
	}
	return addr;
}

static bool is_same_place(const struct ir_func *f, ir_ref a, ir_ref b, unsigned depth)
{
	const struct ir_inst *d = ir_def(f, a), *e = ir_def(f, b);
	int64_t i = 0, k = 0;

	if (a == b)
		return true;
	if (!d || !e || d->op != IR_LOAD || e->op != IR_LOAD || depth > 4)
		return false;
	a = plan_base(f, d->ops[0], &i);
	b = plan_base(f, e->ops[0], &k);
	return i == k && is_same_place(f, a, b, depth + 1);
}

bool plan_leads_to(const struct pta *p, const struct sbits *objs, const struct sbits *to)
{
	SBITS_FOREACH(o, objs)
		for (uint32_t l = pta_obj(p, o)->first_loc; l != IR_NONE; l = pta_loc(p, l)->next)
			if (pta_meets(p, pta_cell(p, l), to))
				return true;
	return false;
}

bool plan_stands_in(const struct pta *p, const struct pta_obj *o)
{
	const struct pta_wrapper *w = o->kind == PTA_HEAP ? pta_wrapper(p, o->func) : NULL;

	for (uint32_t i = 0; w && i < w->nouts; i++)
		for (uint32_t k = 0; k < w->out[i].n; k++)
			if (w->out[i].made[k].inst == o->index && w->out[i].made[k].nth == o->nth)
				return true;
	return false;
}

uint32_t plan_origins(const struct fix_planner *pl, uint32_t func, ir_ref r, ir_ref out[PLAN_MAX_ORIGINS])
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ssa *ssa = pta_ssa(pl->p, func);
	ir_ref todo[PLAN_MAX_ORIGINS];	/* all that were met */
	uint32_t met = 1, n = 0;

	todo[0] = pta_origin(pl->p, func, ssa_is_phi(ssa, r) ? r : expr_uncast(f, r));
	for (uint32_t i = 0; i < met; i++) {
		const struct ssa_phi *phi = ssa_is_phi(ssa, todo[i]) ? ssa_phi(ssa, todo[i]) : NULL;

		if (!phi)
			out[n++] = todo[i];
		for (uint32_t k = 0; phi && k < f->blocks[phi->block].npred; k++) {
			ir_ref one = pta_origin(pl->p, func, phi->args[k]);
			bool known = false;

			for (uint32_t j = 0; j < met; j++)
				known |= todo[j] == one;
			if (!known && met == PLAN_MAX_ORIGINS)
				return 0;
			if (!known)
				todo[met++] = one;
		}
	}
	return n;
}

bool plan_same_place(const struct ir_func *f, ir_ref a, ir_ref b)
{
	return is_same_place(f, a, b, 0);
}

bool plan_is_value_of(const struct ir_func *f, ir_ref r, uint32_t slot)
{
	const struct ir_inst *d = ir_def(f, expr_uncast(f, r));

	return d && d->op == IR_LOAD && d->ops[0] == IR_SLOT(slot);
}

const struct ir_inst *plan_root(const struct ir_func *f, ir_ref r)
{
	const struct ir_inst *d = ir_def(f, r);

	while (d && (d->op == IR_COPY || d->op == IR_CAST || d->op == IR_FIELD || d->op == IR_ELEM ||
		     d->op == IR_INDEX))
		d = ir_def(f, d->ops[0]);
	return d;
}

bool plan_comes_first(const struct ir_func *f, const struct ssa *s, uint32_t first, uint32_t then)
{
	uint32_t a = f->insts[first].block, b = f->insts[then].block;

	return a == b ? first < then : dom_dominates(&s->dom, a, b);
}

/* The path that an address, used by an instruction, is of: the variable still holds what was
 * read of it. */
uint32_t sim_path_at(const struct plan_sim *s, ir_ref addr, uint32_t inst)
{
	return sim_path_beyond(s, addr, 0, inst);
}

uint32_t sim_path_beyond(const struct plan_sim *s, ir_ref addr, int64_t off, uint32_t inst)
{
	const struct ir_inst *d = ir_def(s->f, sim_base(s, addr, &off));
	uint32_t load;

	if (!d || d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT || d->block != s->f->insts[inst].block)
		return IR_NONE;
	load = (uint32_t)(d - s->f->insts);
	for (uint32_t i = load; i < inst; i++)
		if (s->f->insts[i].op == IR_STORE && s->f->insts[i].ops[0] == d->ops[0])
			return IR_NONE;
	for (uint32_t i = 0; i < s->paths.n; i++)
		if (s->paths.v[i].slot == IR_IDX(d->ops[0]) && s->paths.v[i].off == off)
			return sim_path_key(s, i);
	return IR_NONE;
}

uint32_t sim_exact(const struct plan_sim *s, ir_ref addr, int64_t off)
{
	uint32_t loc;

	addr = sim_base(s, addr, &off);
	if (IR_KIND(addr) != IR_R_SLOT)
		return IR_NONE;
	if (s->f->slots[IR_IDX(addr)].flags & IR_S_DYNAMIC)
		return IR_NONE;
	if (s->ssa->promoted[IR_IDX(addr)])
		return off ? IR_NONE : IR_IDX(addr);
	loc = pta_address(s->pl->p, s->func, addr);
	if (loc == IR_NONE || sim_is_outside(s, pta_loc(s->pl->p, loc)->obj))
		return IR_NONE;
	if (sim_is_scalar(s, IR_IDX(addr)))
		return off ? IR_NONE : IR_IDX(addr);
	if (pta_obj(s->pl->p, pta_loc(s->pl->p, loc)->obj)->collapsed ||
	    (loc = pta_loc_at(s->pl->p, loc, off)) == IR_NONE || (int64_t)pta_loc(s->pl->p, loc)->off != off)
		return IR_NONE;
	return sim_first_loc(s) + loc;
}

uint32_t sim_exact_now(const struct plan_sim *sim, const struct plan_state *s, ir_ref addr)
{
	uint32_t key = sim_exact(sim, addr, 0);
	const struct pta_obj *o;
	struct plan_val v;
	int64_t off = 0;

	if (key != IR_NONE)
		return key;
	v = sim_val(sim, s, sim_base(sim, addr, &off));
	if (v.kind != PVAL_OTHER || !v.birth || v.lo)
		return IR_NONE;
	o = pta_obj(sim->pl->p, pta_loc(sim->pl->p, v.birth - 1)->obj);
	if (o->kind != PTA_SLOT || o->func != sim->func)
		return IR_NONE;
	return sim_exact(sim, IR_SLOT(o->index), off + (int64_t)pta_loc(sim->pl->p, v.birth - 1)->off);
}

/* ---- values -------------------------------------------------------------- */

enum plan_hold sim_hold(const struct plan_sim *sim, const struct plan_state *s, ir_ref r)
{
	if (s->phase == PHASE_BEFORE || IR_KIND(r) != IR_R_VREG)
		return HOLD_NO;
	return pstate_hold(s, sim_vreg_key(sim, IR_IDX(r)));
}

struct plan_val sim_val(const struct plan_sim *sim, const struct plan_state *s, ir_ref r)
{
	uint32_t loc;

	switch (IR_KIND(r)) {
	case IR_R_VREG:
		return pstate_val(s, sim_vreg_key(sim, IR_IDX(r)));
	case IR_R_INT:
		return pval_int(ir_int_value(sim->pl->m, r));
	case IR_R_SPECIAL:
		if (r == IR_NULL)
			return pval_int(0);
		return r == IR_UNDEF ? (struct plan_val){ .kind = PVAL_UNDEF } : pval_any();
	case IR_R_FUNC:
		return (struct plan_val){ .kind = PVAL_OTHER, .birth = IR_IDX(r) + 1, .lo = 1 };
	case IR_R_SLOT:
		loc = sim->ssa->promoted[IR_IDX(r)] ? IR_NONE : pta_address(sim->pl->p, sim->func, r);
		return (struct plan_val){ .kind = PVAL_OTHER, .birth = loc == IR_NONE ? 0 : loc + 1 };
	case IR_R_GLOBAL:
	case IR_R_ADDR:
		return (struct plan_val){ .kind = PVAL_OTHER };
	}
	return pval_any();
}

void sim_set_vreg(const struct plan_sim *sim, struct plan_state *s, const struct ir_inst *in,
		  enum plan_hold h, struct plan_val v)
{
	if (in->res != IR_NONE)
		pstate_set(s, sim_vreg_key(sim, in->res), s->phase == PHASE_BEFORE ? HOLD_NO : h, v);
}

/* Is it the object of a variable, or does that lead to it? */
static bool is_behind(const struct plan_sim *sim, uint32_t variable, uint32_t obj)
{
	const struct pta *p = sim->pl->p;

	if (variable == IR_NONE || variable == obj)
		return variable != IR_NONE;
	for (uint32_t l = pta_obj(p, variable)->first_loc; l != IR_NONE; l = pta_loc(p, l)->next)
		if (bits_test(closure_of(sim->pl->closure, pta_cell(p, l)), obj))
			return true;
	return false;
}

bool sim_reaches(const struct plan_sim *sim, const struct plan_state *s, ir_ref r)
{
	const struct bits *objs = NULL;
	bool found = false;
	int64_t off = 0;
	uint32_t own;
	ir_ref base;

	if (s->phase == PHASE_BEFORE || pval_decide(sim_val(sim, s, r), IR_P_EQ, 0) == 1)
		return false;
	base = sim_base(sim, r, &off);
	own = IR_KIND(base) == IR_R_SLOT ? sim_key_object(sim, IR_IDX(base))
					 : IR_NONE; /* `&x` need not be in the sets */
	for (uint32_t i = 0; i < s->n && !found; i++) {
		const struct plan_path *q = sim_key_path(sim, s->cells[i].key);
		const struct plan_path *via =
			s->cells[i].via ? sim_key_path(sim, (uint32_t)s->cells[i].via) : NULL;
		uint32_t o = sim_key_object(sim, s->cells[i].key);

		if (s->cells[i].hold == HOLD_NO || (o == IR_NONE && !(q && sim_is_alone(q))))
			continue;
		if (via && via->out == IR_NONE && sim_is_own(sim, s, via->slot)) {
			found = sim_reaches_own(sim, s, r, via->slot);
			continue;
		}
		if (!objs)
			objs = closure_of(sim->pl->closure, pta_points_to(sim->pl->p, sim->func, r));
		found = o != IR_NONE && (bits_test(objs, o) || is_behind(sim, own, o));
		if (q)
			SBITS_FOREACH(l, &q->locs)
				found |= bits_test(objs, pta_loc(sim->pl->p, l)->obj);
	}
	return found;
}

void sim_escape(struct plan_sim *sim, struct plan_state *s, uint32_t inst)
{
	s->doubt |= DOUBT_ESCAPED;
	if (sim->nodes.n &&
	    !(sim->context && sim->context->strict)) /* that would count for all states after a call */
		sim_touch(&sim->nodes.v[sim->now], s);
	if (sim->escaped_at == IR_NONE)
		sim->escaped_at = inst;
}

/* What is known of the memory of a path no longer holds. */
void sim_drop_path(struct plan_sim *sim, struct plan_state *s, uint32_t key, uint32_t inst)
{
	if (pstate_hold(s, key) != HOLD_NO && sim_is_alone(sim_key_path(sim, key)))
		sim_escape(sim, s, inst);
	pstate_set(s, key, HOLD_NO, pval_any());
	for (uint32_t i = 0; i < s->n; i++)
		if (s->cells[i].via == key)
			s->cells[i].via = 0;
}

/* Paths whose memory a write to these locs may change; the one with key `but` is left. */
void sim_drop_paths(struct plan_sim *sim, struct plan_state *s, const struct sbits *locs, uint32_t but,
		    uint32_t inst)
{
	for (uint32_t i = s->n; i-- > 0 && s->cells[i].key >= sim_first_path(sim);) {
		const struct plan_path *q = sim_key_path(sim, s->cells[i].key),
				       *b = but == IR_NONE ? NULL : sim_key_path(sim, but);

		if (q && s->cells[i].key != but && !(b && b->slot == q->slot) &&
		    sbits_intersects(locs, &q->locs))
			sim_drop_path(sim, s, s->cells[i].key, inst);
	}
}

void sim_drop_freed(struct plan_sim *sim, struct plan_state *s, const struct sbits *objs, uint32_t inst)
{
	for (uint32_t i = s->n; i-- > 0 && s->cells[i].key >= sim_first_path(sim);) {
		const struct plan_path *q = sim_key_path(sim, s->cells[i].key);

		if (q && pta_meets(sim->pl->p, &q->locs, objs))
			sim_drop_path(sim, s, s->cells[i].key, inst);
	}
}

void sim_blur(struct plan_sim *sim, struct plan_state *s, const struct sbits *locs)
{
	sim_drop_paths(sim, s, locs, IR_NONE, IR_NONE);
	for (uint32_t i = 0; i < s->n;) {
		struct plan_cell *c = &s->cells[i];
		uint32_t n = s->n, obj = sim_key_object(sim, c->key);
		bool hit = false;

		if (obj != IR_NONE && c->key < sim_first_loc(sim)) {
			for (uint32_t l = pta_obj(sim->pl->p, obj)->first_loc; l != IR_NONE && !hit;
			     l = pta_loc(sim->pl->p, l)->next)
				hit = sbits_test(locs, l);
		} else if (obj != IR_NONE && c->key < sim_first_path(sim)) {
			hit = sbits_test(locs, c->key - sim_first_loc(sim));
		}
		if (hit)
			pstate_set(s, c->key, MIN((enum plan_hold)c->hold, HOLD_MAY), pval_any());
		i += s->n == n;
	}
}
