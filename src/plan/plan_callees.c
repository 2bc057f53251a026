/*
 * plan_callees.c - whom does a call through a member call?
 *
 * `tree->compare(key, node->key)`: where the tree may be unknown memory for the points-to analysis,
 * so is the function, and is taken to keep whatever it is given.  But a member of a struct of the
 * program's own holds what the program puts there, whichever tree it is: if each value that is
 * stored to the member of that name, in the whole program, is a function of the program, one of these is
 * called, and the analysis knows them all.
 *
 * Which way it errs: a struct that code outside the program fills in, byte by byte, is not
 * thought of; one that a function outside the program is declared to take or to return is.
 */
#include "plan/priv.h"

/* The member that the called pointer is loaded from, or NULL. */
static const struct ir_inst *called_member(const struct ir_func *f, const struct ir_inst *call)
{
	const struct ir_inst *d = ir_def(f, call->ops[0]);

	if (!d || d->op != IR_LOAD)
		return NULL;
	d = ir_def(f, d->ops[0]);
	return d && d->op == IR_FIELD && d->type ? d : NULL;
}

static bool is_pointer_to(const struct ir_module *m, uint32_t type, uint32_t to)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];

	return t->kind == IR_T_PTR && ir_type_strip(m, t->elem) == to;
}

/* Does a function outside the program take or return such structs? */
static bool is_known_outside(const struct ir_module *m, uint32_t type)
{
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		const struct ir_type *t = &m->types.v[m->funcs.v[i].type];

		if (!ir_is_decl(&m->funcs.v[i]) || t->kind != IR_T_FUNC)
			continue;
		if (is_pointer_to(m, t->elem, type))
			return true;
		for (uint32_t k = 0; k < t->nfields; k++)
			if (is_pointer_to(m, t->fields[k].type, type))
				return true;
	}
	return false;
}

/* The parameter whose value this is, or IR_NONE. */
static uint32_t parameter(const struct fix_planner *pl, uint32_t func, ir_ref r)
{
	r = pta_origin(pl->p, func, r);
	return IR_KIND(r) == IR_R_VREG && IR_IDX(r) < pl->m->funcs.v[func].nparams ? IR_IDX(r) : IR_NONE;
}

static bool is_function(const struct fix_planner *pl, uint32_t func, ir_ref r, int depth);

/* Does every call of a function that is only called by its name pass a function of the program? */
static bool is_given_functions(const struct fix_planner *pl, uint32_t func, uint32_t param, int depth)
{
	const struct ir_module *m = pl->m;

	if (depth > 4 || !bits_test(&pl->by_name, func))
		return false;
	for (uint32_t g = 0; g < m->funcs.n; g++)
		for (uint32_t i = 0; i < m->funcs.v[g].ninsts; i++) {
			const struct ir_inst *in = &m->funcs.v[g].insts[i];

			if (in->op == IR_CALL && in->ops[0] == IR_REF(IR_R_FUNC, func) &&
			    (param + 1 >= in->nops || !is_function(pl, g, in->ops[param + 1], depth + 1)))
				return false;
		}
	return true;
}

static bool is_function(const struct fix_planner *pl, uint32_t func, ir_ref r, int depth)
{
	const struct sbits *pts;
	uint32_t param = IR_NONE;

	if (r == IR_NULL || IR_KIND(r) == IR_R_FUNC)
		return true;
	pts = pta_points_to(pl->p, func, r);
	SBITS_FOREACH(l, pts)
		if (pta_obj(pl->p, pta_loc(pl->p, l)->obj)->kind != PTA_FUNC) {
			param = parameter(pl, func, r);
			return param != IR_NONE && is_given_functions(pl, func, param, depth);
		}
	return pts->n > 0;
}

/* Is the address of a member used only to read it, and to store functions there? */
static bool gets_functions(const struct fix_planner *pl, uint32_t func, uint32_t addr)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++) {
			const struct ir_inst *in = &f->insts[i];

			if (in->ops[k] != IR_VREG(addr) || in->op == IR_LOAD)
				continue;
			if (in->op != IR_STORE || k != 0 || !is_function(pl, func, in->ops[1], 0))
				return false;
		}
	return true;
}

static bool holds_functions(const struct fix_planner *pl, uint32_t type, int64_t off)
{
	const struct ir_module *m = pl->m;
	bool ok = m->types.v[type].kind == IR_T_STRUCT && !is_known_outside(m, type);

	for (uint32_t g = 0; ok && g < m->funcs.n; g++)
		for (uint32_t i = 0; ok && i < m->funcs.v[g].ninsts; i++) {
			const struct ir_inst *in = &m->funcs.v[g].insts[i];

			ok = in->op != IR_FIELD || !in->type || ir_type_strip(m, in->type) != type ||
			     in->imm != off || gets_functions(pl, g, in->res);
		}
	return ok;
}

void callees_of(struct fix_planner *pl, uint32_t func, uint32_t inst, struct pta_callees *to)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_inst *member;
	struct plan_slot_of *known = NULL;

	pta_callees(pl->p, func, inst, to);
	if (!to->unknown || !sbits_count(to->set) || !ir_is_program(pl->m) ||
	    !(member = called_member(f, &f->insts[inst])))
		return;
	for (uint32_t i = 0; i < pl->slots_of.n && !known; i++)
		if (pl->slots_of.v[i].type == ir_type_strip(pl->m, member->type) &&
		    pl->slots_of.v[i].off == member->imm)
			known = &pl->slots_of.v[i];
	if (!known) {
		struct plan_slot_of x = { ir_type_strip(pl->m, member->type), member->imm, false };

		if (!pl->by_name.n)
			ir_called_by_name(pl->m, &pl->by_name);
		x.functions = holds_functions(pl, x.type, x.off);
		vec_push(&pl->slots_of, x);
		known = &pl->slots_of.v[pl->slots_of.n - 1];
	}
	to->unknown = !known->functions;
}

bool callees_lead_into(const struct fix_planner *pl, const struct bits *above, uint32_t func, uint32_t inst)
{
	struct pta_callees c;

	if (pl->m->funcs.v[func].insts[inst].op != IR_CALL)
		return false;
	pta_callees(pl->p, func, inst, &c);
	SBITS_FOREACH(callee, c.set)
		if (bits_test(above, callee))
			return true;
	return false;
}

/* Callees first, so that only circles need a second round. */
void callees_above(const struct fix_planner *pl, uint32_t func, struct bits *above)
{
	uint32_t n;
	const uint32_t *order = pta_bottom_up(pl->p, &n);

	bits_init(above, pl->m->funcs.n + 1);
	bits_set(above, func);
	for (bool more = true; more;) {
		more = false;
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t i = 0;
			     i < pl->m->funcs.v[order[k]].ninsts && !bits_test(above, order[k]); i++)
				if (callees_lead_into(pl, above, order[k], i))
					more |= bits_set(above, order[k]);
	}
}
