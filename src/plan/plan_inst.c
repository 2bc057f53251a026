/*
 * plan_inst.c - what each instruction but a call does to a state.
 */
#include "plan/priv.h"

#include "ir/expr.h"

/* ---- instructions -------------------------------------------------------- */

void sim_touch(struct plan_node *n, const struct plan_state *s)
{
	if (s->phase != PHASE_BEFORE)
		n->touches = true;
}

bool sim_is_whole(const struct plan_sim *sim, uint32_t key, const struct ir_inst *in)
{
	return key >= sim->f->nslots || !sim->f->slots[key].size || sim->f->slots[key].size * 8 == in->bits ||
	       (in->bits == 1 && sim->f->slots[key].size == 1) ||	/* a _Bool */
	       (in->cls == IR_C_PTR && sim->f->slots[key].size == 8);
}

/* Memory behind this variable is accessed: if control gets on, it is not null. */
static void is_dereferenced(struct plan_sim *sim, struct plan_state *s, ir_ref addr)
{
	int64_t off = 0;
	const struct ir_inst *d = ir_def(sim->f, sim_base(sim, addr, &off));
	struct plan_val v;
	uint32_t slot;

	if (!d || d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT ||
	    !sim->ssa->promoted[IR_IDX(d->ops[0])] || off < 0 || off > 4095)
		return;
	slot = IR_IDX(d->ops[0]);
	if (!sim_keeps(sim, slot))
		return;
	v = pstate_val(s, slot);
	if (pval_refine(&v, IR_P_NE, 0))
		pstate_set(s, slot, pstate_hold(s, slot), v);
	if (s->phase != PHASE_BEFORE && pstate_hold(s, slot) == HOLD_MUST)
		s->nonnull = 1;
}

/* Is the cell, if it is one of memory, among these locs? */
static bool is_at(const struct plan_sim *sim, const struct plan_cell *c, const struct sbits *locs)
{
	uint32_t obj;

	if (c->key >= sim_first_loc(sim))
		return c->key < sim_first_path(sim) && sbits_test(locs, c->key - sim_first_loc(sim));
	obj = sim_key_object(sim, c->key);
	for (uint32_t l = obj == IR_NONE ? IR_NONE : pta_obj(sim->pl->p, obj)->first_loc; l != IR_NONE;
	     l = pta_loc(sim->pl->p, l)->next)
		if (sbits_test(locs, l))
			return true;
	return false;
}

/* May one of these locs hold the object?  States are shorter than points-to sets. */
static bool may_hold(const struct plan_sim *sim, const struct plan_state *s, const struct sbits *locs)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->cells[i].hold != HOLD_NO && is_at(sim, &s->cells[i], locs))
			return true;
	return false;
}

/* Are there pointers into it in plain memory that a library makes, as in that of backtrace_symbols()? */
static bool leads_into_itself(const struct fix_planner *pl, const struct pta_obj *x)
{
	const struct model *md = x->root != IR_NONE ? pta_model(pl->p, x->root) : NULL;

	for (unsigned i = 0; md && i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		if (e->kind == MODEL_E_SET && e->place.base == MODEL_RETURN && e->place.nsteps &&
		    e->value.kind == MODEL_V_INTO && e->value.place.base == MODEL_RETURN)
			return true;
	}
	return false;
}

/* Is it the object, or in it, and has a library made that, and filled it?  The pointers that it has put
 * there lead to what is released with the object: `ai->ai_addr`, `g.gl_pathv[0]`.  What is plain memory to
 * its model has nothing in it but what the program puts there. */
static bool is_of_library(const struct plan_sim *sim, const struct plan_state *s, ir_ref addr)
{
	struct sbits objs = {0};
	bool is = false;

	if (s->phase != PHASE_ALIVE || sim_hold(sim, s, addr) == HOLD_NO)
		return false;
	pta_add_objs(sim->pl->p, pta_points_to(sim->pl->p, sim->func, addr), &objs);
	SBITS_FOREACH(o, &objs) {
		const struct pta_obj *x = pta_obj(sim->pl->p, o);

		is |= x->kind == PTA_HEAP && x->effect &&
		      (!resource_is_memory(x->effect->value.resource) || leads_into_itself(sim->pl, x));
	}
	sbits_release(&objs);
	return is;
}

/* Is such a pointer read, that nobody in the program has stored there?  Then it is not in the sets, or it
 * leads into what it was read from. */
static bool reads_of_library(const struct plan_sim *sim, const struct plan_state *s,
			     const struct ir_inst *load)
{
	const struct sbits *to = pta_points_to(sim->pl->p, sim->func, IR_VREG(load->res));

	return load->cls == IR_C_PTR &&
	       (!to->n || sbits_subset(to, pta_points_to(sim->pl->p, sim->func, load->ops[0]))) &&
	       is_of_library(sim, s, load->ops[0]);
}

static void do_load(struct plan_sim *sim, struct plan_node *n, const struct ir_inst *in, struct plan_state *s)
{
	ir_ref bytes = effects_bytes(sim->pl, sim->func, in);
	uint32_t key = sim_exact_now(sim, s, in->ops[0]);
	uint32_t path =
		key == IR_NONE ? sim_path_at(sim, in->ops[0], (uint32_t)(in - sim->f->insts)) : IR_NONE;
	enum plan_hold h = HOLD_NO;
	int64_t off = 0;
	ir_ref base = sim_base(sim, in->ops[0], &off);

	if (IR_KIND(base) == IR_R_SLOT && bits_test(&sim->wholes, IR_IDX(base)))
		sim_touch(n, s);
	if (key != IR_NONE) {
		bool whole = sim_is_whole(sim, key, in) && !(in->flags & IR_F_VOLATILE);

		h = pstate_hold(s, key);
		if (h != HOLD_NO && !(sim->context && sim->context->strict))
			sim_touch(n, s); /* once it is released, not even the pointer itself may be copied */
		sim_set_vreg(sim, s, in, whole ? h : MIN(h, HOLD_MAY),
			     whole ? pstate_val(s, key) : pval_any());
		return;
	}
	if (sim_hold(sim, s, in->ops[0]) != HOLD_NO)
		sim_touch(n, s);
	is_dereferenced(sim, s, in->ops[0]);
	if (s->phase != PHASE_BEFORE && may_hold(sim, s, pta_points_to(sim->pl->p, sim->func, in->ops[0])))
		h = HOLD_MAY;
	if (reads_of_library(sim, s, in))
		h = HOLD_MAY;
	if (bytes != IR_UNDEF && sim_reaches(sim, s, bytes))	/* byte by byte a pointer gets anywhere */
		sim_escape(sim, s, (uint32_t)(in - sim->f->insts));
	if (path != IR_NONE && pstate_hold(s, path) != HOLD_NO)
		h = in->flags & IR_F_VOLATILE ? HOLD_MAY : pstate_hold(s, path);
	sim_set_vreg(sim, s, in, h,
		     path == IR_NONE || in->flags & IR_F_VOLATILE ? pval_any() : pstate_val(s, path));
}

/* What others can see gets a pointer to the object, or to memory that leads to it. */
bool sim_leads_to(const struct plan_sim *sim, const struct plan_state *s, ir_ref v)
{
	return sim_hold(sim, s, v) != HOLD_NO || sim_reaches(sim, s, v);
}

/* own: the memory is of an object that nobody else has seen.
 *
 * A loc stands for the memory of many objects, so that a store only adds to who may be held
 * there.  But the object is one: if it got to the loc by a store to a path alone, and that path
 * is known to hold it up to now (held), it is gone from there when something else is stored. */
static void weak_store(struct plan_sim *sim, struct plan_state *s, uint32_t inst, const struct sbits *pts,
		       ir_ref v, bool own, uint32_t path, bool held)
{
	enum plan_hold h = sim_hold(sim, s, v);
	struct plan_val val = sim_val(sim, s, v);
	bool outside =
		!sbits_count(pts); /* memory that has no name: its type was guessed wrong, too small */

	SBITS_FOREACH(l, pts) {
		uint32_t key = sim_loc_key(sim, l);
		enum plan_hold old = pstate_hold(s, key);
		bool alone = own && (old == HOLD_NO || (held && pstate_find(s, key)->via == path));

		if (!own && sim_is_outside(sim, pta_loc(sim->pl->p, l)->obj)) {
			outside = true;
			continue;
		}
		if (h == HOLD_NO && old == HOLD_NO && !pstate_find(s, key))
			continue;
		if (h == HOLD_NO && alone)
			old = HOLD_NO;
		pstate_set(s, key,
			   h == HOLD_MUST && old == HOLD_MUST ? HOLD_MUST
			   : h != HOLD_NO || old != HOLD_NO   ? HOLD_MAY
							      : HOLD_NO,
			   pval_join(pstate_val(s, key), val));
		if (h != HOLD_NO && alone)
			pstate_set_via(s, key, path);
	}
	if (outside && sim->f->insts[inst].cls == IR_C_PTR)
		sim_show(sim, s, v, inst);
	else if (outside && sim_leads_to(sim, s, v))
		sim_escape(sim, s, inst);
}

bool sim_keeps(const struct plan_sim *sim, uint32_t key)
{
	return key >= sim->f->nslots || bits_test(&sim->cand, key) || bits_test(&sim->asked, key);
}

static bool returns_zeroed(struct fix_planner *pl, uint32_t func);

/* Is it what a call has made, full of zeros? */
static bool is_zeroed(struct fix_planner *pl, const struct ir_func *f, ir_ref v)
{
	const struct ir_inst *d = ir_def(f, expr_uncast(f, v));
	const struct ir_func *g = d && d->op == IR_CALL ? ir_callee(pl->m, d) : NULL;
	uint32_t callee = g ? (uint32_t)(g - pl->m->funcs.v) : IR_NONE;
	const struct model_effect *e =
		g && pta_model(pl->p, callee) ? model_allocates(pta_model(pl->p, callee)) : NULL;

	return e ? e->value.zeroed : g && !ir_is_decl(g) && returns_zeroed(pl, callee);
}

/* The same of all that a value may be: 1, null aside; of some of it: 0; of none: -1. */
static int how_zeroed(struct fix_planner *pl, uint32_t func, ir_ref v)
{
	ir_ref from[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(pl, func, v, from), zeroed = 0, others = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool is = from[i] != IR_NULL && is_zeroed(pl, &pl->m->funcs.v[func], from[i]);

		zeroed += is;
		others += !is && from[i] != IR_NULL;
	}
	return !n ? 0 : !zeroed ? -1 : !others;
}

/* Does the function do no more than get such memory for its caller, as xcalloc() does?  It writes to no
 * memory, gives no call a pointer to it, and returns nothing else. */
static bool is_all_zeroed(struct fix_planner *pl, uint32_t func)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	bool any = false;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op == IR_MEMCPY || in->op == IR_MEMSET || in->op == IR_ASM ||
		    (in->op == IR_STORE && IR_KIND(in->ops[0]) != IR_R_SLOT) ||
		    (in->op == IR_RET && how_zeroed(pl, func, in->ops[0]) != 1))
			return false;
		any |= in->op == IR_RET;
		for (uint32_t k = 1; k < in->nops && in->op == IR_CALL && !(in->flags & IR_F_NORETURN); k++)
			if (pta_points_to(pl->p, func, in->ops[k])->n &&
			    how_zeroed(pl, func, in->ops[k]) != -1)
				return false;
	}
	return any;
}

static bool returns_zeroed(struct fix_planner *pl, uint32_t func)
{
	enum { YES = 1, NO = 2 };

	if (!pl->zeroed)
		pl->zeroed = arena_array(&pl->arena, uint8_t, MAX(pl->m->funcs.n, 1));
	if (!pl->zeroed[func]) {
		pl->zeroed[func] = NO;	/* if it is asked for in turn */
		if (pl->m->funcs.v[func].ret_cls == IR_C_PTR && is_all_zeroed(pl, func))
			pl->zeroed[func] = YES;
	}
	return pl->zeroed[func] == YES;
}

/* What a call returned gets into a variable: then its members are known by that. */
static void take_member(struct plan_sim *sim, struct plan_state *s, ir_ref v, uint32_t path)
{
	const struct ir_inst *d = ir_def(sim->f, v);

	while (d && (d->op == IR_COPY || (d->op == IR_CAST && d->sub == IR_CAST_BITCAST)))
		d = ir_def(sim->f, d->ops[0]);
	for (uint32_t i = 0; d && d->op == IR_CALL && i < sim->births.n; i++) {
		const struct plan_birth *b = &sim->births.v[i];
		uint32_t key = sim_member_key(sim, i);

		if (&sim->f->insts[b->inst] != d || !b->rows || b->rows->out[b->out].param != IR_NONE ||
		    b->rows->out[b->out].off != sim->paths.v[path].off)
			continue;
		pstate_set(s, sim_path_key(sim, path),
			   pstate_hold(s, key) == HOLD_MUST ? HOLD_MUST : HOLD_NO, pstate_val(s, key));
		if (pstate_hold(s, key) == HOLD_MUST)
			pstate_set_via(s, key, sim_path_key(sim, path));
	}
}

/* Something else is stored to the member that is known by this path. */
static void leave_member(const struct plan_sim *sim, struct plan_state *s, uint32_t path)
{
	for (uint32_t i = 0; i < sim->births.n; i++) {
		const struct plan_cell *c = pstate_find(s, sim_member_key(sim, i));

		if (c && c->via == path)
			pstate_set(s, c->key, HOLD_NO, pval_any());
	}
}

/* The object was in a member of what the variable pointed to, which nothing else leads to: it is there no
 * more. */
static void lose_members(const struct plan_sim *sim, struct plan_state *s, uint32_t inst, uint32_t slot)
{
	bool asked = false;

	for (uint32_t i = s->n; i-- > 0;) {
		const struct plan_path *q = s->cells[i].via && s->cells[i].hold != HOLD_NO
						    ? sim_key_path(sim, (uint32_t)s->cells[i].via)
						    : NULL;

		if (!q || q->slot != slot || q->out != IR_NONE)
			continue;
		if (!asked && !sole_is_lost(sim, s, inst, slot))
			return;
		asked = true;
		pstate_set(s, s->cells[i].key, HOLD_NO, pval_any());
	}
}

/* The variable points elsewhere from now on; all is null behind it if calloc made that. */
static void redirect(struct plan_sim *sim, struct plan_state *s, uint32_t inst, uint32_t slot)
{
	bool zero = is_zeroed(sim->pl, sim->f, sim->f->insts[inst].ops[1]);

	if (s->phase == PHASE_ALIVE)
		lose_members(sim, s, inst, slot);
	for (uint32_t i = 0; i < sim->paths.n; i++) {
		if (sim->paths.v[i].slot != slot || sim->paths.v[i].param != IR_NONE)
			continue;	/* that of a parameter is set once, when the function begins */
		sim_drop_path(sim, s, sim_path_key(sim, i), inst);
		if (zero)
			pstate_set(s, sim_path_key(sim, i), HOLD_NO, pval_int(0));
		take_member(sim, s, sim->f->insts[inst].ops[1], i);
	}
}

/* A store through a variable: its memory is known by that from now on.  True: nobody else need
 * know of it. */
static bool path_store(struct plan_sim *sim, struct plan_state *s, uint32_t inst, uint32_t path)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	enum plan_hold h = sim_hold(sim, s, in->ops[1]);
	bool out = sim_is_alone(sim_key_path(sim, path));

	if (in->flags & (IR_F_VOLATILE | IR_F_MAYBE)) {
		sim_drop_path(sim, s, path, inst);
		return false;
	}
	pstate_set(s, path, out || h == HOLD_MUST ? h : HOLD_NO, sim_val(sim, s, in->ops[1]));
	return out && !sim_reaches(sim, s, in->ops[1]);
}

/* A variable is set: what was known of it as memory behind another one no longer holds. */
static void drop_names(struct plan_sim *sim, struct plan_state *s, uint32_t key, uint32_t inst)
{
	uint32_t obj = sim_key_object(sim, key);
	struct sbits locs = {0};

	if (obj == IR_NONE)
		return;
	for (uint32_t l = pta_obj(sim->pl->p, obj)->first_loc; l != IR_NONE; l = pta_loc(sim->pl->p, l)->next)
		sbits_set(&locs, l);
	sim_drop_paths(sim, s, &locs, IR_NONE, inst);
	sbits_release(&locs);
}

/* What is known of a value that is put into a variable. */
static struct plan_val stored_val(const struct plan_sim *sim, const struct plan_state *s, uint32_t inst)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	struct plan_val v = sim_val(sim, s, in->ops[1]);

	if (v.kind == PVAL_ANY && in->cls == IR_C_INT && compare_not_null(sim, inst, in->ops[1]))
		v = (struct plan_val){ .kind = PVAL_NOT };
	return v;
}

static void do_store(struct plan_sim *sim, struct plan_node *n, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	uint32_t key = sim_exact_now(sim, s, in->ops[0]);
	uint32_t path = key == IR_NONE ? sim_path_at(sim, in->ops[0], inst) : IR_NONE;
	enum plan_hold h = sim_hold(sim, s, in->ops[1]);
	bool held;

	if (sim_hold(sim, s, in->ops[0]) != HOLD_NO)
		sim_touch(n, s);
	if (key != IR_NONE && !(in->flags & IR_F_MAYBE)) {
		bool whole = sim_is_whole(sim, key, in) && !(in->flags & IR_F_VOLATILE);

		if (key < sim->f->nslots)
			redirect(sim, s, inst, key);
		drop_names(sim, s, key, inst);
		pstate_set(s, key, whole ? h : MAX(MIN(h, HOLD_MAY), MIN(pstate_hold(s, key), HOLD_MAY)),
			  whole && sim_keeps(sim, key) ? stored_val(sim, s, inst) : pval_any());
		return;
	}
	is_dereferenced(sim, s, in->ops[0]);
	sim_drop_paths(sim, s, pta_points_to(sim->pl->p, sim->func, in->ops[0]), path, inst);
	held = path != IR_NONE && pstate_hold(s, path) == HOLD_MUST &&
	       !(in->flags & (IR_F_VOLATILE | IR_F_MAYBE));
	if (held && sim_is_own(sim, s, sim_key_path(sim, path)->slot))
		leave_member(sim, s, path);
	if (path != IR_NONE && path_store(sim, s, inst, path))
		return;
	weak_store(sim, s, inst, pta_points_to(sim->pl->p, sim->func, in->ops[0]), in->ops[1],
		   path != IR_NONE && sim_is_own(sim, s, sim_key_path(sim, path)->slot), path, held);
}

/* One struct variable is assigned to another: member by member.  False: it is not that. */
static bool copy_struct(struct plan_sim *sim, struct plan_state *s, const struct ir_inst *in)
{
	uint32_t dst, src, kept = 0;
	const struct pta_obj *d, *r;
	struct plan_state old;

	if (IR_KIND(in->ops[0]) != IR_R_SLOT || IR_KIND(in->ops[1]) != IR_R_SLOT ||
	    IR_KIND(in->ops[2]) != IR_R_INT || sim->ssa->promoted[IR_IDX(in->ops[0])] ||
	    sim->ssa->promoted[IR_IDX(in->ops[1])] ||
	    sim->f->slots[IR_IDX(in->ops[0])].size != (uint64_t)ir_int_value(sim->pl->m, in->ops[2]) ||
	    sim->f->slots[IR_IDX(in->ops[0])].size != sim->f->slots[IR_IDX(in->ops[1])].size ||
	    sim_is_scalar(sim, IR_IDX(in->ops[0])) || sim_is_scalar(sim, IR_IDX(in->ops[1])))
		return false;
	dst = pta_address(sim->pl->p, sim->func, in->ops[0]);
	src = pta_address(sim->pl->p, sim->func, in->ops[1]);
	if (dst == IR_NONE || src == IR_NONE)
		return false;
	d = pta_obj(sim->pl->p, pta_loc(sim->pl->p, dst)->obj);
	r = pta_obj(sim->pl->p, pta_loc(sim->pl->p, src)->obj);
	if (d == r || d->collapsed || r->collapsed || sim_is_outside(sim, pta_loc(sim->pl->p, dst)->obj) ||
	    sim_is_outside(sim, pta_loc(sim->pl->p, src)->obj))
		return false;
	pstate_copy(&old, s);
	for (uint32_t l = d->first_loc; l != IR_NONE; l = pta_loc(sim->pl->p, l)->next)
		pstate_set(s, sim_first_loc(sim) + l, HOLD_NO, pval_any());
	for (uint32_t l = r->first_loc; l != IR_NONE; l = pta_loc(sim->pl->p, l)->next) {
		const struct plan_cell *c = pstate_find(&old, sim_first_loc(sim) + l);
		uint32_t to = pta_loc_at(sim->pl->p, dst, pta_loc(sim->pl->p, l)->off);

		if (!c)
			continue;
		if (to == IR_NONE) {	/* the analysis saw no pointer get there: stay with what it knows */
			kept++;
			continue;
		}
		pstate_set(s, sim_first_loc(sim) + to, (enum plan_hold)c->hold, c->val);
	}
	if (kept) {
		pstate_release(s);
		*s = old;
		return false;
	}
	pstate_release(&old);
	return true;
}

/* All of the objects that an address may lead to. */
static void whole_objects(const struct plan_sim *sim, ir_ref addr, struct sbits *out)
{
	const struct pta *p = sim->pl->p;
	uint32_t loc = IR_KIND(addr) == IR_R_SLOT ? pta_address(p, sim->func, addr) : IR_NONE;
	struct sbits objs = {0};

	if (loc != IR_NONE)
		sbits_set(&objs, pta_loc(p, loc)->obj);
	else
		pta_add_objs(p, pta_points_to(p, sim->func, addr), &objs);
	SBITS_FOREACH(o, &objs)
		for (uint32_t k = pta_obj(p, o)->first_loc; k != IR_NONE; k = pta_loc(p, k)->next)
			sbits_set(out, k);
	sbits_release(&objs);
}

/* Pointers to what nobody has been shown may be among what is copied to where others see it. */
static void show_copied(struct plan_sim *sim, struct plan_state *s, uint32_t inst, const struct sbits *to)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	uint32_t doubt = s->doubt, at = sim->escaped_at;
	bool outside = !to->n;

	SBITS_FOREACH(l, to)
		outside |= sim_is_outside(sim, pta_loc(sim->pl->p, l)->obj);
	if (in->op != IR_MEMCPY || !outside || !sim_leads_to_own(sim, s, in->ops[1]))
		return;
	sim_show(sim, s, in->ops[1], inst);
	s->doubt = doubt;
	sim->escaped_at = at;
}

static void do_memcpy(struct plan_sim *sim, struct plan_node *n, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	struct sbits all = {0};
	bool held = false;

	if (in->op == IR_MEMCPY && copy_struct(sim, s, in))
		return;
	if (sim_hold(sim, s, in->ops[0]) != HOLD_NO || sim_hold(sim, s, in->ops[1]) != HOLD_NO)
		sim_touch(n, s);
	held = sim_reaches(sim, s, in->ops[1]) || (in->op == IR_MEMCPY && is_of_library(sim, s, in->ops[1]));
	whole_objects(sim, in->ops[0], &all);
	show_copied(sim, s, inst, &all);
	sim_blur(sim, s, &all);
	if (held && !all.n)
		sim_escape(sim, s, inst);
	if (held)
		SBITS_FOREACH(l, &all) {
			if (sim_is_outside(sim, pta_loc(sim->pl->p, l)->obj))
				sim_escape(sim, s, inst);
			else
				pstate_set(s, sim_loc_key(sim, l), HOLD_MAY, pval_any());
		}
	sbits_release(&all);
}

/* memset(&x, 0, sizeof(x)) makes all members null. */
static void do_memset(struct plan_sim *sim, struct plan_node *n, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	struct sbits all = {0};
	bool whole = IR_KIND(in->ops[0]) == IR_R_SLOT && !sim->ssa->promoted[IR_IDX(in->ops[0])] &&
		     IR_KIND(in->ops[1]) == IR_R_INT && ir_int_value(sim->pl->m, in->ops[1]) == 0 &&
		     IR_KIND(in->ops[2]) == IR_R_INT && sim->f->slots[IR_IDX(in->ops[0])].size &&
		     (uint64_t)ir_int_value(sim->pl->m, in->ops[2]) >= sim->f->slots[IR_IDX(in->ops[0])].size;

	if (sim_hold(sim, s, in->ops[0]) != HOLD_NO)
		sim_touch(n, s);
	whole_objects(sim, in->ops[0], &all);
	sim_blur(sim, s, &all);
	if (whole)
		SBITS_FOREACH(l, &all)
	if (!sim_is_outside(sim, pta_loc(sim->pl->p, l)->obj) &&
	    !pta_obj(sim->pl->p, pta_loc(sim->pl->p, l)->obj)->collapsed)
		pstate_set(s, sim_loc_key(sim, l), HOLD_NO, pval_int(0));
	sbits_release(&all);
}

static struct plan_val cast_val(const struct ir_inst *in, struct plan_val v)
{
	int64_t max;

	switch ((enum ir_cast)in->sub) {
	case IR_CAST_BITCAST:
	case IR_CAST_SEXT:
	case IR_CAST_INTTOPTR:
	case IR_CAST_PTRTOINT:
		return v.kind == PVAL_RANGE || in->sub == IR_CAST_BITCAST ? v : pval_any();
	case IR_CAST_ZEXT:
		if (in->from == 1 && v.kind == PVAL_RANGE && v.lo == -1 && v.hi == -1)	/* true */
			return pval_int(1);
		if (in->from == 1 && (v.kind != PVAL_RANGE || v.lo < 0))
			return pval_range(0, 1);
		return v.kind == PVAL_RANGE && v.lo >= 0 ? v : pval_any();
	case IR_CAST_TRUNC:
		if (in->bits == 0 || in->bits > 62)
			return pval_any();
		max = in->bits == 1 ? 1 : (INT64_C(1) << (in->bits - 1)) - 1;
		return v.kind == PVAL_RANGE && v.lo >= 0 && v.hi <= max ? v : pval_any();
	default:
		return pval_any();
	}
}

static void do_cmp(struct plan_sim *sim, struct plan_node *n, const struct ir_inst *in, struct plan_state *s)
{
	struct plan_val a = sim_val(sim, s, in->ops[0]), b = sim_val(sim, s, in->ops[1]);
	int d = -1;

	if (sim_hold(sim, s, in->ops[0]) != HOLD_NO || sim_hold(sim, s, in->ops[1]) != HOLD_NO)
		sim_touch(n, s);
	if (b.kind == PVAL_RANGE && b.lo == b.hi) {
		if (sim_hold(sim, s, in->ops[0]) == HOLD_MUST && s->nonnull && b.lo == 0 &&
		    (in->sub == IR_P_EQ || in->sub == IR_P_NE))
			d = in->sub == IR_P_NE;
		else
			d = pval_decide(a, (enum ir_pred)in->sub, b.lo);
	}
	sim_set_vreg(sim, s, in, HOLD_NO, d < 0 ? pval_any() : pval_int(d));
}

/* Does it count: `n++`, `x->n += 2`?  Where such a number is unsigned we take it never to come round to 0:
 * nobody counts to half of what 32 bits can hold, one by one.  (If somebody does, what happens then is not
 * seen.) */
static bool counts(const struct ir_func *f, const struct ir_inst *in)
{
	const struct ir_inst *from = ir_def(f, in->ops[0]), *to = in + 1;

	if (in->bits < 32 || IR_KIND(in->ops[1]) != IR_R_INT || !from || from->op != IR_LOAD)
		return false;
	while (to->op == IR_CAST || to->op == IR_COPY)
		to++;
	return to->op == IR_STORE && to->ops[1] == IR_VREG(in->res) && (to->ops[0] == from->ops[0]);
}

/* x & 0xff is 0 .. 0xff.  A number that is not negative, and more, is positive: how much more would make a
 * state for each round of a loop. */
static struct plan_val computed(const struct plan_sim *sim, const struct plan_state *s,
				const struct ir_inst *in)
{
	for (uint32_t k = 0; k < 2 && in->sub == IR_B_ADD && (in->flags & IR_F_NSW || counts(sim->f, in)) &&
			     in->bits > 1 && in->bits <= 64;
	     k++) {
		struct plan_val v = sim_val(sim, s, in->ops[1 - k]);

		if (IR_KIND(in->ops[k]) == IR_R_INT && ir_int_value(sim->pl->m, in->ops[k]) > 0 &&
		    v.kind == PVAL_RANGE && v.lo >= 0)
			return pval_range(1, INT64_MAX >> (64 - in->bits));
	}
	for (uint32_t k = 0; k < 2 && in->sub == IR_B_AND; k++)
		if (IR_KIND(in->ops[k]) == IR_R_INT && ir_int_value(sim->pl->m, in->ops[k]) >= 0)
			return pval_range(0, ir_int_value(sim->pl->m, in->ops[k]));
	return pval_any();
}

/* A pointer that is moved by a constant from the start of an object, which is there. */
static struct plan_val moved(const struct plan_sim *sim, const struct plan_state *s, const struct ir_inst *in)
{
	struct plan_val v = sim_val(sim, s, in->ops[0]);
	int64_t by = in->imm, times = 1;

	if (in->op != IR_FIELD && IR_KIND(in->ops[1]) != IR_R_INT)
		return pval_any();
	if (in->op != IR_FIELD)
		times = ir_int_value(sim->pl->m, in->ops[1]);
	if (v.kind == PVAL_INNER && in->op == IR_INDEX && times)	/* p++, in a loop */
		return pval_any();
	if (by < 0 || times < 0 || by > 4096 || times > 4096 ||
	    !(v.kind == PVAL_INNER || (v.kind == PVAL_FRESH && v.lo)))
		return pval_any();
	return (struct plan_val) { .kind = PVAL_INNER,
				   .birth = v.birth,
				   .lo = 1,
				   .hi = (v.kind == PVAL_INNER ? v.hi : 0) + by * times };
}

static void do_values(struct plan_sim *sim, struct plan_node *n, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	enum plan_hold h = HOLD_NO;

	switch (in->op) {
	case IR_FIELD:
	case IR_ELEM:
	case IR_INDEX:
		sim_set_vreg(sim, s, in, MIN(sim_hold(sim, s, in->ops[0]), HOLD_MAY), moved(sim, s, in));
		break;
	case IR_COPY:
		sim_set_vreg(sim, s, in, sim_hold(sim, s, in->ops[0]), sim_val(sim, s, in->ops[0]));
		break;
	case IR_CAST:
		h = sim_hold(sim, s, in->ops[0]);
		if (in->sub == IR_CAST_PTRTOINT && h != HOLD_NO)
			sim_touch(n, s); /* the address of what was released is no number to work with */
		if (in->sub == IR_CAST_TRUNC && in->bits <= 32 && !sim->numbers)
			h = HOLD_NO;	/* half of an address leads nowhere */
		sim_set_vreg(sim, s, in, in->sub == IR_CAST_BITCAST ? h : MIN(h, HOLD_MAY),
			     cast_val(in, sim_val(sim, s, in->ops[0])));
		break;
	case IR_CMP:
		do_cmp(sim, n, in, s);
		break;
	case IR_SELECT: {
		struct plan_val c = sim_val(sim, s, in->ops[0]);

		if (c.kind == PVAL_RANGE && c.lo == c.hi) {
			ir_ref r = in->ops[c.lo ? 1 : 2];

			sim_set_vreg(sim, s, in, sim_hold(sim, s, r), sim_val(sim, s, r));
			break;
		}
		h = MIN(MAX(sim_hold(sim, s, in->ops[1]), sim_hold(sim, s, in->ops[2])), HOLD_MAY);
		sim_set_vreg(sim, s, in, h,
			     pval_join(sim_val(sim, s, in->ops[1]), sim_val(sim, s, in->ops[2])));
		break;
	}
	case IR_BIN:
		for (uint32_t k = 0; k < 2; k++)
			if (sim_hold(sim, s, in->ops[k]) != HOLD_NO)
				h = HOLD_MAY;
		sim_set_vreg(sim, s, in, h, computed(sim, s, in));
		break;
	case IR_EXTRACT: {
		struct plan_val v = sim_val(sim, s, in->ops[0]);

		if (v.kind == PVAL_FRESH &&
		    sim->births.v[v.birth].part) { /* a struct with one new object in it */
			bool it = sim->births.v[v.birth].part == (uint32_t)in->imm + 1;

			sim_set_vreg(sim, s, in, it ? sim_hold(sim, s, in->ops[0]) : HOLD_NO,
				     it ? v : pval_any());
			break;
		}
	}
		/* fallthrough */
	case IR_OPAQUE:
		for (uint32_t k = 0; k < in->nops; k++)
			if (sim_hold(sim, s, in->ops[k]) != HOLD_NO)
				h = HOLD_MAY;
		sim_set_vreg(sim, s, in, h, pval_any());
		break;
	case IR_ASM:
		for (uint32_t k = 0; k < in->nops; k++)
			if (sim_leads_to(sim, s, in->ops[k])) {
				sim_touch(n, s);
				sim_escape(sim, s, inst);
			} else {
				sim_blur(sim, s, pta_points_to(sim->pl->p, sim->func, in->ops[k]));
			}
		sim_set_vreg(sim, s, in, HOLD_NO, pval_any());
		break;
	default:
		sim_set_vreg(sim, s, in, HOLD_NO, pval_any());
		break;
	}
}

void sim_execute(struct plan_sim *sim, struct plan_node *n, uint32_t inst, struct plan_state *s)
{
	const struct ir_inst *in = &sim->f->insts[inst];

	switch (in->op) {
	case IR_LOAD:
		do_load(sim, n, in, s);
		break;
	case IR_STORE:
		do_store(sim, n, inst, s);
		break;
	case IR_MEMCPY:
	case IR_VACOPY:
		do_memcpy(sim, n, inst, s);
		break;
	case IR_MEMSET:
		do_memset(sim, n, inst, s);
		break;
	case IR_PHI:
		break;	/* by sim_cross() */
	default:
		do_values(sim, n, inst, s);
		break;
	}
}
