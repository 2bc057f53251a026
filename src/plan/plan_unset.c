/*
 * plan_unset.c - a destructor looks at members: has anybody set them?
 *
 *	struct item *x = item_new();	malloc(), and no more
 *
 *	if (n < 0)
 *		return -1;		item_free(x) would free whatever is in x->name
 *	x->name = strdup(s);
 *
 * A function of the program that releases an object is called only if each member that it may read, with all
 *that it calls, is set on every way from where the object is made to the place: by a store, by what clears
 *or fills the memory as a whole, or by a function that sets it on all its ways.  Ways on which there is no
 *object, since the pointer was compared with null, or it was freed, do not count.
 *
 * It is a must-analysis, forward, with one bit for each member that is read; what a function does is found
 *once.
 *
 * Which way it errs: what is read behind a question counts as read, and a member that is an array counts as
 *set with its first element: refusals, but for the latter.  Which object a pointer points to is told by the
 *sets, so that what is done to another object that the same call has made, in an earlier round of a loop,
 *counts until the call comes again.  A library's function that is given the address of a member is taken to
 *set it.
 */
#include "plan/priv.h"

enum { MAX_DEPTH = 16 };

#define ALL UINT64_MAX

#define MAP_NAME setmap
#define MAP_KEY uint32_t
#define MAP_VAL uint64_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct unset {
	struct fix_planner *pl;
	const struct sbits *objs;	/* what is made */
	const struct sbits *given;	/* what the destructor is given in the program */
	uint32_t func, made;		/* the call that makes the object */
	uint32_t off[64], n;		/* of the members that are read */
	bool many;			/* there are more */
	struct bits seen;		/* functions that were asked what they read */
	struct setmap done;		/* by function, twice: what it sets */
	int depth;
};

/* ---- what is read ----------------------------------------------------- */

static void add_offset(struct unset *x, uint32_t off)
{
	for (uint32_t i = 0; i < x->n; i++)
		if (x->off[i] == off)
			return;
	if (x->n == ARRAY_LEN(x->off))
		x->many = true;
	else
		x->off[x->n++] = off;
}

static void add_read(struct unset *x, uint32_t func, ir_ref addr)
{
	SBITS_FOREACH(l, pta_points_to(x->pl->p, func, addr))
		if (sbits_test(x->given, pta_loc(x->pl->p, l)->obj))
			add_offset(x, pta_loc(x->pl->p, l)->off);
}

static void add_whole(struct unset *x, uint32_t func, ir_ref addr)
{
	SBITS_FOREACH(l, pta_points_to(x->pl->p, func, addr)) {
		uint32_t o = pta_loc(x->pl->p, l)->obj;

		for (uint32_t k = pta_obj(x->pl->p, o)->first_loc; k != IR_NONE && sbits_test(x->given, o);
		     k = pta_loc(x->pl->p, k)->next)
			add_offset(x, pta_loc(x->pl->p, k)->off);
	}
}

static void find_read(struct unset *x, uint32_t func);

static void find_in_call(struct unset *x, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];
	struct pta_callees to;

	callees_of(x->pl, func, inst, &to);
	SBITS_FOREACH(g, to.set) {
		const struct model *md = pta_model(x->pl->p, g);

		for (uint32_t k = 1; k < in->nops; k++) {
			if (!pta_meets(x->pl->p, pta_points_to(x->pl->p, func, in->ops[k]), x->given))
				continue;
			if (!ir_is_decl(&x->pl->m->funcs.v[g]))
				find_read(x, g);
			else if (!md || (!model_frees(md, k) && !model_writes(md, k)))
				add_read(x, func, in->ops[k]);
		}
	}
}

static void find_read(struct unset *x, uint32_t func)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];

	if (!bits_set(&x->seen, func))
		return;
	for (uint32_t i = 0; i < f->ninsts && !x->many; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op == IR_LOAD)
			add_read(x, func, in->ops[0]);
		else if (in->op == IR_MEMCPY)
			add_whole(x, func, in->ops[1]);
		else if (in->op == IR_CALL)
			find_in_call(x, func, i);
	}
}

/* ---- what is set ------------------------------------------------------ */

/* The members at an address; all of them behind it, if it is the begin of more (to_end). */
static uint64_t members_at(const struct unset *x, uint32_t func, ir_ref addr, bool to_end)
{
	uint64_t set = 0;

	SBITS_FOREACH(l, pta_points_to(x->pl->p, func, addr)) {
		const struct pta_loc *loc = pta_loc(x->pl->p, l);

		for (uint32_t i = 0; i < x->n && sbits_test(x->objs, loc->obj); i++)
			if (x->off[i] == loc->off || (to_end && x->off[i] > loc->off))
				set |= (uint64_t)1 << i;
	}
	return set;
}

static bool is_ours(const struct unset *x, uint32_t func, ir_ref r)
{
	return pta_meets(x->pl->p, pta_points_to(x->pl->p, func, r), x->objs);
}

/* Does the call make the object, or what a wrapper hands out as the object? */
static bool makes(const struct unset *x, uint32_t func, uint32_t inst)
{
	const struct pta_wrapper *w = pta_wrapper(x->pl->p, func);

	if (func == x->func && inst == x->made)
		return true;
	for (uint32_t k = 0; w && k < w->nouts; k++)
		for (uint32_t i = 0; i < w->out[k].n; i++)
			if (w->out[k].made[i].inst == inst)
				return true;
	SBITS_FOREACH(o, x->objs)
	if (pta_obj(x->pl->p, o)->kind == PTA_HEAP && pta_obj(x->pl->p, o)->func == func &&
	    pta_obj(x->pl->p, o)->index == inst)
		return true;
	return false;
}

static uint64_t set_by_func(struct unset *x, uint32_t func, bool maker);

/* What memory of a library's own is full of is its own business. */
static uint64_t set_by_library(const struct unset *x, uint32_t func, const struct ir_inst *in,
			       uint32_t callee, bool maker)
{
	const struct model *md = pta_model(x->pl->p, callee);
	const struct model_effect *e = md ? model_allocates(md) : NULL;
	uint64_t set = 0;

	if (maker)
		return e && !e->value.zeroed && resource_is_memory(e->value.resource) ? 0 : ALL;
	for (uint32_t k = 1; k < in->nops; k++)
		if (!md || !model_frees(md, k))
			set |= members_at(x, func, in->ops[k], md && model_writes(md, k));
	return set;
}

static uint64_t set_by_call(struct unset *x, uint32_t func, uint32_t inst, bool maker)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];
	struct pta_callees to;
	uint64_t set = ALL;
	bool any = false;

	callees_of(x->pl, func, inst, &to);
	SBITS_FOREACH(g, to.set) {
		any = true;
		set &= ir_is_decl(&x->pl->m->funcs.v[g]) ? set_by_library(x, func, in, g, maker)
							 : set_by_func(x, g, maker);
	}
	return any ? set : 0;
}

/* Is the object gone behind the call? */
static bool frees(const struct unset *x, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];
	const struct ir_func *f = ir_callee(x->pl->m, in);
	uint32_t g = f ? (uint32_t)(f - x->pl->m->funcs.v) : IR_NONE;
	const struct model *md = f ? pta_model(x->pl->p, g) : NULL;

	for (uint32_t k = 1; f && k < in->nops; k++)
		if (is_ours(x, func, in->ops[k]) &&
		    (md ? model_frees(md, k) != NULL
			: !ir_is_decl(f) && k <= f->nparams && release_always(x->pl, g, k - 1)))
			return true;
	return false;
}

static uint64_t after_inst(struct unset *x, uint32_t func, uint32_t inst, uint64_t set)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];

	switch (in->op) {
	case IR_STORE:
		return set | members_at(x, func, in->ops[0], in->cls == IR_C_AGG);
	case IR_MEMCPY:
	case IR_MEMSET:
		return set | members_at(x, func, in->ops[0], true);
	case IR_CALL:
		if (makes(x, func, inst))
			return set_by_call(x, func, inst, true);
		if (frees(x, func, inst))
			return ALL;
		for (uint32_t k = 1; k < in->nops; k++)
			if (is_ours(x, func, in->ops[k]))
				return set | set_by_call(x, func, inst, false);
		return set;
	default:
		return set;
	}
}

/* On the way where the pointer is null there is no object. */
static bool is_null_edge(const struct unset *x, uint32_t func, uint32_t from, uint32_t to)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_inst *br = &f->insts[f->blocks[from].first + f->blocks[from].n - 1];
	const struct ir_inst *cmp = br->op == IR_CONDBR ? ir_def(f, br->ops[0]) : NULL;

	if (!cmp || cmp->op != IR_CMP || (cmp->sub != IR_P_EQ && cmp->sub != IR_P_NE) ||
	    br->targets[0] == br->targets[1])
		return false;
	if (cmp->ops[1] != IR_NULL || !is_ours(x, func, cmp->ops[0]))
		return false;
	return br->targets[cmp->sub == IR_P_EQ ? 0 : 1] == to;
}

struct flow {
	uint32_t func;
	uint64_t *in, *out;	/* by block */
};

static uint64_t on_edge(const struct unset *x, const struct flow *fl, uint32_t from, uint32_t to)
{
	return is_null_edge(x, fl->func, from, to) ? ALL : fl->out[from];
}

/* The greatest fixed point. */
static void solve(struct unset *x, struct flow *fl, uint32_t func, uint64_t entry)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	bool changed = true;

	fl->func = func;
	fl->in = xmalloc(f->nblocks * sizeof(*fl->in));
	fl->out = xmalloc(f->nblocks * sizeof(*fl->out));
	memset(fl->in, 0xff, f->nblocks * sizeof(*fl->in));
	memset(fl->out, 0xff, f->nblocks * sizeof(*fl->out));
	while (changed) {
		changed = false;
		for (uint32_t b = 0; b < f->nblocks; b++) {
			uint64_t set = b ? ALL : entry;

			for (uint32_t k = 0; k < f->blocks[b].npred; k++)
				set &= on_edge(x, fl, f->blocks[b].pred[k], b);
			fl->in[b] = set;
			for (uint32_t i = f->blocks[b].first; i < f->blocks[b].first + f->blocks[b].n; i++)
				set = after_inst(x, func, i, set);
			changed |= set != fl->out[b];
			fl->out[b] = set;
		}
	}
}

static void flow_release(struct flow *fl)
{
	free(fl->in);
	free(fl->out);
}

/* What is set when the function returns: by itself, or (maker) of what it has made. */
static uint64_t set_by_func(struct unset *x, uint32_t func, bool maker)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	uint32_t key = func << 1 | maker;
	uint64_t *known = setmap_get(&x->done, key), set = ALL;
	struct flow fl;

	if (known)
		return *known;
	if (x->depth >= MAX_DEPTH)
		return 0;
	setmap_set(&x->done, key, ALL);	/* if it is asked for in turn */
	x->depth++;
	solve(x, &fl, func, maker ? ALL : 0);
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->insts[f->blocks[b].first + f->blocks[b].n - 1].op == IR_RET)
			set &= fl.out[b];
	flow_release(&fl);
	x->depth--;
	setmap_set(&x->done, key, set);
	return set;
}

static uint64_t set_at(struct unset *x, const struct plan_place *at, uint32_t inst)
{
	const struct ir_func *f = &x->pl->m->funcs.v[x->func];
	struct flow fl;
	uint64_t set;

	solve(x, &fl, x->func, ALL);
	if (at->where == FIX_EDGE && at->from != IR_NONE) {
		set = on_edge(x, &fl, at->from, at->to);
	} else {
		set = fl.in[f->insts[inst].block];
		for (uint32_t i = f->blocks[f->insts[inst].block].first; i < inst; i++)
			set = after_inst(x, x->func, i, set);
	}
	flow_release(&fl);
	return set;
}

bool unset_may_be(struct fix_planner *pl, uint32_t func, uint32_t made, const struct sbits *objs,
		  uint32_t destructor, const struct sbits *given, const struct plan_place *at, uint32_t inst)
{
	struct unset x = { .pl = pl, .objs = objs, .given = given, .func = func, .made = made };
	bool unset = false;

	bits_init(&x.seen, pl->m->funcs.n);
	find_read(&x, destructor);
	if (x.many)
		x.n = ARRAY_LEN(x.off);
	if (x.n) {
		uint64_t all = x.n == 64 ? ALL : ((uint64_t)1 << x.n) - 1, set = set_at(&x, at, inst);

		unset = (set & all) != all || (x.many && set != ALL);
	}
	bits_release(&x.seen);
	setmap_release(&x.done);
	return unset;
}
