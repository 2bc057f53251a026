/*
 * casts.c - which struct is used as which other one.
 *
 * Pointers point to what they are declared to point to (objects.c), which keeps
 * the points-to sets small.  Where a program casts between pointers to structs
 * on purpose, as generic lists do (`(GENERIC_LIST *)words`) and constructors that
 * take one of several structs, flows would be lost.  Leak IR has no pointer casts,
 * but every source variable has its declared type: where a pointer declared for one
 * struct is passed, stored or returned as a pointer to another, there was a cast.
 * Such a pair of structs fits, both ways, in the whole program: more flows than there
 * are, for these two types.
 *
 * Not seen: a cast by way of void * or char *.
 *
 * In the same way a function pointer calls only functions whose
 * parameters are declared as pointers to the structs that its own type names.
 */
#include "pta/priv.h"

static uint32_t struct_behind(const struct ir_module *m, uint32_t type)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];
	uint32_t to;

	if (t->kind != IR_T_PTR)
		return 0;
	to = ir_type_strip(m, t->elem);
	return m->types.v[to].kind == IR_T_STRUCT ? to : 0;
}

/* The struct that an operand is declared to point to; 0 if nothing tells. */
static uint32_t declared(const struct pta *p, const struct ir_func *f, ir_ref r)
{
	const struct ir_module *m = p->m;
	const struct ir_inst *d = ir_def(f, r);
	const struct ir_func *g;

	if (!d)
		return 0;
	if (d->op == IR_CALL) {
		g = ir_callee(m, d);
		return g && g->type ? struct_behind(m, m->types.v[g->type].elem) : 0;
	}
	if (d->op != IR_LOAD)
		return 0;
	r = d->ops[0];
	if (IR_KIND(r) == IR_R_SLOT)
		return struct_behind(m, f->slots[IR_IDX(r)].type);
	if (IR_KIND(r) == IR_R_GLOBAL)
		return struct_behind(m, m->globals.v[IR_IDX(r)].type);
	d = ir_def(f, r);
	if (!d || d->op != IR_FIELD || !d->type || d->member == IR_NONE)
		return 0;
	return struct_behind(m, m->types.v[ir_type_strip(m, d->type)].fields[d->member].type);
}

/* The struct that what is stored at an address is declared to point to. */
static uint32_t declared_at(const struct pta *p, const struct ir_func *f, ir_ref addr)
{
	const struct ir_module *m = p->m;
	const struct ir_inst *d;

	if (IR_KIND(addr) == IR_R_SLOT)
		return struct_behind(m, f->slots[IR_IDX(addr)].type);
	if (IR_KIND(addr) == IR_R_GLOBAL)
		return struct_behind(m, m->globals.v[IR_IDX(addr)].type);
	d = ir_def(f, addr);
	if (!d || d->op != IR_FIELD || !d->type || d->member == IR_NONE)
		return 0;
	return struct_behind(m, m->types.v[ir_type_strip(m, d->type)].fields[d->member].type);
}

static void add_pair(struct pta *p, uint32_t a, uint32_t b)
{
	if (a && b && a != b) {
		assert(p->m->types.v[a].kind == IR_T_STRUCT && p->m->types.v[b].kind == IR_T_STRUCT);
		u64map_put(&p->cast, PTA_KEY(a, b), NULL);
		u64map_put(&p->cast, PTA_KEY(b, a), NULL);
	}
}

static void find_in_call(struct pta *p, const struct ir_func *f, const struct ir_inst *in)
{
	const struct ir_func *g = ir_callee(p->m, in);
	const struct ir_type *t = g ? &p->m->types.v[g->type] : NULL;

	for (uint32_t k = 1; t && t->kind == IR_T_FUNC && k < in->nops && k <= t->nfields; k++)
		add_pair(p, declared(p, f, in->ops[k]), struct_behind(p->m, t->fields[k - 1].type));
}

void pta__find_casts(struct pta *p)
{
	for (uint32_t i = 0; i < p->m->funcs.n; i++) {
		const struct ir_func *f = &p->m->funcs.v[i];
		uint32_t result = f->type ? struct_behind(p->m, p->m->types.v[f->type].elem) : 0;

		for (uint32_t k = 0; k < f->ninsts; k++) {
			const struct ir_inst *in = &f->insts[k];

			if (in->op == IR_STORE && in->cls == IR_C_PTR)
				add_pair(p, declared(p, f, in->ops[1]), declared_at(p, f, in->ops[0]));
			else if (in->op == IR_CALL)
				find_in_call(p, f, in);
			else if (in->op == IR_RET && in->nops == 1 && result)
				add_pair(p, declared(p, f, in->ops[0]), result);
		}
	}
}

/* Types of a parameter or a result: pointers to the same struct, or one of the two
 * is no pointer to a struct. */
static bool pointers_agree(const struct pta *p, uint32_t a, uint32_t b)
{
	a = struct_behind(p->m, a);
	b = struct_behind(p->m, b);
	return !a || !b || a == b || pta__is_cast(p, a, b);
}

bool pta__is_meant(const struct pta *p, const struct ir_func *f, const struct ir_inst *call,
		   const struct ir_func *g)
{
	const struct ir_type *have = &p->m->types.v[g->type], *want;
	const struct ir_inst *d = ir_def(f, call->ops[0]);
	uint32_t type = 0;

	if (!d || d->op != IR_LOAD)
		return true;
	if (IR_KIND(d->ops[0]) == IR_R_SLOT) {
		type = f->slots[IR_IDX(d->ops[0])].type;
	} else if (IR_KIND(d->ops[0]) == IR_R_GLOBAL) {
		type = p->m->globals.v[IR_IDX(d->ops[0])].type;
	} else {
		d = ir_def(f, d->ops[0]);
		if (d && d->op == IR_FIELD && d->type && d->member != IR_NONE)
			type = p->m->types.v[ir_type_strip(p->m, d->type)].fields[d->member].type;
	}
	want = &p->m->types.v[ir_type_strip(p->m, type)];
	if (want->kind == IR_T_PTR)
		want = &p->m->types.v[ir_type_strip(p->m, want->elem)];
	if (want->kind != IR_T_FUNC || have->kind != IR_T_FUNC)
		return true;
	if (!pointers_agree(p, want->elem, have->elem))
		return false;
	for (uint32_t i = 0; i < want->nfields && i < have->nfields; i++)
		if (!pointers_agree(p, want->fields[i].type, have->fields[i].type))
			return false;
	return true;
}

bool pta__is_cast(const struct pta *p, uint32_t a, uint32_t b)
{
	return u64map_get(&p->cast, PTA_KEY(a, b)) != NULL;
}
