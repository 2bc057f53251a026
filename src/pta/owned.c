/*
 * owned.c - who releases what was stored?
 *
 * An object that is stored where others can reach it is nobody's leak yet: the question is whether those
 * others release it.  Here the whole program is asked at once: does some release get the object after the
 * object was loaded from memory again?  Then its owner is known, and the object counts as judged
 * (finding/coverage.h).
 *
 * needs: points-to sets, call graph and wrappers.
 * gives: for each allocation the first release that its objects can get to, if there is one.
 *
 * The bad direction is to claim an owner who is none, so points-to sets alone are not believed.  A release
 * is evidence only for what can arrive there
 *
 *   - from memory: it was loaded from a member of something that has itself arrived (the member of a
 *     list's element, of a global).  A release does not count, nor does a call of a destructor, in the
 *     function that makes the object, stores it, or makes what it is a member of: a constructor that
 *     cleans up when it fails half-way is no evidence for what the constructor stores when it succeeds,
 *     and a setter that releases the old value has none for the last one;
 *   - from where it was put first: an object that is copied from one place to another (the text of an
 *     option, to a header that is sent) is not owned by the other place because that may be released, too;
 *   - from callers: through a parameter what the calls pass, each of them asked alone.  So xfree() and
 *     list_free() are not one place where everything meets, and a destructor that only the constructor's
 *     failing path calls releases nothing;
 *   - from the result of a function that did not make it: what the function loaded from memory, or got as
 *     an argument of this very call;
 *   - not through a pointer to nothing in particular (void *), as containers have it, nor through a
 *     variable that others fill, if what may come that way is of several types, or text: points-to sets do
 *     not tell the elements of one list from those of another;
 *   - not into realloc() and its kin, which make a new object of the old one.
 *
 * A program without main gets its structs back from callers that are out of sight.  There a member of a
 * struct is released if a release gets what was loaded from that member, and so is what is stored in the
 * member; not if the member is a void *.
 *
 * Which way this errs.  To the bad side: two objects of one allocating call are one, so that the owner of
 * one is taken for the owner of the other; and whether a release is ever called is not asked.  To the
 * other side wherever it does not follow: callbacks with data of several types, objects released by the
 * library that they were given to, memory that was copied as bytes.
 */
#include "pta/owned.h"

#include "base/hash.h"
#include "base/rows.h"
#include "ir/expr.h"
#include "pta/facts.h"

enum { MAX_VALUES = 64, MAX_STEPS = 500, MAX_ENTERED = 4, MAX_ROUNDS = 12 };

struct site {
	uint32_t func, inst;
};

struct field {
	uint32_t type;
	uint64_t off;
};

/* Objects that arrive somewhere: by way of pointers that have a type, and by others. */
struct arrived {
	struct sbits typed, any;
};

/* Which objects are asked for. */
enum mode {
	FRESH,			/* those that have not been in memory since they were made */
	FIRST,			/* those that come from where they were put first */
	ALL,			/* those that come from any memory: what members are of */
	MODES
};

struct param {			/* of a function: what callers hand over */
	uint32_t func, param;
	enum mode mode;
	struct arrived from;
	uint32_t grown, asked;		/* when it became more, and when callers were asked the last time */
	VEC(uint32_t) needs;		/* parameters of callers that were looked at then */
};

struct operand {		/* of an instruction */
	uint32_t func, inst, arg;
	bool member;		/* a release: of a member of what the operand points to */
};

#define MAP_NAME objsets
#define MAP_KEY const void *
#define MAP_VAL struct sbits
#define MAP_HASH(k) hash_mix((uintptr_t)(k))
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME params
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME fields
#define MAP_KEY struct field
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_join((k).type, (k).off)
#define MAP_EQ(a, b) ((a).type == (b).type && (a).off == (b).off)
#include "base/map.h"

struct owned {
	const struct pta *p;
	const struct ir_module *m;
	bool program;
	uint32_t *row;			/* by function: calls that may reach it ... */
	struct site *callers;		/* ... and these */
	struct bits called_back;	/* functions that a library calls */
	VEC(struct operand) releases;
	VEC(struct param) params;	/* those that are asked for */
	struct params at;
	struct fields fields;		/* members that are released, of structs from outside */
	struct sbits *first;		/* by loc: objects that are put there first ... */
	struct sbits *fillers;		/* ... by these functions */
	struct sbits *made;		/* by function: heap objects */
	struct objsets objsets;		/* by a points-to set's words: the objects in it */
	uint32_t steps;			/* values gone through for one operand */
	uint32_t asking;		/* the parameter whose callers are asked, or IR_NONE */
	uint32_t now;			/* grows with each answer */
	uint32_t *by;			/* the answer: by object, which release, plus 1; 0: none */
};

static void arrived_release(struct arrived *a)
{
	sbits_release(&a->typed);
	sbits_release(&a->any);
}

/* Adds the objects that the locations are in.  The set is one of the points-to analysis: equal sets have
 * the same words there (base/shares.h), which do not move, so that the words name the set. */
static void add_objs(struct owned *o, const struct sbits *locs, struct sbits *objs)
{
	struct sbits new = {0}, *at;

	if (locs->n < 4) {
		pta_add_objs(o->p, locs, objs);
		return;
	}
	at = objsets_get(&o->objsets, locs->v);
	if (!at) {
		pta_add_objs(o->p, locs, &new);
		objsets_set(&o->objsets, locs->v, new);
		at = objsets_get(&o->objsets, locs->v);
	}
	sbits_or(objs, at);
}

/* ---- calls ------------------------------------------------------------ */

static void find_callers(struct owned *o)
{
	VEC(struct site) sites = {0};
	struct row_pairs pairs = {0};
	const struct pta_callback *cb;
	uint32_t *order;

	bits_init(&o->called_back, o->m->funcs.n + 1);
	for (uint32_t f = 0; f < o->m->funcs.n; f++) {
		uint32_t n = pta_callbacks(o->p, f, &cb);

		for (uint32_t i = 0; i < n; i++)
			bits_set(&o->called_back, cb[i].callee);
		for (uint32_t i = 0; i < o->m->funcs.v[f].ninsts; i++) {
			struct pta_callees c;

			if (o->m->funcs.v[f].insts[i].op != IR_CALL)
				continue;
			pta_callees(o->p, f, i, &c);
			SBITS_FOREACH(callee, c.set) {
				if (ir_is_decl(&o->m->funcs.v[callee]))
					continue;
				vec_push(&pairs, ((struct row_pair){ callee, sites.n }));
				vec_push(&sites, ((struct site){ f, i }));
			}
		}
	}
	o->row = xcalloc((size_t)o->m->funcs.n + 2, sizeof(*o->row));
	order = xcalloc(MAX(pairs.n, 1), sizeof(*order));
	o->callers = xcalloc(MAX(pairs.n, 1), sizeof(*o->callers));
	rows_fill(o->row, order, o->m->funcs.n, &pairs, false);
	for (uint32_t i = 0; i < pairs.n; i++)
		o->callers[i] = sites.v[order[i]];
	free(order);
	vec_release(&pairs);
	vec_release(&sites);
}

/* Does the function make a new object of what it releases? */
static bool makes_new(const struct model *md)
{
	for (unsigned i = 0; i < md->neffects; i++)
		if (md->effects[i].kind == MODEL_E_SET && md->effects[i].value.kind == MODEL_V_NEW)
			return true;
	return false;
}

static void find_releases(struct owned *o, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &o->m->funcs.v[func].insts[inst];
	struct pta_callees c;

	pta_callees(o->p, func, inst, &c);
	SBITS_FOREACH(callee, c.set) {
		const struct model *md = pta_model(o->p, callee);

		for (unsigned i = 0; md && !makes_new(md) && i < md->neffects; i++) {
			const struct model_effect *e = &md->effects[i];

			struct operand r = { func, inst, e->place.arg, e->place.nsteps > 0 };

			if (e->kind == MODEL_E_FREE && e->place.base == MODEL_ARG && e->place.arg < in->nops)
				vec_push(&o->releases, r);
		}
	}
}

/* ---- what arrives ----------------------------------------------------- */

static uint32_t ask_param(struct owned *o, uint32_t func, uint32_t param, enum mode mode)
{
	bool is_new;
	uint32_t *at = params_put(&o->at, ((uint64_t)func << 32) + (uint64_t)param * MODES + mode, &is_new);

	assert(mode < MODES && param < o->m->funcs.v[func].nparams);
	if (is_new) {
		struct param new = { .func = func, .param = param, .mode = mode, .grown = ++o->now };

		*at = o->params.n;
		vec_push(&o->params, new);
	}
	if (o->asking != IR_NONE)
		vec_push(&o->params.v[o->asking].needs, *at);
	return *at;
}

/* Is the value a pointer to nothing in particular? */
static bool is_untyped(const struct owned *o, uint32_t func, ir_ref r)
{
	const struct ir_type *t = &o->m->types.v[expr_value_type(o->m, &o->m->funcs.v[func], r)];

	return t->kind != IR_T_PTR || o->m->types.v[ir_type_strip(o->m, t->elem)].kind == IR_T_VOID;
}

struct way {			/* to an operand, backwards */
	struct owned *o;
	uint32_t func;
	enum mode mode;
	struct way *up;			/* in a function entered for its result: the caller's way ... */
	uint32_t call;			/* ... and the call */
	uint32_t entered;		/* so many functions */
	uint32_t scope;			/* the part of `seen` that counts begins here */
	VEC(uint32_t) seen;		/* values that were walked through */
};

static void arrive(struct way *w, ir_ref r, struct arrived *out);

/* What is in the cells that the address may be of, if these are of something that has arrived. */
static void loaded(struct way *w, ir_ref addr, ir_ref value, struct arrived *out)
{
	struct owned *o = w->o;
	struct arrived base = {0};
	bool any = is_untyped(o, w->func, value) || IR_KIND(pta_origin(o->p, w->func, addr)) == IR_R_SLOT;
	struct sbits *to = any ? &out->any : &out->typed;
	uint32_t scope = w->scope, n = w->seen.n;
	enum mode mode = w->mode;

	w->scope = n;
	w->mode = ALL;
	arrive(w, addr, &base);
	w->mode = mode;
	w->scope = scope;
	w->seen.n = n;
	sbits_or(&base.typed, &base.any);
	sbits_minus(&base.typed, &o->made[w->func]);	/* what the function itself has made */
	SBITS_FOREACH(l, pta_points_to(o->p, w->func, addr)) {
		if (!sbits_test(&base.typed, pta_loc(o->p, l)->obj))
			continue;
		if (mode == ALL)
			add_objs(o, pta_cell(o->p, l), to);
		else if (!sbits_test(&o->fillers[l], w->func))
			sbits_or(to, &o->first[l]);
	}
	arrived_release(&base);
}

/* How the nth object of a call comes out of it, if the call is of a wrapper; else NULL. */
static const struct pta_handout *handout(const struct owned *o, uint32_t func, uint32_t inst, uint32_t nth)
{
	struct pta_callees c;

	pta_callees(o->p, func, inst, &c);
	SBITS_FOREACH(f, c.set) {
		const struct pta_wrapper *w = pta_wrapper(o->p, f);

		if (w && nth < w->nouts)
			return &w->out[nth];
	}
	return NULL;
}

/* Is the object the result of the call that makes it?  Otherwise the call stores it. */
static bool is_result(const struct owned *o, uint32_t obj)
{
	const struct pta_obj *x = pta_obj(o->p, obj);
	const struct pta_handout *h = handout(o, x->func, x->index, x->nth);

	assert(x->kind == PTA_HEAP);
	return h ? h->param == IR_NONE : x->effect && x->effect->place.base == MODEL_RETURN;
}

static void add_made(const struct owned *o, uint32_t func, uint32_t inst, struct sbits *out)
{
	for (unsigned k = 0; k < PTA_MAX_OUTS; k++) {
		uint32_t obj = pta_heap_at(o->p, func, inst, k);

		if (obj != IR_NONE && is_result(o, obj))
			sbits_set(out, obj);
	}
}

/* What a variable holds that a call in this function has put there. */
static void add_filled(const struct way *w, ir_ref addr, struct sbits *out)
{
	struct sbits in = {0};

	if (IR_KIND(pta_origin(w->o->p, w->func, addr)) != IR_R_SLOT)
		return;
	SBITS_FOREACH(l, pta_points_to(w->o->p, w->func, addr))
		add_objs(w->o, pta_cell(w->o->p, l), &in);
	sbits_and(&in, &w->o->made[w->func]);
	SBITS_FOREACH(x, &in)
		if (!is_result(w->o, x))
			sbits_set(out, x);
	sbits_release(&in);
}

/* What the callee returns without having made it: from memory, or what this very call passes. */
static void returned(struct way *w, uint32_t call, struct arrived *out)
{
	const struct ir_module *m = w->o->m;
	struct pta_callees c;

	pta_callees(w->o->p, w->func, call, &c);
	SBITS_FOREACH(callee, c.set) {
		const struct ir_func *g = &m->funcs.v[callee];
		const struct pta_wrapper *wrapper = pta_wrapper(w->o->p, callee);

		if (ir_is_decl(g) || (wrapper && wrapper->returns) || w->entered >= MAX_ENTERED)
			continue;
		for (uint32_t i = 0; i < g->ninsts; i++) {
			struct way in = { .o = w->o, .func = callee, .mode = w->mode,
					  .up = w, .call = call, .entered = w->entered + 1 };

			if (g->insts[i].op == IR_RET && g->insts[i].nops)
				arrive(&in, g->insts[i].ops[0], out);
			vec_release(&in.seen);
		}
	}
}

static void from_inst(struct way *w, const struct ir_inst *in, struct arrived *out)
{
	const struct ir_func *f = &w->o->m->funcs.v[w->func];

	switch (in->op) {
	case IR_LOAD:
		if (w->mode == FRESH)
			add_filled(w, in->ops[0], &out->typed);
		else
			loaded(w, in->ops[0], IR_VREG(in->res), out);
		break;
	case IR_FIELD:
	case IR_ELEM:
	case IR_INDEX:
		arrive(w, in->ops[0], out);
		break;
	case IR_SELECT:
	case IR_PHI:
	case IR_OPAQUE:
		for (uint32_t k = 0; k < in->nops; k++)
			arrive(w, in->ops[k], out);
		break;
	case IR_BIN:
		for (uint32_t k = 0; k < in->nops; k++)
			if (ir_bin_carries(f, in, k))
				arrive(w, in->ops[k], out);
		break;
	case IR_CALL:
		if (w->mode == FRESH)
			add_made(w->o, w->func, (uint32_t)(in - f->insts), &out->typed);
		returned(w, (uint32_t)(in - f->insts), out);
		break;
	default:
		break;
	}
}

/* Adds the objects that the operand may point to, as they come from memory and from callers. */
static void arrive(struct way *w, ir_ref r, struct arrived *out)
{
	struct owned *o = w->o;
	const struct ir_func *f = &o->m->funcs.v[w->func];
	const struct ssa *s = pta_ssa(o->p, w->func);
	uint32_t v;

	r = pta_origin(o->p, w->func, r);
	if (IR_KIND(r) == IR_R_SLOT || IR_KIND(r) == IR_R_GLOBAL || IR_KIND(r) == IR_R_ADDR) {
		v = pta_address(o->p, w->func, r);
		if (w->mode == ALL && v != IR_NONE)
			sbits_set(&out->typed, pta_loc(o->p, v)->obj);
		return;
	}
	if (IR_KIND(r) != IR_R_VREG || w->seen.n >= MAX_VALUES || ++o->steps > MAX_STEPS)
		return;
	v = IR_IDX(r);
	for (uint32_t i = w->scope; i < w->seen.n; i++)
		if (w->seen.v[i] == v)
			return;
	vec_push(&w->seen, v);
	if (v < f->nparams && w->up) {
		const struct ir_inst *call = &o->m->funcs.v[w->up->func].insts[w->call];

		assert(call->op == IR_CALL);
		if (v + 1 < call->nops)
			arrive(w->up, call->ops[v + 1], out);
	} else if (v < f->nparams) {
		uint32_t param = ask_param(o, w->func, v, w->mode);	/* may move them */

		sbits_or(&out->typed, &o->params.v[param].from.typed);
		sbits_or(&out->any, &o->params.v[param].from.any);
	} else if (v >= f->nvregs) {
		const struct ssa_phi *phi = &s->phis[v - f->nvregs];

		assert(v < s->nvalues);
		for (uint32_t k = 0; k < f->blocks[phi->block].npred; k++)
			arrive(w, phi->args[k], out);
	} else if (f->def[v] != IR_NONE) {
		from_inst(w, &f->insts[f->def[v]], out);
	}
}

/* What an instruction gets: of the objects that its operand may point to, those that have arrived. */
static void given(struct owned *o, const struct operand *at, enum mode mode, struct arrived *out)
{
	uint32_t func = at->func;
	ir_ref r = o->m->funcs.v[func].insts[at->inst].ops[at->arg];
	struct way w = { .o = o, .func = func, .mode = mode };
	struct sbits may = {0};

	assert(at->arg < o->m->funcs.v[func].insts[at->inst].nops);
	o->steps = 0;
	arrive(&w, r, out);
	add_objs(o, pta_points_to(o->p, func, r), &may);
	sbits_and(&out->typed, &may);
	sbits_and(&out->any, &may);
	if (mode != FRESH) {
		sbits_minus(&out->typed, &o->made[func]);
		sbits_minus(&out->any, &o->made[func]);
	}
	sbits_release(&may);
	vec_release(&w.seen);
}

/* ---- parameters ------------------------------------------------------- */

/* From callers that we do not see. */
static bool from_outside(struct owned *o, struct param *x)
{
	struct sbits objs = {0}, *to;
	bool grew = false;

	if (x->mode == FRESH)
		return false;
	if (pta_is_entry(o->p, x->func) || bits_test(&o->called_back, x->func)) {
		add_objs(o, pta_points_to(o->p, x->func, IR_VREG(x->param)), &objs);
		to = is_untyped(o, x->func, IR_VREG(x->param)) ? &x->from.any : &x->from.typed;
		grew = sbits_or(to, &objs);
	}
	sbits_release(&objs);
	return grew;
}

/* Would callers answer as they did the last time? */
static bool is_settled(const struct owned *o, uint32_t param)
{
	const struct param *x = &o->params.v[param];

	for (uint32_t i = 0; x->asked && i < x->needs.n; i++)
		if (o->params.v[x->needs.v[i]].grown > x->asked)
			return false;
	return x->asked != 0;
}

/* Asks the callers once more what they pass; true if that became more. */
static bool update(struct owned *o, uint32_t param)
{
	uint32_t func = o->params.v[param].func, op = o->params.v[param].param + 1;
	enum mode mode = o->params.v[param].mode;
	bool grew = from_outside(o, &o->params.v[param]);

	assert(o->asking == IR_NONE);
	vec_clear(&o->params.v[param].needs);
	o->params.v[param].asked = ++o->now;
	o->asking = param;
	for (uint32_t k = o->row[func]; k < o->row[func + 1]; k++) {
		struct operand at = { .func = o->callers[k].func, .inst = o->callers[k].inst, .arg = op };
		struct arrived a = {0};

		if (op >= o->m->funcs.v[at.func].insts[at.inst].nops)
			continue;
		given(o, &at, mode, &a);	/* may ask for more parameters */
		grew |= sbits_or(&o->params.v[param].from.typed, &a.typed);
		grew |= sbits_or(&o->params.v[param].from.any, &a.any);
		arrived_release(&a);
	}
	o->asking = IR_NONE;
	if (grew)
		o->params.v[param].grown = ++o->now;
	return grew;
}

static void ask_all(struct owned *o, const struct operand *asked, uint32_t n, enum mode mode)
{
	bool grew = true;

	for (uint32_t i = 0; i < n; i++) {
		struct arrived a = {0};

		given(o, &asked[i], asked[i].member ? ALL : mode, &a);
		arrived_release(&a);
	}
	for (int round = 0; grew && round < MAX_ROUNDS; round++) {
		uint32_t before = o->params.n;

		grew = false;
		for (uint32_t i = 0; i < o->params.n; i++)
			grew |= !is_settled(o, i) && update(o, i);
		grew |= o->params.n > before;
	}
}

/* ---- where objects are put first -------------------------------------- */

static void put_first(struct owned *o, uint32_t func, const struct sbits *locs, const struct sbits *objs)
{
	if (!objs->n)
		return;
	SBITS_FOREACH(l, locs) {
		sbits_or(&o->first[l], objs);
		sbits_set(&o->fillers[l], func);
	}
}

/* By the call that makes them. */
static void find_filled(struct owned *o)
{
	for (uint32_t i = 0; i < pta_nobjs(o->p); i++) {
		const struct pta_obj *x = pta_obj(o->p, i);
		const struct pta_handout *h;
		const struct ir_inst *in;
		struct sbits to = {0}, obj = {0};

		if (x->kind != PTA_HEAP || !x->effect || is_result(o, i))
			continue;
		in = &o->m->funcs.v[x->func].insts[x->index];
		sbits_set(&obj, i);
		if ((h = handout(o, x->func, x->index, x->nth)))
			pta_handed_to(o->p, x->func, x->index, h, &to);
		else if (x->effect->place.base == MODEL_ARG && x->effect->place.arg < in->nops)
			sbits_or(&to, pta_points_to(o->p, x->func, in->ops[x->effect->place.arg]));
		put_first(o, x->func, &to, &obj);
		sbits_release(&to);
		sbits_release(&obj);
	}
}

static bool is_put(const struct owned *o, uint32_t func, const struct ir_inst *in)
{
	if (in->op != IR_STORE || in->cls != IR_C_PTR || in->ops[1] == IR_NULL)
		return false;
	return IR_KIND(in->ops[0]) != IR_R_SLOT || !pta_ssa(o->p, func)->promoted[IR_IDX(in->ops[0])];
}

static void find_first(struct owned *o)
{
	VEC(struct operand) puts = {0};

	o->first = xcalloc((size_t)pta_nlocs(o->p) + 1, sizeof(*o->first));
	o->fillers = xcalloc((size_t)pta_nlocs(o->p) + 1, sizeof(*o->fillers));
	for (uint32_t f = 0; f < o->m->funcs.n; f++)
		for (uint32_t i = 0; i < o->m->funcs.v[f].ninsts; i++)
			if (is_put(o, f, &o->m->funcs.v[f].insts[i]))
				vec_push(&puts, ((struct operand){ .func = f, .inst = i, .arg = 1 }));
	ask_all(o, puts.v, puts.n, FRESH);
	find_filled(o);
	for (uint32_t i = 0; i < puts.n; i++) {
		const struct ir_inst *in = &o->m->funcs.v[puts.v[i].func].insts[puts.v[i].inst];
		struct arrived a = {0};

		given(o, &puts.v[i], FRESH, &a);
		sbits_or(&a.typed, &a.any);
		put_first(o, puts.v[i].func, pta_points_to(o->p, puts.v[i].func, in->ops[0]), &a.typed);
		arrived_release(&a);
	}
	vec_release(&puts);
}

/* ---- what is released ------------------------------------------------- */

/* Are all of them of one type, or is it one object? */
static bool is_of_one_kind(const struct owned *o, const struct sbits *objs)
{
	uint32_t type = 0, n = 0;
	bool same = true;

	SBITS_FOREACH(x, objs) {
		const struct pta_obj *obj = pta_obj(o->p, x);
		uint32_t t = ir_type_strip(o->m, obj->type);

		if (obj->kind != PTA_HEAP)
			continue;
		same &= !n || (t == type && o->m->types.v[t].kind == IR_T_STRUCT);
		type = t;
		n++;
	}
	return same;
}

/* The member that an address is of: struct and offset; false if it is none. */
static bool field_of(const struct owned *o, uint32_t func, ir_ref addr, struct field *out)
{
	const struct ir_func *f = &o->m->funcs.v[func];
	const struct ir_inst *a = ir_def(f, expr_uncast(f, addr));

	*out = (struct field){0};
	while (a && a->op == IR_FIELD) {
		out->off += (uint64_t)a->imm;
		out->type = ir_type_strip(o->m, expr_field_struct(o->m, f, a));
		a = ir_def(f, expr_uncast(f, a->ops[0]));
	}
	if (!out->type) {	/* the first member has no FIELD of its own */
		const struct ir_type *t = &o->m->types.v[expr_value_type(o->m, f, expr_uncast(f, addr))];

		out->type = t->kind == IR_T_PTR ? ir_type_strip(o->m, t->elem) : 0;
	}
	return o->m->types.v[out->type].kind == IR_T_STRUCT;
}

static void take_field(struct owned *o, const struct operand *r, uint32_t by)
{
	const struct ir_func *f = &o->m->funcs.v[r->func];
	ir_ref v = pta_origin(o->p, r->func, f->insts[r->inst].ops[r->arg]);
	const struct ir_inst *in = ssa_def(pta_ssa(o->p, r->func), v);
	struct way w = { .o = o, .func = r->func, .mode = ALL };
	struct arrived base = {0};
	struct field x;

	if (!in || in->op != IR_LOAD || is_untyped(o, r->func, v) || !field_of(o, r->func, in->ops[0], &x))
		return;
	o->steps = 0;
	arrive(&w, in->ops[0], &base);
	sbits_or(&base.typed, &base.any);
	sbits_minus(&base.typed, &o->made[r->func]);
	if (base.typed.n)
		fields_set(&o->fields, x, by);
	arrived_release(&base);
	vec_release(&w.seen);
}

/* Drops structs where a pointer to characters or numbers is released: the points-to set is too large. */
static void drop_others(const struct owned *o, const struct operand *r, struct sbits *objs)
{
	const struct ir_func *f = &o->m->funcs.v[r->func];
	ir_ref released = expr_uncast(f, f->insts[r->inst].ops[r->arg]);
	const struct ir_type *t = &o->m->types.v[expr_value_type(o->m, f, released)];
	struct sbits drop = {0};

	if (t->kind != IR_T_PTR || !expr_is_char(o->m, ir_type_strip(o->m, t->elem)))
		return;
	SBITS_FOREACH(x, objs)
		if (o->m->types.v[ir_type_strip(o->m, pta_obj(o->p, x)->type)].kind == IR_T_STRUCT)
			sbits_set(&drop, x);
	sbits_minus(objs, &drop);
	sbits_release(&drop);
}

static void take_objs(struct owned *o, const struct sbits *objs, uint32_t by)
{
	SBITS_FOREACH(x, objs)
		if (!o->by[x])
			o->by[x] = by;
}

/* A library's function releases members of what it is given. */
static void take_members(struct owned *o, const struct sbits *holders, uint32_t by)
{
	SBITS_FOREACH(h, holders)
		for (uint32_t l = pta_obj(o->p, h)->first_loc; l != IR_NONE; l = pta_loc(o->p, l)->next)
			take_objs(o, &o->first[l], by);
}

static void take_release(struct owned *o, uint32_t release)
{
	const struct operand *r = &o->releases.v[release];
	struct arrived a = {0};

	assert(o->asking == IR_NONE);
	given(o, r, r->member ? ALL : FIRST, &a);
	if (!is_of_one_kind(o, &a.any))
		sbits_clear(&a.any);
	sbits_or(&a.typed, &a.any);
	drop_others(o, r, &a.typed);
	if (r->member)
		take_members(o, &a.typed, release + 1);
	else
		take_objs(o, &a.typed, release + 1);
	if (!r->member && !o->program)
		take_field(o, r, release + 1);
	arrived_release(&a);
}

/* The release, plus 1, of the member that an address is of; 0 if none is released there. */
static uint32_t release_of_member(const struct owned *o, uint32_t func, ir_ref addr)
{
	const uint32_t *by;
	struct field x;

	if (IR_KIND(addr) != IR_R_VREG || !field_of(o, func, addr, &x))
		return 0;
	by = fields_get(&o->fields, x);
	return by ? *by : 0;
}

/* Objects that are stored in members which are released. */
static void take_stored(struct owned *o, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &o->m->funcs.v[func].insts[inst];
	struct arrived a = {0};
	uint32_t by;

	if (in->op == IR_STORE && in->cls == IR_C_PTR && (by = release_of_member(o, func, in->ops[0]))) {
		given(o, &(struct operand){ .func = func, .inst = inst, .arg = 1 }, FRESH, &a);
		sbits_or(&a.typed, &a.any);
		take_objs(o, &a.typed, by);
	}
	for (unsigned k = 0; in->op == IR_CALL && k < PTA_MAX_OUTS; k++) {	/* asprintf(&x->name, ...) */
		uint32_t obj = pta_heap_at(o->p, func, inst, k);
		const struct model_effect *e = obj == IR_NONE ? NULL : pta_obj(o->p, obj)->effect;

		if (!e || e->place.base != MODEL_ARG || e->place.arg >= in->nops)
			continue;
		by = release_of_member(o, func, in->ops[e->place.arg]);
		if (by && !o->by[obj])
			o->by[obj] = by;
	}
	arrived_release(&a);
}

/* ---- all -------------------------------------------------------------- */

struct owned *owned_new(const struct pta *p)
{
	struct owned *o = xcalloc(1, sizeof(*o));

	o->p = p;
	o->m = pta_module(p);
	o->program = ir_is_program(o->m);
	o->asking = IR_NONE;
	o->by = xcalloc((size_t)pta_nobjs(p) + 1, sizeof(*o->by));
	o->made = xcalloc((size_t)o->m->funcs.n + 1, sizeof(*o->made));
	for (uint32_t i = 0; i < pta_nobjs(p); i++)
		if (pta_obj(p, i)->kind == PTA_HEAP)
			sbits_set(&o->made[pta_obj(p, i)->func], i);
	find_callers(o);
	for (uint32_t f = 0; f < o->m->funcs.n; f++)
		for (uint32_t i = 0; i < o->m->funcs.v[f].ninsts; i++)
			if (o->m->funcs.v[f].insts[i].op == IR_CALL)
				find_releases(o, f, i);
	find_first(o);
	ask_all(o, o->releases.v, o->releases.n, FIRST);
	for (uint32_t i = 0; i < o->releases.n; i++)
		take_release(o, i);
	for (uint32_t f = 0; o->fields.n && f < o->m->funcs.n; f++)
		for (uint32_t i = 0; i < o->m->funcs.v[f].ninsts; i++)
			take_stored(o, f, i);
	return o;
}

void owned_free(struct owned *o)
{
	struct sbits *objs;
	const void *k;
	uint32_t it = 0;

	if (!o)
		return;
	for (uint32_t i = 0; i < o->params.n; i++) {
		arrived_release(&o->params.v[i].from);
		vec_release(&o->params.v[i].needs);
	}
	vec_release(&o->params);
	vec_release(&o->releases);
	while (objsets_next(&o->objsets, &it, &k, &objs))
		sbits_release(objs);
	objsets_release(&o->objsets);
	for (uint32_t f = 0; f < o->m->funcs.n; f++)
		sbits_release(&o->made[f]);
	free(o->made);
	params_release(&o->at);
	fields_release(&o->fields);
	bits_release(&o->called_back);
	for (uint32_t l = 0; l < pta_nlocs(o->p); l++) {
		sbits_release(&o->first[l]);
		sbits_release(&o->fillers[l]);
	}
	free(o->first);
	free(o->fillers);
	free(o->callers);
	free(o->row);
	free(o->by);
	free(o);
}

bool owned_release(const struct owned *o, uint32_t obj, uint32_t *func, uint32_t *inst)
{
	const struct operand *r = o->by[obj] ? &o->releases.v[o->by[obj] - 1] : NULL;

	assert(obj < pta_nobjs(o->p) && o->by[obj] <= o->releases.n);
	if (r) {
		*func = r->func;
		*inst = r->inst;
	}
	return r != NULL;
}

/* Does a wrapper hand it out, so that each of its callers has one of its own? */
static bool is_inner(const struct owned *o, const struct pta_obj *x)
{
	const struct pta_wrapper *w = pta_wrapper(o->p, x->func);

	if (!w || o->row[x->func] == o->row[x->func + 1])
		return false;
	for (uint32_t i = 0; i < w->nouts; i++)
		for (uint32_t k = 0; k < w->out[i].n; k++)
			if (w->out[i].made[k].inst == x->index && w->out[i].made[k].nth == x->nth)
				return true;
	return false;
}

bool owned_counts(const struct owned *o, uint32_t obj)
{
	return pta_is_source(o->p, obj) && !is_inner(o, pta_obj(o->p, obj));
}
