/*
 * enums.c - which enumerations have no other values than their enumerators.
 *
 * C lets a variable of an enumeration be any integer.  In most programs it is one
 * of the enumerators, and then a switch over all of them has no other way.  We
 * take that for granted of an enumeration if its enumerators are consecutive
 * (ir.h), and if all that the program stores in members and variables of that type,
 * passes as such an argument and returns as such a result is one of the
 * enumerators as a constant, or comes from such a place itself.  Flags that are
 * or-ed, numbers that are cast, and enumerations that are counted through do not
 * qualify.
 *
 * Which way this errs: stores through a pointer to the enumeration, copies of
 * memory and what comes from outside are taken to be in order, so that a leak on
 * the way for "none of these" may be missed; but where a switch has a default of its
 * own the walker takes it.  Zero is always taken to be possible, since memory may
 * have been cleared.
 */
#include "pta/enums.h"

#include "pta/facts.h"

enum { MAX_FITS = 12 };

/* The type of what is at the address, without typedefs; 0 if it is not declared. */
static uint32_t place_type(const struct enums *g, uint32_t func, ir_ref addr, int depth)
{
	const struct ir_module *m = g->m;
	const struct ssa *s = pta_ssa(g->p, func);
	const struct ir_inst *d;
	const struct ir_type *t;

	addr = ssa_ref(s, addr);
	if (IR_KIND(addr) == IR_R_SLOT)
		return ir_type_strip(m, s->f->slots[IR_IDX(addr)].type);
	if (IR_KIND(addr) == IR_R_GLOBAL)
		return ir_type_strip(m, m->globals.v[IR_IDX(addr)].type);
	d = ssa_def(s, addr);
	if (!d || depth > MAX_FITS)
		return 0;
	if (d->op == IR_FIELD) {
		t = &m->types.v[ir_type_strip(m, d->type)];
		if (d->member >= t->nfields || t->fields[d->member].bit_size)
			return 0;
		return ir_type_strip(m, t->fields[d->member].type);
	}
	if (d->op == IR_ELEM) {
		t = &m->types.v[place_type(g, func, d->ops[0], depth + 1)];
		return t->kind == IR_T_ARRAY ? ir_type_strip(m, t->elem) : 0;
	}
	return 0;
}

static uint32_t param_type(const struct ir_module *m, const struct ir_func *f, uint32_t k)
{
	const struct ir_type *t = &m->types.v[f->type];

	if (!f->type || t->kind != IR_T_FUNC || t->nfields != f->nparams || k >= t->nfields)
		return 0;
	return ir_type_strip(m, t->fields[k].type);
}

static uint32_t result_type(const struct ir_module *m, const struct ir_func *f)
{
	const struct ir_type *t = f ? &m->types.v[f->type] : NULL;

	return t && f->type && t->kind == IR_T_FUNC ? ir_type_strip(m, t->elem) : 0;
}

/* The declared type of a value that is not computed here; 0 if there is none. */
static uint32_t value_type(const struct enums *g, uint32_t func, uint32_t value)
{
	const struct ssa *s = pta_ssa(g->p, func);
	const struct ir_inst *d;

	assert(value < s->nvalues);
	if (value >= s->f->nvregs)
		return ir_type_strip(g->m, s->f->slots[s->phis[value - s->f->nvregs].slot].type);
	if (value < s->f->nparams)
		return param_type(g->m, s->f, value);
	d = ssa_def(s, IR_VREG(value));
	if (d && d->op == IR_LOAD)
		return place_type(g, func, d->ops[0], 0);
	return d && d->op == IR_CALL ? result_type(g->m, ir_callee(g->m, d)) : 0;
}

/* Is the value one of the type's enumerators, given that others of that type are? */
static bool fits(const struct enums *g, uint32_t func, ir_ref r, uint32_t type, int depth)
{
	const struct ssa *s = pta_ssa(g->p, func);
	const struct ir_type *t = &g->m->types.v[type];
	const struct ir_inst *d;

	assert(t->kind == IR_T_ENUM && t->count);
	r = ssa_ref(s, r);
	if (IR_KIND(r) == IR_R_INT) {
		int64_t v = ir_int_value(g->m, r);

		return v == 0 || (v >= t->first && v - t->first < (int64_t)t->count);
	}
	if (r == IR_UNDEF)
		return true;
	if (IR_KIND(r) != IR_R_VREG || depth > MAX_FITS)
		return false;
	if (ssa_is_phi(s, r)) {
		const struct ssa_phi *p = ssa_phi(s, r);

		/* what was assigned to the variable is looked at where that is done */
		if (ir_type_strip(g->m, s->f->slots[p->slot].type) == type)
			return true;
		for (uint32_t k = 0; k < s->f->blocks[p->block].npred; k++)
			if (!fits(g, func, p->args[k], type, depth + 1))
				return false;
		return true;
	}
	if (value_type(g, func, IR_IDX(r)) == type)
		return true;
	d = ssa_def(s, r);
	if (!d)
		return false;
	switch (d->op) {
	case IR_PHI:
		for (uint32_t k = 0; k < d->nops; k++)
			if (!fits(g, func, d->ops[k], type, depth + 1))
				return false;
		return true;
	case IR_SELECT:
		return fits(g, func, d->ops[1], type, depth + 1) && fits(g, func, d->ops[2], type, depth + 1);
	case IR_COPY:
	case IR_CAST:
		return fits(g, func, d->ops[0], type, depth + 1);
	case IR_CMP:
		return t->first <= 1 && t->first + (int64_t)t->count > 1;
	default:
		return false;
	}
}

static bool is_candidate(const struct enums *g, uint32_t type)
{
	return g->m->types.v[type].kind == IR_T_ENUM && g->m->types.v[type].count;
}

static void look_at(struct enums *g, uint32_t func, ir_ref r, uint32_t type)
{
	if (is_candidate(g, type) && !bits_test(&g->loose, type) && !fits(g, func, r, type, 0))
		bits_set(&g->loose, type);
}

static void look_at_inst(struct enums *g, uint32_t func, const struct ir_inst *in)
{
	const struct ir_func *callee;

	switch (in->op) {
	case IR_STORE:
		look_at(g, func, in->ops[1], place_type(g, func, in->ops[0], 0));
		break;
	case IR_CALL:
		callee = ir_callee(g->m, in);
		for (uint32_t k = 1; callee && k < in->nops; k++)
			look_at(g, func, in->ops[k], param_type(g->m, callee, k - 1));
		break;
	case IR_RET:
		if (in->nops == 1)
			look_at(g, func, in->ops[0], result_type(g->m, &g->m->funcs.v[func]));
		break;
	default:
		break;
	}
}

void enums_init(struct enums *g, const struct pta *p)
{
	bool any = false;

	g->p = p;
	g->m = pta_module(p);
	bits_init(&g->loose, g->m->types.n);
	for (uint32_t i = 0; i < g->m->types.n; i++)
		any |= is_candidate(g, i);
	for (uint32_t f = 0; any && f < g->m->funcs.n; f++)
		for (uint32_t i = 0; i < g->m->funcs.v[f].ninsts; i++)
			look_at_inst(g, f, &g->m->funcs.v[f].insts[i]);
}

void enums_release(struct enums *g)
{
	bits_release(&g->loose);
}

bool enums_range(const struct enums *g, uint32_t func, uint32_t value, int64_t *lo, int64_t *hi)
{
	uint32_t type = value_type(g, func, value);
	const struct ir_type *t = &g->m->types.v[type];

	trace_note(FACT_INSIDE, func, 0);
	if (!is_candidate(g, type) || bits_test(&g->loose, type))
		return false;
	*lo = MIN(t->first, 0);
	*hi = MAX(t->first + (int64_t)t->count - 1, 0);
	return true;
}
