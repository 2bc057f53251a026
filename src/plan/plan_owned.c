/*
 * plan_owned.c - a destructor frees what hangs on an object: is that the object's own?
 *
 * plan_fields.c answers that by following each member.  It cannot where a constructor fills an
 * array of rows, or where setters change members.  Here it is asked of the whole program, and
 * nothing is followed: a destructor that the program itself uses for such objects may be called
 * if all of this holds for what it frees below them (`freed`):
 *
 *   - it is memory of the heap, and gets into members only just after it was made: each store
 *     there, in the whole program, is of what a call has made, or of something that the destructor
 *     never frees; what can hold such pointers is not copied as a whole;
 *   - nothing else holds it: no global, no other object of the heap;
 *   - the function that gets the call puts no pointer to it anywhere, and has none in its hands
 *     behind the place.
 *
 * Which way it errs: all of it is asked of points-to sets, which are too large: a refusal.
 */
#include "plan/priv.h"

struct owned {
	const struct fix_planner *pl;
	struct sbits all;		/* the objects themselves and what is freed below them */
	struct sbits freed;
};

static bool points_to_any(const struct owned *x, uint32_t func, ir_ref r, const struct sbits *objs)
{
	return pta_meets(x->pl->p, pta_points_to(x->pl->p, func, r), objs);
}

static bool holds_freed(const struct owned *x, uint32_t obj)
{
	for (uint32_t l = pta_obj(x->pl->p, obj)->first_loc; l != IR_NONE; l = pta_loc(x->pl->p, l)->next)
		if (pta_meets(x->pl->p, pta_cell(x->pl->p, l), &x->freed))
			return true;
	return false;
}

/* Objects of the same types that hold such things as well: what the same constructor made elsewhere.
 * What is asked of stores into one is asked of all. */
static void add_siblings(struct owned *x)
{
	const struct pta *p = x->pl->p;
	struct sbits types = {0};

	SBITS_FOREACH(o, &x->all)
		if (pta_obj(p, o)->type)
			sbits_set(&types, pta_obj(p, o)->type);
	for (uint32_t o = 0; o < pta_nobjs(p); o++)
		if (pta_obj(p, o)->kind == PTA_HEAP && sbits_test(&types, pta_obj(p, o)->type) &&
		    holds_freed(x, o))
			sbits_set(&x->all, o);
	sbits_release(&types);
}

/* What the destructor may free below the objects.  False: that is not always heap. */
static bool find_freed(struct owned *x, const struct sbits *roots, const struct sbits *freed)
{
	const struct pta *p = x->pl->p;
	struct bits reach;
	struct sbits locs = {0};
	bool ok = true, self = false;

	bits_init(&reach, pta_nobjs(p));
	SBITS_FOREACH(o, roots)
		for (uint32_t l = pta_obj(p, o)->first_loc; l != IR_NONE; l = pta_loc(p, l)->next) {
			sbits_or(&locs, pta_cell(p, l));
			self |= pta_meets(p, pta_cell(p, l), roots);
		}
	pta_reach(p, &locs, &reach);
	for (uint32_t o = bits_next(&reach, 0); o != UINT32_MAX; o = bits_next(&reach, o + 1)) {
		if (!sbits_test(freed, o) || (sbits_test(roots, o) && !self))
			continue;
		ok &= pta_obj(p, o)->kind == PTA_HEAP;
		sbits_set(&x->freed, o);
	}
	sbits_or(&x->all, roots);
	sbits_or(&x->all, &x->freed);
	add_siblings(x);
	sbits_release(&locs);
	bits_release(&reach);
	return ok;
}

static bool is_new(struct fix_planner *pl, uint32_t func, ir_ref r, int depth);

/* Is only what calls have just made ever put into the variable? */
static bool holds_new(struct fix_planner *pl, uint32_t func, uint32_t slot, int depth)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	if (!pta_ssa(pl->p, func)->promoted[slot] || f->slots[slot].param)
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_STORE && f->insts[i].ops[0] == IR_SLOT(slot) &&
		    !is_new(pl, func, f->insts[i].ops[1], depth + 1))
			return false;
	return true;
}

static bool is_new(struct fix_planner *pl, uint32_t func, ir_ref r, int depth)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_inst *d = ir_def(f, r);
	struct pta_callees to;
	bool ok;

	while (d && (d->op == IR_COPY || (d->op == IR_CAST && d->sub == IR_CAST_BITCAST)))
		d = ir_def(f, r = d->ops[0]);
	if (r == IR_NULL)
		return true;
	if (!d || depth > 4)
		return false;
	if (d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT)
		return holds_new(pl, func, IR_IDX(d->ops[0]), depth);
	if (d->op == IR_PHI || d->op == IR_SELECT) {
		ok = true;
		for (uint32_t k = d->op == IR_SELECT; k < d->nops && ok; k++)
			ok = is_new(pl, func, d->ops[k], depth + 1);
		return ok;
	}
	if (d->op != IR_CALL)
		return false;
	pta_callees(pl->p, func, (uint32_t)(d - f->insts), &to);
	ok = !to.unknown && sbits_count(to.set);
	SBITS_FOREACH(g, to.set)
		ok = ok && (pta_model(pl->p, g) ? model_allocates(pta_model(pl->p, g)) != NULL
			    : !ir_is_decl(&pl->m->funcs.v[g]) && summary_of_maker(pl, g)->fresh);
	return ok;
}

const struct ir_inst *owned_maker(const struct fix_planner *pl, uint32_t func, ir_ref r)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_inst *d = ir_def(f, r), *found = NULL;

	while (d && (d->op == IR_COPY || (d->op == IR_CAST && d->sub == IR_CAST_BITCAST)))
		d = ir_def(f, d->ops[0]);
	if (!d || d->op == IR_CALL)
		return d;
	if (d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT)
		return NULL;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		if (f->insts[i].op != IR_STORE || f->insts[i].ops[0] != d->ops[0] ||
		    f->insts[i].ops[1] == IR_NULL)
			continue;
		if (found || IR_KIND(f->insts[i].ops[1]) != IR_R_VREG)
			return NULL;
		found = ir_def(f, f->insts[i].ops[1]);
		while (found &&
		       (found->op == IR_COPY || (found->op == IR_CAST && found->sub == IR_CAST_BITCAST)))
			found = ir_def(f, found->ops[0]);
		if (!found || found->op != IR_CALL)
			return NULL;
	}
	return found;
}

bool owned_is_new(struct fix_planner *pl, uint32_t func, ir_ref r)
{
	return is_new(pl, func, r, 0);
}

/* Do both stores set the same member of what one variable points to, each to what a call of its own has
 * made?  So does what grows by realloc(): there is one object there, before and after. */
static bool is_set_anew(const struct fix_planner *pl, uint32_t func, uint32_t store, uint32_t other)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	int64_t a = 0, b = 0;
	const struct ir_inst *x = ir_def(f, plan_base(f, f->insts[store].ops[0], &a)),
			     *y = ir_def(f, plan_base(f, f->insts[other].ops[0], &b));
	const struct ir_inst *made = owned_maker(pl, func, f->insts[other].ops[1]);

	return x && y && x->op == IR_LOAD && y->op == IR_LOAD && IR_KIND(x->ops[0]) == IR_R_SLOT &&
	       x->ops[0] == y->ops[0] && a == b && made &&
	       made != owned_maker(pl, func, f->insts[store].ops[1]);
}

bool owned_new_once(struct fix_planner *pl, uint32_t func, uint32_t store)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_inst *in = &f->insts[store], *made = owned_maker(pl, func, in->ops[1]);
	const struct sbits *objs;

	if (in->ops[1] == IR_NULL)
		return true;
	if (!made || !is_new(pl, func, in->ops[1], 0))
		return false;
	objs = pta_points_to(pl->p, func, in->ops[1]);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (i != store && f->insts[i].op == IR_STORE && IR_KIND(f->insts[i].ops[0]) != IR_R_SLOT &&
		    sbits_intersects(objs, pta_points_to(pl->p, func, f->insts[i].ops[1])) &&
		    !is_set_anew(pl, func, store, i))
			return false;
	if (made->block == in->block && made < in)
		return true;
	return !ir_comes_before(f, store, store, made->block);
}

/* Is the address of a member used for nothing but to read it, and to put into it what calls have just made?
 */
static bool is_filled_new(struct fix_planner *pl, uint32_t func, uint32_t addr)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			if (in->ops[k] != IR_VREG(addr) || in->op == IR_LOAD)
				continue;
			if (in->op != IR_STORE || k != 0 || !is_new(pl, func, in->ops[1], 0))
				return false;
		}
	}
	return true;
}

static bool may_be_struct(const struct fix_planner *pl, uint32_t func, ir_ref r, uint32_t type)
{
	SBITS_FOREACH(l, pta_points_to(pl->p, func, r))
		if (ir_type_strip(pl->m, pta_obj(pl->p, pta_loc(pl->p, l)->obj)->type) == type)
			return true;
	return false;
}

bool owned_member_new(struct fix_planner *pl, uint32_t type, uint64_t off)
{
	const struct ir_module *m = pl->m;
	const struct ir_field *member;

	type = ir_type_strip(m, type);
	member = m->types.v[type].kind == IR_T_STRUCT ? ir_field_at(m, type, off) : NULL;
	if (!member || member->offset != off || m->types.v[ir_type_strip(m, member->type)].kind != IR_T_PTR)
		return false;
	for (uint32_t g = 0; g < m->funcs.n; g++)
		for (uint32_t i = 0; i < m->funcs.v[g].ninsts; i++) {
			const struct ir_inst *in = &m->funcs.v[g].insts[i];

			if (in->op == IR_FIELD && in->type && ir_type_strip(m, in->type) == type &&
			    (uint64_t)in->imm == off && !is_filled_new(pl, g, in->res))
				return false;
			if (in->op == IR_MEMCPY && may_be_struct(pl, g, in->ops[0], type) &&
			    may_be_struct(pl, g, in->ops[1], type))
				return false;
		}
	return true;
}

/* ---- what is copied as a whole ------------------------------------------------------ */

/* Adds the functions that a call may lead to.  Unknown code is no way to what a call hands out as new. */
static void find_below(const struct fix_planner *pl, uint32_t func, uint32_t inst, struct bits *below)
{
	const struct pta_callback *cb;
	uint32_t n = pta_callbacks(pl->p, func, &cb);
	struct pta_callees to;

	for (uint32_t i = 0; i < n; i++)
		if (cb[i].inst == inst && bits_set(below, cb[i].callee))
			for (uint32_t k = 0; k < pl->m->funcs.v[cb[i].callee].ninsts; k++)
				find_below(pl, cb[i].callee, k, below);
	if (pl->m->funcs.v[func].insts[inst].op != IR_CALL)
		return;
	pta_callees(pl->p, func, inst, &to);
	SBITS_FOREACH(g, to.set)
		if (bits_set(below, g))
			for (uint32_t k = 0; k < pl->m->funcs.v[g].ninsts; k++)
				find_below(pl, g, k, below);
}

/* Can a call be what makes the object: is it that call, or below it, or the other way about?  (A function
 * that hands out what it makes makes another object for each call of it.) */
static bool may_make(const struct fix_planner *pl, uint32_t func, uint32_t call, uint32_t obj)
{
	const struct pta_obj *o = pta_obj(pl->p, obj);
	struct bits below;
	bool may;

	if (o->kind != PTA_HEAP || (o->func == func && o->index == call))
		return true;
	bits_init(&below, pl->m->funcs.n);
	find_below(pl, func, call, &below);
	may = bits_test(&below, o->func);
	bits_zero(&below);
	find_below(pl, o->func, o->index, &below);
	may |= bits_test(&below, func);
	bits_release(&below);
	return may;
}

/* Is the address in memory that this function has got as new, from calls that cannot have made the object?
 * Who gets what all allocators make from one function, `nonnull(malloc(n))`, has them all, by the sets. */
static bool is_of_others(struct fix_planner *pl, uint32_t func, ir_ref addr, uint32_t obj)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_inst *d;
	ir_ref v[PLAN_MAX_ORIGINS];
	uint32_t n;

	while ((d = ir_def(f, addr)) && (d->op == IR_FIELD || d->op == IR_INDEX || d->op == IR_ELEM ||
					 d->op == IR_CAST || d->op == IR_COPY))
		addr = d->ops[0];
	n = plan_origins(pl, func, addr, v);
	for (uint32_t i = 0; i < n; i++) {
		d = ssa_def(pta_ssa(pl->p, func), v[i]);
		if (!d || d->op != IR_CALL || !is_new(pl, func, v[i], 0) ||
		    may_make(pl, func, (uint32_t)(d - f->insts), obj))
			return false;
	}
	return n;
}

/* Does it change none of these objects where pointers to what is freed may be? */
static bool check_copy(const struct owned *x, struct fix_planner *pl, uint32_t func, ir_ref to)
{
	SBITS_FOREACH(l, pta_points_to(pl->p, func, to)) {
		uint32_t obj = pta_loc(pl->p, l)->obj;

		if (sbits_test(&x->all, obj) && holds_freed(x, obj) && !is_of_others(pl, func, to, obj))
			return false;
	}
	return true;
}

/* Every store of the program into these objects. */
static bool check_stores(const struct owned *x, struct fix_planner *pl)
{
	for (uint32_t g = 0; g < pl->m->funcs.n; g++)
		for (uint32_t i = 0; i < pl->m->funcs.v[g].ninsts; i++) {
			const struct ir_inst *in = &pl->m->funcs.v[g].insts[i];

			if (in->op == IR_STORE && IR_KIND(in->ops[0]) != IR_R_SLOT &&
			    points_to_any(x, g, in->ops[1], &x->freed) &&
			    points_to_any(x, g, in->ops[0], &x->all) && !owned_new_once(pl, g, i))
				return false;
			if (in->op == IR_MEMCPY && !check_copy(x, pl, g, in->ops[0]))
				return false;
		}
	return true;
}

/* Memory that does not count: that of activations, and what stands for others. */
static bool is_passing(const struct owned *x, const struct pta_obj *ob)
{
	return ob->kind == PTA_SLOT || ob->kind == PTA_VARARG || ob->kind == PTA_BLOB ||
	       plan_stands_in(x->pl->p, ob);
}

/* No other memory than theirs leads to what is freed. */
static bool check_holders(const struct owned *x)
{
	for (uint32_t o = 0; o < pta_nobjs(x->pl->p); o++) {
		const struct pta_obj *ob = pta_obj(x->pl->p, o);

		if (!sbits_test(&x->all, o) && !is_passing(x, ob) && holds_freed(x, o))
			return false;
		if (sbits_test(&x->all, o) && ob->common)
			return false;
	}
	return true;
}

/* Is the store into these objects, and nowhere else? */
static bool is_within(const struct owned *x, uint32_t func, const struct ir_inst *store)
{
	const struct sbits *to = pta_points_to(x->pl->p, func, store->ops[0]);

	SBITS_FOREACH(l, to)
		if (!sbits_test(&x->all, pta_loc(x->pl->p, l)->obj))
			return false;
	return to->n;
}

/* May the call free some of it? */
static bool may_free(const struct owned *x, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];
	struct pta_callees to;
	bool frees = false;

	pta_callees(x->pl->p, func, inst, &to);
	SBITS_FOREACH(g, to.set) {
		const struct model *md = pta_model(x->pl->p, g);

		frees |= sbits_intersects(&x->pl->fx[g].freed, &x->freed);
		for (uint32_t k = 1; md && k < in->nops; k++)
			frees |= model_frees(md, k) && points_to_any(x, func, in->ops[k], &x->freed);
	}
	return frees;
}

/* The function itself: it gives none of it away, and needs none of it behind the place.  What it puts into
 * the objects is new (check_stores()); then it must not have freed it again before the place, and left it
 * there. */
static bool check_function(const struct owned *x, uint32_t func, uint32_t at, uint32_t avoid)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	bool puts = false, frees = false;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		bool put = in->op == IR_STORE && IR_KIND(in->ops[0]) != IR_R_SLOT &&
			   points_to_any(x, func, in->ops[1], &x->freed);

		puts |= put;
		frees |= in->op == IR_CALL && may_free(x, func, i) && ir_comes_before(f, i, at, avoid);
		if ((put && !is_within(x, func, in)) || (puts && frees))
			return false;
		for (uint32_t k = 0; k < in->nops; k++)
			if (IR_KIND(in->ops[k]) == IR_R_VREG &&
			    points_to_any(x, func, in->ops[k], &x->freed) &&
			    (i == at || ir_comes_before(f, at, i, avoid)))
				return false;
	}
	return true;
}

/* What a function may pass on that was given an object, and another one of its kind.  (With but one, it
 * links what it has, or puts there what it makes.) */
struct passing {
	struct fix_planner *pl;
	const struct owned *x;
	const struct sbits *roots;
	bool two;	  /* else it was given but one, and only copies of it as a whole are asked for */
	struct bits seen; /* functions, and whether they were given something that holds what is freed */
};

/* Is it memory that outlives the function? */
static bool outlives(const struct passing *y, uint32_t loc)
{
	return pta_obj(y->pl->p, pta_loc(y->pl->p, loc)->obj)->kind != PTA_SLOT;
}

static bool puts_elsewhere(const struct passing *y, uint32_t func, ir_ref to)
{
	SBITS_FOREACH(l, pta_points_to(y->pl->p, func, to))
		if (outlives(y, l))
			return true;
	return false;
}

/* May what it points to hold pointers to what is freed? */
static bool has_freed(const struct passing *y, uint32_t func, ir_ref r)
{
	SBITS_FOREACH(l, pta_points_to(y->pl->p, func, r))
		if (holds_freed(y->x, pta_loc(y->pl->p, l)->obj))
			return true;
	return false;
}

/* By the sets: does it, or a function that it calls, change memory where pointers to what is freed may be? */
static bool may_pass_on(const struct passing *y, uint32_t func)
{
	const struct pta *p = y->pl->p;

	SBITS_FOREACH(l, &y->pl->fx[func].mod)
		if (outlives(y, l) && pta_meets(p, pta_cell(p, l), &y->x->freed))
			return true;
	return false;
}

/* Does it copy the object itself?  What is taken for text is none. */
static bool is_copied(const struct passing *y, uint32_t func, uint32_t inst)
{
	return points_to_any(y->x, func, y->pl->m->funcs.v[func].insts[inst].ops[1], y->roots) &&
	       !pta_is_text_copy(y->pl->p, func, inst);
}

static bool call_passes_on(struct passing *y, uint32_t func, uint32_t inst, bool holder);

/* Does it store what is freed, and what it has not just made itself?  Or copies it, from what it was given:
 * what copies anything (xmemdup()) is given text here, and a struct there. */
static bool passes_on(struct passing *y, uint32_t func, bool holder)
{
	const struct ir_func *f = &y->pl->m->funcs.v[func];
	bool any = false;

	if (pta_model(y->pl->p, func) || !bits_set(&y->seen, 2 * func + holder) || !may_pass_on(y, func))
		return false;
	for (uint32_t i = 0; i < f->ninsts && !any; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op == IR_STORE)
			any = y->two && points_to_any(y->x, func, in->ops[1], &y->x->freed) &&
			      puts_elsewhere(y, func, in->ops[0]) && !owned_is_new(y->pl, func, in->ops[1]);
		else if (in->op == IR_MEMCPY)
			any = holder && puts_elsewhere(y, func, in->ops[0]) &&
			      (y->two ? has_freed(y, func, in->ops[1]) : is_copied(y, func, i));
		else if (in->op == IR_CALL)
			any = call_passes_on(y, func, i, holder);
	}
	return any;
}

/* holder: something that holds what is freed is known to the caller. */
static bool call_passes_on(struct passing *y, uint32_t func, uint32_t inst, bool holder)
{
	const struct ir_inst *in = &y->pl->m->funcs.v[func].insts[inst];
	bool given = false, any = false;
	struct pta_callees to;

	for (uint32_t k = 1; k < in->nops && holder; k++)
		given |= has_freed(y, func, in->ops[k]);
	callees_of(y->pl, func, inst, &to);
	SBITS_FOREACH(g, to.set)
		any |= passes_on(y, g, given);
	return any;
}

/* The struct that a parameter points to, or IR_NONE. */
static uint32_t struct_of_param(const struct ir_module *m, const struct ir_type *f, uint32_t param)
{
	const struct ir_type *t =
		param < f->nfields ? &m->types.v[ir_type_strip(m, f->fields[param].type)] : NULL;
	uint32_t to = t && t->kind == IR_T_PTR && t->elem ? ir_type_strip(m, t->elem) : IR_NONE;

	return to != IR_NONE && m->types.v[to].kind == IR_T_STRUCT ? to : IR_NONE;
}

/* Does a callee take another object of the same kind as this argument? */
static bool takes_two(struct fix_planner *pl, uint32_t func, uint32_t inst, uint32_t arg)
{
	const struct ir_module *m = pl->m;
	struct pta_callees to;
	bool two = false;

	callees_of(pl, func, inst, &to);
	SBITS_FOREACH(g, to.set) {
		const struct ir_type *t = &m->types.v[m->funcs.v[g].type];
		uint32_t kind = t->kind == IR_T_FUNC ? struct_of_param(m, t, arg - 1) : IR_NONE;

		for (uint32_t k = 0; kind != IR_NONE && k < t->nfields; k++)
			two |= k != arg - 1 && struct_of_param(m, t, k) == kind;
	}
	return two;
}

bool owned_passed_on(struct fix_planner *pl, const struct sbits *roots, const struct sbits *freed,
		     uint32_t func, uint32_t at)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	struct owned x = { .pl = pl };
	struct passing y = { .pl = pl, .x = &x, .roots = roots };
	bool any = false;

	for (uint32_t i = 0; i < f->ninsts && !any; i++)
		for (uint32_t k = 1; k < f->insts[i].nops && f->insts[i].op == IR_CALL && !any; k++) {
			if (!points_to_any(&x, func, f->insts[i].ops[k], roots) ||
			    !ir_comes_before(f, i, at, IR_NONE))
				continue;
			y.two = takes_two(pl, func, i, k);
			if (!y.seen.n) {	/* the first such call: there is none, mostly */
				bits_init(&y.seen, 2 * pl->m->funcs.n);
				find_freed(&x, roots, freed);
			}
			bits_zero(&y.seen);
			any = call_passes_on(&y, func, i, true);
		}
	bits_release(&y.seen);
	sbits_release(&x.all);
	sbits_release(&x.freed);
	return any;
}

bool owned_alone(struct fix_planner *pl, const struct sbits *roots, const struct sbits *freed, uint32_t func,
		 uint32_t at, uint32_t made)
{
	struct owned x = { .pl = pl };
	uint32_t avoid = pl->m->funcs.v[func].insts[made].block;
	bool ok;

	if (at == made || pl->m->funcs.v[func].insts[at].block == avoid)
		avoid = IR_NONE;
	ok = find_freed(&x, roots, freed) && check_stores(&x, pl) && check_holders(&x) &&
	     check_function(&x, func, at, avoid);
	sbits_release(&x.all);
	sbits_release(&x.freed);
	return ok;
}
