/*
 * wrappers.c - functions that allocate for their callers.
 *
 * Section 4.1 of the paper, after FASTCHECK: a function whose result is a new
 * object that got there through local variables only is itself an allocator;
 * each call of it makes an object of its own.  We go further:
 *
 *  - The wrapper may fill the object in, also through functions that get the
 *    object as an argument, as constructors do.
 *  - It may return one of its arguments instead (xrealloc).
 *  - It may return a pointer to somewhere within the object, always the same number
 *    of bytes from its beginning (a header in front of what the user sees).
 *  - It may hand objects out through parameters (`*out = p`, `b->data = p`), by
 *    its own store or through another such function; several of them, and one
 *    by its result besides.
 *  - It may get the object through a local variable whose address it passes on
 *    (`vasprintf(&s, ...); return s;`).
 *  - What it needs of an argument to get to the allocation is noted (`if (!p)
 *    p = malloc()`, `if (flags & NOALLOC) return NULL`): calls whose arguments plainly
 *    contradict this need make nothing.
 *
 * What "local variables only" forbids is that the object is stored elsewhere:
 * then others know it, and a caller who drops it has lost nothing.  For that we
 * ask of every parameter of every function, callees first, whether it is
 * captured: stored anywhere but in memory reached from itself, or passed to
 * a function that may do so.  Unknown functions and recursion count as capturing.
 * Nor is it a handout if the function may free the object again after the object was
 * stored: then the caller learns of that in some way that we do not know.  Nor is it a
 * handout if the function reads the place before: a buffer that grows is no new
 * object to each caller.
 *
 * needs: functions in SSA form, models, hints.c.
 * gives: wrapper, param_flow and same_as of each function.  Too few wrappers mean
 * less precision, no error.
 */
#include "pta/facts.h"
#include "pta/priv.h"

enum { MAX_ROOTS = 64, MAX_PLACES = 16, MAX_DEPTH = 1000, MAX_STEPS = 16 };

struct root {
	uint32_t inst;		/* the allocating call; IR_NONE: parameter number nth */
	uint32_t nth;
	uint32_t arg;		/* as in struct pta_made */
	int64_t arg_off;
	uint32_t place;		/* where it is stored for the caller, index into places; IR_NONE */
	uint32_t store;
	uint32_t copy;		/* fills it, with what parameter `copied` points to; IR_NONE */
	uint32_t copied;
	bool twice;		/* ... in more than one place */
};

struct place {			/* memory that a parameter points to */
	uint32_t param;
	int64_t off;
	uint64_t origin;	/* roots stored there */
};

struct into {			/* a number of bytes from the beginning of a root */
	bool known;
	int64_t bytes;
	int64_t members;	/* of these, by members of structs, and not by arithmetic */
};

/* One function under study.  origin[value] is the set of roots that a value may
 * derive from, slot[s] what a variable in memory may hold. */
struct study {
	struct pta *p;
	uint32_t func;
	const struct ir_func *f;
	const struct ssa *s;
	uint64_t *origin, *slot;
	bool *exposed;			/* by slot: somebody else may store there or read it */
	uint32_t nroots, nplaces;
	struct root root[MAX_ROOTS];
	struct place place[MAX_PLACES];
	uint64_t captured, returned, freed, filled;
	struct into *into;		/* by value: see only_roots() */
	struct into result;		/* what is returned points here in its root */
};

static uint64_t origin(const struct study *st, ir_ref r)
{
	r = ssa_ref(st->s, r);
	return IR_KIND(r) == IR_R_VREG ? st->origin[IR_IDX(r)] : 0;
}

static const struct ir_func *direct_callee(const struct study *st, const struct ir_inst *in, uint32_t *index)
{
	const struct ir_func *g = ir_callee(st->p->m, in);

	*index = g ? (uint32_t)(g - st->p->m->funcs.v) : IR_NONE;
	return g;
}

/* Is it the address of a pointer variable that is not in SSA form? */
static bool is_memory_slot(const struct study *st, ir_ref r)
{
	return IR_KIND(r) == IR_R_SLOT && !st->s->promoted[IR_IDX(r)] && st->f->slots[IR_IDX(r)].size == 8;
}

/* Is the address a fixed number of bytes from where a parameter points? */
static bool is_place(const struct study *st, ir_ref r, uint32_t *param, int64_t *off)
{
	*off = 0;
	for (int i = 0; i < MAX_STEPS; i++) {
		const struct ir_inst *d;

		r = ssa_ref(st->s, r);
		if (IR_KIND(r) != IR_R_VREG)
			return false;
		*param = IR_IDX(r);
		if (*param < st->f->nparams)
			return *param < MAX_ROOTS;
		d = ssa_def(st->s, r);
		if (!d || d->op != IR_FIELD)
			return false;
		*off += d->imm;
		r = d->ops[0];
	}
	return false;
}

/* The index of the place, which is added if it is new; IR_NONE if there are too many. */
static uint32_t find_place(struct study *st, uint32_t param, int64_t off)
{
	assert(param < st->f->nparams);
	for (uint32_t i = 0; i < st->nplaces; i++)
		if (st->place[i].param == param && st->place[i].off == off)
			return i;
	if (st->nplaces == MAX_PLACES)
		return IR_NONE;
	st->place[st->nplaces] = (struct place){ param, off, 0 };
	return st->nplaces++;
}

/* ---- what callees do ------------------------------------------------- */

/* FLOW_* of argument arg (from 1) by a model. */
static uint8_t model_flow(const struct model *md, uint32_t arg)
{
	uint8_t flow = model_frees(md, arg) ? FLOW_FREED : 0;

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		bool is_result = e->place.base == MODEL_RETURN && !e->place.nsteps;

		if (e->kind == MODEL_E_SET && model_value_is_arg(&e->value, arg))
			flow |= is_result ? FLOW_RETURNED : FLOW_CAPTURED;
		if ((e->kind == MODEL_E_KEEP || e->kind == MODEL_E_REF) && model_place_is_arg(&e->place, arg))
			flow |= FLOW_CAPTURED;
		for (unsigned k = 0; e->kind == MODEL_E_CALL && k < e->nargs; k++)
			if (model_value_is_arg(&e->args[k], arg))
				flow |= FLOW_CAPTURED;
	}
	return flow;
}

static uint8_t arg_flow(const struct study *st, const struct ir_inst *in, uint32_t arg)
{
	uint32_t g;
	const struct ir_func *f = direct_callee(st, in, &g);

	assert(in->op == IR_CALL && arg >= 1 && arg < in->nops);
	if (!f)
		return FLOW_CAPTURED;
	if (ir_is_decl(f))
		return st->p->model[g] ? model_flow(st->p->model[g], arg) : FLOW_CAPTURED;
	if (!st->p->param_flow[g] || arg > f->nparams)
		return FLOW_CAPTURED;	/* recursion, or a variable argument */
	return st->p->param_flow[g][arg - 1];
}

/* May the callee store something in what this argument points to? */
static bool may_fill(const struct study *st, const struct ir_inst *in, uint32_t arg)
{
	uint32_t g;
	const struct ir_func *f = direct_callee(st, in, &g);
	const struct model *md = f && ir_is_decl(f) ? st->p->model[g] : NULL;

	if (!md)
		return true;
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		bool is_arg = e->place.base == MODEL_ARG && e->place.arg == arg;

		if (e->kind == MODEL_E_SET && is_arg && e->place.nsteps)
			return true;
		if (e->kind == MODEL_E_COPY && e->to.base == MODEL_ARG && e->to.arg == arg)
			return true;
	}
	return false;
}

/* ---- roots ----------------------------------------------------------- */

static struct root *add_root(struct study *st, uint32_t inst, uint32_t nth)
{
	if (st->nroots == MAX_ROOTS)
		return NULL;
	st->root[st->nroots] = (struct root){
		.inst = inst, .nth = nth,
		.place = IR_NONE, .store = IR_NONE, .copy = IR_NONE, .copied = IR_NONE,
	};
	return &st->root[st->nroots++];
}

/* A call that stores a new object through an argument: into a variable of this
 * function, or where this function's caller finds it. */
static void add_out_root(struct study *st, uint32_t inst, uint32_t nth, uint32_t arg, int64_t arg_off)
{
	const struct ir_inst *in = &st->f->insts[inst];
	uint32_t param, place;
	int64_t off;
	ir_ref to;
	struct root *r;

	if (arg >= in->nops)
		return;
	to = ssa_ref(st->s, in->ops[arg]);
	if (!arg_off && is_memory_slot(st, to)) {
		r = add_root(st, inst, nth);
		if (!r)
			return;
		st->slot[IR_IDX(to)] |= 1ull << (st->nroots - 1);
	} else if (is_place(st, to, &param, &off)) {
		place = find_place(st, param, off + arg_off);
		r = place == IR_NONE ? NULL : add_root(st, inst, nth);
		if (!r)
			return;
		r->place = place;
		st->place[place].origin |= 1ull << (st->nroots - 1);
	} else {
		return;
	}
	r->arg = arg;
	r->arg_off = arg_off;
}

static bool add_result_root(struct study *st, uint32_t inst, uint32_t nth)
{
	uint32_t res = st->f->insts[inst].res;

	if (res == IR_NONE || !add_root(st, inst, nth))
		return false;
	st->origin[res] |= 1ull << (st->nroots - 1);
	return true;
}

/* The call stores its result, the last root, as well: in a variable of this function, or where
 * others find it. */
static void store_result(struct study *st, const struct ir_inst *in, const struct model_effect *e)
{
	ir_ref to = e && e->place.arg < in->nops ? ssa_ref(st->s, in->ops[e->place.arg]) : IR_NULL;

	if (to == IR_NULL)
		return;
	if (is_memory_slot(st, to))
		st->slot[IR_IDX(to)] |= 1ull << (st->nroots - 1);
	else
		st->captured |= 1ull << (st->nroots - 1);
}

ir_ref pta_same(const struct pta *p, uint32_t func, ir_ref r)
{
	trace_note(FACT_INSIDE, func, 0);
	r = ssa_ref(&p->ssa[func], r);
	for (int depth = 0; depth < MAX_STEPS; depth++) {
		const struct ir_inst *d = ssa_def(&p->ssa[func], r);
		const struct ir_func *g = d && d->op == IR_CALL ? ir_callee(p->m, d) : NULL;
		uint32_t param = g ? p->same_as[g - p->m->funcs.v] : IR_NONE;

		if (param == IR_NONE || param + 1 >= d->nops)
			break;
		r = ssa_ref(&p->ssa[func], d->ops[param + 1]);
	}
	return r;
}

ir_ref pta_origin(const struct pta *p, uint32_t func, ir_ref r)
{
	const struct ir_inst *d;

	r = pta_same(p, func, r);
	for (int depth = 0; depth < MAX_STEPS; depth++) {
		d = ssa_def(&p->ssa[func], r);
		if (!d || (d->op != IR_CAST && d->op != IR_COPY))
			break;
		r = pta_same(p, func, d->ops[0]);
	}
	return r;
}

/* The parameter that a function returns whatever happens, or IR_NONE. */
static uint32_t returns_always(const struct study *st)
{
	uint32_t param = IR_NONE;

	for (uint32_t i = 0; i < st->f->ninsts; i++) {
		const struct ir_inst *in = &st->f->insts[i];
		ir_ref r;

		if (in->op != IR_RET)
			continue;
		r = in->nops == 1 ? pta_same(st->p, st->func, in->ops[0]) : IR_UNDEF;
		if (IR_KIND(r) != IR_R_VREG || IR_IDX(r) >= st->f->nparams)
			return IR_NONE;
		if (param != IR_NONE && param != IR_IDX(r))
			return IR_NONE;
		param = IR_IDX(r);
	}
	return param;
}

static const struct ir_inst *last_inst(const struct ir_func *f, uint32_t block)
{
	assert(f->blocks[block].n);
	return &f->insts[f->blocks[block].first + f->blocks[block].n - 1];
}

/* Does the comparison ask whether a value is equal to itself? */
static bool compares_same(const struct study *st, const struct ir_inst *d)
{
	if (!d || d->op != IR_CMP || (d->sub != IR_P_EQ && d->sub != IR_P_NE))
		return false;
	if (IR_KIND(ssa_ref(st->s, d->ops[0])) != IR_R_VREG)
		return false;
	return pta_same(st->p, st->func, d->ops[0]) == pta_same(st->p, st->func, d->ops[1]);
}

/* Is the block behind a branch that asks whether a value differs from itself:
 * `q = convert(p); if (q != p)`, where convert() does nothing on this system? */
static bool is_never_reached(const struct study *st, uint32_t block)
{
	const struct dom *dom = &st->s->dom;

	if (!dom_reachable(dom, block))
		return true;
	for (uint32_t b = block; dom->idom[b] != b; b = dom->idom[b]) {
		const struct ir_inst *br = last_inst(st->f, dom->idom[b]), *d;

		if (br->op != IR_CONDBR || st->f->blocks[b].npred != 1)
			continue;
		d = ssa_def(st->s, ssa_ref(st->s, br->ops[0]));
		if (compares_same(st, d) && br->targets[d->sub == IR_P_EQ] == b)
			return true;
	}
	return false;
}

/* Is it what an argument points to, or so many bytes further on? */
static bool is_out_place(const struct model_place *pl)
{
	return pl->base == MODEL_ARG && pl->nsteps == 1 && !pl->steps[0].field && !pl->steps[0].any;
}

static void add_roots_of(struct study *st, uint32_t inst)
{
	const struct ir_inst *in = &st->f->insts[inst];
	const struct pta_wrapper *w;
	const struct model *md;
	uint32_t g, nth = 0;

	if (in->op != IR_CALL || !direct_callee(st, in, &g))
		return;
	if ((!st->p->wrapper[g] && !st->p->model[g]) || is_never_reached(st, in->block))
		return;
	w = st->p->wrapper[g];
	for (uint32_t k = 0; w && k < w->nouts; k++) {
		if (w->out[k].param == IR_NONE)
			add_result_root(st, inst, k);
		else
			add_out_root(st, inst, k, w->out[k].param + 1, w->out[k].off);
	}
	md = st->p->model[g];
	for (unsigned i = 0; md && i < md->neffects && nth < PTA_MAX_OUTS; i++) {
		const struct model_effect *e = &md->effects[i];

		if (e->kind != MODEL_E_SET || e->value.kind != MODEL_V_NEW)
			continue;
		if (e->place.base == MODEL_RETURN && !e->place.nsteps) {
			if (add_result_root(st, inst, nth))
				store_result(st, in, model_stores_result(md));
		} else if (is_out_place(&e->place)) {
			add_out_root(st, inst, nth, e->place.arg, e->place.steps[0].offset);
		}
		nth++;
	}
}

/* ---- where values come from ------------------------------------------ */

static uint64_t loaded_origin(const struct study *st, ir_ref addr)
{
	uint32_t param;
	int64_t off;

	addr = ssa_ref(st->s, addr);
	if (is_memory_slot(st, addr))
		return st->slot[IR_IDX(addr)];
	if (is_place(st, addr, &param, &off))
		for (uint32_t i = 0; i < st->nplaces; i++)
			if (st->place[i].param == param && st->place[i].off == off)
				return st->place[i].origin;
	return 0;
}

static uint64_t inst_origin(const struct study *st, const struct ir_inst *in)
{
	uint64_t o = 0;

	switch (in->op) {
	case IR_FIELD:
	case IR_ELEM:
	case IR_INDEX:
	case IR_CAST:
		return origin(st, in->ops[0]);
	case IR_LOAD:
		return in->cls == IR_C_PTR ? loaded_origin(st, in->ops[0]) : 0;
	case IR_SELECT:
	case IR_PHI:
	case IR_BIN:
	case IR_OPAQUE:
		for (uint32_t k = in->op == IR_SELECT; k < in->nops; k++)
			if (in->op != IR_BIN || ir_bin_carries(st->f, in, k))
				o |= origin(st, in->ops[k]);
		return o;
	case IR_CALL:
		for (uint32_t k = 1; k < in->nops; k++)
			if (origin(st, in->ops[k]) && arg_flow(st, in, k) & FLOW_RETURNED)
				o |= origin(st, in->ops[k]);
		return o;
	default:
		return 0;
	}
}

/* What a store puts where a load finds it again; true if that was new. */
static bool store_origin(struct study *st, const struct ir_inst *in)
{
	uint64_t o = origin(st, in->ops[1]), *at = NULL, before;
	ir_ref addr = ssa_ref(st->s, in->ops[0]);
	uint32_t param, place;
	int64_t off;

	if (!o)
		return false;
	if (is_memory_slot(st, addr)) {
		at = &st->slot[IR_IDX(addr)];
	} else if (is_place(st, addr, &param, &off)) {
		place = find_place(st, param, off);
		at = place == IR_NONE ? NULL : &st->place[place].origin;
	}
	if (!at)
		return false;
	before = *at;
	*at |= o;
	return *at != before;
}

static bool find_origins_once(struct study *st)
{
	const struct ir_func *f = st->f;
	bool changed = false;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		uint64_t o;

		if (in->op == IR_STORE)
			changed |= store_origin(st, in);
		if (in->res == IR_NONE || st->s->rep[in->res] != IR_VREG(in->res))
			continue;
		o = inst_origin(st, in) & ~st->origin[in->res];
		st->origin[in->res] |= o;
		changed |= o != 0;
	}
	for (uint32_t i = 0; i < st->s->nphis; i++)
		for (uint32_t k = 0; k < f->blocks[st->s->phis[i].block].npred; k++) {
			uint64_t o = origin(st, st->s->phis[i].args[k]) & ~st->origin[f->nvregs + i];

			st->origin[f->nvregs + i] |= o;
			changed |= o != 0;
		}
	return changed;
}

static void find_origins(struct study *st)
{
	for (uint32_t i = 0; i < st->f->nparams && i < MAX_ROOTS; i++) {
		add_root(st, IR_NONE, i);
		st->origin[i] |= 1ull << i;
	}
	for (uint32_t i = 0; i < st->f->ninsts; i++)
		add_roots_of(st, i);
	while (find_origins_once(st))
		;
}

/* ---- where they go --------------------------------------------------- */

static void study_store(struct study *st, uint32_t inst)
{
	const struct ir_inst *in = &st->f->insts[inst];
	ir_ref addr = ssa_ref(st->s, in->ops[0]);
	uint64_t o = origin(st, in->ops[1]) & ~origin(st, addr);
	uint32_t param, place;
	int64_t off;
	bool out;

	if (IR_KIND(in->ops[0]) == IR_R_SLOT && st->s->promoted[IR_IDX(in->ops[0])])
		return;
	st->filled |= in->cls == IR_C_PTR || in->bits >= 64 ? origin(st, addr) : 0;
	if (is_memory_slot(st, addr) && !st->exposed[IR_IDX(addr)])
		return;
	out = is_place(st, addr, &param, &off);
	place = out ? find_place(st, param, off) : IR_NONE;
	for (uint32_t i = 0; i < st->nroots; i++) {
		struct root *r = &st->root[i];

		if (!(o >> i & 1))
			continue;
		if (place == IR_NONE || r->inst == IR_NONE) {
			st->captured |= 1ull << i;
		} else {
			r->twice |= r->place != IR_NONE;
			r->place = place;
			r->store = inst;
		}
	}
}

/* A new object that is filled once, with something from the caller of no type in particular, holds what each
 * caller has there; so calls of memdup() are not one place where everything meets. */
static void study_copy(struct study *st, uint32_t inst)
{
	const struct ir_inst *in = &st->f->insts[inst];
	ir_ref to = pta_origin(st->p, st->func, in->ops[0]), from = pta_origin(st->p, st->func, in->ops[1]);
	const struct ir_inst *made = ssa_def(st->s, to);
	uint64_t o = origin(st, to);
	struct root *r;

	if (bits_is_one(o) && made && IR_KIND(from) == IR_R_VREG && IR_IDX(from) < st->f->nparams &&
	    !pta__loaded_type(st->p, st->func, from)) {
		r = &st->root[__builtin_ctzll(o)];
		assert((uint32_t)(r - st->root) < st->nroots);
		if (&st->f->insts[r->inst] == made && !r->arg && r->copied == IR_NONE) {
			r->copy = inst;
			r->copied = IR_IDX(from);
			return;
		}
	}
	st->filled |= origin(st, in->ops[0]);
}

/* Variables in memory that somebody else gets hold of. */
static void find_exposed(struct study *st)
{
	for (uint32_t i = 0; i < st->f->ninsts; i++) {
		const struct ir_inst *in = &st->f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			ir_ref r = in->ops[k];
			bool is_address = (in->op == IR_LOAD || in->op == IR_STORE) && !k;

			if (IR_KIND(r) != IR_R_SLOT || in->op == IR_CMP || is_address)
				continue;
			if (in->op != IR_CALL || !k || arg_flow(st, in, k) & (FLOW_CAPTURED | FLOW_RETURNED))
				st->exposed[IR_IDX(r)] = true;
		}
	}
	for (uint32_t i = 0; i < st->f->nslots; i++)
		if (st->exposed[i])
			st->captured |= st->slot[i];
}

static void study_flow(struct study *st)
{
	find_exposed(st);
	for (uint32_t i = 0; i < st->f->ninsts; i++) {
		const struct ir_inst *in = &st->f->insts[i];

		switch (in->op) {
		case IR_STORE:
			study_store(st, i);
			break;
		case IR_CALL:
			st->captured |= origin(st, in->ops[0]);
			for (uint32_t k = 1; k < in->nops; k++) {
				uint64_t o = origin(st, in->ops[k]);
				uint8_t flow = o ? arg_flow(st, in, k) : 0;

				st->captured |= flow & FLOW_CAPTURED ? o : 0;
				st->freed |= flow & FLOW_FREED ? o : 0;
				st->filled |= o && may_fill(st, in, k) ? o : 0;
			}
			break;
		case IR_MEMCPY:
			study_copy(st, i);
			break;
		case IR_ASM:
			for (uint32_t k = 0; k < in->nops; k++)
				st->captured |= origin(st, in->ops[k]);
			break;
		case IR_RET:
			for (uint32_t k = 0; k < in->nops; k++)
				st->returned |= origin(st, in->ops[k]);
			break;
		default:
			break;
		}
	}
}

static bool makes_result(const struct study *st, const struct ir_inst *in)
{
	uint32_t inst = (uint32_t)(in - st->f->insts);

	for (uint32_t i = 0; i < st->nroots; i++)
		if (st->root[i].inst == inst && !st->root[i].arg)
			return true;
	return false;
}

static bool only_roots(struct study *st, ir_ref r, struct into into, int depth);

/* Is this the only number of bytes that was found here? */
static bool is_always(struct into *at, struct into into)
{
	if (!at->known)
		*at = into;
	return at->bytes == into.bytes && at->members == into.members;
}

/* A variable in memory: whatever this function stores there, and calls that get
 * its address, must be whole roots. */
static bool slot_has_only_roots(struct study *st, uint32_t slot, struct into into, int depth)
{
	if (st->exposed[slot] || !st->slot[slot])
		return false;
	for (uint32_t i = 0; i < st->f->ninsts; i++) {
		const struct ir_inst *in = &st->f->insts[i];
		bool is_stored = in->op == IR_STORE && in->ops[0] == IR_SLOT(slot);

		if (is_stored && !only_roots(st, in->ops[1], into, depth + 1))
			return false;
		for (uint32_t k = 1; in->op == IR_CALL && k < in->nops; k++) {
			bool makes = false;

			if (in->ops[k] != IR_SLOT(slot) || !may_fill(st, in, k))
				continue;
			for (uint32_t r = 0; r < st->nroots; r++)
				makes |= st->root[r].inst == i && st->root[r].arg == k;
			if (!makes || !is_always(&st->result, into))
				return false;
		}
	}
	return true;
}

/* The member of its object that a call of a wrapper returns. */
static int64_t result_member(const struct study *st, const struct ir_inst *call)
{
	uint32_t g;
	const struct pta_wrapper *w = direct_callee(st, call, &g) ? st->p->wrapper[g] : NULL;

	return w && w->returns ? w->out[0].off : 0;
}

/* Is the address a constant number of bytes from another?  Then these are added. */
static bool is_further(const struct study *st, const struct ir_inst *d, struct into *into)
{
	int64_t n;

	if (d->op == IR_FIELD) {
		into->members += d->imm;
		return !__builtin_add_overflow(into->bytes, d->imm, &into->bytes);
	}
	if ((d->op != IR_INDEX && d->op != IR_ELEM) || IR_KIND(d->ops[1]) != IR_R_INT)
		return false;
	return !__builtin_mul_overflow(ir_int_value(st->p->m, d->ops[1]), d->imm, &n) &&
	       !__builtin_add_overflow(into->bytes, n, &into->bytes);
}

/* Is everything that r may be a root, null or undefined, and with `into` added always the
 * same number of bytes into it?  Not if it takes too long to tell. */
static bool only_roots(struct study *st, ir_ref r, struct into into, int depth)
{
	const struct ir_inst *d;

	r = ssa_ref(st->s, r);
	if (r == IR_NULL || r == IR_UNDEF || IR_KIND(r) == IR_R_INT)
		return true;
	if (IR_KIND(r) != IR_R_VREG || depth > MAX_DEPTH)
		return false;
	if (st->into[IR_IDX(r)].known)
		return is_always(&st->into[IR_IDX(r)], into);
	st->into[IR_IDX(r)] = into;
	if (ssa_is_phi(st->s, r)) {
		const struct ssa_phi *phi = ssa_phi(st->s, r);

		for (uint32_t k = 0; k < st->f->blocks[phi->block].npred; k++)
			if (!only_roots(st, phi->args[k], into, depth + 1))
				return false;
		return true;
	}
	d = ssa_def(st->s, r);
	if (!d)
		return is_always(&st->result, into);	/* a parameter */
	if (d->op == IR_PHI || d->op == IR_SELECT) {
		for (uint32_t k = d->op == IR_SELECT; k < d->nops; k++)
			if (!only_roots(st, d->ops[k], into, depth + 1))
				return false;
		return true;
	}
	if (d->op == IR_LOAD && is_memory_slot(st, d->ops[0]))
		return slot_has_only_roots(st, IR_IDX(d->ops[0]), into, depth);
	if (is_further(st, d, &into))
		return only_roots(st, d->ops[0], into, depth + 1);
	if (!makes_result(st, d) && !(d->op == IR_CALL && inst_origin(st, d)))
		return false;
	into.members += result_member(st, d);
	return is_always(&st->result, into);
}

static bool returns_only_roots(struct study *st)
{
	const struct into begin = { .known = true };
	bool ok = true;

	st->into = xcalloc(MAX(st->s->nvalues, 1), sizeof(*st->into));
	for (uint32_t i = 0; i < st->f->ninsts; i++) {
		const struct ir_inst *in = &st->f->insts[i];

		if (in->op == IR_RET)
			ok &= in->nops == 1 && only_roots(st, in->ops[0], begin, 0);
	}
	free(st->into);
	return ok;
}

/* ---- what it needs --------------------------------------------------- */

static enum ir_pred negated(enum ir_pred p)
{
	static const enum ir_pred of[] = {
		[IR_P_EQ] = IR_P_NE, [IR_P_NE] = IR_P_EQ, [IR_P_ULT] = IR_P_UGE, [IR_P_ULE] = IR_P_UGT,
		[IR_P_UGT] = IR_P_ULE, [IR_P_UGE] = IR_P_ULT, [IR_P_SLT] = IR_P_SGE, [IR_P_SLE] = IR_P_SGT,
		[IR_P_SGT] = IR_P_SLE, [IR_P_SGE] = IR_P_SLT,
	};

	return of[p];
}

static bool constant(const struct ir_module *m, ir_ref r, int64_t *x)
{
	if (r != IR_NULL && IR_KIND(r) != IR_R_INT)
		return false;
	*x = r == IR_NULL ? 0 : ir_int_value(m, r);
	return true;
}

/* A condition that compares a parameter, or some bits of it, with a constant. */
static bool asks_param(const struct study *st, ir_ref cond, struct pta_need *need)
{
	const struct ir_inst *d = ssa_def(st->s, ssa_ref(st->s, cond));
	ir_ref r;

	if (!d || d->op != IR_CMP || !constant(st->p->m, ssa_ref(st->s, d->ops[1]), &need->value))
		return false;
	need->pred = d->sub;
	need->mask = -1;
	r = ssa_ref(st->s, d->ops[0]);
	d = ssa_def(st->s, r);
	if (d && d->op == IR_BIN && d->sub == IR_B_AND)
		if (constant(st->p->m, ssa_ref(st->s, d->ops[1]), &need->mask))
			r = ssa_ref(st->s, d->ops[0]);
	if (IR_KIND(r) != IR_R_VREG || IR_IDX(r) >= st->f->nparams)
		return false;
	need->param = IR_IDX(r);
	return true;
}

/* The nearest branch on a parameter that every way to the block takes. */
static struct pta_need find_need(const struct study *st, uint32_t block)
{
	const struct dom *dom = &st->s->dom;
	struct pta_need none = { .param = IR_NONE }, need;

	if (!dom_reachable(dom, block))
		return none;
	for (uint32_t b = block; dom->idom[b] != b; b = dom->idom[b]) {
		const struct ir_inst *br = last_inst(st->f, dom->idom[b]);

		if (br->op != IR_CONDBR || br->targets[0] == br->targets[1] || st->f->blocks[b].npred != 1 ||
		    !asks_param(st, br->ops[0], &need))
			continue;
		if (br->targets[1] == b)
			need.pred = negated(need.pred);
		return need;
	}
	return none;
}

static bool holds(int64_t x, enum ir_pred p, int64_t c)
{
	switch (p) {
	case IR_P_EQ: return x == c;
	case IR_P_NE: return x != c;
	case IR_P_SLT: return x < c;
	case IR_P_SLE: return x <= c;
	case IR_P_SGT: return x > c;
	case IR_P_SGE: return x >= c;
	case IR_P_ULT: return (uint64_t)x < (uint64_t)c;
	case IR_P_ULE: return (uint64_t)x <= (uint64_t)c;
	case IR_P_UGT: return (uint64_t)x > (uint64_t)c;
	case IR_P_UGE: return (uint64_t)x >= (uint64_t)c;
	default: return true;
	}
}

bool pta__may_make(const struct pta *p, uint32_t func, const struct ir_inst *call, const struct pta_made *m)
{
	const struct ssa *s = &p->ssa[func];
	const struct ir_inst *d;
	int64_t x;
	ir_ref r;

	if (m->need.param == IR_NONE || m->need.param + 1 >= call->nops)
		return true;
	r = ssa_ref(s, call->ops[m->need.param + 1]);
	if (constant(p->m, r, &x))
		return holds(x & m->need.mask, m->need.pred, m->need.value);
	/* The address of something is not null. */
	d = ssa_def(s, r);
	if (d && d->op == IR_FIELD && d->imm)
		return m->need.pred != IR_P_EQ || m->need.value || m->need.mask != -1;
	if (IR_KIND(r) != IR_R_VREG && r != IR_UNDEF && r != IR_CONST)
		return m->need.pred != IR_P_EQ || m->need.value || m->need.mask != -1;
	return true;
}

/* ---- verdicts -------------------------------------------------------- */

/* Can something with this root be freed after the instruction? */
static bool freed_after(const struct study *st, uint32_t root, uint32_t inst)
{
	for (uint32_t i = 0; st->freed >> root & 1 && i < st->f->ninsts; i++) {
		const struct ir_inst *in = &st->f->insts[i];

		for (uint32_t k = 1; in->op == IR_CALL && k < in->nops; k++)
			if (origin(st, in->ops[k]) >> root & 1 && arg_flow(st, in, k) & FLOW_FREED &&
			    ir_comes_before(st->f, inst, i, IR_NONE))
				return true;
	}
	return false;
}

/* Is the place read before something is stored there?  Then this is no new thing
 * for the caller, but the growth of one that it has. */
static bool read_before(const struct study *st, const struct place *pl, uint32_t inst)
{
	uint32_t param;
	int64_t off;

	for (uint32_t i = 0; i < st->f->ninsts; i++)
		if (st->f->insts[i].op == IR_LOAD && is_place(st, st->f->insts[i].ops[0], &param, &off) &&
		    param == pl->param && off == pl->off && ir_comes_before(st->f, i, inst, IR_NONE))
			return true;
	return false;
}

static struct pta_handout *add_handout(struct study *st, uint32_t param, int64_t off)
{
	struct pta_wrapper *w = st->p->wrapper[st->func];

	if (!w) {
		w = st->p->wrapper[st->func] = arena_new(&st->p->arena, struct pta_wrapper);
		st->p->stats.wrappers++;
	}
	if (w->nouts == PTA_MAX_OUTS)
		return NULL;
	w->out[w->nouts] = (struct pta_handout){ .param = param, .off = off, .copied = IR_NONE };
	return &w->out[w->nouts++];
}

/* The parameter whose memory is copied into the object that the call makes, by its
 * model or its own callee. */
static uint32_t copied_param(const struct study *st, const struct root *r)
{
	const struct ir_inst *in = &st->f->insts[r->inst];
	uint32_t g, arg = 0;
	const struct ir_func *f = direct_callee(st, in, &g);
	const struct model *md = f ? st->p->model[g] : NULL;
	const struct pta_wrapper *w = f ? st->p->wrapper[g] : NULL;
	ir_ref v;

	for (unsigned i = 0; md && i < md->neffects; i++)
		if (md->effects[i].kind == MODEL_E_COPY && md->effects[i].to.base == MODEL_RETURN &&
		    md->effects[i].place.base == MODEL_ARG)
			arg = md->effects[i].place.arg;
	if (w && r->nth < w->nouts && w->out[r->nth].copied != IR_NONE)
		arg = w->out[r->nth].copied + 1;
	if (!arg || arg >= in->nops)
		return IR_NONE;
	v = ssa_ref(st->s, in->ops[arg]);
	return IR_KIND(v) == IR_R_VREG && IR_IDX(v) < st->f->nparams ? IR_IDX(v) : IR_NONE;
}

/* What is copied into the root becomes the handout's, if that is the same for all of its roots.  Gives the
 * copy that the function need not make any more: memdup()'s.  What realloc() moves is followed inside the
 * function, too: left out there, objects in a vector that grows were held to be lost. */
static uint32_t take_copy(const struct study *st, const struct root *r, struct pta_handout *h)
{
	uint32_t inner = copied_param(st, r), copied = inner != IR_NONE ? inner : r->copied;

	h->filled |= inner != IR_NONE && r->copied != IR_NONE;
	if (h->copied == IR_NONE)
		h->copied = copied;
	if (copied == IR_NONE)
		return IR_NONE;
	h->filled |= copied != h->copied;
	if (copied != h->copied || inner != IR_NONE)
		return IR_NONE;
	return r->copy;
}

/* The roots in a set all become one handout. */
static void hand_out(struct study *st, struct pta_handout *h, uint64_t roots)
{
	struct pta_made *made;

	assert(roots);
	if (!h)
		return;
	made = arena_array(&st->p->arena, struct pta_made, (uint32_t)__builtin_popcountll(roots));
	for (uint32_t i = 0; i < st->nroots; i++) {
		const struct root *r = &st->root[i];
		const struct pta_wrapper *w;
		uint32_t g;

		if (!(roots >> i & 1))
			continue;
		assert(r->inst != IR_NONE);	/* parameters are not handed out */
		made[h->n++] = (struct pta_made){
			.inst = r->inst, .nth = r->nth, .arg = r->arg, .arg_off = r->arg_off,
			.store = r->store, .copy = take_copy(st, r, h),
			.need = find_need(st, st->f->insts[r->inst].block),
		};
		h->filled |= st->filled >> i & 1;
		if (direct_callee(st, &st->f->insts[r->inst], &g)) {
			w = st->p->wrapper[g];
			h->filled |= w && r->nth < w->nouts && w->out[r->nth].filled;
		}
	}
	h->made = made;
}

static void find_returning(struct study *st)
{
	uint64_t news = 0;

	for (uint32_t i = 0; i < st->nroots; i++)
		if (st->root[i].inst != IR_NONE && st->returned >> i & 1) {
			news |= 1ull << i;
			if (st->root[i].place != IR_NONE)
				return;
		}
	if (!news || news & st->captured || st->f->ret_cls != IR_C_PTR || !returns_only_roots(st))
		return;
	assert(!st->p->wrapper[st->func]);	/* the result is out[0] */
	hand_out(st, add_handout(st, IR_NONE, st->result.members), news);
	st->p->wrapper[st->func]->returns = true;
}

/* A place is a handout if every object that is stored there is the caller's
 * alone. */
static void find_storing(struct study *st)
{
	for (uint32_t k = 0; k < st->nplaces; k++) {
		uint64_t news = 0;
		bool ok = true;

		for (uint32_t i = 0; i < st->nroots && ok; i++) {
			const struct root *r = &st->root[i];
			uint32_t at = r->store != IR_NONE ? r->store : r->inst;
			bool is_known = (st->captured | st->returned) >> i & 1;

			if (r->inst == IR_NONE || r->place != k)
				continue;
			news |= 1ull << i;
			ok = !r->twice && !is_known && !freed_after(st, i, at) &&
			     !read_before(st, &st->place[k], at);
		}
		if (news && ok)
			hand_out(st, add_handout(st, st->place[k].param, st->place[k].off), news);
	}
}

bool pta__handed_on(const struct pta *p, uint32_t func, uint32_t inst, uint32_t nth)
{
	const struct pta_wrapper *w = p->wrapper[func];

	for (uint32_t k = 0; w && k < w->nouts; k++)
		for (uint32_t i = 0; w->out[k].param != IR_NONE && i < w->out[k].n; i++) {
			const struct pta_made *m = &w->out[k].made[i];

			if (m->inst == inst && m->nth == nth && m->store == IR_NONE)
				return true;
		}
	return false;
}

bool pta__copied_outside(const struct pta *p, uint32_t func, uint32_t inst)
{
	const struct pta_wrapper *w = p->wrapper[func];

	for (uint32_t k = 0; w && !p->entry[func] && k < w->nouts; k++)
		for (uint32_t i = 0; i < w->out[k].n; i++)
			if (w->out[k].made[i].copy == inst)
				return true;
	return false;
}

/* FLOW_* of a parameter, which is the root of the same number. */
static uint8_t flow_of(const struct study *st, uint32_t param)
{
	uint8_t flow = 0;

	if (param >= MAX_ROOTS)
		return FLOW_CAPTURED | FLOW_RETURNED | FLOW_FREED;
	flow |= st->captured >> param & 1 ? FLOW_CAPTURED : 0;
	flow |= st->returned >> param & 1 ? FLOW_RETURNED : 0;
	flow |= st->freed >> param & 1 ? FLOW_FREED : 0;
	return flow;
}

static void study_function(struct pta *p, uint32_t func)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	struct study st = { .p = p, .func = func, .f = f, .s = &p->ssa[func] };
	uint8_t *flow;

	assert(!p->param_flow[func] && !p->wrapper[func]);	/* each function is studied once */
	st.origin = xcalloc(MAX(st.s->nvalues, 1), sizeof(*st.origin));
	st.slot = xcalloc(MAX(f->nslots, 1), sizeof(*st.slot));
	st.exposed = xcalloc(MAX(f->nslots, 1), sizeof(*st.exposed));
	find_origins(&st);
	study_flow(&st);
	find_returning(&st);
	find_storing(&st);
	flow = arena_array(&p->arena, uint8_t, f->nparams);
	for (uint32_t i = 0; i < f->nparams; i++)
		flow[i] = flow_of(&st, i);
	p->param_flow[func] = flow;
	p->same_as[func] = returns_always(&st);
	free(st.origin);
	free(st.slot);
	free(st.exposed);
}

void pta__find_wrappers(struct pta *p)
{
	uint32_t n = p->m->funcs.n;
	uint32_t *comp = xcalloc(MAX(n, 1), sizeof(*comp)), *order = xcalloc(MAX(n, 1), sizeof(*order));

	p->wrapper = arena_array(&p->arena, struct pta_wrapper *, n);
	p->param_flow = arena_array(&p->arena, uint8_t *, n);
	p->same_as = arena_array(&p->arena, uint32_t, n);
	memset(p->same_as, 0xff, n * sizeof(*p->same_as));	/* IR_NONE */
	pta__order_direct(p, comp, order);
	for (uint32_t i = 0; i < n; i++)
		if (!ir_is_decl(&p->m->funcs.v[order[i]]))
			study_function(p, order[i]);
	free(comp);
	free(order);
}
