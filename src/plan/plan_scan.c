/*
 * plan_scan.c - what must be known of a function before it is simulated: which slots can hold
 * the object, which are asked for by branches, which memory is reached through variables,
 * where statements end.
 */
#include "plan/priv.h"

#include "ir/expr.h"

/* ---- what the function is like ------------------------------------------------ */

static void find_wide(struct plan_sim *sim)
{
	bits_init(&sim->wide, sim->f->nvregs + 1);
	sim->last_use = xcalloc((size_t)sim->f->nvregs + 1, sizeof(*sim->last_use));
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			const struct ir_inst *d = ir_def(sim->f, in->ops[k]);

			if (IR_KIND(in->ops[k]) != IR_R_VREG)
				continue;
			sim->last_use[IR_IDX(in->ops[k])] = i + 1;
			if (!d || d->block != in->block)
				bits_set(&sim->wide, IR_IDX(in->ops[k]));
		}
	}
}

void plan_spread(const struct ir_func *f, struct bits *vregs, struct bits *slots)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < f->ninsts; i++) {
			const struct ir_inst *in = &f->insts[i];
			bool copies = in->op == IR_COPY || in->op == IR_CAST || in->op == IR_PHI ||
				      in->op == IR_SELECT || in->op == IR_STORE || in->op == IR_EXTRACT;
			bool from = in->op == IR_LOAD && IR_KIND(in->ops[0]) == IR_R_SLOT &&
				    bits_test(slots, IR_IDX(in->ops[0]));

			for (uint32_t k = in->op == IR_STORE; copies && k < in->nops; k++)
				from |= IR_KIND(in->ops[k]) == IR_R_VREG &&
					bits_test(vregs, IR_IDX(in->ops[k]));
			if (from && in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT)
				more |= bits_set(slots, IR_IDX(in->ops[0]));
			else if (from && in->res != IR_NONE)
				more |= bits_set(vregs, in->res);
		}
	}
}

/* Slots that a copy of what sources make may get into. */
static void find_candidates(struct plan_sim *sim)
{
	struct bits made;

	bits_init(&sim->cand, sim->f->nslots + 1);
	bits_init(&sim->wholes, sim->f->nslots + 1);
	bits_init(&made, sim->f->nvregs + 1);
	if (sim->param != IR_NONE)
		bits_set(&made, sim->param);
	for (uint32_t i = 0; i < sim->births.n; i++) {
		const struct ir_inst *in = &sim->f->insts[sim->births.v[i].inst];
		const struct plan_rows *r = sim->births.v[i].rows;
		const struct plan_out *o = r ? &r->out[sim->births.v[i].out] : NULL;
		uint32_t key;

		if (!sim->births.v[i].follow)
			continue;
		if (o && o->param + 1 < in->nops && IR_KIND(in->ops[o->param + 1]) == IR_R_SLOT &&
		    !resource_is_memory(sim->births.v[i].effect->value.resource))
			bits_set(&sim->wholes, IR_IDX(in->ops[o->param + 1]));
		if ((!o || o->param == PLAN_RESULT) && in->res != IR_NONE)
			bits_set(&made, in->res);
		else if (o && o->param != IR_NONE && o->param + 1 < in->nops &&
			 (key = sim_exact(sim, in->ops[o->param + 1], o->off)) < sim->f->nslots)
			bits_set(&sim->cand, key);
	}
	plan_spread(sim->f, &made, &sim->cand);
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {	/* and by pointers to them */
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op != IR_STORE || IR_KIND(in->ops[0]) != IR_R_VREG ||
		    IR_KIND(in->ops[1]) != IR_R_VREG || !bits_test(&made, IR_IDX(in->ops[1])))
			continue;
		SBITS_FOREACH(l, pta_points_to(sim->pl->p, sim->func, in->ops[0]))
			if (sim_loc_key(sim, l) < sim->f->nslots)
				bits_set(&sim->cand, sim_loc_key(sim, l));
	}
	plan_spread(sim->f, &made, &sim->cand);
	bits_release(&made);
}

/* The parameter that a slot holds all the time, or IR_NONE. */
static uint32_t param_of(const struct plan_sim *sim, uint32_t slot)
{
	uint32_t param = IR_NONE;

	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op != IR_STORE || in->ops[0] != IR_SLOT(slot))
			continue;
		if (param != IR_NONE || IR_KIND(in->ops[1]) != IR_R_VREG ||
		    IR_IDX(in->ops[1]) >= sim->f->nparams || in->block != 0)
			return IR_NONE;
		param = IR_IDX(in->ops[1]);
	}
	return param;
}

static void add_path(struct plan_sim *sim, uint32_t slot, int64_t off, bool stored, bool number,
		     uint32_t *nouts)
{
	bool of_param;

	struct plan_path *q = NULL;

	for (uint32_t i = 0; i < sim->paths.n && !q; i++)
		if (sim->paths.v[i].slot == slot && sim->paths.v[i].off == off)
			q = &sim->paths.v[i];
	if (!q) {
		q = vec_add(&sim->paths, 1);
		q->slot = slot;
		q->off = off;
		q->out = q->member = IR_NONE;
		q->number = number;
		q->param = param_of(sim, slot);
		for (uint32_t i = 0; i < sim->f->ninsts; i++)
			if (sim->f->insts[i].op == IR_STORE && sim->f->insts[i].ops[0] == IR_SLOT(slot))
				SBITS_FOREACH(l,
					      pta_points_to(sim->pl->p, sim->func, sim->f->insts[i].ops[1]))
				{
					uint32_t at = pta_loc_at(sim->pl->p, l, off);

					if (at != IR_NONE)
						sbits_set(&q->locs, at);
				}
	}
	of_param = q->param != IR_NONE;
	if (stored && sim->outs && q->out == IR_NONE && q->member == IR_NONE && *nouts < PLAN_MAX_OUTS)
		*(of_param ? &q->out : &q->member) = (*nouts)++;
}

/* Members of what calls return, in the variables that it is put into. */
static void add_members(struct plan_sim *sim, uint32_t *nouts)
{
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i], *d;

		if (in->op != IR_STORE || IR_KIND(in->ops[0]) != IR_R_SLOT ||
		    !sim->ssa->promoted[IR_IDX(in->ops[0])])
			continue;
		d = ir_def(sim->f, in->ops[1]);
		while (d && (d->op == IR_COPY || (d->op == IR_CAST && d->sub == IR_CAST_BITCAST)))
			d = ir_def(sim->f, d->ops[0]);
		for (uint32_t k = 0; d && d->op == IR_CALL && k < sim->births.n; k++) {
			const struct plan_birth *b = &sim->births.v[k];

			if (&sim->f->insts[b->inst] == d && b->rows && b->rows->out[b->out].param == IR_NONE)
				add_path(sim, IR_IDX(in->ops[0]), b->rows->out[b->out].off, true, false,
					 nouts);
		}
	}
}

/* Memory that variables lead to and that a call fills: `vasprintf(ret, ...)`, `set_name(user, ...)`. */
static void add_filled(struct plan_sim *sim, uint32_t *nouts)
{
	for (uint32_t k = 0; k < sim->births.n; k++) {
		const struct plan_birth *b = &sim->births.v[k];
		const struct ir_inst *in = &sim->f->insts[b->inst], *d;
		const struct plan_out *o = b->rows ? &b->rows->out[b->out] : NULL;
		int64_t off = 0;

		if (!o || o->param == IR_NONE || o->param + 1 >= in->nops)
			continue;
		d = ir_def(sim->f, sim_base(sim, in->ops[o->param + 1], &off));
		if (d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT &&
		    sim->ssa->promoted[IR_IDX(d->ops[0])] &&
		    (!sim->outs || param_of(sim, IR_IDX(d->ops[0])) != IR_NONE))
			add_path(sim, IR_IDX(d->ops[0]), off + o->off, true, false, nouts);
	}
}

/* Constants that the function stores for its caller: `*created = 1`. */
static void add_numbers(struct plan_sim *sim, uint32_t *nouts)
{
	for (uint32_t i = 0; i < sim->f->ninsts && sim->outs && *nouts < PLAN_MAX_OUTS; i++) {
		const struct ir_inst *in = &sim->f->insts[i], *d;
		int64_t off = 0;

		if (in->op != IR_STORE || in->cls != IR_C_INT || in->flags & (IR_F_VOLATILE | IR_F_MAYBE))
			continue;
		d = ir_def(sim->f, sim_base(sim, in->ops[0], &off));
		if (d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT &&
		    sim->ssa->promoted[IR_IDX(d->ops[0])] && off == 0 &&
		    param_of(sim, IR_IDX(d->ops[0])) != IR_NONE && IR_KIND(in->ops[1]) == IR_R_INT)
			add_path(sim, IR_IDX(d->ops[0]), off, true, true, nouts);
	}
}

/* Pointers in memory that the function reaches through variables. */
static void find_paths(struct plan_sim *sim)
{
	enum { MAX_PATHS = 64 };
	uint32_t nouts = 0;

	for (uint32_t s = 0; sim->cell != IR_NONE && s < sim->f->nslots; s++)
		if (sim->ssa->promoted[s] && param_of(sim, s) == sim->cell)
			add_path(sim, s, sim->cell_off, true, false, &nouts);
	for (uint32_t i = 0; i < sim->f->ninsts && sim->paths.n < MAX_PATHS; i++) {
		const struct ir_inst *in = &sim->f->insts[i], *d;
		int64_t off = 0;

		if ((in->op != IR_LOAD && in->op != IR_STORE) || in->cls != IR_C_PTR)
			continue;
		d = ir_def(sim->f, sim_base(sim, in->ops[0], &off));
		if (d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT &&
		    sim->ssa->promoted[IR_IDX(d->ops[0])])
			add_path(sim, IR_IDX(d->ops[0]), off, in->op == IR_STORE, false, &nouts);
	}
	add_filled(sim, &nouts);
	add_members(sim, &nouts);
	add_numbers(sim, &nouts);
}

/* Sources whose objects may be in the variables of paths: whether others have seen those is asked,
 * and kept track of; of all others it is not. */
static void find_bases(struct plan_sim *sim)
{
	struct sbits objs = {0};

	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		for (uint32_t k = 0; k < sim->paths.n && in->op == IR_STORE; k++)
			if (in->ops[0] == IR_SLOT(sim->paths.v[k].slot)) {
				pta_add_objs(sim->pl->p, pta_points_to(sim->pl->p, sim->func, in->ops[1]),
					     &objs);
				break;
			}
	}
	bits_init(&sim->bases, sim->births.n + 1);
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (!sim->births.v[i].objs.n || sbits_intersects(&sim->births.v[i].objs, &objs))
			bits_set(&sim->bases, i);
	sbits_release(&objs);
}

/* What sources return is in no memory, as long as nobody else sees it, but where this function puts it: a
 * variable that a callee fills does not hold it.  What a callee stores itself, in members of its result or
 * behind its parameters, is not of that kind. */
static void find_puts(struct plan_sim *sim)
{
	const struct pta *p = sim->pl->p;

	for (uint32_t i = 0; i < sim->births.n; i++)
		if (bits_test(&sim->bases, i))
			sbits_or(&sim->results, &sim->births.v[i].objs);
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (sim->births.v[i].rows || sim->births.v[i].part)
			sbits_minus(&sim->results, &sim->births.v[i].objs);
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];
		uint32_t loc;

		if (in->op != IR_MEMCPY &&
		    !(in->op == IR_STORE &&
		      pta_meets(p, pta_points_to(p, sim->func, in->ops[1]), &sim->results)))
			continue;
		loc = IR_KIND(in->ops[0]) == IR_R_SLOT ? pta_address(p, sim->func, in->ops[0]) : IR_NONE;
		if (loc != IR_NONE)
			sbits_set(&sim->puts, pta_loc(p, loc)->obj);
		pta_add_objs(p, pta_points_to(p, sim->func, in->ops[0]), &sim->puts);
	}
}

/* Paths that the objects of M may be stored to, here or by who makes them. */
static void find_ours(struct plan_sim *sim)
{
	bits_init(&sim->ours, sim->paths.n + 1);
	for (uint32_t i = 0; i < sim->births.n; i++)
		for (uint32_t k = 0; k < sim->paths.n && sim->births.v[i].follow && sim->births.v[i].rows;
		     k++)
			if (sim->paths.v[k].off == sim->births.v[i].rows->out[sim->births.v[i].out].off)
				bits_set(&sim->ours, k);
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];
		uint32_t key = in->op == IR_STORE && in->cls == IR_C_PTR ? sim_path_at(sim, in->ops[0], i)
									 : IR_NONE;

		if (key != IR_NONE &&
		    pta_meets(sim->pl->p, pta_points_to(sim->pl->p, sim->func, in->ops[1]), &sim->objs))
			bits_set(&sim->ours, key - sim_first_path(sim));
	}
}

static void ask_for(struct plan_sim *sim, ir_ref r)
{
	const struct ir_inst *d = ir_def(sim->f, r);

	while (d && d->op == IR_CAST)
		d = ir_def(sim->f, d->ops[0]);
	if (d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT && sim_is_scalar(sim, IR_IDX(d->ops[0])))
		bits_set(&sim->asked, IR_IDX(d->ops[0]));
}

/* Of a factor, or of what it is the sum of. */
static void ask_for_part(struct plan_sim *sim, ir_ref r)
{
	const struct ir_inst *d = ir_def(sim->f, expr_uncast(sim->f, r));

	ask_for(sim, r);
	for (uint32_t k = 0; d && d->op == IR_BIN && d->sub == IR_B_ADD && k < 2; k++)
		ask_for(sim, d->ops[k]);
}

/* Numbers that a library function is given, and on which it depends what it does: the size of realloc(). */
static void ask_for_conditions(struct plan_sim *sim, const struct ir_inst *in)
{
	const struct ir_func *g = ir_callee(sim->pl->m, in);
	const struct model *md = g ? pta_model(sim->pl->p, (uint32_t)(g - sim->pl->m->funcs.v)) : NULL;

	for (unsigned i = 0; md && i < md->neffects; i++)
		for (unsigned k = 0; k < md->effects[i].nconds; k++) {
			const struct model_place *p = &md->effects[i].conds[k].place;
			const struct ir_inst *d;

			if (p->base != MODEL_ARG || p->nsteps || p->arg >= in->nops)
				continue;
			ask_for(sim, in->ops[p->arg]);
			d = ir_def(sim->f, in->ops[p->arg]);
			for (uint32_t j = 0; d && d->op == IR_BIN && d->sub == IR_B_MUL && j < 2; j++)
				ask_for_part(sim, d->ops[j]);
		}
}

static bool is_of_call(const struct ir_func *f, ir_ref r)
{
	const struct ir_inst *d = ir_def(f, r);

	return d && d->op == IR_CALL;
}

/* Can what is returned be asked?  A number, or a pointer that is the result of a call: `return insert(t,
 * p);`. */
static bool returns_answer(const struct ir_func *f)
{
	bool call = false;

	for (uint32_t i = 0; i < f->ninsts && !call && f->ret_cls == IR_C_PTR; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT &&
		    f->slots[IR_IDX(in->ops[0])].flags & IR_S_RETVAL)
			call = is_of_call(f, in->ops[1]);
		else if (in->op == IR_RET && in->nops == 1)
			call = is_of_call(f, in->ops[0]);
	}
	return f->ret_cls == IR_C_INT || call;
}

/* Temporaries of clang that an argument is passed through. */
static void find_brief(struct plan_sim *sim)
{
	const struct ir_func *f = sim->f;
	uint32_t *set = xcalloc((size_t)f->nslots + 1,
				sizeof(*set)); /* by slot: the last block it was set in, and 1 */

	bits_init(&sim->brief, f->nslots + 1);
	for (uint32_t i = 0; i < f->nslots; i++)
		if (f->slots[i].flags & IR_S_TEMP && sim->ssa->promoted[i])
			bits_set(&sim->brief, i);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		uint32_t slot = (in->op == IR_STORE || in->op == IR_LOAD) && IR_KIND(in->ops[0]) == IR_R_SLOT
					? IR_IDX(in->ops[0])
					: IR_NONE;

		if (slot != IR_NONE && in->op == IR_STORE)
			set[slot] = in->block + 1;
		else if (slot != IR_NONE && set[slot] != in->block + 1)
			bits_unset(&sim->brief, slot);
	}
	free(set);
}

/* Variables that a plan may ask for: numbers. */
static void find_flags(struct plan_sim *sim)
{
	sim->answers = sim->guarded && returns_answer(sim->f);
	bits_init(&sim->flags, sim->f->nslots + 1);
	for (uint32_t i = 0; i < sim->f->nslots && sim->guarded; i++) {
		const struct ir_slot *x = &sim->f->slots[i];

		if (bits_test(&sim->asked, i) && x->name[0] && !(x->flags & (IR_S_TEMP | IR_S_RETVAL)) &&
		    sim_is_scalar(sim, i) &&
		    sim->pl->m->types.v[ir_type_strip(sim->pl->m, x->type)].kind == IR_T_INT)
			bits_set(&sim->flags, i);
	}
}

static void find_asked(struct plan_sim *sim)
{
	bits_init(&sim->asked, sim->f->nslots + 1);
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op == IR_CMP && (IR_KIND(in->ops[1]) == IR_R_INT || in->ops[1] == IR_NULL))
			ask_for(sim, in->ops[0]);
		else if (in->op == IR_SWITCH || in->op == IR_CONDBR)
			ask_for(sim, in->ops[0]);
		else if (in->op == IR_RET && in->nops)	/* for outcomes */
			ask_for(sim, in->ops[0]);
		else if (in->op == IR_CALL) {
			ask_for(sim, in->ops[0]);
			ask_for_conditions(sim, in);
		}
	}
	for (uint32_t i = 0; i < sim->paths.n; i++)
		bits_set(&sim->asked, sim->paths.v[i].slot);
	/* what is copied to an asked one */
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < sim->f->ninsts; i++) {
			const struct ir_inst *in = &sim->f->insts[i], *d;

			if (in->op != IR_STORE || IR_KIND(in->ops[0]) != IR_R_SLOT ||
			    !bits_test(&sim->asked, IR_IDX(in->ops[0])))
				continue;
			d = ir_def(sim->f, in->ops[1]);
			while (d && d->op == IR_CAST)
				d = ir_def(sim->f, d->ops[0]);
			if (d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT &&
			    sim_is_scalar(sim, IR_IDX(d->ops[0])))
				more |= bits_set(&sim->asked, IR_IDX(d->ops[0]));
		}
	}
}

/* Whether a parameter was null is part of what a function leaves behind it. */
static void ask_at_return(const struct plan_sim *sim, struct bits *slots)
{
	for (uint32_t i = 0; i < sim->paths.n; i++)
		if (sim->paths.v[i].out != IR_NONE)
			bits_set(slots, sim->paths.v[i].slot);
}

/* What the phis of a block read if it is entered from another. */
static void live_at_phis(const struct plan_sim *sim, uint32_t from, uint32_t to, struct bits *now)
{
	const struct ir_block *b = &sim->f->blocks[to];

	for (uint32_t i = b->first; i < b->first + b->n && sim->f->insts[i].op == IR_PHI; i++)
		for (uint32_t k = 0; k < sim->f->insts[i].ntargets; k++) {
			ir_ref r = sim->f->insts[i].ops[k];

			if (sim->f->insts[i].targets[k] == from && IR_KIND(r) == IR_R_VREG &&
			    sim->wide_bit[IR_IDX(r)])
				bits_set(now, sim->wide_bit[IR_IDX(r)]);
		}
}

/* What an instruction reads and sets, backwards.  What a phi reads is read by the edges that lead to it. */
static void live_before(const struct plan_sim *sim, const struct ir_inst *in, struct bits *now)
{
	const struct ir_func *f = sim->f;

	if (in->res != IR_NONE && sim->wide_bit[in->res])
		bits_unset(now, sim->wide_bit[in->res]);
	if (in->op == IR_RET)
		ask_at_return(sim, now);
	if (in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT && sim->ssa->promoted[IR_IDX(in->ops[0])])
		bits_unset(now, IR_IDX(in->ops[0]));
	for (uint32_t k = 0; k < in->nops && in->op != IR_PHI; k++) {
		uint32_t i = IR_IDX(in->ops[k]);

		if (IR_KIND(in->ops[k]) == IR_R_SLOT && in->op != IR_STORE &&
		    (bits_test(&sim->asked, i) || bits_test(&sim->cand, i)))
			bits_set(now, i);
		else if (IR_KIND(in->ops[k]) == IR_R_VREG && i < f->nvregs && sim->wide_bit[i])
			bits_set(now, sim->wide_bit[i]);
	}
}

/* Backwards: which slots that are asked for or may hold the object, and which vregs that are used in other
 * blocks, are read before they are set? */
static void find_live(struct plan_sim *sim)
{
	const struct ir_func *f = sim->f;
	uint32_t n = f->nslots;
	bool more = true;

	sim->wide_bit = xcalloc((size_t)f->nvregs + 1, sizeof(*sim->wide_bit));
	for (uint32_t i = bits_next(&sim->wide, 0); i != UINT32_MAX; i = bits_next(&sim->wide, i + 1))
		sim->wide_bit[i] = ++n;
	sim->live = xcalloc(f->nblocks, sizeof(*sim->live));
	for (uint32_t b = 0; b < f->nblocks; b++)
		bits_init(&sim->live[b], n + 1);
	while (more) {
		more = false;
		for (uint32_t b = f->nblocks; b-- > 0;) {
			struct bits now;

			bits_init(&now, n + 1);
			for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
				bits_or(&now, &sim->live[f->blocks[b].succ[k]]);
			for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
				live_at_phis(sim, b, f->blocks[b].succ[k], &now);
			for (uint32_t i = f->blocks[b].first + f->blocks[b].n; i-- > f->blocks[b].first;)
				live_before(sim, &f->insts[i], &now);
			more |= bits_or(&sim->live[b], &now);
			bits_release(&now);
		}
	}
}

static void find_outside(struct plan_sim *sim)
{
	bits_init(&sim->outside, pta_nobjs(sim->pl->p));
	bits_or(&sim->outside, &sim->pl->outlives);
	for (uint32_t k = 0; k < sim->f->nparams; k++)
		bits_or(&sim->outside,
			closure_of(sim->pl->closure, pta_points_to(sim->pl->p, sim->func, IR_VREG(k))));
}

/* Is nothing computed before an instruction needed at or behind it?  Then a statement ends
 * before it. */
static bool is_boundary(const struct plan_sim *sim, uint32_t inst)
{
	const struct ir_block *b = &sim->f->blocks[sim->f->insts[inst].block];

	for (uint32_t i = inst; i < b->first + b->n; i++)
		for (uint32_t k = 0; k < sim->f->insts[i].nops; k++) {
			ir_ref r = sim->f->insts[i].ops[k];
			uint32_t d = IR_KIND(r) == IR_R_VREG ? sim->f->def[IR_IDX(r)] : IR_NONE;

			if (d != IR_NONE && d < inst && d >= b->first)
				return false;
		}
	for (uint32_t i = b->first; i < inst; i++)
		if (sim->f->insts[i].res != IR_NONE && bits_test(&sim->wide, sim->f->insts[i].res))
			return false;
	return true;
}

static void find_splits(struct plan_sim *sim)
{
	const struct ir_func *f = sim->f;

	bits_init(&sim->split, f->ninsts + 1);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		bits_set(&sim->split, f->blocks[b].first);
		for (uint32_t i = f->blocks[b].first + 1; i < f->blocks[b].first + f->blocks[b].n; i++) {
			uint8_t before = f->insts[i - 1].op;

			if (f->insts[i].op == IR_RET || ((before == IR_STORE || before == IR_CALL ||
							  before == IR_MEMCPY || before == IR_MEMSET) &&
							 is_boundary(sim, i)))
				bits_set(&sim->split, i);
		}
	}
}

/* The variable that the result of a source is put into before the instruction; IR_NONE. */
static uint32_t put_into(const struct plan_sim *sim, uint32_t call, uint32_t before)
{
	for (uint32_t i = call + 1; i < before; i++) {
		const struct ir_inst *in = &sim->f->insts[i], *d;

		if (in->op != IR_STORE || IR_KIND(in->ops[0]) != IR_R_SLOT ||
		    !sim_is_scalar(sim, IR_IDX(in->ops[0])) || !sim->f->slots[IR_IDX(in->ops[0])].name[0] ||
		    in->flags & IR_F_VOLATILE)
			continue;
		d = ir_def(sim->f, in->ops[1]);
		while (d && (d->op == IR_COPY || (d->op == IR_CAST && d->sub == IR_CAST_BITCAST)))
			d = ir_def(sim->f, d->ops[0]);
		if (d == &sim->f->insts[call])
			return IR_IDX(in->ops[0]);
	}
	return IR_NONE;
}

/* Is the variable used by what stands on the same line behind this end of a statement?  Text can only
 * be put behind all of it. */
static bool goes_on(const struct plan_sim *sim, uint32_t pos, uint32_t slot)
{
	const struct ir_block *b = &sim->f->blocks[sim->f->insts[pos].block];
	bool used = false;

	for (uint32_t i = pos; i < b->first + b->n; i++) {
		if (i > pos && used && bits_test(&sim->split, i) &&
		    sim->f->insts[i - 1].pos.line == sim->f->insts[pos - 1].pos.line)
			return true;
		for (uint32_t k = 0; k < sim->f->insts[i].nops; k++)
			used |= sim->f->insts[i].ops[k] == IR_SLOT(slot);
	}
	return false;
}

/* The variable that a source behind an argument fills; IR_NONE. */
static uint32_t filled(const struct plan_sim *sim, const struct plan_birth *b)
{
	const struct plan_out *o = &b->rows->out[b->out];
	const struct ir_inst *in = &sim->f->insts[b->inst];
	uint32_t key = o->param != IR_NONE && o->param + 1 < in->nops
			       ? sim_exact(sim, in->ops[o->param + 1], o->off)
			       : IR_NONE;

	return key < sim->f->nslots && sim->f->slots[key].name[0] ? key : IR_NONE;
}

uint32_t sim_cell_path(const struct plan_sim *sim)
{
	for (uint32_t i = 0; i < sim->paths.n; i++)
		if (sim->paths.v[i].param == sim->cell && sim->paths.v[i].off == sim->cell_off &&
		    sim->paths.v[i].out != IR_NONE)
			return i;
	return IR_NONE;
}

bool sim_is_zeroed(const struct plan_sim *sim, uint32_t slot)
{
	const struct ir_slot *x = &sim->f->slots[slot];

	if (!sim->zeroed || x->param || x->flags & (IR_S_TEMP | IR_S_RETVAL | IR_S_DYNAMIC) ||
	    sim->pl->m->types.v[ir_type_strip(sim->pl->m, x->type)].kind != IR_T_PTR)
		return false;
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (sim->births.v[i].follow && sim->births.v[i].rows &&
		    filled(sim, &sim->births.v[i]) == slot)
			return place_declared_first(sim, slot);
	return false;
}

/* Where a variable of the plan would be set: behind the statement of each source, or within it
 * where no variable gets the object or there is no such place. */
static void find_keeps(struct plan_sim *sim)
{
	for (uint32_t i = 0; i < sim->births.n; i++) {
		const struct plan_birth *b = &sim->births.v[i];
		const struct ir_block *x = &sim->f->blocks[sim->f->insts[b->inst].block];
		uint32_t pos = b->inst + 1, slot;

		if (!b->follow)
			continue;
		while (pos < x->first + x->n && !bits_test(&sim->split, pos))
			pos++;
		slot = pos == x->first + x->n				      ? IR_NONE
		       : b->rows && b->rows->out[b->out].param != PLAN_RESULT ? filled(sim, b)
									      : put_into(sim, b->inst, pos);
		if (slot != IR_NONE && goes_on(sim, pos, slot))
			slot = IR_NONE;
		if (slot == IR_NONE && (b->rows || b->part || sim->f->insts[b->inst].res == IR_NONE)) {
			sim->odd = "no variable gets what one of the calls makes";
			return;
		}
		vec_push(&sim->keeps, ((struct plan_keep){ slot == IR_NONE ? b->inst : pos, slot, i }));
	}
}

static void find_slot_objects(struct plan_sim *sim)
{
	uint32_t *of = xcalloc((size_t)sim->f->nslots + 1, sizeof(*of));

	for (uint32_t i = 0; i < sim->f->nslots; i++)
		of[i] = sim_key_object(sim, i);
	sim->slot_obj = of;
}

void sim_scan(struct plan_sim *sim)
{
	find_slot_objects(sim);
	find_outside(sim);
	find_wide(sim);
	find_candidates(sim);
	find_paths(sim);
	find_bases(sim);
	find_puts(sim);
	lent_find(sim);
	sim->own = own_new(sim);
	find_ours(sim);
	find_asked(sim);
	find_flags(sim);
	find_brief(sim);
	find_live(sim);
	find_splits(sim);
	if (sim->keeper)
		find_keeps(sim);
}
