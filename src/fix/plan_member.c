/*
 * plan_member.c - the destructor forgets a member: it is freed there, before its holder.
 *
 * The object was not lost in the function that made it, nor in a caller: it is in a member
 * of something that is freed (vfg/orphan.c found that).  No object is followed here.  The
 * release goes before the statement that frees the holder, which is named by a variable
 * there, and it is safe if all of this holds:
 *
 *   - nobody out of sight can get at the holders, and the member holds nothing but new objects or null: every
 *     store there is of what a call in the same function has just made, stored once;
 *     structs of that kind are not copied.  So no two holders have the same object;
 *   - nothing else holds such an object, and no free of the program can be given one;
 *   - the member has a value when the holder is freed: the holder came zeroed, or the
 *     member is stored to before anything else is done with it;
 *   - no function has a pointer to such an object in its hands after a call that can lead to
 *     the destructor.
 *
 * Which way it errs: all of it is asked of points-to sets, which are too large: a refusal.
 */
#include "fix/plan.h"

#include "ir/expr.h"
#include "ir/io.h"

struct member {
	struct fix_planner *p;
	struct finding *f;
	uint32_t func, inst;		/* the call that frees what holds it */
	uint64_t off;
	struct sbits holders, cells, objs;
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

static bool holds(const struct member *x, uint32_t holder, uint32_t object)
{
	const struct pta_obj *h = pta_obj(x->p->p, holder);

	for (uint32_t c = h->kind == PTA_HEAP ? h->first_loc : IR_NONE; c != IR_NONE; c = pta_loc(x->p->p, c)->next)
		SBITS_FOREACH(to, pta_cell(x->p->p, c))
			if (pta_loc(x->p->p, to)->obj == object)
				return true;
	return false;
}

/* Is it a call that frees something which can hold the object? */
static bool frees_holder(const struct member *x, uint32_t func, uint32_t inst, uint32_t object)
{
	const struct ir_inst *in = inst_at(x, func, inst);
	const struct ir_func *g = in->op == IR_CALL && in->nops == 2 ? ir_callee(x->p->m, in) : NULL;
	const struct model *md = g ? pta_model(x->p->p, (uint32_t)(g - x->p->m->funcs.v)) : NULL;

	if (!md || !model_frees(md, 1))
		return false;
	SBITS_FOREACH(l, pta_points_to(x->p->p, func, in->ops[1]))
		if (holds(x, pta_loc(x->p->p, l)->obj, object))
			return true;
	return false;
}

/* Adds the functions that the function may call. */
static void add_callees(const struct member *x, uint32_t func, struct bits *seen)
{
	if (!bits_set(seen, func))
		return;
	for (uint32_t i = 0; i < x->p->m->funcs.v[func].ninsts; i++) {
		struct pta_callees c;

		if (x->p->m->funcs.v[func].insts[i].op != IR_CALL)
			continue;
		pta_callees(x->p->p, func, i, &c);
		SBITS_FOREACH(g, c.set)
			add_callees(x, g, seen);
	}
}

/* The finding names the call, or the end of the function that has called the destructor, which must be the only one that
 * function can get to. */
static bool find_site(struct member *x)
{
	uint32_t object = pta_heap_at(x->p->p, x->f->made.func, x->f->made.inst, 0), n = 0;
	struct bits below;

	x->func = x->f->lost.func;
	x->inst = x->f->lost.inst;
	if (object == IR_NONE)
		return refuse(x, "no variable holds the object where it is lost");
	if (frees_holder(x, x->func, x->inst, object))
		return true;
	bits_init(&below, x->p->m->funcs.n + 1);
	add_callees(x, x->f->lost.func, &below);
	for (uint32_t g = 0; g < x->p->m->funcs.n; g++)
		for (uint32_t i = 0; bits_test(&below, g) && i < x->p->m->funcs.v[g].ninsts; i++)
			if (frees_holder(x, g, i, object)) {
				x->func = g;
				x->inst = i;
				n++;
			}
	bits_release(&below);
	return n == 1 ? true : refuse(x, "no variable holds the object where it is lost");
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

		if (h->kind != PTA_HEAP || pta_loc(p, l)->off || h->collapsed || (type && ir_type_strip(x->p->m, h->type) != type))
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
	return found && x->p->m->types.v[type].kind == IR_T_STRUCT ? true : refuse(x, "no variable holds the object where it is lost");
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
	SBITS_FOREACH(o, &x->objs)
		for (uint32_t f = 0; f < x->p->m->funcs.n; f++)
			if (sbits_test(&x->p->fx[f].freed, o))
				return refuse(x, "it may also be freed elsewhere");
	for (uint32_t l = 0; l < pta_nlocs(p); l++) {
		const struct pta_obj *h = pta_obj(p, pta_loc(p, l)->obj);
		bool stands_in = h->kind == PTA_HEAP && pta_wrapper(p, h->func);	/* for its clones */

		if (!sbits_test(&x->cells, l) && !stands_in && pta_meets(p, pta_cell(p, l), &x->objs))
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
		n += f->insts[i].op == IR_STORE && !is_ssa_slot(x, func, f->insts[i].ops[0]) && made_by(x, func, f->insts[i].ops[1]) == call;
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

			if (in->op == IR_MEMCPY && (points_into(x, g, in->ops[0], &x->holders) || points_into(x, g, in->ops[1], &x->holders)))
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
		}
	}
	return true;
}

/* ---- has it a value? ---------------------------------------------------------- */

static bool is_result(const struct member *x, uint32_t func, ir_ref addr)
{
	return IR_KIND(addr) == IR_R_SLOT && x->p->m->funcs.v[func].slots[IR_IDX(addr)].flags & IR_S_RETVAL;
}

/* Is the instruction more than a store to, or a look at, the holder? */
static bool lets_go(const struct member *x, uint32_t func, const struct ir_inst *in, const struct sbits *holder)
{
	const struct ir_inst *d;
	const struct ir_func *g;

	switch (in->op) {
	case IR_STORE:	/* returned: where `return p;` puts it, not where all returns meet */
		return (!is_ssa_slot(x, func, in->ops[0]) || is_result(x, func, in->ops[0])) && points_into(x, func, in->ops[1], holder);
	case IR_RET:
		d = in->nops ? ir_def(&x->p->m->funcs.v[func], in->ops[0]) : NULL;
		return in->nops && !(d && d->op == IR_LOAD && is_result(x, func, d->ops[0])) && points_into(x, func, in->ops[0], holder);
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
	uint32_t callee = g ? (uint32_t)(g - x->p->m->funcs.v) : IR_NONE, obj = pta_heap_at(x->p->p, func, call, 0);
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

static bool calls_into(const struct member *x, const struct bits *above, uint32_t func, uint32_t inst)
{
	struct pta_callees c;

	if (inst_at(x, func, inst)->op != IR_CALL)
		return false;
	pta_callees(x->p->p, func, inst, &c);
	SBITS_FOREACH(callee, c.set)
		if (bits_test(above, callee))
			return true;
	return false;
}

/* Functions that can lead to the destructor: callees first, so that only circles need a second round. */
static void find_above(const struct member *x, struct bits *above)
{
	uint32_t n;
	const uint32_t *order = pta_bottom_up(x->p->p, &n);

	bits_set(above, x->func);
	for (bool more = true; more;) {
		more = false;
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t i = 0; i < x->p->m->funcs.v[order[k]].ninsts && !bits_test(above, order[k]); i++)
				if (calls_into(x, above, order[k], i))
					more |= bits_set(above, order[k]);
	}
}

static bool leads_there(const struct member *x, const struct bits *above, uint32_t func, uint32_t inst)
{
	return (func == x->func && inst == x->inst) || calls_into(x, above, func, inst);
}

/* Is the operand, used at `use`, a pointer that was there before the call already?  One that is
 * loaded after it is of a holder that is still there. */
static bool is_old(const struct member *x, uint32_t func, uint32_t call, uint32_t use, ir_ref r)
{
	const struct ir_func *f = &x->p->m->funcs.v[func];
	const struct ir_inst *d;
	uint32_t def;

	d = ssa_def(pta_ssa(x->p->p, func), pta_same(x->p->p, func, r));
	if (!d)
		return ir_comes_before(f, call, use, IR_NONE);
	def = (uint32_t)(d - f->insts);
	if (d->block == f->insts[call].block && d->block == f->insts[use].block && call < def && def < use)
		return false;
	return ir_comes_before(f, call, use, d->block == f->insts[call].block ? IR_NONE : d->block);
}

static bool check_uses(struct member *x)
{
	struct bits above;
	bool ok = true;

	bits_init(&above, x->p->m->funcs.n + 1);
	find_above(x, &above);
	for (uint32_t g = 0; g < x->p->m->funcs.n && ok; g++) {
		const struct ir_func *f = &x->p->m->funcs.v[g];

		for (uint32_t i = 0; i < f->ninsts && ok && bits_test(&above, g); i++) {
			if (!leads_there(x, &above, g, i))
				continue;
			for (uint32_t k = 0; k < f->ninsts && ok; k++)
				for (uint32_t a = 0; a < f->insts[k].nops && ok; a++)
					ok = !points_into(x, g, f->insts[k].ops[a], &x->objs) || !is_old(x, g, i, k, f->insts[k].ops[a]);
		}
	}
	bits_release(&above);
	return ok ? true : refuse(x, "somebody may still have it in hand when its holder is freed");
}

/* ---- the text ------------------------------------------------------------------- */

static bool write_plan(struct member *x, struct arena *arena, struct fix_plan *plan)
{
	const struct ir_module *m = x->p->m;
	const struct ir_func *f = &m->funcs.v[x->func];
	const struct ir_inst *call = inst_at(x, x->func, x->inst), *d = ir_def(f, expr_uncast(f, call->ops[1]));
	const struct ir_func *releaser = ir_callee(m, call);
	uint32_t type = pta_obj(x->p->p, sbits_next(&x->holders, 0))->type;
	struct fix_insertion in = { .where = FIX_BEFORE, .func = x->func, .inst = x->inst };
	struct sbuf path = {0};
	bool ok;

	type = ir_type_strip(m, type);
	if (!d || d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT || !*f->slots[IR_IDX(d->ops[0])].name)
		return refuse(x, "no variable names what holds it where that is freed");
	if (!str_eq(x->f->resource, "memory") || !str_eq(releaser->src, "free"))
		return refuse(x, "what holds it is not released by free()");
	ok = place_member(m, &type, x->off, &path);
	if (ok) {
		const char *var = f->slots[IR_IDX(d->ops[0])].name;
		const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];

		in.text = arena_printf(arena, "free(%s%s->%s);", t->kind == IR_T_PTR && t->flags & IR_TF_CONST ? "(void *)" : "", var,
				       sbuf_str(&path));
		plan->what = arena_printf(arena, "`%s->%s` is freed before what holds it", var, sbuf_str(&path));
		vec_push(&in.names, ((struct fix_name){ var, IR_IDX(d->ops[0]) }));
		vec_push(&in.names, ((struct fix_name){ "free", IR_NONE }));
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
	return ir_is_program(x->p->m) || !given ? true : refuse(x, "callers outside may hold what is in the member");
}

bool member_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan)
{
	struct member x = { .p = p, .f = f };
	bool ok = find_site(&x) && find_holders(&x) && find_objects(&x) && check_outside(&x) && check_stores(&x) && check_values(&x) && check_uses(&x);

	ok = ok && write_plan(&x, arena, plan);
	plan->refused = ok ? NULL : x.why;
	sbits_release(&x.holders);
	sbits_release(&x.cells);
	sbits_release(&x.objs);
	return ok;
}
