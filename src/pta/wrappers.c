/*
 * wrappers.c - functions that allocate for their callers.
 *
 * Section 4.1 of the paper, after FASTCHECK: a function whose result is a new
 * object that went there through local variables only is itself an allocator;
 * each call of it makes an object of its own.  We go further in three ways.
 * The wrapper may fill the object in, also through functions that it is passed
 * to, as constructors do.  It may return one of its arguments instead (xrealloc).
 * And it may hand the object out through a parameter (`*out = p`), be it by its
 * own store, or through another such function.
 *
 * What "local variables only" forbids is that the object is stored elsewhere:
 * then others know it, and a caller who drops it has lost nothing.  For that we
 * ask of every parameter of every function, callees first, whether it is
 * captured: stored anywhere but in memory reached from itself, or given to
 * somebody who may do so.  Unknown functions and recursion count as capturing.
 * Too many captures mean fewer wrappers: less precision, no error.
 */
#include "pta/priv.h"

enum { MAX_ROOTS = 64 };

/* One function under study.  A root is a parameter or the result of an
 * allocating call; origin[value] is the set of roots it may derive from. */
struct study {
	struct pta *p;
	uint32_t func;
	const struct ir_func *f;
	const struct ssa *s;
	uint64_t *origin;
	uint32_t nroots;
	uint32_t root_inst[MAX_ROOTS];	/* of allocating calls; IR_NONE for parameters */
	uint64_t captured, returned;
	uint64_t out_by[MAX_ROOTS];	/* by root: parameters it is stored through */
	uint32_t out_store[MAX_ROOTS];
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

/* Does this call return a new object to us? */
static bool allocates(const struct study *st, const struct ir_inst *in)
{
	uint32_t g;

	if (in->op != IR_CALL || !direct_callee(st, in, &g))
		return false;
	if (st->p->wrapper[g])
		return st->p->wrapper[g]->returns;
	return st->p->model[g] && model_allocates(st->p->model[g]);
}

/* FLOW_* of argument arg (from 1) by a model. */
static uint8_t model_flow(const struct model *md, uint32_t arg)
{
	uint8_t flow = 0;

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		if (e->kind == MODEL_E_SET && model_value_is_arg(&e->value, arg))
			flow |= e->place.base == MODEL_RETURN && !e->place.nsteps ? FLOW_RETURNED : FLOW_CAPTURED;
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

	if (!f)
		return FLOW_CAPTURED;
	if (ir_is_decl(f))
		return st->p->model[g] ? model_flow(st->p->model[g], arg) : FLOW_CAPTURED;
	if (!st->p->param_flow[g] || arg > f->nparams)
		return FLOW_CAPTURED;	/* recursion, or a variable argument */
	return st->p->param_flow[g][arg - 1];
}

/* ---- where values come from ------------------------------------------ */

static uint64_t inst_origin(const struct study *st, const struct ir_inst *in)
{
	uint64_t o = 0;

	switch (in->op) {
	case IR_FIELD:
	case IR_ELEM:
	case IR_INDEX:
	case IR_CAST:
		return origin(st, in->ops[0]);
	case IR_SELECT:
	case IR_PHI:
	case IR_BIN:
	case IR_OPAQUE:
		for (uint32_t k = in->op == IR_SELECT; k < in->nops; k++)
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

static void find_origins(struct study *st)
{
	const struct ir_func *f = st->f;
	bool changed = true;

	for (uint32_t i = 0; i < f->nparams && i < MAX_ROOTS; i++) {
		st->root_inst[st->nroots] = IR_NONE;
		st->origin[i] |= 1ull << st->nroots++;
	}
	for (uint32_t i = 0; i < f->ninsts && st->nroots < MAX_ROOTS; i++)
		if (allocates(st, &f->insts[i]) && f->insts[i].res != IR_NONE) {
			st->root_inst[st->nroots] = i;
			st->origin[f->insts[i].res] |= 1ull << st->nroots++;
		}
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < f->ninsts; i++) {
			const struct ir_inst *in = &f->insts[i];
			uint64_t o;

			if (in->res == IR_NONE)
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
	}
}

/* ---- where they go --------------------------------------------------- */

static void study_store(struct study *st, const struct ir_inst *in)
{
	ir_ref addr = ssa_ref(st->s, in->ops[0]);
	uint64_t o = origin(st, in->ops[1]) & ~origin(st, addr);
	bool out = IR_KIND(addr) == IR_R_VREG && IR_IDX(addr) < st->f->nparams && IR_IDX(addr) < MAX_ROOTS;

	if (IR_KIND(in->ops[0]) == IR_R_SLOT && st->s->promoted[IR_IDX(in->ops[0])])
		return;
	for (uint32_t r = 0; r < st->nroots; r++) {
		if (!(o >> r & 1))
			continue;
		if (out && st->root_inst[r] != IR_NONE) {
			st->out_by[r] |= 1ull << IR_IDX(addr);
			st->out_store[r] = (uint32_t)(in - st->f->insts);
		} else {
			st->captured |= 1ull << r;
		}
	}
}

static void study_flow(struct study *st)
{
	for (uint32_t i = 0; i < st->f->ninsts; i++) {
		const struct ir_inst *in = &st->f->insts[i];

		switch (in->op) {
		case IR_STORE:
			study_store(st, in);
			break;
		case IR_CALL:
			st->captured |= origin(st, in->ops[0]);
			for (uint32_t k = 1; k < in->nops; k++)
				if (origin(st, in->ops[k]) && arg_flow(st, in, k) & FLOW_CAPTURED)
					st->captured |= origin(st, in->ops[k]);
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

enum { MAX_DEPTH = 1000 };

/* Is everything that r may be a whole root, null or undefined?  Not if it takes
 * too long to tell. */
static bool only_roots(struct study *st, ir_ref r, struct bits *seen, int depth)
{
	const struct ir_inst *d;

	r = ssa_ref(st->s, r);
	if (r == IR_NULL || r == IR_UNDEF || IR_KIND(r) == IR_R_INT)
		return true;
	if (IR_KIND(r) != IR_R_VREG || depth > MAX_DEPTH)
		return false;
	if (!bits_set(seen, IR_IDX(r)))
		return true;
	if (ssa_is_phi(st->s, r)) {
		const struct ssa_phi *phi = ssa_phi(st->s, r);

		for (uint32_t k = 0; k < st->f->blocks[phi->block].npred; k++)
			if (!only_roots(st, phi->args[k], seen, depth + 1))
				return false;
		return true;
	}
	d = ssa_def(st->s, r);
	if (!d)
		return true;	/* a parameter */
	if (d->op == IR_PHI || d->op == IR_SELECT) {
		for (uint32_t k = d->op == IR_SELECT; k < d->nops; k++)
			if (!only_roots(st, d->ops[k], seen, depth + 1))
				return false;
		return true;
	}
	return allocates(st, d) || (d->op == IR_CALL && inst_origin(st, d));
}

static bool returns_only_roots(struct study *st)
{
	struct bits seen;
	bool ok = true;

	bits_init(&seen, st->s->nvalues);
	for (uint32_t i = 0; i < st->f->ninsts; i++)
		if (st->f->insts[i].op == IR_RET)
			ok &= st->f->insts[i].nops == 1 && only_roots(st, st->f->insts[i].ops[0], &seen, 0);
	bits_release(&seen);
	return ok;
}

/* ---- verdicts -------------------------------------------------------- */

static struct pta_wrapper *new_wrapper(struct study *st)
{
	struct pta_wrapper *w = arena_new(&st->p->arena, struct pta_wrapper);

	w->out_param = w->out_store = w->inner = IR_NONE;
	st->p->wrapper[st->func] = w;
	st->p->stats.wrappers++;
	return w;
}

static void find_returning(struct study *st)
{
	uint64_t news = 0;
	uint32_t first = IR_NONE;

	for (uint32_t r = 0; r < st->nroots; r++)
		if (st->root_inst[r] != IR_NONE && st->returned >> r & 1) {
			news |= 1ull << r;
			first = first == IR_NONE ? st->root_inst[r] : first;
			if (st->out_by[r])
				return;
		}
	if (!news || news & st->captured || st->f->ret_cls != IR_C_PTR || !returns_only_roots(st))
		return;
	*new_wrapper(st) = (struct pta_wrapper){ true, IR_NONE, IR_NONE, first };
}

static void find_storing(struct study *st)
{
	for (uint32_t r = 0; r < st->nroots; r++) {
		uint64_t bit = 1ull << r;

		if (!st->out_by[r] || st->captured & bit || st->returned & bit)
			continue;
		if (st->out_by[r] & (st->out_by[r] - 1))
			continue;	/* through two parameters: both keep it */
		*new_wrapper(st) = (struct pta_wrapper){ false, (uint32_t)__builtin_ctzll(st->out_by[r]),
							 st->out_store[r], st->root_inst[r] };
		return;
	}
}

/* A parameter passed on, as it is, to a function that stores a new object
 * through it. */
static void find_passing(struct study *st)
{
	for (uint32_t i = 0; i < st->f->ninsts; i++) {
		const struct ir_inst *in = &st->f->insts[i];
		uint32_t g, out = IR_NONE;
		ir_ref arg;

		if (in->op != IR_CALL || !direct_callee(st, in, &g))
			continue;
		if (st->p->wrapper[g])
			out = st->p->wrapper[g]->out_param;
		for (unsigned k = 0; st->p->model[g] && out == IR_NONE && k < st->p->model[g]->neffects; k++) {
			const struct model_effect *e = &st->p->model[g]->effects[k];

			if (e->kind == MODEL_E_SET && e->value.kind == MODEL_V_NEW &&
			    e->place.base == MODEL_ARG && e->place.nsteps == 1)
				out = e->place.arg - 1;
		}
		if (out == IR_NONE || out + 1 >= in->nops)
			continue;
		arg = ssa_ref(st->s, in->ops[out + 1]);
		if (IR_KIND(arg) != IR_R_VREG || IR_IDX(arg) >= st->f->nparams)
			continue;
		*new_wrapper(st) = (struct pta_wrapper){ false, IR_IDX(arg), IR_NONE, i };
		return;
	}
}

static void study_function(struct pta *p, uint32_t func)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	struct study st = { .p = p, .func = func, .f = f, .s = &p->ssa[func] };
	uint8_t *flow;

	st.origin = xcalloc(MAX(st.s->nvalues, 1), sizeof(*st.origin));
	find_origins(&st);
	study_flow(&st);
	find_returning(&st);
	if (!p->wrapper[func])
		find_storing(&st);
	if (!p->wrapper[func])
		find_passing(&st);
	flow = arena_array(&p->arena, uint8_t, f->nparams);
	for (uint32_t i = 0; i < f->nparams; i++)
		flow[i] = i >= MAX_ROOTS ? FLOW_CAPTURED | FLOW_RETURNED
					 : (st.captured >> i & 1 ? FLOW_CAPTURED : 0) |
						   (st.returned >> i & 1 ? FLOW_RETURNED : 0);
	p->param_flow[func] = flow;
	free(st.origin);
}

void pta__find_wrappers(struct pta *p)
{
	uint32_t n = p->m->funcs.n;
	uint32_t *comp = xcalloc(MAX(n, 1), sizeof(*comp)), *order = xcalloc(MAX(n, 1), sizeof(*order));

	p->wrapper = arena_array(&p->arena, struct pta_wrapper *, n);
	p->param_flow = arena_array(&p->arena, uint8_t *, n);
	pta__order_direct(p, comp, order);
	for (uint32_t i = 0; i < n; i++)
		if (!ir_is_decl(&p->m->funcs.v[order[i]]))
			study_function(p, order[i]);
	free(comp);
	free(order);
}
