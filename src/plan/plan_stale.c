/*
 * plan_stale.c - has a callee, or the function itself, freed what a member holds, and left the member as it
 *is?
 *
 *	static int fill(struct user *u, const char *s)
 *	{
 *		u->name = strdup(s);
 *		if (is_bad(s)) {
 *			free(u->name);
 *			return -1;
 *		}
 *		return 0;
 *	}
 *
 * Where fill() fails user_free(u) would free the name again.  A destructor may only be called behind calls
 *that get the object if each free in them, of what the destructor frees as well, is of something that was in
 *no member; or the member gets another value before the function returns, or between the time when it was
 *read and the free; or what the member is in is freed, too.  A call is not asked if the destructor is called
 *elsewhere in the function, and both places are on the same side of the branch on its result.
 *
 * Which way it errs: which result a callee has then is not asked, and points-to sets are too large: "yes",
 *and there is no patch.  What realloc() frees is taken to be replaced by what it returns.
 */
#include "plan/priv.h"

#include "ir/expr.h"

enum { MAX_DEPTH = 4 };

struct stale {
	struct fix_planner *pl;
	struct sbits objs;		/* what the destructor frees below the object */
	uint32_t destructor;
	struct bits seen;		/* functions */
	struct bits holders;		/* the object, and what it leads to */
	struct bits above;		/* the object, and what leads to it */
};

static bool frees_any(const struct stale *x, uint32_t func)
{
	return sbits_intersects(&x->pl->fx[func].freed, &x->objs);
}

static ir_ref origin(const struct stale *x, uint32_t func, ir_ref r)
{
	return pta_origin(x->pl->p, func, expr_uncast(&x->pl->m->funcs.v[func], r));
}

static bool is_parameter(const struct stale *x, uint32_t func, ir_ref r)
{
	return IR_KIND(r) == IR_R_VREG && IR_IDX(r) < x->pl->m->funcs.v[func].nparams;
}

/* May the call free its argument itself? */
static bool frees_argument(const struct stale *x, uint32_t func, uint32_t inst, uint32_t arg, int depth)
{
	struct pta_callees to;

	pta_callees(x->pl->p, func, inst, &to);
	SBITS_FOREACH(g, to.set) {
		const struct model *md = pta_model(x->pl->p, g);
		const struct ir_func *f = &x->pl->m->funcs.v[g];

		if (md && model_frees(md, arg) && !model_allocates(md))
			return true;
		if (ir_is_decl(f) || arg > f->nparams || depth > MAX_DEPTH || !frees_any(x, g))
			continue;
		for (uint32_t i = 0; i < f->ninsts; i++)
			for (uint32_t k = 1; f->insts[i].op == IR_CALL && k < f->insts[i].nops; k++)
				if (origin(x, g, f->insts[i].ops[k]) == IR_VREG(arg - 1) &&
				    frees_argument(x, g, i, k, depth + 1))
					return true;
	}
	return false;
}

/* What an address is in: the pointer that members and elements were taken of. */
static ir_ref container(const struct ir_func *f, ir_ref addr)
{
	const struct ir_inst *d;

	while ((d = ir_def(f, addr)) && (d->op == IR_FIELD || d->op == IR_INDEX || d->op == IR_ELEM ||
					 d->op == IR_CAST || d->op == IR_COPY))
		addr = d->ops[0];
	return addr;
}

/* Does the instruction put something else there, or free what the place is in? */
static bool makes_good(const struct stale *x, uint32_t func, uint32_t inst, ir_ref addr)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_inst *in = &f->insts[inst];
	int64_t a = 0, b = 0;

	if (in->op == IR_STORE)
		return plan_same_place(f, plan_base(f, addr, &a), plan_base(f, in->ops[0], &b)) && a == b;
	for (uint32_t k = 1; in->op == IR_CALL && k < in->nops; k++)
		if (plan_same_place(f, container(f, addr), expr_uncast(f, in->ops[k])) &&
		    frees_argument(x, func, inst, k, 0))
			return true;
	return in->op == IR_MEMSET && plan_same_place(f, container(f, addr), container(f, in->ops[0]));
}

/* Does every way from an instruction to another, or to the end of the function (IR_NONE), make good? */
static bool is_made_good(const struct stale *x, uint32_t func, uint32_t from, uint32_t to, ir_ref addr)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	VEC(uint32_t) todo = {0};
	struct bits seen;
	bool ok = true;

	bits_init(&seen, f->nblocks);
	vec_push(&todo, from);
	while (todo.n && ok) {
		uint32_t i = vec_pop(&todo);
		const struct ir_block *b = &f->blocks[f->insts[i].block];
		bool good = false;

		for (; i < b->first + b->n && !good && ok; i++) {
			ok = to == IR_NONE ? f->insts[i].op != IR_RET : i != to;
			good = ok && makes_good(x, func, i, addr);
		}
		for (uint32_t k = 0; k < b->nsucc && !good; k++)
			if (bits_set(&seen, b->succ[k]))
				vec_push(&todo, f->blocks[b->succ[k]].first);
	}
	vec_release(&todo);
	bits_release(&seen);
	return ok;
}

/* Every place that what a call of this function made is put into, before the free, is made good before
 * `end`. */
static bool is_made_here(const struct stale *x, uint32_t func, const struct ir_inst *call, uint32_t inst,
			 uint32_t end)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op != IR_STORE ||
		    (IR_KIND(in->ops[0]) == IR_R_SLOT &&
		     pta_ssa(x->pl->p, func)->promoted[IR_IDX(in->ops[0])]) ||
		    origin(x, func, in->ops[1]) != IR_VREG(call->res) ||
		    !ir_comes_before(f, i, inst, IR_NONE))
			continue;
		if (!is_made_good(x, func, inst + 1, end, in->ops[0]))
			return false;
	}
	return true;
}

/* Is it read from memory that is no part of the object, nor of what it leads to?  That both have the same
 * there is not asked here: what somebody else has as well is not the object's own.  A variable that another
 * function has filled with what is in a member is missed. */
static bool is_from_elsewhere(const struct stale *x, uint32_t func, const struct ir_inst *load)
{
	SBITS_FOREACH(l, pta_points_to(x->pl->p, func, load->ops[0]))
		if (bits_test(&x->holders, pta_loc(x->pl->p, l)->obj))
			return false;
	return true;
}

static bool is_one_good(const struct stale *x, uint32_t func, uint32_t inst, ir_ref r, uint32_t end)
{
	const struct ir_inst *d = ssa_def(pta_ssa(x->pl->p, func), r);
	const struct ir_func *f = &x->pl->m->funcs.v[func];

	if (IR_KIND(r) != IR_R_VREG || is_parameter(x, func, r)) /* null, a literal; asked of the callers */
		return true;
	if (d && d->op == IR_CALL)
		return is_made_here(x, func, d, inst, end);
	return d && d->op == IR_LOAD &&
	       (is_from_elsewhere(x, func, d) ||
		is_made_good(x, func, (uint32_t)(d - f->insts) + 1, inst, d->ops[0]) || /* taken out first */
		is_made_good(x, func, inst + 1, end, d->ops[0]));
}

/* Is what the call frees gone from wherever it was, when control gets to `end`, or to the end of the
 * function (IR_NONE)? */
static bool is_good(const struct stale *x, uint32_t func, uint32_t inst, ir_ref arg, uint32_t end)
{
	ir_ref v[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(x->pl, func, arg, v), good = 0;

	while (good < n && is_one_good(x, func, inst, v[good], end))
		good++;
	return n && good == n;
}

static bool leaves_stale(struct stale *x, uint32_t func);

/* Does the call get the object, or something that leads to it? */
static bool gets_it(const struct stale *x, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];

	for (uint32_t k = 1; k < in->nops; k++) {
		uint32_t at =
			IR_KIND(in->ops[k]) == IR_R_SLOT ? pta_address(x->pl->p, func, in->ops[k]) : IR_NONE;

		if (at != IR_NONE && bits_test(&x->above, pta_loc(x->pl->p, at)->obj))
			return true;
		SBITS_FOREACH(l, pta_points_to(x->pl->p, func, in->ops[k]))
			if (bits_test(&x->above, pta_loc(x->pl->p, l)->obj))
				return true;
	}
	return false;
}

/* The call itself, and all that it calls with the object.  That others come by it by a variable of the
 * program is not thought of: an object that such a variable has is not freed. */
static bool call_leaves_stale(struct stale *x, uint32_t func, uint32_t inst)
{
	struct pta_callees to;

	if (!gets_it(x, func, inst))
		return false;
	pta_callees(x->pl->p, func, inst, &to);
	SBITS_FOREACH(g, to.set)
		if (g != x->destructor && leaves_stale(x, g))
			return true;
	return false;
}

/* Does the call free one of its arguments, which is still in a member when control gets to `end`? */
static bool frees_and_leaves(const struct stale *x, uint32_t func, uint32_t inst, uint32_t end)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];

	for (uint32_t k = 1; in->op == IR_CALL && k < in->nops; k++)
		if (pta_meets(x->pl->p, pta_points_to(x->pl->p, func, in->ops[k]), &x->objs) &&
		    frees_argument(x, func, inst, k, 0) && !is_good(x, func, inst, in->ops[k], end))
			return true;
	return false;
}

static bool leaves_stale(struct stale *x, uint32_t func)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];

	if (ir_is_decl(f) || !frees_any(x, func) || !bits_set(&x->seen, func))
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (frees_and_leaves(x, func, i, IR_NONE) ||
		    (f->insts[i].op == IR_CALL && call_leaves_stale(x, func, i)))
			return true;
	return false;
}

/* Does the branch behind the call ask for its result? */
static bool is_asked_for(const struct stale *x, uint32_t func, uint32_t call)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_block *b = &f->blocks[f->insts[call].block];
	const struct ir_inst *br = &f->insts[b->first + b->n - 1],
			     *cmp = br->op == IR_CONDBR ? ir_def(f, br->ops[0]) : NULL;

	return f->insts[call].res != IR_NONE && cmp && cmp->op == IR_CMP &&
	       origin(x, func, cmp->ops[0]) == IR_VREG(f->insts[call].res);
}

/* Has the call gone as well, or as badly, as it has where the function calls the destructor itself? */
static bool is_as_there(const struct stale *x, uint32_t func, uint32_t call, uint32_t at)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_block *b = &f->blocks[f->insts[call].block];
	const struct dom *d = &pta_ssa(x->pl->p, func)->dom;

	for (uint32_t k = 0; k < b->nsucc && is_asked_for(x, func, call); k++) {
		if (f->blocks[b->succ[k]].npred != 1 || !dom_dominates(d, b->succ[k], f->insts[at].block))
			continue;
		for (uint32_t i = 0; i < f->ninsts; i++)
			if (f->insts[i].op == IR_CALL &&
			    ir_callee(x->pl->m, &f->insts[i]) == &x->pl->m->funcs.v[x->destructor] &&
			    dom_dominates(d, b->succ[k], f->insts[i].block))
				return true;
	}
	return false;
}

static bool points_to_any(const struct fix_planner *pl, uint32_t func, ir_ref r, const struct sbits *objs)
{
	uint32_t l = IR_KIND(r) == IR_R_SLOT ? pta_address(pl->p, func, r) : IR_NONE;

	return l != IR_NONE ? sbits_test(objs, pta_loc(pl->p, l)->obj)
			    : pta_meets(pl->p, pta_points_to(pl->p, func, r), objs);
}

/* The objects, and what their members lead to. */
static void reach_below(const struct fix_planner *pl, const struct sbits *roots, struct bits *out)
{
	struct sbits locs = {0};

	SBITS_FOREACH(o, roots)
		for (uint32_t l = pta_obj(pl->p, o)->first_loc; l != IR_NONE; l = pta_loc(pl->p, l)->next)
			sbits_or(&locs, pta_cell(pl->p, l));
	pta_reach(pl->p, &locs, out);
	SBITS_FOREACH(o, roots)
		bits_set(out, o);
	sbits_release(&locs);
}

/* The objects, and what leads to them. */
static void reach_above(const struct fix_planner *pl, const struct sbits *roots, struct bits *out)
{
	VEC(uint32_t) todo = {0};

	SBITS_FOREACH(o, roots)
		if (bits_set(out, o))
			vec_push(&todo, o);
	while (todo.n) {
		const struct sbits *from = closure_holders(pl->closure, vec_pop(&todo));

		SBITS_FOREACH(l, from)
			if (bits_set(out, pta_loc(pl->p, l)->obj))
				vec_push(&todo, pta_loc(pl->p, l)->obj);
	}
	vec_release(&todo);
}

bool stale_may_be(struct fix_planner *pl, uint32_t func, uint32_t at, const struct sbits *roots,
		  uint32_t destructor, const struct sbits *freed)
{
	struct stale x = { .pl = pl, .destructor = destructor };
	const struct ir_func *f = &pl->m->funcs.v[func];
	bool stale = false, self;

	bits_init(&x.seen, pl->m->funcs.n);
	bits_init(&x.holders, pta_nobjs(pl->p));
	bits_init(&x.above, pta_nobjs(pl->p));
	reach_below(pl, roots, &x.holders);
	reach_above(pl, roots, &x.above);
	self = plan_leads_to(pl->p, roots, roots);
	SBITS_FOREACH(o, freed)
		if (bits_test(&x.holders, o) && (self || !sbits_test(roots, o)))
			sbits_set(&x.objs, o);
	for (uint32_t i = 0; i < f->ninsts && !stale; i++) {
		bool gets = false;

		for (uint32_t k = 1; f->insts[i].op == IR_CALL && k < f->insts[i].nops; k++)
			gets |= points_to_any(pl, func, f->insts[i].ops[k], roots);
		stale = (gets && ir_comes_before(f, i, at, IR_NONE) && !is_as_there(&x, func, i, at) &&
			 call_leaves_stale(&x, func, i)) ||
			(f->insts[i].op == IR_CALL && ir_comes_before(f, i, at, IR_NONE) &&
			 frees_and_leaves(&x, func, i, at));
	}
	sbits_release(&x.objs);
	bits_release(&x.seen);
	bits_release(&x.holders);
	bits_release(&x.above);
	return stale;
}
