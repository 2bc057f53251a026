/*
 * plan_lent.c - what is put where others see it, and set again before anybody can have looked.
 *
 *	rc = read_data(f, buf, n, &t->err);	on failure: a new message in t->err
 *	if (rc == 0)
 *		rc = check(buf);
 *	if (rc != 0)
 *		t->err = strdup("bad");		and it is lost
 *
 * Mostly an object that is stored in memory of others counts as theirs from then on (sim_show()).  A
 *simulation that is `lent` follows it there, in the path that it was stored by, as long as this activation
 *is the only one to have been executed since, and it has not looked but by that path.  Then it is this
 *activation's alone, and is lost where the path is set again.  All of this must hold from the store on, on
 *every way to the end of the object's story, released or not: what is left in that memory behind a release
 *is no pointer any more.  So each of these counts as to hand it to others:
 *
 *   - a load, or a copy, of memory that may be the same, by other ways than the path; a write to it, or that
 *of the variable of the path;
 *   - a call of a function, of the program or by its model, that may look there or write there, whatever it
 *is given;
 *   - a call of which it is not known who else is called: unknown code, a hook, a library that calls back;
 *and one that may not return, for there are handlers of exit(), and longjmp();
 *   - the end of the function, while the object is there.
 *
 * If a callee has stored it, the same is asked of what comes behind the store in there.  Paths whose
 *variables may point to what this function makes itself are left out, and nothing counts as seen by nobody
 *(plan_own.c): an object that is lent is not.
 *
 * Which way it errs: what may be looked at is asked of points-to sets, which are too large: a refusal. Other
 *threads do not count, as elsewhere.
 */
#include "plan/priv.h"

/* ---- who looks? -------------------------------------------------------------------- */

/* May the memory that an operand points to be one of these, or is it not known which it is? */
static bool may_be(const struct fix_planner *pl, uint32_t func, ir_ref r, const struct sbits *locs)
{
	const struct sbits *pts = pta_points_to(pl->p, func, r);
	uint32_t at = IR_KIND(r) == IR_R_VREG ? IR_NONE : pta_address(pl->p, func, r);

	if (IR_KIND(r) == IR_R_SLOT && pta_ssa(pl->p, func)->promoted[IR_IDX(r)])
		return false;
	return sbits_intersects(pts, locs) || (at != IR_NONE && sbits_test(locs, at)) ||
	       (!pts->n && at == IR_NONE);
}

/* The same for all of the objects that it points to. */
static bool may_be_within(const struct fix_planner *pl, uint32_t func, ir_ref r, const struct sbits *locs)
{
	struct sbits objs = {0};
	uint32_t at = IR_KIND(r) == IR_R_VREG ? IR_NONE : pta_address(pl->p, func, r);
	bool found;

	pta_add_objs(pl->p, pta_points_to(pl->p, func, r), &objs);
	if (at != IR_NONE)
		sbits_set(&objs, pta_loc(pl->p, at)->obj);
	found = !objs.n || pta_meets(pl->p, locs, &objs);
	sbits_release(&objs);
	return found;
}

static bool is_touched_by(const struct fix_planner *pl, uint32_t func, const struct sbits *locs)
{
	return sbits_intersects(&pl->fx[func].read, locs) || sbits_intersects(&pl->fx[func].mod, locs);
}

/* May a call get to code that is not known, or not return?  seen: functions that were asked. */
static bool is_open(struct fix_planner *pl, uint32_t func, uint32_t inst, struct bits *seen)
{
	const struct ir_inst *in = &pl->m->funcs.v[func].insts[inst];
	const struct pta_callback *cb;
	uint32_t n = pta_callbacks(pl->p, func, &cb);
	struct pta_callees to;

	callees_of(pl, func, inst, &to);
	if (to.unknown || !sbits_count(to.set) || in->flags & (IR_F_NORETURN | IR_F_TWICE))
		return true;
	for (uint32_t i = 0; i < n; i++)
		if (cb[i].inst == inst)
			return true;
	SBITS_FOREACH(g, to.set) {
		const struct ir_func *f = &pl->m->funcs.v[g];
		const struct model *md = pta_model(pl->p, g);
		bool is_new = !md && bits_set(seen, g);

		if (md ? md->noreturn : ir_is_decl(f))
			return true;
		for (unsigned i = 0; md && i < md->neffects; i++)
			if (md->effects[i].kind == MODEL_E_CALL || md->effects[i].kind == MODEL_E_NORETURN)
				return true;
		for (uint32_t i = 0; is_new && i < f->ninsts; i++)
			if (f->insts[i].op == IR_ASM ||
			    (f->insts[i].op == IR_CALL && is_open(pl, g, i, seen)))
				return true;
	}
	return false;
}

static bool call_looks(struct fix_planner *pl, uint32_t func, uint32_t inst, const struct sbits *locs)
{
	const struct ir_inst *in = &pl->m->funcs.v[func].insts[inst];
	struct pta_callees to;
	struct bits seen;
	bool open;

	callees_of(pl, func, inst, &to);
	SBITS_FOREACH(g, to.set) {
		const struct model *md = pta_model(pl->p, g);

		if (!md && !ir_is_decl(&pl->m->funcs.v[g]) && is_touched_by(pl, g, locs))
			return true;
		for (uint32_t k = 1; md && k < in->nops; k++)
			if (sbits_intersects(
				    closure_locs(pl->closure, pta_points_to(pl->p, func, in->ops[k])), locs))
				return true;
	}
	bits_init(&seen, pl->m->funcs.n);
	open = is_open(pl, func, inst, &seen);
	bits_release(&seen);
	return open;
}

/* May others, or this function by another name, get to what is in one of these locs, when the instruction is
 * executed? */
static bool may_look(struct fix_planner *pl, uint32_t func, uint32_t inst, const struct sbits *locs)
{
	const struct ir_inst *in = &pl->m->funcs.v[func].insts[inst];

	switch (in->op) {
	case IR_LOAD:
	case IR_STORE:
		return may_be(pl, func, in->ops[0], locs);
	case IR_MEMCPY:
	case IR_VACOPY:
		return may_be_within(pl, func, in->ops[0], locs) || may_be_within(pl, func, in->ops[1], locs);
	case IR_MEMSET:
		return may_be_within(pl, func, in->ops[0], locs);
	case IR_CALL:
		return call_looks(pl, func, inst, locs);
	case IR_ASM:
		return true;
	default:
		return false;
	}
}

/* ---- what a callee stores ------------------------------------------------------------ */

enum { MAX_DEPTH = 4 };

static bool is_stored_last(struct fix_planner *pl, uint32_t func, const struct sbits *locs, unsigned depth);

/* May a model store a pointer there? */
static bool model_puts(const struct fix_planner *pl, uint32_t func, const struct ir_inst *in,
		       const struct model *md, const struct sbits *locs)
{
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		const struct model_place *to = e->kind == MODEL_E_COPY ? &e->to : &e->place;

		if ((e->kind != MODEL_E_SET && e->kind != MODEL_E_COPY) || to->base == MODEL_RETURN)
			continue;
		for (uint32_t k = 1; k < in->nops; k++)
			if (may_be_within(pl, func, in->ops[k], locs))
				return true;
	}
	return false;
}

/* May the instruction put a pointer there?  *last: if so, nobody looks before it is done with. */
static bool puts_there(struct fix_planner *pl, uint32_t func, uint32_t inst, const struct sbits *locs,
		       unsigned depth, bool *last)
{
	const struct ir_inst *in = &pl->m->funcs.v[func].insts[inst];
	struct pta_callees to;
	bool puts;

	*last = true;
	if (in->op == IR_STORE)
		return in->cls == IR_C_PTR && may_be(pl, func, in->ops[0], locs);
	if (in->op != IR_CALL)
		return in->op == IR_ASM || (in->op == IR_MEMCPY && may_be_within(pl, func, in->ops[0], locs));
	callees_of(pl, func, inst, &to);
	puts = to.unknown;
	*last = !puts;
	SBITS_FOREACH(g, to.set) {
		const struct model *md = pta_model(pl->p, g);

		if (md)
			puts |= model_puts(pl, func, in, md, locs);
		else if (ir_is_decl(&pl->m->funcs.v[g]) || sbits_intersects(&pl->fx[g].mod, locs)) {
			puts = true;
			*last &= is_stored_last(pl, g, locs, depth + 1);
		}
	}
	return puts;
}

/* Does the function, with all that it calls, do nothing behind the store by which others could get to what
 * is stored?  What it stores there afterwards its summary knows. */
static bool is_stored_last(struct fix_planner *pl, uint32_t func, const struct sbits *locs, unsigned depth)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	if (depth > MAX_DEPTH || ir_is_decl(f))
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		bool last;

		if (!puts_there(pl, func, i, locs, depth, &last))
			continue;
		for (uint32_t k = 0; k < f->ninsts && last; k++)
			if (f->insts[k].op != IR_STORE && ir_comes_before(f, i, k, IR_NONE))
				last = !may_look(pl, func, k, locs);
		if (!last)
			return false;
	}
	return true;
}

/* ---- the simulation ------------------------------------------------------------------ */

/* Is the memory of the path known, and is none of it what this function makes? */
static bool is_of_others(const struct plan_sim *sim, const struct plan_path *q)
{
	const struct pta *p = sim->pl->p;

	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];
		const struct sbits *pts;

		if (in->op != IR_STORE || in->ops[0] != IR_SLOT(q->slot))
			continue;
		pts = pta_points_to(p, sim->func, in->ops[1]);
		SBITS_FOREACH(l, pts) {
			const struct pta_obj *o = pta_obj(p, pta_loc(p, l)->obj);

			if (pta_loc_at(p, l, q->off) == IR_NONE ||
			    ((o->kind == PTA_SLOT || o->kind == PTA_HEAP) && o->func == sim->func))
				return false;
		}
		if (!pts->n)
			return false;
	}
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (pta_meets(p, &q->locs, &sim->births.v[i].objs))
			return false;
	return q->locs.n > 0;
}

/* Does a call that is followed leave its object in the path, and nobody looks before it returns? */
static bool is_filled(const struct plan_sim *sim, uint32_t path, const struct plan_birth *b)
{
	const struct plan_out *o = b->rows ? &b->rows->out[b->out] : NULL;
	const struct ir_inst *in = &sim->f->insts[b->inst];

	if (!o || !b->follow || o->param + 1 >= in->nops ||
	    sim_path_beyond(sim, in->ops[o->param + 1], o->off, b->inst) != sim_path_key(sim, path))
		return false;
	return pta_model(sim->pl->p, b->callee) ||
	       is_stored_last(sim->pl, b->callee, &sim->paths.v[path].locs, 0);
}

/* Is what may be the object stored by the path, in this function? */
static bool is_put(const struct plan_sim *sim, uint32_t path)
{
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op == IR_STORE && in->cls == IR_C_PTR &&
		    sim_path_at(sim, in->ops[0], i) == sim_path_key(sim, path) &&
		    pta_meets(sim->pl->p, pta_points_to(sim->pl->p, sim->func, in->ops[1]), &sim->objs))
			return true;
	}
	return false;
}

void lent_find(struct plan_sim *sim)
{
	for (uint32_t i = 0; i < sim->paths.n && sim->lent; i++) {
		struct plan_path *q = &sim->paths.v[i];
		bool filled = is_put(sim, i);

		for (uint32_t k = 0; k < sim->births.n && !filled; k++)
			filled = is_filled(sim, i, &sim->births.v[k]);
		q->lent = filled && is_of_others(sim, q);
	}
}

bool lent_any(const struct plan_sim *sim)
{
	for (uint32_t i = 0; i < sim->paths.n; i++)
		if (sim->paths.v[i].lent)
			return true;
	return false;
}

bool lent_is_held(const struct plan_sim *sim, const struct plan_state *s)
{
	for (uint32_t i = 0; i < sim->paths.n && sim->lent; i++)
		if (sim->paths.v[i].lent && pstate_hold(s, sim_path_key(sim, i)) != HOLD_NO)
			return true;
	return false;
}

/* By the path itself?  What a load of it takes is followed, and a store sets it. */
static bool is_by_path(const struct plan_sim *sim, uint32_t inst, uint32_t key)
{
	const struct ir_inst *in = &sim->f->insts[inst];

	return (in->op == IR_LOAD || in->op == IR_STORE) && in->cls == IR_C_PTR &&
	       !(in->flags & (IR_F_VOLATILE | IR_F_MAYBE)) && sim_path_at(sim, in->ops[0], inst) == key;
}

void lent_step(struct plan_sim *sim, struct plan_state *s, uint32_t inst)
{
	for (uint32_t i = 0; i < sim->paths.n && s->phase != PHASE_BEFORE; i++) {
		uint32_t key = sim_path_key(sim, i);

		if (sim->paths.v[i].lent && pstate_hold(s, key) != HOLD_NO && !is_by_path(sim, inst, key) &&
		    may_look(sim->pl, sim->func, inst, &sim->paths.v[i].locs))
			sim_escape(sim, s, inst);
	}
}
