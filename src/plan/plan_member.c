/*
 * plan_member.c - the destructor forgets a member: it is freed there, before its holder.
 *
 * The object was not lost in the function that made it, nor in a caller: it is in a member
 * of something that is freed (vfg/orphan.c found that).  No object is followed here.  The
 * release goes before the statement that frees the holder, which is named by a variable
 * there, and it is safe if all of this holds:
 *
 *   - nobody out of sight can get at the holders, and the member holds nothing but new objects or null:
 * every store there is of what a call in the same function has just made, stored once; structs of that kind
 * are not copied.  So no two holders have the same object;
 *   - nothing else holds such an object, but for variables of functions that cannot lead to the destructor;
 *   - if it is freed elsewhere, then as the member of a holder, which gets another value, or is freed,
 * before that function ends or can get to the destructor (a setter, a constructor that fails); or before it
 * was in a member;
 *   - the member has a value when the holder is freed: the holder came zeroed, or the
 *     member is stored to before anything else is done with it;
 *   - no function has a pointer to such an object in its hands after a call that can lead to
 *     the destructor.
 *
 * Which way it errs: all of it is asked of points-to sets, which are too large: a refusal.
 */
#include "plan/priv.h"

#include "ir/expr.h"
#include "ir/io.h"

struct member {
	struct fix_planner *p;
	struct finding *f;
	uint32_t func, inst;		/* the call that frees what holds it */
	uint64_t off;
	struct sbits holders, cells, objs;
	VEC(struct finding_site) makers;	/* the calls that make what is in the member */
	struct bits above;		/* functions that can lead to the call; empty: not asked for yet */
	const char *why;
};

static bool refuse(struct member *x, const char *why)
{
	x->why = why;
	return false;
}

static const struct ir_inst *inst_at(const struct member *x, uint32_t func, uint32_t inst)
{
	return &x->p->m->funcs.v[func].insts[inst];
}

static bool points_into(const struct member *x, uint32_t func, ir_ref r, const struct sbits *objs)
{
	return pta_meets(x->p->p, pta_points_to(x->p->p, func, r), objs);
}

/* ---- where its holder is freed ---------------------------------------------- */

/* The heap objects that can hold a pointer to the object. */
static void find_holding(const struct member *x, uint32_t object, struct bits *out)
{
	const struct pta *p = x->p->p;

	bits_init(out, pta_nobjs(p));
	SBITS_FOREACH(l, closure_holders(x->p->closure, object))
		if (pta_obj(p, pta_loc(p, l)->obj)->kind == PTA_HEAP)
			bits_set(out, pta_loc(p, l)->obj);
}

/* Does the function do nothing but to free whatever it is given: the only call in it?  What that is is asked
 * of its callers.  One that takes a struct is the destructor of that. */
static bool is_freer(const struct member *x, uint32_t func)
{
	const struct ir_module *m = x->p->m;
	const struct ir_func *f = &m->funcs.v[func];
	const struct ir_type *t = &m->types.v[f->type];
	uint32_t calls = 0;

	if (t->kind != IR_T_FUNC || t->nfields != 1 ||
	    m->types.v[ir_type_strip(m, t->fields[0].type)].kind != IR_T_PTR ||
	    m->types.v[ir_type_strip(m, m->types.v[ir_type_strip(m, t->fields[0].type)].elem)].kind ==
		    IR_T_STRUCT)
		return false;

	for (uint32_t i = 0; i < f->ninsts; i++)
		calls += f->insts[i].op == IR_CALL;
	return calls == 1 && f->nparams == 1 && f->params[0].cls == IR_C_PTR && release_always(x->p, func, 0);
}

/* The function that a call is of, if that frees its only argument and nothing else; or NULL. */
static const struct ir_func *freer_at(const struct member *x, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = inst_at(x, func, inst);
	const struct ir_func *g = in->op == IR_CALL && in->nops == 2 ? ir_callee(x->p->m, in) : NULL;
	uint32_t callee = g ? (uint32_t)(g - x->p->m->funcs.v) : IR_NONE;
	const struct model *md = g ? pta_model(x->p->p, callee) : NULL;

	if (md)
		return model_frees(md, 1) && !model_frees(md, 1)->nconds ? g : NULL;
	return g && !ir_is_decl(g) && is_freer(x, callee) ? g : NULL;
}

/* Is it a call that frees something, in a function that is more than that? */
static bool frees_one(const struct member *x, uint32_t func, uint32_t inst)
{
	return freer_at(x, func, inst) && !is_freer(x, func);
}

/* All such calls of a function, found once. */
static const struct plan_freers *freers_of(const struct member *x, uint32_t func)
{
	struct plan_freers *fr = &x->p->freers[func];

	for (uint32_t i = 0; i < x->p->m->funcs.v[func].ninsts && !fr->done; i++)
		if (frees_one(x, func, i))
			vec_push(&fr->insts, i);
	fr->done = true;
	return fr;
}

/* May what the call frees be one of these? */
static bool frees_any(const struct member *x, const struct finding_site *at, const struct bits *objs)
{
	SBITS_FOREACH(l, pta_points_to(x->p->p, at->func, inst_at(x, at->func, at->inst)->ops[1]))
		if (bits_test(objs, pta_loc(x->p->p, l)->obj))
			return true;
	return false;
}

/* The functions that a function may call itself, found once. */
static const struct sbits *callees_in(const struct member *x, uint32_t func)
{
	struct plan_freers *to = &x->p->freers[func];

	for (uint32_t i = 0; i < x->p->m->funcs.v[func].ninsts && !to->listed; i++) {
		struct pta_callees c;

		if (x->p->m->funcs.v[func].insts[i].op != IR_CALL)
			continue;
		pta_callees(x->p->p, func, i, &c);
		sbits_or(&to->callees, c.set);
	}
	to->listed = true;
	return &to->callees;
}

/* Adds the functions that the function may call. */
static void add_callees(const struct member *x, uint32_t func, struct bits *seen)
{
	if (bits_set(seen, func))
		SBITS_FOREACH(g, callees_in(x, func))
			add_callees(x, g, seen);
}

enum { MAX_SITES = 8 };

/* The finding names the call, or the end of a function that has called the destructor: then it may be any
 * that this can get to. */
static uint32_t find_sites(const struct member *x, struct finding_site *out)
{
	uint32_t object = pta_heap_at(x->p->p, x->f->made.func, x->f->made.inst, 0), n = 0;
	struct bits below, holding;

	out[0] = x->f->lost;
	if (object == IR_NONE)
		return 0;
	find_holding(x, object, &holding);
	if (frees_one(x, out[0].func, out[0].inst) && frees_any(x, &out[0], &holding)) {
		bits_release(&holding);
		return 1;
	}
	bits_init(&below, x->p->m->funcs.n + 1);
	add_callees(x, x->f->lost.func, &below);
	for (uint32_t g = bits_next(&below, 0); g != UINT32_MAX && n < MAX_SITES;
	     g = bits_next(&below, g + 1)) {
		const struct plan_freers *fr = freers_of(x, g);

		for (uint32_t i = 0; i < fr->insts.n && n < MAX_SITES; i++) {
			struct finding_site at = { .func = g, .inst = fr->insts.v[i] };

			if (frees_any(x, &at, &holding))
				out[n++] = at;
		}
	}
	bits_release(&below);
	bits_release(&holding);
	return n;
}

/* ---- what leads to the destructor? ------------------------------------------------- */

/* Functions that can lead to the destructor, found once. */
static const struct bits *find_above(struct member *x)
{
	if (!x->above.n)
		callees_above(x->p, x->func, &x->above);
	return &x->above;
}

static bool leads_there(const struct member *x, const struct bits *above, uint32_t func, uint32_t inst)
{
	return (func == x->func && inst == x->inst) || callees_lead_into(x->p, above, func, inst);
}

/* ---- who holds what -------------------------------------------------------- */

/* The holders that the call may free, the member, and all objects that may be in it. */
static bool find_holders(struct member *x)
{
	const struct pta *p = x->p->p;
	const struct ir_inst *call = inst_at(x, x->func, x->inst);
	uint32_t object = pta_heap_at(p, x->f->made.func, x->f->made.inst, 0), type = 0;
	bool found = false;

	if (call->op != IR_CALL || call->nops != 2 || !ir_callee(x->p->m, call) || object == IR_NONE)
		return refuse(x, "no variable holds the object where it is lost");
	SBITS_FOREACH(l, pta_points_to(p, x->func, call->ops[1])) {
		const struct pta_obj *h = pta_obj(p, pta_loc(p, l)->obj);

		if (h->kind != PTA_HEAP || pta_loc(p, l)->off || h->collapsed ||
		    (type && ir_type_strip(x->p->m, h->type) != type))
			return refuse(x, "what holds it is not always of one kind where it is freed");
		type = ir_type_strip(x->p->m, h->type);
		sbits_set(&x->holders, pta_loc(p, l)->obj);
		for (uint32_t c = h->first_loc; c != IR_NONE; c = pta_loc(p, c)->next)
			SBITS_FOREACH(to, pta_cell(p, c))
				if (pta_loc(p, to)->obj == object) {
					if (found && pta_loc(p, c)->off != x->off)
						return refuse(x, "it can be in several members");
					x->off = pta_loc(p, c)->off;
					found = true;
				}
	}
	return found && x->p->m->types.v[type].kind == IR_T_STRUCT
		       ? true
		       : refuse(x, "no variable holds the object where it is lost");
}

/* Does it hold what it holds only while a function is active that cannot lead to the destructor: a variable
 * of it, or what it is given besides its parameters? */
static bool is_passing(struct member *x, const struct pta_obj *holder)
{
	return (holder->kind == PTA_SLOT || holder->kind == PTA_VARARG) &&
	       !bits_test(find_above(x), holder->func);
}

static bool find_objects(struct member *x)
{
	const struct pta *p = x->p->p;

	SBITS_FOREACH(h, &x->holders)
		for (uint32_t c = pta_obj(p, h)->first_loc; c != IR_NONE; c = pta_loc(p, c)->next) {
			if (pta_loc(p, c)->off != x->off)
				continue;
			sbits_set(&x->cells, c);
			SBITS_FOREACH(to, pta_cell(p, c)) {
				const struct pta_obj *o = pta_obj(p, pta_loc(p, to)->obj);

				if (o->kind != PTA_HEAP || pta_loc(p, to)->off || o->given || o->common)
					return refuse(x, "the member can also hold what must not be freed");
				sbits_set(&x->objs, pta_loc(p, to)->obj);
			}
		}
	for (uint32_t l = 0; l < pta_nlocs(p); l++) {
		const struct pta_obj *h = pta_obj(p, pta_loc(p, l)->obj);

		if (!sbits_test(&x->cells, l) && !plan_stands_in(p, h) &&
		    pta_meets(p, pta_cell(p, l), &x->objs) && !is_passing(x, h))
			return refuse(x, "something else may hold it as well");
	}
	return true;
}

/* ---- what is stored there --------------------------------------------------- */

/* The call that made the value in this function, IR_NONE if there is none. */
static uint32_t made_by(const struct member *x, uint32_t func, ir_ref r)
{
	const struct ir_inst *d = ssa_def(pta_ssa(x->p->p, func), pta_origin(x->p->p, func, r));
	uint32_t call = d && d->op == IR_CALL ? (uint32_t)(d - x->p->m->funcs.v[func].insts) : IR_NONE;

	return call != IR_NONE && pta_heap_at(x->p->p, func, call, 0) != IR_NONE ? call : IR_NONE;
}

static bool is_ssa_slot(const struct member *x, uint32_t func, ir_ref addr)
{
	return IR_KIND(addr) == IR_R_SLOT && pta_ssa(x->p->p, func)->promoted[IR_IDX(addr)];
}

/* Is what the call made stored in memory once only? */
static bool stored_once(const struct member *x, uint32_t func, uint32_t call)
{
	const struct ir_func *f = &x->p->m->funcs.v[func];
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->ninsts; i++)
		n += f->insts[i].op == IR_STORE && !is_ssa_slot(x, func, f->insts[i].ops[0]) &&
		     made_by(x, func, f->insts[i].ops[1]) == call;
	return n == 1;
}

static bool check_stores(struct member *x)
{
	for (uint32_t g = 0; g < x->p->m->funcs.n; g++) {
		const struct ir_func *f = &x->p->m->funcs.v[g];

		for (uint32_t i = 0; i < f->ninsts; i++) {
			const struct ir_inst *in = &f->insts[i];
			bool hits = false;
			uint32_t call;

			if (in->op == IR_MEMCPY && (points_into(x, g, in->ops[0], &x->holders) ||
						    points_into(x, g, in->ops[1], &x->holders)))
				return refuse(x, "what holds it is copied as a whole");
			if (in->op != IR_STORE || in->ops[1] == IR_NULL || is_ssa_slot(x, g, in->ops[0]))
				continue;
			SBITS_FOREACH(l, pta_points_to(x->p->p, g, in->ops[0]))
				hits |= sbits_test(&x->cells, l);
			if (!hits)
				continue;
			call = made_by(x, g, in->ops[1]);
			if (call == IR_NONE || !stored_once(x, g, call))
				return refuse(x, "the member can also hold what somebody else has");
			vec_push(&x->makers, ((struct finding_site){ g, call }));
		}
	}
	return true;
}

/* ---- who else frees it? ------------------------------------------------------------ */

/* Is it the member of a holder, or of what stands for holders in the function that makes them? */
static bool is_member(const struct member *x, uint32_t loc)
{
	const struct pta_obj *h = pta_obj(x->p->p, pta_loc(x->p->p, loc)->obj);

	return sbits_test(&x->cells, loc) ||
	       (h->kind == PTA_HEAP && pta_loc(x->p->p, loc)->off == x->off &&
		ir_type_strip(x->p->m, h->type) ==
			ir_type_strip(x->p->m, pta_obj(x->p->p, sbits_next(&x->holders, 0))->type));
}

/* The variable that leads to the holder, if the value was read from the member; else IR_NONE. */
static ir_ref holder_of(const struct member *x, uint32_t func, ir_ref r)
{
	const struct ir_func *f = &x->p->m->funcs.v[func];
	const struct ir_inst *d = ir_def(f, expr_uncast(f, r));
	int64_t off = 0;

	if (!d || d->op != IR_LOAD)
		return IR_NULL;
	SBITS_FOREACH(l, pta_points_to(x->p->p, func, d->ops[0]))
		if (!is_member(x, l))
			return IR_NULL;
	return plan_base(f, d->ops[0], &off);
}

/* Does the instruction end the time in which the member, of the holder that a variable leads to, is stale? */
static bool makes_good(const struct member *x, uint32_t func, uint32_t inst, ir_ref holder)
{
	const struct ir_func *f = &x->p->m->funcs.v[func];
	const struct ir_inst *in = &f->insts[inst];
	int64_t off = 0;

	if (in->op == IR_STORE && plan_same_place(f, plan_base(f, in->ops[0], &off), holder)) {
		SBITS_FOREACH(l, pta_points_to(x->p->p, func, in->ops[0]))
			if (!is_member(x, l))
				return false;
		return true;
	}
	return freer_at(x, func, inst) && plan_same_place(f, expr_uncast(f, in->ops[1]), holder);
}

/* From an instruction on: does every way make good before the function ends, or calls what can get to the
 * destructor? */
static bool is_made_good(const struct member *x, const struct bits *above, uint32_t func, uint32_t from,
			 ir_ref holder, struct bits *seen)
{
	const struct ir_func *f = &x->p->m->funcs.v[func];
	const struct ir_block *b = &f->blocks[f->insts[from].block];

	for (uint32_t i = from; i < b->first + b->n; i++) {
		if (makes_good(x, func, i, holder))
			return !(func == x->func && i == x->inst);
		if (f->insts[i].op == IR_RET || leads_there(x, above, func, i))
			return false;
	}
	for (uint32_t k = 0; k < b->nsucc; k++)
		if (bits_set(seen, b->succ[k]) &&
		    !is_made_good(x, above, func, f->blocks[b->succ[k]].first, holder, seen))
			return false;
	return true;
}

/* Was it never in a member there? */
static bool is_not_stored(const struct member *x, uint32_t func, uint32_t inst, ir_ref r)
{
	const struct ir_func *f = &x->p->m->funcs.v[func];
	uint32_t call = made_by(x, func, r);

	for (uint32_t i = 0; i < f->ninsts && call != IR_NONE; i++)
		if (f->insts[i].op == IR_STORE && !is_ssa_slot(x, func, f->insts[i].ops[0]) &&
		    made_by(x, func, f->insts[i].ops[1]) == call &&
		    ir_comes_before(f, i, inst, f->insts[call].block))
			return false;
	return call != IR_NONE;
}

static bool check_free(struct member *x, const struct bits *above, uint32_t func, uint32_t inst)
{
	ir_ref r = inst_at(x, func, inst)->ops[1], holder = holder_of(x, func, r);
	struct bits seen;
	bool ok;

	if (is_not_stored(x, func, inst, r))
		return true;
	if (holder == IR_NULL)
		return false;
	bits_init(&seen, x->p->m->funcs.v[func].nblocks);
	ok = is_made_good(x, above, func, inst + 1, holder, &seen);
	bits_release(&seen);
	return ok;
}

static bool check_frees(struct member *x)
{
	const struct bits *above = find_above(x);
	bool ok = true;

	for (uint32_t g = 0; g < x->p->m->funcs.n && ok; g++) {
		bool frees = false;

		SBITS_FOREACH(o, &x->objs)
			frees |= sbits_test(&x->p->fx[g].freed, o);
		for (uint32_t i = 0; frees && i < x->p->m->funcs.v[g].ninsts && ok && !is_freer(x, g); i++) {
			const struct ir_inst *in = inst_at(x, g, i);
			struct pta_callees c;

			if (in->op != IR_CALL)
				continue;
			if (freer_at(x, g, i)) {
				ok = !points_into(x, g, in->ops[1], &x->objs) || check_free(x, above, g, i);
				continue;
			}
			pta_callees(x->p->p, g, i, &c);
			SBITS_FOREACH(callee, c.set)
				for (uint32_t k = 1; k < in->nops && pta_model(x->p->p, callee); k++)
					ok &= !model_frees(pta_model(x->p->p, callee), k) ||
					      !points_into(x, g, in->ops[k], &x->objs);
		}
	}
	return ok ? true : refuse(x, "it may also be freed elsewhere");
}

/* ---- has it a value? ---------------------------------------------------------- */

static bool is_result(const struct member *x, uint32_t func, ir_ref addr)
{
	return IR_KIND(addr) == IR_R_SLOT && x->p->m->funcs.v[func].slots[IR_IDX(addr)].flags & IR_S_RETVAL;
}

/* Is the instruction more than a store to, or a look at, the holder? */
static bool lets_go(const struct member *x, uint32_t func, const struct ir_inst *in,
		    const struct sbits *holder)
{
	const struct ir_inst *d;
	const struct ir_func *g;

	switch (in->op) {
	case IR_STORE:	/* returned: where `return p;` puts it, not where all returns meet */
		return (!is_ssa_slot(x, func, in->ops[0]) || is_result(x, func, in->ops[0])) &&
		       points_into(x, func, in->ops[1], holder);
	case IR_RET:
		d = in->nops ? ir_def(&x->p->m->funcs.v[func], in->ops[0]) : NULL;
		return in->nops && !(d && d->op == IR_LOAD && is_result(x, func, d->ops[0])) &&
		       points_into(x, func, in->ops[0], holder);
	case IR_CALL:
		g = ir_callee(x->p->m, in);
		if (g && pta_model(x->p->p, (uint32_t)(g - x->p->m->funcs.v)))
			return false;	/* free, memset: the destructor is none of these */
		for (uint32_t k = 1; k < in->nops; k++)
			if (points_into(x, func, in->ops[k], holder))
				return true;
		return false;
	default:
		return false;
	}
}

/* Is the member stored to before anything is done with what this call makes? */
static bool is_stored_first(const struct member *x, uint32_t func, uint32_t call, uint32_t obj)
{
	const struct ir_func *f = &x->p->m->funcs.v[func];
	const struct ssa *s = pta_ssa(x->p->p, func);
	struct sbits holder = {0};
	bool ok = false;

	sbits_set(&holder, obj);
	for (uint32_t i = 0; i < f->ninsts && !ok; i++) {
		const struct ir_inst *d = f->insts[i].op == IR_STORE ? ir_def(f, f->insts[i].ops[0]) : NULL;
		bool there = false;

		if (f->insts[i].op != IR_STORE)
			continue;
		SBITS_FOREACH(l, pta_points_to(x->p->p, func, f->insts[i].ops[0]))
			there |= pta_loc(x->p->p, l)->obj == obj && pta_loc(x->p->p, l)->off == x->off;
		ok = there && (!d || d->op == IR_FIELD || x->off == 0) && plan_comes_first(f, s, call, i);
		for (uint32_t k = 0; k < f->ninsts && ok; k++)
			if (k != call && lets_go(x, func, &f->insts[k], &holder))
				ok = plan_comes_first(f, s, i, k);
	}
	sbits_release(&holder);
	return ok;
}

static bool has_value(const struct member *x, uint32_t func, uint32_t call, int depth)
{
	const struct ir_func *g = ir_callee(x->p->m, inst_at(x, func, call));
	uint32_t callee = g ? (uint32_t)(g - x->p->m->funcs.v) : IR_NONE,
		 obj = pta_heap_at(x->p->p, func, call, 0);
	const struct model *md = g ? pta_model(x->p->p, callee) : NULL;
	const struct pta_wrapper *w = g && !md ? pta_wrapper(x->p->p, callee) : NULL;
	bool inside = w && w->nouts == 1 && w->returns;

	if (!g || depth > 6 || obj == IR_NONE)
		return false;
	if (md && model_allocates(md) && model_allocates(md)->value.zeroed)
		return true;
	for (uint32_t k = 0; inside && k < w->out[0].n; k++)
		inside = has_value(x, callee, w->out[0].made[k].inst, depth + 1);
	return inside || is_stored_first(x, func, call, obj);
}

static bool check_values(struct member *x)
{
	SBITS_FOREACH(h, &x->holders)
		if (!has_value(x, pta_obj(x->p->p, h)->func, pta_obj(x->p->p, h)->index, 0))
			return refuse(x, "the member may have no value yet where its holder is freed");
	return true;
}

/* ---- who looks at it afterwards? ------------------------------------------------ */

/* Where an operand is used: that of a phi, at the end of the block that it comes from. */
static uint32_t use_at(const struct ir_func *f, uint32_t inst, uint32_t op)
{
	const struct ir_block *from =
		f->insts[inst].op == IR_PHI ? &f->blocks[f->insts[inst].targets[op]] : NULL;

	return from ? from->first + from->n - 1 : inst;
}

/* Is a value, used at `use`, one that was there before the call already?  What is loaded after it is of a
 * holder that is still there: the use is behind that on every way. */
static bool is_older(const struct member *x, uint32_t func, uint32_t call, uint32_t use, ir_ref r)
{
	const struct ir_func *f = &x->p->m->funcs.v[func];
	const struct ir_inst *d = ssa_def(pta_ssa(x->p->p, func), r);

	if (d && d->block == f->insts[call].block && (uint32_t)(d - f->insts) > call)
		return false;
	return ir_comes_before(f, call, use, d ? d->block : IR_NONE);
}

/* The same of an operand, which may have come by several ways. */
static bool is_old(const struct member *x, uint32_t func, uint32_t call, uint32_t use, ir_ref r)
{
	ir_ref from[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(x->p, func, pta_same(x->p->p, func, r), from);

	for (uint32_t i = 0; i < n; i++)
		if (points_into(x, func, from[i], &x->objs) && is_older(x, func, call, use, from[i]))
			return true;
	return n == 0;
}

/* Is it what the call itself has returned? */
static bool is_result_of(const struct member *x, uint32_t func, uint32_t call, ir_ref r)
{
	const struct ir_func *f = &x->p->m->funcs.v[func];

	return func == x->func && call == x->inst && f->insts[call].res != IR_NONE &&
	       expr_uncast(f, r) == IR_VREG(f->insts[call].res);
}

static bool check_uses(struct member *x)
{
	const struct bits *above = find_above(x);
	bool ok = true;

	for (uint32_t g = 0; g < x->p->m->funcs.n && ok; g++) {
		const struct ir_func *f = &x->p->m->funcs.v[g];

		for (uint32_t i = 0; i < f->ninsts && ok && bits_test(above, g); i++) {
			if (!leads_there(x, above, g, i))
				continue;
			for (uint32_t k = 0; k < f->ninsts && ok; k++)
				for (uint32_t a = 0; a < f->insts[k].nops && ok; a++)
					ok = !points_into(x, g, f->insts[k].ops[a], &x->objs) ||
					     is_result_of(x, g, i, f->insts[k].ops[a]) ||
					     !is_old(x, g, i, use_at(f, k, a), f->insts[k].ops[a]);
		}
	}
	return ok ? true : refuse(x, "somebody may still have it in hand when its holder is freed");
}

bool member_in_hand(struct fix_planner *p, uint32_t func, uint32_t call, const struct sbits *objs)
{
	struct member x = { .p = p, .func = func, .inst = call };
	bool ok;

	sbits_or(&x.objs, objs);
	ok = check_uses(&x);
	sbits_release(&x.objs);
	bits_release(&x.above);
	return !ok;
}

/* ---- the text ------------------------------------------------------------------- */

/* Was what the holder's releaser is given looked into on every way to that call? */
static bool is_never_null(const struct member *x)
{
	const struct ir_func *f = &x->p->m->funcs.v[x->func];
	ir_ref holder = pta_same(x->p->p, x->func, expr_uncast(f, f->insts[x->inst].ops[1]));

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		int64_t off = 0;
		ir_ref base =
			in->op == IR_LOAD || in->op == IR_STORE ? plan_base(f, in->ops[0], &off) : IR_NULL;

		if (IR_KIND(base) == IR_R_VREG && pta_same(x->p->p, x->func, base) == holder &&
		    plan_comes_first(f, pta_ssa(x->p->p, x->func), i, x->inst))
			return true;
	}
	return false;
}

/* What releases that which one call makes; NULL if that is not known.  A destructor would free more: not
 * that, but what it calls for the object alone. */
static const char *release_of(struct member *x, const struct finding_site *made, struct arena *arena,
			      bool *takes_null)
{
	const char *name = NULL, *why;
	struct plan_sim sim;
	uint32_t func;

	sim_init(&sim, x->p, made->func);
	sim_find_births(&sim);
	for (uint32_t i = 0; i < sim.births.n && !name; i++)
		if (sim.births.v[i].inst == made->inst && !sim.births.v[i].rows) {
			name = release_name(x->p, &sim, &sim.births.v[i], IR_NONE, IR_NONE, arena, &why,
					    takes_null, &func);
			if (name && func != IR_NONE && release_is_deep(x->p, func))
				name = release_alone(x->p, &sim, &sim.births.v[i], func, arena, &why,
						     takes_null);
		}
	sim_release(&sim);
	return name;
}

/* The one function that releases all there can be in the member.  For free() the program may have a function
 * of its own. */
static const char *find_release(struct member *x, const struct ir_func *holders, struct arena *arena,
				bool *takes_null)
{
	const char *name = NULL;

	*takes_null = true;
	for (uint32_t i = 0; i < x->makers.n; i++) {
		bool null = true;
		const char *one = release_of(x, &x->makers.v[i], arena, &null);

		if (!one || (name && !str_eq(name, one)))
			return NULL;
		*takes_null &= null;
		name = one;
	}
	if (!name || !str_eq(name, "free") || ir_is_decl(holders))
		return name;
	return release_is_deep(x->p, (uint32_t)(holders - x->p->m->funcs.v)) ? name : holders->src;
}

static bool write_plan(struct member *x, struct arena *arena, struct fix_plan *plan)
{
	const struct ir_module *m = x->p->m;
	const struct ir_func *f = &m->funcs.v[x->func];
	const struct ir_inst *call = inst_at(x, x->func, x->inst),
			     *d = ir_def(f, expr_uncast(f, call->ops[1]));
	const struct ir_func *releaser = ir_callee(m, call);
	uint32_t type = pta_obj(x->p->p, sbits_next(&x->holders, 0))->type;
	struct fix_insertion in = { .where = FIX_BEFORE, .func = x->func, .inst = x->inst };
	struct sbuf path = {0};
	const char *name;
	bool ok, takes_null;

	type = ir_type_strip(m, type);
	if (!d || d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT || !*f->slots[IR_IDX(d->ops[0])].name)
		return refuse(x, "no variable names what holds it where that is freed");
	if (!str_eq(x->f->resource, "memory"))
		return refuse(x, "it is no memory");
	if (!(name = find_release(x, releaser, arena, &takes_null)))
		return refuse(x, "what releases all that can be in the member is not known");
	ok = place_member(m, &type, x->off, &path);
	if (ok) {
		const char *var = f->slots[IR_IDX(d->ops[0])].name,
			   *expr = arena_printf(arena, "%s->%s", var, sbuf_str(&path));
		const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];
		bool never_null = is_never_null(x);

		in.text =
			arena_printf(arena, "%s(%s%s);", name,
				     t->kind == IR_T_PTR && t->flags & IR_TF_CONST ? "(void *)" : "", expr);
		if (!never_null || !takes_null)
			in.text = arena_printf(arena, "if (%s%s%s)\n\t%s", never_null ? "" : var,
					       never_null || takes_null ? "" : " && ",
					       takes_null ? "" : expr, in.text);
		plan->what = arena_printf(arena, "`%s` is freed before what holds it", expr);
		vec_push(&in.names, ((struct fix_name){ var, IR_IDX(d->ops[0]) }));
		vec_push(&in.names, ((struct fix_name){ name, IR_NONE }));
		vec_push(&plan->in, in);
	}
	sbuf_release(&path);
	return ok ? true : refuse(x, "the member has no name");
}

/* Nobody out of sight can get at the holders, nor at what is in the member. */
static bool check_outside(struct member *x)
{
	bool given = false;

	SBITS_FOREACH(o, &x->holders)
		given |= pta_obj(x->p->p, o)->given;
	SBITS_FOREACH(o, &x->objs)
		given |= pta_obj(x->p->p, o)->given;
	if (given && !ir_is_program(x->p->m))
		return refuse(x, "callers outside may hold what is in the member");
	return true;
}

/* The release before one call that frees a holder. */
static bool try_site(struct fix_planner *p, struct finding *f, const struct finding_site *site,
		     struct arena *arena, struct fix_plan *plan, struct plan_mend *mend)
{
	struct member x = { .p = p, .f = f, .func = site->func, .inst = site->inst };
	bool ok = find_holders(&x) && find_objects(&x) && check_outside(&x) && check_stores(&x) &&
		  check_frees(&x) && check_values(&x) && check_uses(&x);

	ok = ok && write_plan(&x, arena, plan);
	if (!ok && !plan->in.n)
		plan->refused = x.why;
	if (ok && mend) {
		*mend = (struct plan_mend){ x.func, (int64_t)x.off, x.above };
		memset(&x.above, 0, sizeof(x.above));
	}
	sbits_release(&x.holders);
	sbits_release(&x.cells);
	sbits_release(&x.objs);
	vec_release(&x.makers);
	bits_release(&x.above);
	return ok;
}

bool member_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan,
		 struct plan_mend *mend)
{
	struct member x = { .p = p, .f = f };
	struct finding_site sites[MAX_SITES];
	uint32_t n = find_sites(&x, sites);

	plan->refused = "no variable holds the object where it is lost";
	for (uint32_t i = 0; i < n; i++)
		if (try_site(p, f, &sites[i], arena, plan, n == 1 ? mend : NULL))
			plan->refused = NULL;
	return !plan->refused;
}
