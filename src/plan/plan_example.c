/*
 * plan_example.c - what hangs on an object is released as the function does it on its other ways.
 *
 * A function that is told how much there is to release says nothing of that itself:
 *
 *	v = make(n);
 *	if (use(v) < 0)
 *		return -1;		here, too
 *	values_clear(v, n);		the example
 *	free(v);
 *
 * The example is a call of the same function with the variable, either one that frees the object, or one
 *that frees what hangs on it and has free(v) behind it.  At another place it does the same if all that it
 *looks at is the same there:
 *
 *   - one call makes the object, once, and before the example; the variable is not set again;
 *   - what else the example is told are numbers, or a variable that is not set behind the call that makes
 *the object, which may have set it;
 *   - nothing between that call and either place may free the object or what hangs on it, or write to what
 *the example looks at there;
 *   - what is freed below the object is its own (plan_owned.c).
 *
 * If there may be no object at the place the release asks for one, so that it need not be known what the
 *example does then.
 *
 * Which way it errs: what may be written and freed is asked of points-to sets, which are too large: a
 *refusal.
 */
#include "plan/priv.h"

#include "ir/expr.h"

struct example {
	const struct plan_chooser *c;
	const struct plan_sim *sim;
	const struct ir_func *f;
	uint32_t slot, made;		/* the variable; the call that makes the object */
	uint32_t at;			/* control goes on with this instruction behind the place */
	uint32_t call, callee, arg;	/* the example */
	uint32_t behind;		/* its last instruction: the call, or the free() behind it */
	uint32_t more;			/* a variable that it is told, or IR_NONE */
};

/* The free() of the variable that follows in the same block, with no call in between. */
static uint32_t free_behind(const struct example *x, uint32_t call)
{
	const struct ir_block *b = &x->f->blocks[x->f->insts[call].block];

	for (uint32_t i = call + 1; i < b->first + b->n; i++) {
		const struct ir_inst *in = &x->f->insts[i];
		const struct ir_func *g = in->op == IR_CALL ? ir_callee(x->sim->pl->m, in) : NULL;

		if (in->op == IR_CALL)
			return g && str_eq(g->name, "free") && in->nops == 2 &&
					       plan_is_value_of(x->f, in->ops[1], x->slot)
				       ? i
				       : IR_NONE;
	}
	return IR_NONE;
}

/* Does the callee leave the object itself alone? */
static bool is_left(struct fix_planner *pl, uint32_t callee, uint32_t param)
{
	const struct plan_summary *sum = summary_of_param(pl, callee, param);

	for (uint32_t i = 0; i < sum->n && sum->known; i++)
		if (sum->out[i].phase == PHASE_FREED || sum->out[i].doubt || sum->out[i].returned)
			return false;
	return sum->known;
}

/* Is the call an example?  Then x->call and what belongs to it are set. */
static bool is_example(struct example *x, uint32_t call)
{
	struct fix_planner *pl = x->sim->pl;
	const struct ir_inst *in = &x->f->insts[call];
	const struct ir_func *g = in->op == IR_CALL ? ir_callee(pl->m, in) : NULL;
	uint32_t args = 0;

	if (!g || ir_is_decl(g) || g->flags & IR_FN_VARIADIC || g->nparams < 2 ||
	    in->nops != g->nparams + 1 || (g->linkage == IR_L_STATIC && g->unit != x->f->unit))
		return false;
	x->call = x->behind = call;
	x->callee = (uint32_t)(g - pl->m->funcs.v);
	for (uint32_t k = 1; k < in->nops; k++)
		if (plan_is_value_of(x->f, in->ops[k], x->slot)) {
			x->arg = k;
			args++;
		}
	if (args != 1 || !ir_comes_before(x->f, x->made, call, IR_NONE))
		return false;
	if (release_always(pl, x->callee, x->arg - 1))
		return true;
	x->behind = free_behind(x, call);
	return x->behind != IR_NONE && is_left(pl, x->callee, x->arg - 1);
}

/* Does nothing but the call that makes the object set the variable from there on? */
static bool is_not_set(const struct example *x, uint32_t slot)
{
	for (uint32_t i = 0; i < x->f->ninsts; i++) {
		const struct ir_inst *in = &x->f->insts[i], *d;

		for (uint32_t k = 0; k < in->nops; k++) {
			if (in->ops[k] != IR_SLOT(slot) || i == x->made || (in->op == IR_LOAD && k == 0))
				continue;
			if (in->op != IR_STORE || k != 0)
				return false;
			d = ir_def(x->f, expr_uncast(x->f, in->ops[1]));
			if (ir_comes_before(x->f, x->made, i, IR_NONE) &&
			    !(slot == x->slot && d == &x->f->insts[x->made]))
				return false;
		}
	}
	return true;
}

/* What the example is told, as text; "" if that cannot be said at the place. */
static const char *arguments(struct example *x, const struct plan_place *at)
{
	const struct ir_inst *in = &x->f->insts[x->call];
	struct arena *a = x->c->r->arena;
	const char *text = "";

	x->more = IR_NONE;
	for (uint32_t k = 1; k < in->nops; k++) {
		const struct ir_inst *d = ir_def(x->f, in->ops[k]);
		const char *one;

		while (d && d->op == IR_CAST &&
		       (d->sub == IR_CAST_ZEXT || d->sub == IR_CAST_SEXT || d->sub == IR_CAST_TRUNC))
			d = ir_def(x->f, d->ops[0]);
		if (k == x->arg) {
			one = x->f->slots[x->slot].name;
		} else if (IR_KIND(in->ops[k]) == IR_R_INT && ir_int_value(x->sim->pl->m, in->ops[k]) >= 0) {
			one = arena_printf(a, "%lld", (long long)ir_int_value(x->sim->pl->m, in->ops[k]));
		} else if (d && d->op == IR_LOAD && d->cls == IR_C_INT && IR_KIND(d->ops[0]) == IR_R_SLOT &&
			   (x->more == IR_NONE || x->more == IR_IDX(d->ops[0]))) {
			x->more = IR_IDX(d->ops[0]);
			one = x->f->slots[x->more].name;
		} else {
			return "";
		}
		text = arena_printf(a, "%s%s%s", text, k > 1 ? ", " : "", one);
	}
	if (x->more != IR_NONE &&
	    (!x->f->slots[x->more].name[0] || x->f->slots[x->more].flags & (IR_S_TEMP | IR_S_RETVAL) ||
	     !is_not_set(x, x->more) || !place_in_scope(x->sim, x->more, at)))
		return "";
	return text;
}

/* By the sets a callee may free the object, or write to it.  Is it known that it does not?  It gets there
 * only by arguments that point there themselves, and through which it does no more than read, or, writes
 * aside, to what these are in. */
static bool is_spared(const struct example *x, const struct ir_inst *call, uint32_t callee, uint32_t obj,
		      bool written)
{
	struct fix_planner *pl = x->sim->pl;
	const struct sbits *holders = closure_holders(pl->closure, obj);

	if (bits_test(&pl->outlives, obj) || call->nops != pl->m->funcs.v[callee].nparams + 1)
		return false;
	for (uint32_t k = 1; k < call->nops; k++) {
		const struct sbits *to = pta_points_to(pl->p, x->sim->func, call->ops[k]);

		if (!bits_test(closure_of(pl->closure, to), obj))
			continue;
		if (!looks_reads(pl, callee, k - 1))
			return false;
		SBITS_FOREACH(h, holders)
		if (bits_test(closure_of(pl->closure, to), pta_loc(pl->p, h)->obj) &&
		    (written || !sbits_test(closure_whole(pl->closure, to), h) ||
		     !looks_only_within(pl, callee, k - 1)))
			return false;
	}
	return true;
}

/* May a call write to these, free or keep them? */
static bool call_changes(const struct example *x, uint32_t inst, const struct sbits *locs,
			 const struct bits *objs)
{
	struct fix_planner *pl = x->sim->pl;
	const struct ir_inst *in = &x->f->insts[inst];
	struct pta_callees to;
	bool changes;

	callees_of(pl, x->sim->func, inst, &to);
	changes = to.unknown;
	SBITS_FOREACH(g, to.set) {
		const struct model *md = pta_model(pl->p, g);

		changes |= !md && ir_is_decl(&pl->m->funcs.v[g]);
		for (uint32_t i = 0; md && i < md->neffects; i++)
			changes |= md->effects[i].kind != MODEL_E_NORETURN &&
				   md->effects[i].place.base != MODEL_RETURN;
		if (md || ir_is_decl(&pl->m->funcs.v[g]))
			continue;
		SBITS_FOREACH(l, locs)
		if (sbits_test(&pl->fx[g].mod, l) && !is_spared(x, in, g, pta_loc(pl->p, l)->obj, true))
			return true;
		SBITS_FOREACH(o, &pl->fx[g].freed)
			if (bits_test(objs, o) && !is_spared(x, in, g, o, false))
				return true;
	}
	for (uint32_t k = 0; k < in->nops && changes; k++)
		if (sbits_intersects(
			    closure_locs(pl->closure, pta_points_to(pl->p, x->sim->func, in->ops[k])), locs))
			return true;
	return false;
}

/* Is all that the example looks at, of the object and of what hangs on it, at both places as it was made? */
static bool is_unchanged(const struct example *x)
{
	struct fix_planner *pl = x->sim->pl;
	const struct sbits *held = pta_points_to(pl->p, x->sim->func, x->f->insts[x->call].ops[x->arg]);
	const struct bits *objs = closure_of(pl->closure, held);
	struct sbits locs = {0};
	bool same = true;

	sbits_or(&locs, closure_locs(pl->closure, held));
	sbits_and(&locs, &pl->fx[x->callee].read);
	for (uint32_t i = 0; i < x->f->ninsts && same; i++) {
		const struct ir_inst *in = &x->f->insts[i];

		if (i == x->made || i == x->call || i == x->behind ||
		    !ir_comes_before(x->f, x->made, i, IR_NONE) ||
		    !(ir_comes_before(x->f, i, x->call, IR_NONE) ||
		      ir_comes_before(x->f, i, x->at, IR_NONE)))
			continue;
		if (in->op == IR_ASM || (in->op == IR_CALL && call_changes(x, i, &locs, objs)))
			same = false;
		if ((in->op == IR_STORE || in->op == IR_MEMCPY || in->op == IR_MEMSET) &&
		    IR_KIND(in->ops[0]) != IR_R_SLOT &&
		    sbits_intersects(pta_points_to(pl->p, x->sim->func, in->ops[0]), &locs))
			same = false;
	}
	sbits_release(&locs);
	return same;
}

/* Is what the example frees below the object its own?  Asked of what the variable can hold: not of all that
 * its allocator makes for others, too. */
static bool is_own(const struct example *x)
{
	struct fix_planner *pl = x->sim->pl;
	struct sbits roots = {0};
	bool own;

	pta_add_objs(pl->p, pta_points_to(pl->p, x->sim->func, x->f->insts[x->call].ops[x->arg]), &roots);
	own = owned_alone(pl, &roots, &pl->fx[x->callee].freed, x->sim->func, x->at, x->made);
	sbits_release(&roots);
	return own;
}

const char *example_text(const struct plan_chooser *c, const struct plan_option *o, uint32_t at,
			 const char **name, uint32_t *more)
{
	const struct plan_birth *b = &c->sim->births.v[c->r->birth];
	struct example x = {
		.c = c, .sim = c->sim, .f = c->sim->f, .slot = o->key, .made = b->inst, .at = at
	};
	const char *args;

	if (o->key >= c->sim->f->nslots || o->at->guard != IR_NONE || o->at->where == FIX_RESULT ||
	    b->several || b->part || b->inner || ir_comes_before(x.f, x.made, x.made, IR_NONE))
		return NULL;
	for (uint32_t i = 0; i < c->sim->births.n; i++)
		if (c->sim->births.v[i].follow && i != c->r->birth)
			return NULL;
	for (uint32_t i = 0; i < x.f->ninsts; i++) {
		if (!is_example(&x, i) || !is_not_set(&x, x.slot) || !*(args = arguments(&x, o->at)) ||
		    !is_unchanged(&x) || !is_own(&x))
			continue;
		if (acts_besides(c->sim->pl, x.callee, b->callee, c->sim->func, c->r->arena))
			continue;
		*name = c->sim->pl->m->funcs.v[x.callee].src;
		*more = x.more;
		return arena_printf(c->r->arena, "%s(%s);%s", *name, args,
				    x.behind == x.call ? ""
						       : arena_printf(c->r->arena, "\nfree(%s);",
								      x.f->slots[x.slot].name));
	}
	return NULL;
}
