/*
 * apply.c - a library function's model as constraints at one call.
 *
 * Conditions (`when`) are not looked at, but where the call's own arguments contradict
 * them: whatever may happen is taken to happen.
 */
#include "pta/priv.h"

struct app {
	struct pta *p;
	uint32_t site, callee;
	uint32_t func;
	const struct ir_inst *in;
	unsigned nnew;		/* objects made so far */
};

static uint32_t inst_index(const struct app *a)
{
	return (uint32_t)(a->in - a->p->m->funcs.v[a->func].insts);
}

/* The node of what the place begins with; `arg` is the argument that is meant, of one or of several. */

static uint32_t base_node(const struct app *a, const struct model_place *pl, uint32_t arg)
{
	struct pta *p = a->p;

	switch (pl->base) {
	case MODEL_RETURN:
		return a->in->res == IR_NONE ? IR_NONE : p->value_node[a->func] + a->in->res;
	case MODEL_ARG:
	case MODEL_ARGS_FROM:
		return arg < a->in->nops ? pta__node(p, a->func, a->in->ops[arg]) : IR_NONE;
	case MODEL_GLOBAL: {
		uint32_t g = ir_find_global(p->m, pl->global), node;

		if (g == IR_NONE)
			return IR_NONE;
		node = pta__new_node(p);
		pta__point(p, node, pta__loc(p, p->global_obj[g], 0));
		return node;
	}
	}
	return IR_NONE;
}

/* The type of what an argument points to, by the argument itself: of functions that
 * are only declared the debug information has no types. */
static uint32_t operand_pointee(const struct app *a, uint32_t arg)
{
	const struct ir_module *m = a->p->m;
	const struct ir_func *f = &m->funcs.v[a->func];
	const struct ssa *s = &a->p->ssa[a->func];
	const struct ir_type *t;
	const struct ir_inst *d;
	ir_ref r;

	if (arg >= a->in->nops)
		return 0;
	r = ssa_ref(s, a->in->ops[arg]);
	if (IR_KIND(r) == IR_R_SLOT)
		return f->slots[IR_IDX(r)].type;
	if (IR_KIND(r) == IR_R_GLOBAL)
		return m->globals.v[IR_IDX(r)].type;
	if (IR_KIND(r) != IR_R_VREG)
		return 0;
	d = ssa_def(s, r);
	if (d && d->op == IR_FIELD && d->member < m->types.v[d->type].nfields)
		return m->types.v[d->type].fields[d->member].type;
	if (s->var[IR_IDX(r)] == IR_NONE)
		return 0;
	t = &m->types.v[ir_type_strip(m, f->slots[s->var[IR_IDX(r)]].type)];
	return t->kind == IR_T_PTR ? t->elem : 0;
}

/* The type that a place's base points to, for member names. */
static uint32_t base_pointee(const struct app *a, const struct model_place *pl)
{
	const struct ir_module *m = a->p->m;
	const struct ir_type *ft = &m->types.v[m->funcs.v[a->callee].type], *t;
	uint32_t type = 0;

	if (ft->kind != IR_T_FUNC)
		return pl->base == MODEL_ARG ? operand_pointee(a, pl->arg) : 0;
	if (pl->base == MODEL_RETURN)
		type = ft->elem;
	else if (pl->base == MODEL_ARG && pl->arg >= 1 && pl->arg <= ft->nfields)
		type = ft->fields[pl->arg - 1].type;
	t = &m->types.v[ir_type_strip(m, type)];
	return t->kind == IR_T_PTR ? t->elem : 0;
}

/* Walks the steps but the last `rest` ones; *off gets the offset of the step
 * that is left over. */
static uint32_t walk_steps(const struct app *a, const struct model_place *pl, uint32_t node, unsigned rest,
			   uint64_t *off)
{
	const struct ir_module *m = a->p->m;
	uint32_t type = base_pointee(a, pl);

	for (unsigned i = 0; node != IR_NONE && i < pl->nsteps; i++) {
		const struct model_step *st = &pl->steps[i];
		const struct ir_type *t;
		uint32_t next;

		*off = st->field ? ir_member_offset(m, &type, st->field) : (uint64_t)st->offset;
		t = &m->types.v[ir_type_strip(m, type)];
		type = t->kind == IR_T_PTR ? t->elem : 0;
		if (i + rest >= pl->nsteps)
			return node;
		next = pta__new_node(a->p);
		if (*off) {
			uint32_t at = pta__new_node(a->p);

			pta__con(a->p, node, CON_FIELD, at, (int64_t)*off);
			node = at;
		}
		pta__con(a->p, node, CON_LOAD, next, 0);
		node = next;
	}
	return node;
}

static uint32_t value_of_place(const struct app *a, const struct model_place *pl, uint32_t arg)
{
	uint64_t off = 0;

	return walk_steps(a, pl, base_node(a, pl, arg), 0, &off);
}

static uint32_t pointing_node(struct pta *p, uint32_t obj)
{
	uint32_t node = pta__new_node(p);

	pta__point(p, node, pta__loc(p, obj, 0));
	return node;
}

static uint32_t new_object(struct app *a, const struct model_effect *e)
{
	struct pta *p = a->p;
	uint32_t inst = inst_index(a), type = 0, obj;

	assert(e->kind == MODEL_E_SET || e->kind == MODEL_E_CALL);
	if (a->nnew >= PTA_MAX_OUTS)
		return IR_NONE;
	if (e->place.base == MODEL_RETURN && !e->place.nsteps)
		type = pta__pointee_hint(p, a->func, inst);
	else if (e->place.base == MODEL_ARG && e->place.nsteps == 1)
		type = pta__out_hint(p, a->func, inst, e->place.arg);
	obj = pta__heap_obj(p, a->func, inst, a->nnew++, type);
	p->objs.v[obj].effect = e;
	p->objs.v[obj].root = a->callee;
	return pointing_node(p, obj);
}

static uint32_t value_node(struct app *a, const struct model_value *v, const struct model_effect *e)
{
	switch (v->kind) {
	case MODEL_V_NEW:
		return new_object(a, e);
	case MODEL_V_PLACE:
	case MODEL_V_INTO:
		return value_of_place(a, &v->place, v->place.arg);
	case MODEL_V_STATIC:
		return pointing_node(a->p, a->p->blob[PTA_B_LIBRARY]);
	case MODEL_V_UNKNOWN:
		if (v->in && a->in->cls != IR_C_PTR)	/* a number, by which it can be got at */
			return IR_NONE;
		return pointing_node(a->p, a->p->blob[PTA_B_UNKNOWN]);
	default:
		return IR_NONE;
	}
}

/* place = src */
static void assign(struct app *a, const struct model_place *pl, uint32_t arg, uint32_t src)
{
	uint64_t off = 0;
	uint32_t node = base_node(a, pl, arg);

	if (node == IR_NONE || src == IR_NONE)
		return;
	if (!pl->nsteps) {
		pta__edge(a->p, src, node);
		return;
	}
	node = walk_steps(a, pl, node, 1, &off);
	if (off) {
		uint32_t at = pta__new_node(a->p);

		pta__con(a->p, node, CON_FIELD, at, (int64_t)off);
		node = at;
	}
	pta__con(a->p, node, CON_STORE, src, 0);
}

/* The callee keeps the argument, in a place that the model names or out of sight. */
static void keep(struct app *a, const struct model_effect *e, uint32_t arg)
{
	uint32_t v = value_of_place(a, &e->place, arg);

	if (e->has_to)
		pta__con(a->p, value_of_place(a, &e->to, e->to.arg), CON_STORE, v, 0);
	pta__edge(a->p, v, a->p->given_away);
}

static void call_back(struct app *a, const struct model_effect *e)
{
	struct callback cb = { .site = a->site, .effect = e };

	for (unsigned i = 0; i < e->nargs && i < ARRAY_LEN(cb.args); i++)
		cb.args[cb.nargs++] = value_node(a, &e->args[i], e);
	vec_push(&a->p->callbacks, cb);
	pta__con(a->p, value_of_place(a, &e->place, e->place.arg), CON_CALLBACK, a->p->callbacks.n - 1, 0);
}

/* An array or a member of a variable: its address is not null. */
static bool points_to_variable(const struct app *a, ir_ref r)
{
	const struct ir_inst *d = ssa_def(&a->p->ssa[a->func], r);

	for (int depth = 0; d && depth < 8 && (d->op == IR_FIELD || d->op == IR_ELEM); depth++) {
		r = ssa_ref(&a->p->ssa[a->func], d->ops[0]);
		if (IR_KIND(r) == IR_R_SLOT || IR_KIND(r) == IR_R_GLOBAL)
			return true;
		d = ssa_def(&a->p->ssa[a->func], r);
	}
	return false;
}

/* A condition that the arguments plainly contradict: realpath() makes nothing if it is
 * given a buffer, sqlite3_mutex_alloc() makes nothing if number 2 is asked for. */
static bool is_impossible(const struct app *a, const struct model_effect *e)
{
	for (unsigned i = 0; i < e->nconds; i++) {
		const struct model_cond *c = &e->conds[i];
		ir_ref arg;

		if (c->place.base != MODEL_ARG || c->place.nsteps || c->place.arg >= a->in->nops)
			continue;
		arg = ssa_ref(&a->p->ssa[a->func], a->in->ops[c->place.arg]);
		if (!c->null) {
			if (IR_KIND(arg) == IR_R_INT && !model_cond_holds(c, ir_int_value(a->p->m, arg)))
				return true;
			continue;
		}
		if (c->cmp == MODEL_NE && arg == IR_NULL)
			return true;
		if (c->cmp == MODEL_EQ && pta__const_loc(a->p, a->func, arg) != IR_NONE)
			return true;
		if (c->cmp == MODEL_EQ && points_to_variable(a, arg))
			return true;
	}
	return false;
}

static void apply_effect(struct app *a, const struct model_effect *e, uint32_t arg)
{
	uint32_t v;
	unsigned nth;

	switch (e->kind) {
	case MODEL_E_SET:
		nth = a->nnew;
		v = value_node(a, &e->value, e);
		/* A wrapper that hands this on: each of its callers stores an object of its own there. */
		if (a->nnew == nth || !e->place.nsteps || !pta__handed_on(a->p, a->func, inst_index(a), nth))
			assign(a, &e->place, arg, v);
		break;
	case MODEL_E_KEEP:
	case MODEL_E_REF:
		keep(a, e, arg);
		break;
	case MODEL_E_COPY:
		v = value_of_place(a, &e->place, arg);
		pta__add_copy(a->p, value_of_place(a, &e->to, e->to.arg), v, UINT64_MAX);
		break;
	case MODEL_E_CALL:
		call_back(a, e);
		break;
	case MODEL_E_FREE:
	case MODEL_E_WRITE:
	case MODEL_E_HOLD:
	case MODEL_E_NORETURN:
		break;
	}
}

void pta__apply_model(struct pta *p, uint32_t site, const struct model *md, uint32_t callee)
{
	uint32_t func = p->sites.v[site].func;
	struct app a = { p, site, callee, func, &p->m->funcs.v[func].insts[p->sites.v[site].inst], 0 };

	assert(ir_is_decl(&p->m->funcs.v[callee]) && a.in->op == IR_CALL);
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		if (is_impossible(&a, e)) {
			/* the numbers of other objects stay */
			a.nnew += e->kind == MODEL_E_SET && e->value.kind == MODEL_V_NEW;
			continue;
		}
		if (e->place.base != MODEL_ARGS_FROM)
			apply_effect(&a, e, e->place.arg);
		else
			for (uint32_t k = e->place.arg; k < a.in->nops; k++)
				apply_effect(&a, e, k);
	}
}
