/*
 * plan_effects.c - alloc, use and dealloc procedures: LeakFix, section III-B.
 *
 * For every function, with all that it calls: which objects of the points-to analysis it may
 * free (SDealloc), which places it may store to, and which it may look at.  The last stands for
 * SUse: handing an object to a function counts as a use, handing it memory that leads to the
 * object only if the function can look at the very place that holds it.  Then there is what it
 * hands to code that nobody knows.  The sets are as
 * complete as the points-to sets are, and say nothing of when: they are what is believed
 * where plan_summary.c knows nothing better.
 *
 * The paper also needs SEscape; here that is asked of each path (plan_sim.c), and only the
 * objects that globals and unknown code can reach are found once for all.
 *
 * Functions that call each other get the same sets: more than the fixed point, never less.
 */
#include "plan/priv.h"

/* All that can be reached from an operand is looked at, or even kept (gave). */
static void add_reach(struct fix_planner *pl, uint32_t func, ir_ref r, struct plan_effects *fx, bool gave)
{
	const struct sbits *pts = pta_points_to(pl->p, func, r);

	if (!pts->n)
		return;
	sbits_or(&fx->read, closure_locs(pl->closure, pts));
	if (gave)
		sbits_or(&fx->gave, closure_objs(pl->closure, pts));
}

/* What is in the memory that an operand points to is copied to where it is not found again. */
static void add_sunk(const struct fix_planner *pl, uint32_t func, ir_ref from, struct plan_effects *fx)
{
	const struct sbits *pts = pta_points_to(pl->p, func, from);

	if (pts->n)
		sbits_or(&fx->sunk, closure_step(pl->closure, pts));
}

ir_ref effects_bytes(const struct fix_planner *pl, uint32_t func, const struct ir_inst *in)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_inst *d;
	ir_ref r = in->ops[0];

	if (in->cls != IR_C_INT || in->bits != 8)
		return IR_UNDEF;
	while ((d = ir_def(f, r)) &&
	       (d->op == IR_INDEX || d->op == IR_ELEM || d->op == IR_COPY || d->op == IR_CAST))
		r = d->ops[0];
	return closure_has_variable(pl->closure, pta_points_to(pl->p, func, r)) ? r : IR_UNDEF;
}

/* A variable with a pointer in it that is read byte by byte is copied, perhaps, to where that is not found
 * again. */
static void add_bytes(const struct fix_planner *pl, uint32_t func, const struct ir_inst *in,
		      struct plan_effects *fx)
{
	ir_ref r = effects_bytes(pl, func, in);

	if (r == IR_UNDEF)
		return;
	sbits_or(&fx->read, closure_whole(pl->closure, pta_points_to(pl->p, func, r)));
	add_sunk(pl, func, r, fx);
}

/* Whatever unknown code is given. */
static void add_unknown(struct fix_planner *pl, uint32_t func, const struct ir_inst *in,
			struct plan_effects *fx)
{
	for (uint32_t k = 0; k < in->nops; k++)
		add_reach(pl, func, in->ops[k], fx, true);
}

static void find_outliving(struct fix_planner *pl)
{
	bits_init(&pl->outlives, pta_nobjs(pl->p));
	pta_reach(pl->p, pta_given_away(pl->p), &pl->outlives);
	for (uint32_t o = 0; o < pta_nobjs(pl->p); o++) {
		const struct pta_obj *x = pta_obj(pl->p, o);

		for (uint32_t l = x->first_loc; x->kind == PTA_BLOB && l != IR_NONE;
		     l = pta_loc(pl->p, l)->next)
			sbits_set(&pl->blobs, l);
		if (!(x->kind == PTA_GLOBAL || x->kind == PTA_BLOB || x->kind == PTA_FUNC || x->common ||
		      x->given) ||
		    !bits_set(&pl->outlives, o))
			continue;
		for (uint32_t l = x->first_loc; l != IR_NONE; l = pta_loc(pl->p, l)->next)
			pta_reach(pl->p, pta_cell(pl->p, l), &pl->outlives);
	}
}

/* ---- one instruction --------------------------------------------------- */

void effects_freed(struct fix_planner *pl, uint32_t func, const struct ir_inst *in, const struct model *md,
		   struct sbits *freed)
{
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_place *to = &md->effects[i].place;

		if (md->effects[i].kind != MODEL_E_FREE || to->base == MODEL_RETURN ||
		    to->base == MODEL_GLOBAL)
			continue;
		for (uint32_t k = to->arg; k < in->nops && (k == to->arg || to->base == MODEL_ARGS_FROM);
		     k++) {
			const struct sbits *pts = pta_points_to(pl->p, func, in->ops[k]);

			if (!to->nsteps)
				pta_add_objs(pl->p, pts, freed);
			else
				sbits_or(freed, closure_objs(pl->closure, pts));
		}
	}
}

/* What a model does to what its arguments lead to: anything that they reach may be looked
 * at and written, but for what is only set; what is freed through members may be anything, too. */
static void add_model(struct fix_planner *pl, uint32_t func, const struct ir_inst *in, const struct model *md,
		      struct plan_effects *fx)
{
	effects_freed(pl, func, in, md, &fx->freed);
	for (uint32_t k = 1; k < in->nops; k++)
		if (!model_only_sets(md, k))
			add_reach(pl, func, in->ops[k], fx, false);
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		const struct model_place *to = e->kind == MODEL_E_COPY ? &e->to : &e->place;

		if (to->base == MODEL_RETURN || to->base == MODEL_GLOBAL)
			continue;
		for (uint32_t k = to->arg; k < in->nops && (k == to->arg || to->base == MODEL_ARGS_FROM);
		     k++) {
			const struct sbits *pts = pta_points_to(pl->p, func, in->ops[k]);

			switch (e->kind) {
			case MODEL_E_SET:
			case MODEL_E_COPY:
			case MODEL_E_WRITE:
				sbits_or(&fx->mod, closure_whole(pl->closure, pts));
				for (uint32_t j = 1; j < in->nops && e->kind != MODEL_E_WRITE &&
						     sbits_intersects(pts, &pl->blobs);
				     j++) {
					pta_add_objs(pl->p, pta_points_to(pl->p, func, in->ops[j]),
						     &fx->sunk);
					add_sunk(pl, func, in->ops[j], fx);
				}
				if (e->kind == MODEL_E_COPY && e->place.base == MODEL_ARG &&
				    e->place.arg < in->nops)
					add_sunk(pl, func, in->ops[e->place.arg], fx);
				break;
			case MODEL_E_KEEP:
			case MODEL_E_REF:
				add_reach(pl, func, in->ops[k], fx, true);
				break;
			case MODEL_E_HOLD:
				if (e->place.nsteps && pts->n)
					sbits_or(&fx->gave, closure_step(pl->closure, pts));
				else
					pta_add_objs(pl->p, pts, &fx->gave);
				break;
			default:
				break;
			}
		}
	}
}

static void merge(struct plan_effects *to, const struct plan_effects *from)
{
	sbits_or(&to->freed, &from->freed);
	sbits_or(&to->mod, &from->mod);
	sbits_or(&to->read, &from->read);
	sbits_or(&to->gave, &from->gave);
	sbits_or(&to->sunk, &from->sunk);
}

static void add_call(struct fix_planner *pl, uint32_t func, uint32_t inst, struct plan_effects *fx)
{
	const struct ir_inst *in = &pl->m->funcs.v[func].insts[inst];
	struct pta_callees c;

	callees_of(pl, func, inst, &c);
	if (c.unknown || !sbits_count(c.set))
		add_unknown(pl, func, in, fx);
	SBITS_FOREACH(g, c.set) {
		const struct model *md = pta_model(pl->p, g);

		if (md)
			add_model(pl, func, in, md, fx);
		else if (!ir_is_decl(&pl->m->funcs.v[g]))
			merge(fx, &pl->fx[g]);
		else
			add_unknown(pl, func, in, fx);
	}
}

/* The callbacks that a call makes; inst: IR_NONE for those of all calls. */
static void add_callbacks(const struct fix_planner *pl, uint32_t func, uint32_t inst, struct plan_effects *fx)
{
	const struct pta_callback *cb;
	uint32_t n = pta_callbacks(pl->p, func, &cb);

	for (uint32_t i = 0; i < n; i++)
		if ((inst == IR_NONE || cb[i].inst == inst) && !ir_is_decl(&pl->m->funcs.v[cb[i].callee]))
			merge(fx, &pl->fx[cb[i].callee]);
}

void effects_of_call(struct fix_planner *pl, uint32_t func, uint32_t inst, struct plan_effects *fx)
{
	add_call(pl, func, inst, fx);
	add_callbacks(pl, func, inst, fx);
}

static void add_function(struct fix_planner *pl, uint32_t func, struct plan_effects *fx)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		switch (in->op) {
		case IR_LOAD:
			sbits_or(&fx->read, pta_points_to(pl->p, func, in->ops[0]));
			add_bytes(pl, func, in, fx);
			break;
		case IR_STORE:
			sbits_or(&fx->mod, pta_points_to(pl->p, func, in->ops[0]));
			if (sbits_intersects(pta_points_to(pl->p, func, in->ops[0]), &pl->blobs))
				pta_add_objs(pl->p, pta_points_to(pl->p, func, in->ops[1]), &fx->sunk);
			break;
		case IR_MEMCPY:
		case IR_MEMSET:
		case IR_VACOPY:
			sbits_or(&fx->mod,
				 closure_whole(pl->closure, pta_points_to(pl->p, func, in->ops[0])));
			if (in->op == IR_MEMSET)
				break;
			if (pta_is_text_copy(pl->p, func, i) ||
			    sbits_intersects(pta_points_to(pl->p, func, in->ops[0]), &pl->blobs))
				add_sunk(pl, func, in->ops[1], fx);
			sbits_or(&fx->read,
				 closure_whole(pl->closure, pta_points_to(pl->p, func, in->ops[1])));
			break;
		case IR_ASM:
			add_unknown(pl, func, in, fx);
			break;
		case IR_CALL:
			add_call(pl, func, i, fx);
			break;
		default:
			break;
		}
	}
	add_callbacks(pl, func, IR_NONE, fx);
}

void effects_free(struct plan_effects *fx)
{
	sbits_release(&fx->freed);
	sbits_release(&fx->mod);
	sbits_release(&fx->read);
	sbits_release(&fx->gave);
	sbits_release(&fx->sunk);
}

void effects_build(struct fix_planner *pl)
{
	uint32_t n;
	const uint32_t *order = pta_bottom_up(pl->p, &n);

	pl->closure = closure_new(pl->p);
	find_outliving(pl);
	pl->fx = xcalloc(MAX(pl->m->funcs.n, 1), sizeof(*pl->fx));
	for (uint32_t first = 0, end; first < n; first = end) {
		struct plan_effects all = {0};

		for (end = first;
		     end < n && pta_component(pl->p, order[end]) == pta_component(pl->p, order[first]);
		     end++)
			add_function(pl, order[end], &all);
		for (uint32_t i = first; i < end; i++)
			merge(&pl->fx[order[i]], &all);
		effects_free(&all);
	}
}

void effects_release(struct fix_planner *pl)
{
	for (uint32_t i = 0; pl->fx && i < pl->m->funcs.n; i++)
		effects_free(&pl->fx[i]);
	free(pl->fx);
	pl->fx = NULL;
	bits_release(&pl->outlives);
	sbits_release(&pl->blobs);
	closure_free(pl->closure);
	pl->closure = NULL;
}
