/*
 * plan_counted.c - a destructor drops references: are they the object's own?
 *
 *	s->list = v->list;			void state_free(struct state *s)
 *	s->list->references++;			{
 *							list_free(s->list);	frees it if it was the last
 *							free(s->text);
 *							free(s);
 *						}
 *
 * By the sets of what functions free, state_free() frees lists that others have as well, and must not be
 *called (plan_owned.c).  But it takes back no more than what was counted for s.  What a destructor frees is
 *found here without what it drops in that way, if all of this holds for the places (`members`) that the
 *dropped pointers are read from:
 *
 *   - they are in the object, or in what the destructor frees below it for good;
 *   - the counter that is counted down decides whether anything below is freed;
 *   - each store to such a member, in the whole program, is of null, of something new, or is counted, just
 *before or behind it; such memory is not copied as a whole, and who puts it there shows it to nobody else;
 *   - what is dropped begins with a reference of its maker's, so that it does not live by ours alone;
 *   - between the call that makes the object and the place nobody reads the members: who reads one may drop
 *it, or move it; nor is what is dropped given to anybody who may do so;
 *   - the function that gets the call does nothing with what is dropped behind the place, and its callers do
 *not drop it themselves if it fails.
 *
 * Which way it errs: towards a refusal, but for two things.  If others drop all their references meanwhile,
 *who has a pointer for which nothing was counted has lost it with ours; that is so wherever the program
 *calls the destructor itself.  And a caller that makes good for what this function forgets by means of
 *another function is not seen.
 */
#include "plan/priv.h"

#include "ir/expr.h"

/* A call that drops a reference, or frees. */
struct drop {
	struct sbits members;		/* locs that the pointer may be read from */
	bool counts;
	int64_t off;			/* of the counter in what it points to */
	struct sbits objs;		/* what is dropped, unknown memory aside */
};

/* What a destructor frees and drops of these objects. */
struct plan_freed {
	uint32_t destructor;
	struct sbits roots;
	VEC(struct drop) drops;
	bool odd;			/* one that drops what is not read from a member */
	bool own;			/* nor is anything else freed, but the object itself */
	struct sbits freed;		/* without what is dropped */
};

/* A function that the destructor calls, and what it is given there. */
struct frame {
	const struct frame *caller;
	const struct ir_inst *call;	/* in the caller */
	uint32_t func;
	struct sbits *args;		/* by parameter: locs */
};

struct counted {
	struct fix_planner *pl;
	uint32_t func, made;		/* the call that makes the object */
	struct plan_freed *by;		/* the destructor */
	uint32_t frames;		/* so many were looked into */
	struct bits seen, asked;	/* functions */
	bool own;			/* nor is anything else freed than what is the object's own */
	struct sbits members;		/* of all drops */
	struct sbits alike;		/* of one drop: the same members of all objects of their types */
	struct sbits dropped;		/* objects, unknown memory aside */
	struct sbits near; /* the objects themselves, what holds them, and what is freed below them */
};

/* ---- counters ---------------------------------------------------------------- */

/* By how much does a store change a number that is read from the same place: 1, -1; else 0.  *base, *off:
 * the place. */
static int counts(const struct ir_module *m, const struct ir_func *f, uint32_t inst, ir_ref *base,
		  int64_t *off)
{
	const struct ir_inst *in = &f->insts[inst], *sum, *old;
	int64_t by, from = 0;

	if (in->op != IR_STORE || in->cls != IR_C_INT || !(sum = ir_def(f, in->ops[1])) ||
	    sum->op != IR_BIN || (sum->sub != IR_B_ADD && sum->sub != IR_B_SUB) ||
	    IR_KIND(sum->ops[1]) != IR_R_INT)
		return 0;
	by = ir_int_value(m, sum->ops[1]);
	old = ir_def(f, sum->ops[0]);
	*off = 0;
	*base = plan_base(f, in->ops[0], off);
	if ((by != 1 && by != -1) || !old || old->op != IR_LOAD ||
	    !plan_same_place(f, plan_base(f, old->ops[0], &from), *base) || from != *off)
		return 0;
	return sum->sub == IR_B_ADD ? (int)by : -(int)by;
}

/* Behind a branch on the number that was counted down, by `inst`: the block that is only entered if nothing
 * is left; IR_NONE. */
static uint32_t none_left(const struct ir_module *m, const struct ir_func *f, const struct ssa *ssa,
			  uint32_t inst, ir_ref base, int64_t off)
{
	for (uint32_t b = 0; b < f->nblocks; b++) {
		uint32_t last = f->blocks[b].first + f->blocks[b].n - 1, to;
		const struct ir_inst *br = &f->insts[last],
				     *cmp = br->op == IR_CONDBR ? ir_def(f, br->ops[0]) : NULL, *d;
		int64_t from = 0;

		if (!cmp || cmp->op != IR_CMP || IR_KIND(cmp->ops[1]) != IR_R_INT ||
		    ir_int_value(m, cmp->ops[1]) != 0 || !plan_comes_first(f, ssa, inst, last))
			continue;
		d = ir_def(f, cmp->ops[0]);
		if (cmp->ops[0] != f->insts[inst].ops[1] &&
		    !(d && d->op == IR_LOAD && plan_comes_first(f, ssa, inst, (uint32_t)(d - f->insts)) &&
		      plan_same_place(f, plan_base(f, d->ops[0], &from), base) && from == off))
			continue;
		if (cmp->sub == IR_P_EQ || cmp->sub == IR_P_SLE || cmp->sub == IR_P_ULE)
			to = br->targets[0];
		else if (cmp->sub == IR_P_NE || cmp->sub == IR_P_SGT || cmp->sub == IR_P_UGT)
			to = br->targets[1];
		else
			continue;
		if (f->blocks[to].npred == 1)
			return to;
	}
	return IR_NONE;
}

/* May a call free something that the parameter leads to?  Of what is unknown that is so if it gets such a
 * thing. */
static bool may_free(struct fix_planner *pl, uint32_t func, uint32_t inst, const struct bits *below)
{
	const struct ir_inst *in = &pl->m->funcs.v[func].insts[inst];
	struct sbits freed = {0};
	struct pta_callees to;
	bool unknown, any = false;

	callees_of(pl, func, inst, &to);
	unknown = to.unknown || !sbits_count(to.set);
	SBITS_FOREACH(g, to.set) {
		const struct model *md = pta_model(pl->p, g);

		if (md)
			effects_freed(pl, func, in, md, &freed);
		else if (!ir_is_decl(&pl->m->funcs.v[g]))
			sbits_or(&freed, &pl->fx[g].freed);
		else
			unknown = true;
	}
	for (uint32_t k = 1; k < in->nops && unknown; k++)
		sbits_or(&freed, closure_objs(pl->closure, pta_points_to(pl->p, func, in->ops[k])));
	SBITS_FOREACH(o, &freed)
		any |= bits_test(below, o);
	sbits_release(&freed);
	return any;
}

/* Does the function count down in what it is given, and free that, or what hangs on it, only if nothing is
 * left? */
static bool drops(struct fix_planner *pl, uint32_t func, int64_t *off)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ssa *ssa = pta_ssa(pl->p, func);
	const struct bits *below;
	uint32_t at = IR_NONE, end;
	ir_ref base = IR_NULL, b;
	int64_t o;

	if (ir_is_decl(f) || f->nparams != 1 || !ssa)
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		if (counts(pl->m, f, i, &b, &o) != -1 || pta_origin(pl->p, func, b) != IR_VREG(0))
			continue;
		if (at != IR_NONE)
			return false;
		at = i;
		base = b;
		*off = o;
	}
	end = at == IR_NONE ? IR_NONE : none_left(pl->m, f, ssa, at, base, *off);
	if (end == IR_NONE)
		return false;
	below = closure_of(pl->closure, pta_points_to(pl->p, func, IR_VREG(0)));
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_CALL && !dom_dominates(&ssa->dom, end, f->insts[i].block) &&
		    may_free(pl, func, i, below))
			return false;
	return true;
}

static bool is_drop(struct fix_planner *pl, uint32_t func, int64_t *off)
{
	struct plan_drop *d;

	if (!pl->drops)
		pl->drops = arena_array(&pl->arena, struct plan_drop, MAX(pl->m->funcs.n, 1));
	d = &pl->drops[func];
	if (!d->asked) {
		d->asked = true;
		d->is = drops(pl, func, &d->off);
	}
	*off = d->off;
	return d->is;
}

/* ---- what the destructor frees --------------------------------------------------- */

static void add_values(const struct counted *x, const struct frame *fr, ir_ref r, struct sbits *out,
		       unsigned depth);

/* The pointer that an address is computed from, within the object that it points to.  *off: how far it is
 * from there, in members; IR_NONE if elements are among them. */
static ir_ref pointer_of(const struct ir_func *f, ir_ref addr, int64_t *off)
{
	const struct ir_inst *d;

	*off = 0;
	while ((d = ir_def(f, addr)) &&
	       (d->op == IR_FIELD || d->op == IR_INDEX || d->op == IR_ELEM || d->op == IR_COPY ||
		(d->op == IR_CAST && d->sub == IR_CAST_BITCAST))) {
		if (d->op == IR_INDEX || d->op == IR_ELEM || *off == IR_NONE)
			*off = IR_NONE;
		else if (d->op == IR_FIELD)
			*off += d->imm;
		addr = d->ops[0];
	}
	return addr;
}

/* Adds the locs that an address may be, with what the function was given.  Whoever else calls it may have
 * given it something else: of elements all that is in the object counts then. */
static void add_places(const struct counted *x, const struct frame *fr, ir_ref addr, struct sbits *out,
		       unsigned depth)
{
	const struct pta *p = x->pl->p;
	const struct sbits *usual = pta_points_to(p, fr->func, addr);
	struct sbits from = {0}, objs = {0};
	int64_t off;

	add_values(x, fr, pointer_of(&x->pl->m->funcs.v[fr->func], addr, &off), &from, depth + 1);
	pta_add_objs(p, usual, &objs);
	SBITS_FOREACH(b, &from) {
		uint32_t o = pta_loc(p, b)->obj, at = off == IR_NONE ? IR_NONE : pta_loc_at(p, b, off);

		if (at != IR_NONE)
			sbits_set(out, at);
		for (uint32_t l = off == IR_NONE ? pta_obj(p, o)->first_loc : IR_NONE; l != IR_NONE;
		     l = pta_loc(p, l)->next)
			if (!sbits_test(&objs, o) || sbits_test(usual, l))
				sbits_set(out, l);
	}
	sbits_release(&from);
	sbits_release(&objs);
}

/* Adds what one value may be which another may be. */
static void add_origin(const struct counted *x, const struct frame *fr, ir_ref r, struct sbits *out,
		       unsigned depth)
{
	enum { MAX_DEPTH = 8 };
	const struct pta *p = x->pl->p;
	const struct ir_func *f = &x->pl->m->funcs.v[fr->func];
	const struct ir_inst *d = ir_def(f, r);
	struct sbits found = {0};
	int64_t off;

	if (IR_KIND(r) == IR_R_VREG && IR_IDX(r) < f->nparams) {
		sbits_or(out, &fr->args[IR_IDX(r)]);
	} else if (d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_VREG && depth < MAX_DEPTH) {
		add_places(x, fr, d->ops[0], &found, depth);
		SBITS_FOREACH(l, &found)
			sbits_or(out, pta_cell(p, l));
		sbits_release(&found);
	} else if (d && pointer_of(f, r, &off) != r && depth < MAX_DEPTH) {
		add_places(x, fr, r, out, depth);
	} else {
		sbits_or(out, pta_points_to(p, fr->func, r));
	}
}

/* Adds the locs that a value may point to, with what the function was given. */
static void add_values(const struct counted *x, const struct frame *fr, ir_ref r, struct sbits *out,
		       unsigned depth)
{
	ir_ref from[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(x->pl, fr->func, r, from);

	if (!n)
		sbits_or(out, pta_points_to(x->pl->p, fr->func, r));
	for (uint32_t i = 0; i < n; i++)
		add_origin(x, fr, from[i], out, depth);
}

/* Adds the places that a value is read from, here or by callers.  False: that is not known, or it is what
 * the destructor is given. */
static bool add_members(const struct counted *x, const struct frame *fr, ir_ref r, struct sbits *out)
{
	ir_ref from[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(x->pl, fr->func, r, from);
	bool ok = n;

	for (uint32_t i = 0; i < n && ok; i++) {
		const struct ir_inst *d = ir_def(&x->pl->m->funcs.v[fr->func], from[i]);

		if (from[i] == IR_NULL)
			continue;
		if (IR_KIND(from[i]) == IR_R_VREG && IR_IDX(from[i]) < x->pl->m->funcs.v[fr->func].nparams)
			ok = fr->caller &&
			     add_members(x, fr->caller, fr->call->ops[IR_IDX(from[i]) + 1], out);
		else if ((ok = d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_VREG))
			add_places(x, fr, d->ops[0], out, 0);
	}
	return ok;
}

/* Is it what the destructor is given? */
static bool is_given(const struct counted *x, const struct frame *fr, ir_ref r)
{
	ir_ref from = pta_origin(x->pl->p, fr->func, r);

	if (IR_KIND(from) != IR_R_VREG || IR_IDX(from) >= x->pl->m->funcs.v[fr->func].nparams)
		return false;
	return !fr->caller || is_given(x, fr->caller, fr->call->ops[IR_IDX(from) + 1]);
}

/* Notes a call that drops what it is given; false: it may free that, whatever the counter says. */
static bool note_drop(struct counted *x, const struct frame *fr, const struct ir_inst *in, uint32_t callee)
{
	struct drop drop = { .counts = true };

	if (in->nops != 2 || !is_drop(x->pl, callee, &drop.off))
		return false;
	x->by->odd |= !add_members(x, fr, in->ops[1], &drop.members);
	vec_push(&x->by->drops, drop);
	return true;
}

/* Notes what a library's function frees. */
static void note_free(struct counted *x, const struct frame *fr, ir_ref r)
{
	struct drop drop = {0};
	struct sbits locs = {0};

	add_values(x, fr, r, &locs, 0);
	pta_add_objs(x->pl->p, &locs, &x->by->freed);
	sbits_release(&locs);
	if (is_given(x, fr, r))
		return;
	x->by->own &= add_members(x, fr, r, &drop.members);
	vec_push(&x->by->drops, drop);
}

static void find_frees(struct counted *x, const struct frame *fr);

/* What a callee frees with what it is given there; if it calls itself, or that gets too much: with what
 * anybody gives it. */
static void enter(struct counted *x, const struct frame *caller, const struct ir_inst *in, uint32_t callee)
{
	enum { MAX_FRAMES = 400 };
	const struct ir_func *f = &x->pl->m->funcs.v[callee];
	struct frame fr = { .caller = caller, .call = in, .func = callee };
	bool again = ++x->frames > MAX_FRAMES || in->nops < f->nparams + 1;

	if (ir_is_decl(f) || !x->pl->fx[callee].freed.n)
		return;
	again |= !plan_pay(x->pl, f->ninsts);
	for (const struct frame *c = caller; c; c = c->caller)
		again |= c->func == callee;
	if (again) {
		x->by->own = false;
		sbits_or(&x->by->freed, &x->pl->fx[callee].freed);
		return;
	}
	fr.args = xcalloc(MAX(f->nparams, 1), sizeof(*fr.args));
	for (uint32_t k = 0; k < f->nparams; k++)
		add_values(x, caller, in->ops[k + 1], &fr.args[k], 0);
	find_frees(x, &fr);
	for (uint32_t k = 0; k < f->nparams; k++)
		sbits_release(&fr.args[k]);
	free(fr.args);
}

static void model_frees_there(struct counted *x, const struct frame *fr, const struct ir_inst *in,
			      const struct model *md)
{
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_place *to = &md->effects[i].place;

		if (md->effects[i].kind != MODEL_E_FREE)
			continue;
		if (to->base != MODEL_ARG || to->nsteps) {
			effects_freed(x->pl, fr->func, in, md, &x->by->freed);
			x->by->own = false;
		} else if (to->arg < in->nops) {
			note_free(x, fr, in->ops[to->arg]);
		}
	}
}

static void find_frees(struct counted *x, const struct frame *fr)
{
	const struct ir_func *f = &x->pl->m->funcs.v[fr->func];
	const struct pta_callback *cb;
	uint32_t n = pta_callbacks(x->pl->p, fr->func, &cb);

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		struct pta_callees to;

		if (in->op != IR_CALL)
			continue;
		callees_of(x->pl, fr->func, i, &to);
		SBITS_FOREACH(g, to.set) {
			if (pta_model(x->pl->p, g))
				model_frees_there(x, fr, in, pta_model(x->pl->p, g));
			else if (!note_drop(x, fr, in, g))
				enter(x, fr, in, g);
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		sbits_or(&x->by->freed, &x->pl->fx[cb[i].callee].freed);
		x->by->own &= !x->pl->fx[cb[i].callee].freed.n;
	}
}

/* ---- the members ----------------------------------------------------------------- */

/* Are the places that a drop reads in the object, or in what is freed below it? */
static bool take_members(struct counted *x, const struct sbits *roots, struct drop *d)
{
	const struct pta *p = x->pl->p;

	sbits_clear(&x->alike);
	SBITS_FOREACH(l, &d->members) {
		uint32_t o = pta_loc(p, l)->obj;

		if (pta_obj(p, o)->kind != PTA_HEAP || pta_obj(p, o)->common ||
		    !(sbits_test(roots, o) || sbits_test(&x->by->freed, o)))
			return false;
		sbits_set(&x->members, l);
		sbits_set(&x->alike, l);
		SBITS_FOREACH(to, pta_cell(p, l))
			if (d->counts && pta_obj(p, pta_loc(p, to)->obj)->kind == PTA_HEAP)
				sbits_set(&d->objs, pta_loc(p, to)->obj);
	}
	sbits_or(&x->dropped, &d->objs);
	return x->alike.n;
}

/* The same members of all objects of their types: what a constructor fills stands for what its callers get.
 */
static void find_alike(struct counted *x)
{
	const struct pta *p = x->pl->p;
	struct sbits own = {0};

	sbits_or(&own, &x->alike);
	SBITS_FOREACH(l, &own) {
		const struct pta_loc *m = pta_loc(p, l);
		uint32_t type = pta_obj(p, m->obj)->type;

		for (uint32_t o = 0; o < pta_nobjs(p) && type; o++)
			for (uint32_t k = pta_obj(p, o)->type == type ? pta_obj(p, o)->first_loc : IR_NONE;
			     k != IR_NONE; k = pta_loc(p, k)->next)
				if (pta_loc(p, k)->off == m->off)
					sbits_set(&x->alike, k);
	}
	sbits_release(&own);
}

/* ---- who reads them? ------------------------------------------------------------------ */

/* Does an instruction read one of these?  What the function has just made is another object than one that
 * was there before. */
static bool reads(const struct counted *x, uint32_t func, const struct ir_inst *in,
		  const struct sbits *members)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	int64_t off = 0;

	if (in->op == IR_MEMCPY)
		return sbits_intersects(
			closure_whole(x->pl->closure, pta_points_to(x->pl->p, func, in->ops[1])), members);
	return in->op == IR_LOAD && sbits_intersects(pta_points_to(x->pl->p, func, in->ops[0]), members) &&
	       !owned_is_new(x->pl, func, plan_base(f, in->ops[0], &off));
}

/* Does the function, or one that it calls, read one of these?  x->seen: functions that were asked. */
static bool reads_any(struct counted *x, uint32_t func, const struct sbits *members)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	bool any = false;

	if (ir_is_decl(f) || !bits_set(&x->seen, func) || !sbits_intersects(&x->pl->fx[func].read, members))
		return false;
	for (uint32_t i = 0; i < f->ninsts && !any; i++) {
		const struct ir_inst *in = &f->insts[i];
		struct pta_callees to;

		any = reads(x, func, in, members);
		if (in->op != IR_CALL)
			continue;
		callees_of(x->pl, func, i, &to);
		SBITS_FOREACH(g, to.set)
			any = any || reads_any(x, g, members);
	}
	return any;
}

/* ---- stores ------------------------------------------------------------------------ */

/* Is it the pointer that a store puts there, as it is or read again? */
static bool is_stored(const struct fix_planner *pl, uint32_t func, const struct ir_inst *store, ir_ref r)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_inst *d = ir_def(f, expr_uncast(f, r));
	int64_t a = 0, b = 0;

	if (pta_origin(pl->p, func, r) == pta_origin(pl->p, func, store->ops[1]))
		return true;
	return d && d->op == IR_LOAD &&
	       plan_same_place(f, plan_base(f, d->ops[0], &a), plan_base(f, store->ops[0], &b)) && a == b;
}

/* The instruction that counts what the store puts there, from one on in its block up to the next call; or
 * IR_NONE. */
static uint32_t counted_from(const struct fix_planner *pl, uint32_t func, uint32_t store, uint32_t from,
			     int64_t counter)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_block *b = &f->blocks[f->insts[from].block];
	int64_t off;
	ir_ref base;

	for (uint32_t i = from; i < b->first + b->n && f->insts[i].op != IR_CALL; i++)
		if (counts(pl->m, f, i, &base, &off) == 1 && off == counter &&
		    is_stored(pl, func, &f->insts[store], base))
			return i;
	return IR_NONE;
}

/* The block that is entered if what was stored is not null, which the store's block asks last; or IR_NONE. */
static uint32_t if_stored(const struct fix_planner *pl, uint32_t func, uint32_t store)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_block *b = &f->blocks[f->insts[store].block];
	const struct ir_inst *br = &f->insts[b->first + b->n - 1],
			     *cmp = br->op == IR_CONDBR ? ir_def(f, br->ops[0]) : NULL;
	uint32_t to;

	if (!cmp || cmp->op != IR_CMP || cmp->ops[1] != IR_NULL ||
	    (cmp->sub != IR_P_EQ && cmp->sub != IR_P_NE) ||
	    !is_stored(pl, func, &f->insts[store], cmp->ops[0]))
		return IR_NONE;
	for (uint32_t i = store + 1; i < b->first + b->n; i++)
		if (f->insts[i].op == IR_CALL)
			return IR_NONE;
	to = br->targets[cmp->sub == IR_P_EQ];
	return f->blocks[to].npred == 1 ? to : IR_NONE;
}

/* Does another store put the same somewhere, for which the same count could be meant? */
static bool is_alone(const struct fix_planner *pl, uint32_t func, uint32_t store, uint32_t count)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (i != store && in->op == IR_STORE && in->cls == IR_C_PTR &&
		    IR_KIND(in->ops[0]) != IR_R_SLOT &&
		    (in->block == f->insts[store].block || in->block == f->insts[count].block) &&
		    sbits_intersects(pta_points_to(pl->p, func, in->ops[1]),
				     pta_points_to(pl->p, func, f->insts[store].ops[1])))
			return false;
	}
	return true;
}

static bool is_counted(const struct fix_planner *pl, uint32_t func, uint32_t store, int64_t counter)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	uint32_t first = store, at = counted_from(pl, func, store, store, counter), then;

	while (first > f->blocks[f->insts[store].block].first && f->insts[first - 1].op != IR_CALL)
		first--;
	if (at == IR_NONE)
		at = counted_from(pl, func, store, first, counter);
	if (at == IR_NONE && (then = if_stored(pl, func, store)) != IR_NONE)
		at = counted_from(pl, func, store, f->blocks[then].first, counter);
	return at != IR_NONE && is_alone(pl, func, store, at);
}

/* Can control get to a block of the function that the call calls, with the constants that it is given? */
static bool is_entered(const struct counted *x, const struct ir_func *g, uint32_t callee, uint32_t block)
{
	const struct ir_inst *call = &x->pl->m->funcs.v[x->func].insts[x->made];
	VEC(uint32_t) todo = {0};
	struct bits seen;
	bool entered;

	bits_init(&seen, g->nblocks);
	bits_set(&seen, 0);
	vec_push(&todo, 0);
	while (todo.n) {
		const struct ir_block *b = &g->blocks[vec_pop(&todo)];
		const struct ir_inst *br = &g->insts[b->first + b->n - 1],
				     *cmp = br->op == IR_CONDBR ? ir_def(g, br->ops[0]) : NULL;
		ir_ref of = cmp && cmp->op == IR_CMP && IR_KIND(cmp->ops[1]) == IR_R_INT
				    ? pta_origin(x->pl->p, callee, cmp->ops[0])
				    : IR_UNDEF;
		int holds = -1;

		if (IR_KIND(of) == IR_R_VREG && IR_IDX(of) < g->nparams && IR_IDX(of) + 1 < call->nops &&
		    IR_KIND(call->ops[IR_IDX(of) + 1]) == IR_R_INT)
			holds = pval_decide(pval_int(ir_int_value(x->pl->m, call->ops[IR_IDX(of) + 1])),
					    cmp->sub, ir_int_value(x->pl->m, cmp->ops[1]));
		for (uint32_t k = 0; k < b->nsucc; k++)
			if ((holds == -1 || b->succ[k] == br->targets[!holds]) && bits_set(&seen, b->succ[k]))
				vec_push(&todo, b->succ[k]);
	}
	entered = bits_test(&seen, block);
	vec_release(&todo);
	bits_release(&seen);
	return entered;
}

/* Does a store fill something that its function has just made, and not for this call? */
static bool is_for_others(const struct counted *x, uint32_t func, const struct ir_inst *store)
{
	const struct fix_planner *pl = x->pl;
	const struct ir_func *f = &pl->m->funcs.v[func];
	int64_t off = 0;

	return ir_callee(pl->m, &pl->m->funcs.v[x->func].insts[x->made]) == f &&
	       !pta_recursive(pl->p, func) && owned_is_new(x->pl, func, plan_base(f, store->ops[0], &off)) &&
	       !is_entered(x, f, func, store->block);
}

/* May a model put something into the members? */
static bool model_fills(const struct counted *x, uint32_t func, const struct ir_inst *in,
			const struct model *md)
{
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		const struct model_place *to = e->kind == MODEL_E_COPY ? &e->to : &e->place;

		if ((e->kind != MODEL_E_SET && e->kind != MODEL_E_COPY) || to->base != MODEL_ARG ||
		    to->arg >= in->nops)
			continue;
		if (sbits_intersects(
			    closure_whole(x->pl->closure, pta_points_to(x->pl->p, func, in->ops[to->arg])),
			    &x->alike))
			return true;
	}
	return false;
}

/* Is a call given what the member is in, and may read it there? */
static bool is_read_by(struct counted *x, uint32_t func, uint32_t store, uint32_t call)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_inst *in = &f->insts[call];
	int64_t off = 0;
	ir_ref holder = pta_origin(x->pl->p, func, pointer_of(f, f->insts[store].ops[0], &off));
	struct pta_callees to;
	bool gets = false, any = false;

	for (uint32_t k = 1; k < in->nops; k++)
		gets |= pta_origin(x->pl->p, func, pointer_of(f, in->ops[k], &off)) == holder;
	if (!gets)
		return false;
	callees_of(x->pl, func, call, &to);
	bits_zero(&x->seen);
	SBITS_FOREACH(g, to.set)
	any |= !pta_model(x->pl->p, g) && (ir_is_decl(&x->pl->m->funcs.v[g]) || reads_any(x, g, &x->alike));
	return any || to.unknown;
}

/* Does the function that puts something into a member give it to nobody who may keep it, or drop it? */
static bool is_private(struct counted *x, uint32_t func, uint32_t store)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	int64_t off;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op == IR_CALL && is_read_by(x, func, store, i))
			return false;
		for (uint32_t k = 0; k < in->nops; k++) {
			if (in->op != IR_CALL && in->op != IR_RET &&
			    (in->op != IR_STORE || k != 1 || i == store || IR_KIND(in->ops[0]) == IR_R_SLOT))
				continue;
			if (IR_KIND(in->ops[k]) == IR_R_VREG &&
			    is_stored(x->pl, func, &f->insts[store], pointer_of(f, in->ops[k], &off)) &&
			    (in->op != IR_CALL || !looks_only_call(x->pl, func, i, k)))
				return false;
		}
	}
	return true;
}

/* What is freed, whatever counter it may have, is the member's own if it was made for it, and nobody else
 * was told. */
static bool is_made_for(struct counted *x, uint32_t func, uint32_t store)
{
	return x->pl->m->funcs.v[func].insts[store].ops[1] == IR_NULL ||
	       (owned_new_once(x->pl, func, store) && is_private(x, func, store));
}

/* Is all that an instruction puts into the members null, new or counted? */
static bool is_clean(struct counted *x, uint32_t func, uint32_t inst, const struct drop *d)
{
	struct fix_planner *pl = x->pl;
	const struct ir_inst *in = &pl->m->funcs.v[func].insts[inst];
	struct pta_callees to;

	if (in->op == IR_CALL) {
		pta_callees(pl->p, func, inst, &to);
		SBITS_FOREACH(g, to.set)
			if (pta_model(pl->p, g) && model_fills(x, func, in, pta_model(pl->p, g)))
				return false;
		return true;
	}
	if (in->op == IR_MEMCPY)
		return !sbits_intersects(closure_whole(pl->closure, pta_points_to(pl->p, func, in->ops[0])),
					 &x->alike);
	return in->op != IR_STORE || IR_KIND(in->ops[0]) == IR_R_SLOT ||
	       !sbits_intersects(pta_points_to(pl->p, func, in->ops[0]), &x->alike) ||
	       is_for_others(x, func, in) || is_made_for(x, func, inst) ||
	       (d->counts && is_counted(pl, func, inst, d->off) && is_private(x, func, inst));
}

static bool check_stores(struct counted *x, const struct drop *d)
{
	for (uint32_t g = 0; g < x->pl->m->funcs.n; g++)
		for (uint32_t i = 0; i < x->pl->m->funcs.v[g].ninsts; i++)
			if (!is_clean(x, g, i, d))
				return false;
	return true;
}

/* Does each of what is dropped begin with a reference of its maker's?  Then ours is not the only one from
 * the start. */
static bool begins_counted(const struct counted *x, const struct drop *d)
{
	const struct fix_planner *pl = x->pl;
	struct sbits counters = {0}, set = {0};
	bool ok = true;

	SBITS_FOREACH(o, &d->objs)
		for (uint32_t l = pta_obj(pl->p, o)->first_loc; l != IR_NONE; l = pta_loc(pl->p, l)->next)
			if (pta_loc(pl->p, l)->off == d->off)
				sbits_set(&counters, l);
	for (uint32_t g = 0; g < pl->m->funcs.n; g++)
		for (uint32_t i = 0; i < pl->m->funcs.v[g].ninsts && ok; i++) {
			const struct ir_inst *in = &pl->m->funcs.v[g].insts[i];
			ir_ref base;
			int64_t off;

			if (in->op != IR_STORE ||
			    !sbits_intersects(pta_points_to(pl->p, g, in->ops[0]), &counters) ||
			    counts(pl->m, &pl->m->funcs.v[g], i, &base, &off))
				continue;
			ok = IR_KIND(in->ops[1]) == IR_R_INT && ir_int_value(pl->m, in->ops[1]) > 0;
			sbits_or(&set, pta_points_to(pl->p, g, in->ops[0]));
		}
	SBITS_FOREACH(l, &counters)
		ok &= sbits_test(&set, l) || plan_stands_in(pl->p, pta_obj(pl->p, pta_loc(pl->p, l)->obj));
	ok &= counters.n && sbits_intersects(&set, &counters);
	sbits_release(&counters);
	sbits_release(&set);
	return ok;
}

/* ---- the place ----------------------------------------------------------------------- */

static void find_near(struct counted *x, const struct sbits *roots)
{
	const struct pta *p = x->pl->p;

	sbits_or(&x->near, roots);
	SBITS_FOREACH(l, &x->members)
		sbits_set(&x->near, pta_loc(p, l)->obj);
	SBITS_FOREACH(o, roots)
		pta_add_objs(p, closure_holders(x->pl->closure, o), &x->near);
}

/* Is a call given the object, or what holds it? */
static bool gets(const struct counted *x, uint32_t func, const struct ir_inst *call)
{
	const struct fix_planner *pl = x->pl;

	for (uint32_t k = 1; k < call->nops; k++) {
		uint32_t slot = IR_KIND(call->ops[k]) == IR_R_SLOT ? pta_address(pl->p, func, call->ops[k])
								   : IR_NONE;

		if (pta_meets(pl->p, pta_points_to(pl->p, func, call->ops[k]), &x->near) ||
		    (slot != IR_NONE && sbits_test(&x->near, pta_loc(pl->p, slot)->obj)))
			return true;
	}
	return false;
}

/* May a call, or what it leads to, drop one of them?  x->asked: functions that were asked. */
static bool drops_any(struct counted *x, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];
	struct pta_callees to;
	int64_t off;

	callees_of(x->pl, func, inst, &to);
	if (to.unknown || !sbits_count(to.set))
		return true;
	SBITS_FOREACH(g, to.set) {
		const struct ir_func *f = &x->pl->m->funcs.v[g];

		if (pta_model(x->pl->p, g))
			continue;
		if (ir_is_decl(f) ||
		    (in->nops == 2 && is_drop(x->pl, g, &off) &&
		     pta_meets(x->pl->p, pta_points_to(x->pl->p, func, in->ops[1]), &x->dropped)))
			return true;
		if (!bits_set(&x->asked, g))
			continue;
		for (uint32_t i = 0; i < f->ninsts; i++)
			if (f->insts[i].op == IR_CALL && drops_any(x, g, i))
				return true;
	}
	return false;
}

static bool may_drop(struct counted *x, uint32_t func, uint32_t inst)
{
	bits_zero(&x->asked);
	return drops_any(x, func, inst);
}

/* Are the members, at the place, as the call has left them that made the object, and what they hold is not
 * used behind it? */
static bool check_function(struct counted *x, uint32_t at)
{
	uint32_t func = x->func, made = x->made;
	const struct ir_func *f = &x->pl->m->funcs.v[func];

	bits_zero(&x->seen);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		struct pta_callees to;

		for (uint32_t k = 0; k < in->nops && (i == at || ir_comes_before(f, at, i, IR_NONE)); k++)
			if (IR_KIND(in->ops[k]) == IR_R_VREG &&
			    pta_meets(x->pl->p, pta_points_to(x->pl->p, func, in->ops[k]), &x->dropped))
				return false;
		if (i == made || !ir_comes_before(f, made, i, IR_NONE) || !ir_comes_before(f, i, at, IR_NONE))
			continue;
		if ((in->op == IR_LOAD &&
		     sbits_intersects(pta_points_to(x->pl->p, func, in->ops[0]), &x->members)) ||
		    reads(x, func, in, &x->members))
			return false;
		for (uint32_t k = 1; k < in->nops && in->op == IR_CALL; k++)
			if (pta_meets(x->pl->p, pta_points_to(x->pl->p, func, in->ops[k]), &x->dropped) &&
			    !looks_only_call(x->pl, func, i, k) && may_drop(x, func, i))
				return false;
		if (in->op != IR_CALL || !gets(x, func, in))
			continue;
		callees_of(x->pl, func, i, &to);
		SBITS_FOREACH(g, to.set)
			if (reads_any(x, g, &x->members))
				return false;
	}
	return true;
}

/* Does an instruction depend on what a call returned? */
static bool depends_on(const struct fix_planner *pl, uint32_t func, uint32_t call, uint32_t inst)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct dom *dom = &pta_ssa(pl->p, func)->dom;

	for (uint32_t b = 0; b < f->nblocks && f->insts[call].res != IR_NONE; b++) {
		const struct ir_inst *br = &f->insts[f->blocks[b].first + f->blocks[b].n - 1];
		const struct ir_inst *cmp =
			br->op == IR_CONDBR || br->op == IR_SWITCH ? ir_def(f, br->ops[0]) : NULL;
		ir_ref of = !cmp ? IR_UNDEF : cmp->op == IR_CMP ? cmp->ops[0] : br->ops[0];

		if (!cmp || pta_origin(pl->p, func, expr_uncast(f, of)) != IR_VREG(f->insts[call].res))
			continue;
		for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
			if (f->blocks[f->blocks[b].succ[k]].npred == 1 &&
			    dom_dominates(dom, f->blocks[b].succ[k], f->insts[inst].block))
				return true;
	}
	return false;
}

/* Does nobody drop one of them itself if a call of the function fails?  It may do so for what the function
 * has forgotten. */
static bool check_callers(const struct counted *x)
{
	struct fix_planner *pl = x->pl;
	int64_t off;

	for (uint32_t g = 0; g < pl->m->funcs.n; g++) {
		const struct ir_func *f = &pl->m->funcs.v[g];

		for (uint32_t i = 0; i < f->ninsts; i++) {
			struct pta_callees to;

			if (f->insts[i].op != IR_CALL)
				continue;
			pta_callees(pl->p, g, i, &to);
			if (!sbits_test(to.set, x->func))
				continue;
			for (uint32_t k = 0; k < f->ninsts; k++) {
				const struct ir_inst *in = &f->insts[k];
				const struct ir_func *h =
					in->op == IR_CALL && in->nops == 2 ? ir_callee(pl->m, in) : NULL;

				if (h &&
				    pta_meets(pl->p, pta_points_to(pl->p, g, in->ops[1]), &x->dropped) &&
				    is_drop(pl, (uint32_t)(h - pl->m->funcs.v), &off) &&
				    depends_on(pl, g, i, k))
					return false;
			}
		}
	}
	return true;
}

/* Are the members that a drop or free reads the object's own? */
static bool check_drop(struct counted *x, const struct drop *found)
{
	struct drop d = { .counts = found->counts, .off = found->off };
	bool ok;

	sbits_or(&d.members, &found->members);
	ok = take_members(x, &x->by->roots, &d);
	if (ok)
		find_alike(x);
	ok = ok && check_stores(x, &d) && (!d.counts || begins_counted(x, &d));
	sbits_release(&d.members);
	sbits_release(&d.objs);
	return ok;
}

/* What the destructor frees of these objects: it is asked for at each place where it might be called. */
static struct plan_freed *freed_by(struct counted *x, const struct sbits *roots, uint32_t destructor)
{
	struct fix_planner *pl = x->pl;
	struct sbits given[1] = {{0}};
	struct frame fr = { .func = destructor, .args = given };
	struct plan_freed *by;

	for (uint32_t i = 0; i < pl->freed.n; i++)
		if (pl->freed.v[i]->destructor == destructor && sbits_equal(&pl->freed.v[i]->roots, roots))
			return pl->freed.v[i];
	by = xcalloc(1, sizeof(*by));
	by->destructor = destructor;
	by->own = true;
	sbits_or(&by->roots, roots);
	vec_push(&pl->freed, by);
	SBITS_FOREACH(o, roots)
		for (uint32_t l = pta_obj(pl->p, o)->first_loc; l != IR_NONE; l = pta_loc(pl->p, l)->next)
			if (pta_loc(pl->p, l)->off == 0)
				sbits_set(&given[0], l);
	x->by = by;
	find_frees(x, &fr);
	sbits_release(&given[0]);
	return by;
}

void counted_release(struct fix_planner *pl)
{
	for (uint32_t i = 0; i < pl->freed.n; i++) {
		struct plan_freed *by = pl->freed.v[i];

		for (uint32_t k = 0; k < by->drops.n; k++)
			sbits_release(&by->drops.v[k].members);
		vec_release(&by->drops);
		sbits_release(&by->roots);
		sbits_release(&by->freed);
		free(by);
	}
	vec_release(&pl->freed);
}

/* Are all members that are dropped, or else freed, the object's own? */
static bool check_drops(struct counted *x, bool counts)
{
	for (uint32_t i = 0; i < x->by->drops.n; i++)
		if (x->by->drops.v[i].counts == counts && !check_drop(x, &x->by->drops.v[i]))
			return false;
	return true;
}

static bool drops_counted(const struct plan_freed *by)
{
	for (uint32_t i = 0; i < by->drops.n; i++)
		if (by->drops.v[i].counts)
			return !by->odd;
	return false;
}

bool counted_frees(struct fix_planner *pl, const struct sbits *roots, uint32_t destructor, uint32_t func,
		   uint32_t at, uint32_t made, struct sbits *freed, bool *own)
{
	struct counted x = { .pl = pl, .func = func, .made = made };
	bool ok;

	*own = false;
	if (pl->m->funcs.v[destructor].nparams != 1 || ir_is_decl(&pl->m->funcs.v[destructor]))
		return false;
	x.by = freed_by(&x, roots, destructor);
	if (!drops_counted(x.by))
		return false;
	bits_init(&x.seen, pl->m->funcs.n);
	bits_init(&x.asked, pl->m->funcs.n);
	if ((ok = check_drops(&x, true))) {
		x.own = x.by->own && check_drops(&x, false);
		find_near(&x, roots);
		ok = check_function(&x, at) && check_callers(&x);
	}
	if (ok)
		sbits_or(freed, &x.by->freed);
	*own = ok && x.own;
	bits_release(&x.seen);
	bits_release(&x.asked);
	sbits_release(&x.members);
	sbits_release(&x.alike);
	sbits_release(&x.dropped);
	sbits_release(&x.near);
	return ok;
}
