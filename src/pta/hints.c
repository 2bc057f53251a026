/*
 * hints.c - what type a piece of memory is, by how its address is used.
 *
 * Allocators return void *.  What the program makes of the result tells the
 * type: the variable that holds the result, the member or global that it is stored to,
 * the members taken of it, the parameter that it is passed as.  The first of these that
 * tells wins, but for a larger struct that begins with the one found.  A wrong guess
 * loses flows where the memory is used as something else (pta__fits); no guess makes
 * the memory fit everywhere, and sets grow.
 */
#include "pta/priv.h"

/* Instructions behind the call that are looked at. */
enum { MAX_DISTANCE = 256 };

/* What a pointer type points to; 0 if it is no pointer, or a void *. */
static uint32_t pointee(const struct ir_module *m, uint32_t type)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, type)];

	if (t->kind != IR_T_PTR)
		return 0;
	return m->types.v[ir_type_strip(m, t->elem)].kind == IR_T_VOID ? 0 : t->elem;
}

static uint32_t loaded_type(const struct pta *p, uint32_t func, ir_ref addr, int depth);

/* What the value in a register is declared to point to. */
static uint32_t value_pointee(const struct pta *p, uint32_t func, ir_ref r, int depth)
{
	const struct ir_func *f = &p->m->funcs.v[func], *g;
	const struct ssa *s = &p->ssa[func];
	const struct ir_inst *d = ssa_def(s, r);

	assert(IR_IDX(r) < s->nvalues);
	if (d && d->op == IR_FIELD) {
		if (!d->type || d->member == IR_NONE)
			return 0;
		return p->m->types.v[ir_type_strip(p->m, d->type)].fields[d->member].type;
	}
	if (d && (d->op == IR_ELEM || d->op == IR_INDEX) && d->imm != 1)
		return loaded_type(p, func, d->ops[0], depth + 1);
	if (d && d->op == IR_LOAD)
		return pointee(p->m, loaded_type(p, func, d->ops[0], depth + 1));
	if (d && d->op == IR_CALL) {
		g = ir_callee(p->m, d);
		return g && g->type ? pointee(p->m, p->m->types.v[g->type].elem) : 0;
	}
	if (ssa_is_phi(s, r))
		return pointee(p->m, f->slots[ssa_phi(s, r)->slot].type);
	if (!d && s->var[IR_IDX(r)] != IR_NONE && f->slots[s->var[IR_IDX(r)]].param)
		return pointee(p->m, f->slots[s->var[IR_IDX(r)]].type);
	return 0;
}

static uint32_t loaded_type(const struct pta *p, uint32_t func, ir_ref addr, int depth)
{
	uint32_t type = 0;

	if (depth > 8)
		return 0;
	addr = ssa_ref(&p->ssa[func], addr);
	if (IR_KIND(addr) == IR_R_SLOT)
		type = p->m->funcs.v[func].slots[IR_IDX(addr)].type;
	else if (IR_KIND(addr) == IR_R_GLOBAL)
		type = p->m->globals.v[IR_IDX(addr)].type;
	else if (IR_KIND(addr) == IR_R_VREG)
		type = value_pointee(p, func, addr, depth);
	while (p->m->types.v[ir_type_strip(p->m, type)].kind == IR_T_ARRAY)
		type = p->m->types.v[ir_type_strip(p->m, type)].elem;
	return type;
}

uint32_t pta__loaded_type(const struct pta *p, uint32_t func, ir_ref addr)
{
	return loaded_type(p, func, addr, 0);
}

/* The declared type of parameter `arg` (from 1) of what a call names, or 0. */
static uint32_t param_type(const struct pta *p, const struct ir_inst *call, uint32_t arg)
{
	const struct ir_func *g = ir_callee(p->m, call);
	const struct ir_type *t = g ? &p->m->types.v[g->type] : &p->m->types.v[0];

	return t->kind == IR_T_FUNC && arg >= 1 && arg <= t->nfields ? t->fields[arg - 1].type : 0;
}

uint32_t pta__out_hint(const struct pta *p, uint32_t func, uint32_t inst, uint32_t arg)
{
	const struct ir_inst *in = &p->m->funcs.v[func].insts[inst];
	uint32_t type = pointee(p->m, pointee(p->m, param_type(p, in, arg)));

	/* `char *s; get(&s)` makes characters */
	return type || arg >= in->nops ? type : pointee(p->m, pta__loaded_type(p, func, in->ops[arg]));
}

static bool is_struct(const struct pta *p, uint32_t type)
{
	return p->m->types.v[ir_type_strip(p->m, type)].kind == IR_T_STRUCT;
}

/* Is r the value, or one of what meets in r? */
static bool may_be(const struct ssa *s, ir_ref r, ir_ref value)
{
	r = ssa_ref(s, r);
	if (ssa_is_phi(s, r))
		for (uint32_t k = 0; k < s->f->blocks[ssa_phi(s, r)->block].npred; k++)
			if (ssa_ref(s, ssa_phi(s, r)->args[k]) == value)
				return true;
	return r == value;
}

bool pta__begins_with(const struct pta *p, uint32_t type, uint32_t first)
{
	const struct ir_type *t = &p->m->types.v[ir_type_strip(p->m, type)];
	uint64_t size = t->size;

	first = ir_type_strip(p->m, first);
	if (!is_struct(p, first) || size <= p->m->types.v[first].size)
		return false;
	for (int depth = 0; depth < 16; depth++) {
		if (t->kind != IR_T_STRUCT || !t->nfields || t->fields[0].offset)
			return false;
		type = ir_type_strip(p->m, t->fields[0].type);
		if (type == first)
			return true;
		t = &p->m->types.v[type];
	}
	return false;
}

/* The type that one instruction takes the value for a pointer to. */
static uint32_t used_as(const struct pta *p, uint32_t func, const struct ir_inst *in, ir_ref value)
{
	const struct ssa *s = &p->ssa[func];
	uint32_t type;

	switch (in->op) {
	case IR_FIELD:
		return ssa_ref(s, in->ops[0]) == value ? in->type : 0;
	case IR_STORE:
		if (ssa_ref(s, in->ops[1]) != value)
			return 0;
		return pointee(p->m, pta__loaded_type(p, func, in->ops[0]));
	case IR_CALL:
		/* many functions take bytes; one that takes a struct means it */
		for (uint32_t k = 1; k < in->nops; k++)
			if (ssa_ref(s, in->ops[k]) == value) {
				type = pointee(p->m, param_type(p, in, k));
				return is_struct(p, type) ? type : 0;
			}
		return 0;
	case IR_RET:
		if (in->nops != 1 || !may_be(s, in->ops[0], value))
			return 0;
		return pointee(p->m, p->m->types.v[p->m->funcs.v[func].type].elem);
	default:
		return 0;
	}
}

/* A pointer to a struct may point to a larger one that begins with it: the largest
 * whose members are taken. */
static uint32_t larger_use(const struct pta *p, uint32_t func, uint32_t inst, uint32_t type)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	ir_ref value = IR_VREG(f->insts[inst].res);

	for (uint32_t i = inst + 1; i < f->ninsts && i < inst + MAX_DISTANCE; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op != IR_FIELD || !in->type || ssa_ref(&p->ssa[func], in->ops[0]) != value)
			continue;
		if (pta__begins_with(p, in->type, type))
			type = in->type;
	}
	return type;
}

uint32_t pta__pointee_hint(const struct pta *p, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	const struct ir_inst *in = &f->insts[inst];
	const struct ssa *s = &p->ssa[func];
	const struct ir_func *g = ir_callee(p->m, in);
	uint32_t t = 0, result = g && g->type ? pointee(p->m, p->m->types.v[g->type].elem) : 0;
	bool is_char = p->m->types.v[ir_type_strip(p->m, result)].flags & IR_TF_CHAR;

	assert(in->op == IR_CALL);
	if (in->res == IR_NONE)
		return 0;
	if (s->var[in->res] != IR_NONE)
		t = pointee(p->m, f->slots[s->var[in->res]].type);
	for (uint32_t i = inst + 1; !t && i < f->ninsts && i < inst + MAX_DISTANCE; i++)
		t = used_as(p, func, &f->insts[i], IR_VREG(in->res));
	/* characters, unless it is an old `char *xmalloc()`, whose result is cast */
	if (!t || (is_char && !is_struct(p, t)))
		t = result;
	return is_struct(p, t) ? larger_use(p, func, inst, t) : t;
}

/* malloc(sizeof(T)), xcalloc(1, sizeof(T)): if all arguments that are numbers are
 * constants, the size is at most their product. */
uint64_t pta__size_hint(const struct pta *p, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	const struct ir_inst *in = &f->insts[inst];
	uint64_t product = 1;
	uint16_t bits;

	for (uint32_t k = 1; k < in->nops; k++) {
		ir_ref r = ssa_ref(&p->ssa[func], in->ops[k]);
		int64_t v;

		if (IR_KIND(r) == IR_R_VREG &&
		    (ssa_is_phi(&p->ssa[func], r) || ir_vreg_class(f, IR_IDX(r), &bits) == IR_C_INT))
			return 0;	/* a size that is computed, or may be one */
		if (IR_KIND(r) != IR_R_INT)
			continue;
		v = ir_int_value(p->m, r);
		if (v <= 0 || v > UINT32_MAX || __builtin_mul_overflow(product, (uint64_t)v, &product))
			return 0;
	}
	return product >= 8 ? product : 0;
}

/* ---- integers that hold pointers ------------------------------------- */

bool pta__int_holds(const struct pta *p, uint32_t type)
{
	return sbits_test(&p->int_holders, type);
}

bool pta__is_plain_int(const struct pta *p, uint32_t type)
{
	uint8_t kind = p->m->types.v[ir_type_strip(p->m, type)].kind;

	if (kind != IR_T_INT && kind != IR_T_ENUM)
		return false;
	return !sbits_test(&p->int_holders, type) && !sbits_test(&p->int_carriers, type);
}

/* The value without operations that set a tag in its low bits by a constant, or remove one.  A sum is another
 * number: that a pointer is made of a sum tells nothing of its parts. */
static ir_ref untagged(const struct pta *p, uint32_t func, ir_ref r)
{
	const struct ir_inst *d = ir_def(&p->m->funcs.v[func], r);

	for (; d && d->op == IR_BIN && IR_KIND(d->ops[1]) == IR_R_INT; d = ir_def(&p->m->funcs.v[func], r)) {
		if (d->sub != IR_B_AND && d->sub != IR_B_OR && d->sub != IR_B_XOR)
			break;
		r = d->ops[0];
	}
	return r;
}

static bool is_pointer(const struct pta *p, uint32_t func, ir_ref r)
{
	const struct ir_func *f = &p->m->funcs.v[func];
	const struct ssa *s = &p->ssa[func];
	uint32_t type;
	uint16_t bits;

	r = ssa_ref(s, untagged(p, func, r));
	switch (IR_KIND(r)) {
	case IR_R_SLOT:
	case IR_R_GLOBAL:
	case IR_R_FUNC:
	case IR_R_ADDR:
		return true;
	case IR_R_VREG:
		if (!ssa_is_phi(s, r))
			return ir_vreg_class(f, IR_IDX(r), &bits) == IR_C_PTR;
		type = f->slots[ssa_phi(s, r)->slot].type;
		return p->m->types.v[ir_type_strip(p->m, type)].kind == IR_T_PTR;
	default:
		return false;
	}
}

/* Is the loaded integer the operand, with no variable of another type between?  That
 * `uintptr_t n = list->length; p->data = (void *)n;` makes a pointer of n says nothing of lengths. */
static bool is_read_as(const struct pta *p, uint32_t func, ir_ref r, const struct ir_inst *load)
{
	const struct ir_inst *d = ir_def(&p->m->funcs.v[func], r);

	assert(load->op == IR_LOAD);
	if (!d || d->op != IR_LOAD)
		return true;
	return pta__loaded_type(p, func, d->ops[0]) == pta__loaded_type(p, func, load->ops[0]);
}

/* The type of the variable or result that an integer is; 0 if nothing tells. */
static uint32_t int_type(const struct pta *p, uint32_t func, ir_ref r)
{
	const struct ir_inst *d = ir_def(&p->m->funcs.v[func], r);
	const struct ir_func *g = d && d->op == IR_CALL ? ir_callee(p->m, d) : NULL;

	if (d && d->op == IR_LOAD)
		return pta__loaded_type(p, func, d->ops[0]);
	return g && g->type ? p->m->types.v[g->type].elem : 0;
}

/* Is a pointer passed or returned as an integer, or one made of an integer that is in a variable? */
static void find_carriers(struct pta *p, uint32_t func, const struct ir_inst *in)
{
	const struct ir_func *f = &p->m->funcs.v[func];

	for (uint32_t k = 1; in->op == IR_CALL && k < in->nops; k++)
		if (is_pointer(p, func, in->ops[k]))
			sbits_set(&p->int_carriers, param_type(p, in, k));
	if (in->op == IR_RET && in->nops == 1 && is_pointer(p, func, in->ops[0]))
		sbits_set(&p->int_carriers, p->m->types.v[f->type].elem);
	if (in->op == IR_CAST && in->cls == IR_C_PTR)
		sbits_set(&p->int_carriers, int_type(p, func, untagged(p, func, in->ops[0])));
}

/* A member declared as uintptr_t, long, ... counts as holding pointers if a
 * pointer is stored to some member declared with that very type, or is read
 * from one.  Variables, parameters and results carry pointers also if a pointer is passed
 * as one of them, or made of one.  Code that does both out of sight, through types that do
 * neither, is not followed: what it stores has escaped. */
void pta__find_int_holders(struct pta *p)
{
	for (uint32_t func = 0; func < p->m->funcs.n; func++) {
		const struct ir_func *f = &p->m->funcs.v[func];

		for (uint32_t i = 0; i < f->ninsts; i++) {
			const struct ir_inst *in = &f->insts[i], *d;
			bool is_wide = in->cls == IR_C_INT && in->bits == 64;
			ir_ref number;

			if (in->op == IR_STORE && is_wide && is_pointer(p, func, in->ops[1]))
				sbits_set(&p->int_holders, pta__loaded_type(p, func, in->ops[0]));
			find_carriers(p, func, in);
			if (in->op != IR_CAST || in->cls != IR_C_PTR)
				continue;
			number = untagged(p, func, in->ops[0]);
			d = ssa_def(&p->ssa[func], ssa_ref(&p->ssa[func], number));
			if (d && d->op == IR_LOAD && d->cls == IR_C_INT && is_read_as(p, func, number, d))
				sbits_set(&p->int_holders, pta__loaded_type(p, func, d->ops[0]));
		}
	}
}
