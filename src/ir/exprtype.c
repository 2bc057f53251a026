/*
 * exprtype.c - source types of values, as far as names need them.
 *
 * Instructions carry no types.  Variables and members do, and from those the
 * type of what is loaded, indexed or returned follows.  Where the program casts,
 * the answer is the type before the cast.
 */
#include "ir/expr.h"

enum {
	MAX_DEPTH = 16,
	NEAR = 8,		/* instructions from the address of a bit field's unit to the store */
};

struct typer {
	const struct ir_module *m;
	const struct ir_func *f;
	unsigned depth;
};

static uint32_t object_type(struct typer *t, ir_ref addr);

ir_ref expr_uncast(const struct ir_func *f, ir_ref r)
{
	const struct ir_inst *in;

	/* Definitions come first, so that this ends; a bound makes it cheap. */
	for (unsigned i = 0; i < MAX_DEPTH; i++) {
		in = ir_def(f, r);
		if (!in || (in->op != IR_CAST && in->op != IR_COPY))
			break;
		r = in->ops[0];
	}
	return r;
}

/* What a pointer type points to, an array is made of. */
static uint32_t elem_of(const struct ir_module *m, uint32_t type)
{
	const struct ir_type *t = &m->types.v[type];

	if (t->kind != IR_T_PTR && t->kind != IR_T_ARRAY)
		return 0;
	return ir_type_strip(m, t->elem);
}

static uint32_t call_type(const struct ir_module *m, const struct ir_inst *in)
{
	const struct ir_func *callee = ir_callee(m, in);

	if (!callee || !callee->type)
		return 0;
	return ir_type_strip(m, m->types.v[ir_type_strip(m, callee->type)].elem);
}

/* The pointee if r is a pointer into an object whose type is known. */
static uint32_t value_type(struct typer *t, ir_ref r)
{
	const struct ir_inst *in;
	uint32_t type = 0;

	r = expr_uncast(t->f, r);
	in = ir_def(t->f, r);
	if (!in || ++t->depth > MAX_DEPTH)
		return 0;
	switch (in->op) {
	case IR_LOAD:
		type = object_type(t, in->ops[0]);
		break;
	case IR_INDEX:
		type = value_type(t, in->ops[0]);
		break;
	case IR_BIN:
		type = value_type(t, in->ops[0]);
		break;
	case IR_SELECT:
		type = value_type(t, in->ops[1]);
		break;
	case IR_CALL:
		type = call_type(t->m, in);
		break;
	default:
		break;
	}
	t->depth--;
	return type;
}

static uint32_t field_type(const struct ir_module *m, const struct ir_inst *in)
{
	const struct ir_type *s = &m->types.v[ir_type_strip(m, in->type)];

	return in->member < s->nfields ? ir_type_strip(m, s->fields[in->member].type) : 0;
}

static uint32_t object_type(struct typer *t, ir_ref addr)
{
	const struct ir_module *m = t->m;
	const struct ir_inst *in;
	uint32_t type;

	addr = expr_uncast(t->f, addr);
	switch (IR_KIND(addr)) {
	case IR_R_SLOT:
		return ir_type_strip(m, t->f->slots[IR_IDX(addr)].type);
	case IR_R_GLOBAL:
		return ir_type_strip(m, m->globals.v[IR_IDX(addr)].type);
	case IR_R_VREG:
		break;
	default:
		return 0;
	}
	in = ir_def(t->f, addr);
	if (!in || ++t->depth > MAX_DEPTH)
		return 0;
	switch (in->op) {
	case IR_FIELD:
		type = field_type(m, in);
		break;
	case IR_ELEM:
		type = elem_of(m, object_type(t, in->ops[0]));
		break;
	case IR_ALLOCA:
		type = ir_type_strip(m, t->f->slots[in->imm].type);
		break;
	case IR_INDEX:
		/* base[i], where base may itself be the first element of an array */
		type = elem_of(m, value_type(t, in->ops[0]));
		if (!type)
			type = object_type(t, in->ops[0]);
		break;
	default:
		type = elem_of(m, value_type(t, addr));
		break;
	}
	t->depth--;
	return type;
}

uint32_t expr_object_type(const struct ir_module *m, const struct ir_func *f, ir_ref addr)
{
	struct typer t = { m, f, 0 };

	return object_type(&t, addr);
}

uint32_t expr_value_type(const struct ir_module *m, const struct ir_func *f, ir_ref r)
{
	struct typer t = { m, f, 0 };

	return value_type(&t, r);
}

/* ---- bit fields ------------------------------------------------------ */

/* The constant second operand of a BIN of this kind. */
static bool bin_by(const struct ir_module *m, const struct ir_inst *in, unsigned sub, int64_t *x)
{
	if (!in || in->op != IR_BIN || in->sub != sub || IR_KIND(in->ops[1]) != IR_R_INT)
		return false;
	*x = ir_int_value(m, in->ops[1]);
	return true;
}

/* Takes (unit >> lo) & mask, unit & mask, unit >> lo, (unit << hi) >> lo apart:
 * bits [*bit, *bit + *size) of the value that is loaded. */
static const struct ir_inst *picked_bits(const struct ir_module *m, const struct ir_func *f,
					 const struct ir_inst *in, unsigned *bit, unsigned *size)
{
	int64_t mask = -1, lo = 0, hi = 0;
	const struct ir_inst *from = in;
	unsigned width = in->bits;

	if (bin_by(m, from, IR_B_AND, &mask))
		from = ir_def(f, from->ops[0]);
	if (from && (bin_by(m, from, IR_B_LSHR, &lo) || bin_by(m, from, IR_B_ASHR, &lo)))
		from = ir_def(f, from->ops[0]);
	if (from && mask == -1 && bin_by(m, from, IR_B_SHL, &hi))
		from = ir_def(f, from->ops[0]);
	if (!from || from == in || from->op != IR_LOAD)
		return NULL;
	if (width == 0 || width > 64 || lo < hi || hi < 0 || lo >= width)
		return NULL;
	if (mask == -1) {
		*size = width - (unsigned)lo;
	} else {
		if (mask <= 0 || mask & (mask + 1))
			return NULL;
		*size = (unsigned)__builtin_popcountll((uint64_t)mask);
	}
	*bit = (unsigned)(lo - hi);
	return from;
}

uint32_t expr_field_struct(const struct ir_module *m, const struct ir_func *f, const struct ir_inst *in)
{
	uint32_t type = ir_type_strip(m, in->type);

	assert(in->op == IR_FIELD);
	if (!type)
		type = expr_object_type(m, f, in->ops[0]);
	return m->types.v[type].kind == IR_T_STRUCT || m->types.v[type].kind == IR_T_UNION ? type : 0;
}

/* The bit field at a bit of what a FIELD leads to. */
static const struct ir_field *bits_at(const struct ir_module *m, const struct ir_func *f,
				      const struct ir_inst *field, unsigned bit, unsigned size)
{
	const struct ir_type *s = &m->types.v[expr_field_struct(m, f, field)];

	assert(size);
	for (uint32_t i = 0; field->imm >= 0 && i < s->nfields; i++) {
		const struct ir_field *d = &s->fields[i];

		if (d->bit_size == size && d->offset * 8 + d->bit_offset == (uint64_t)field->imm * 8 + bit)
			return d;
	}
	return NULL;
}

const struct ir_field *expr_bit_field(const struct ir_module *m, const struct ir_func *f,
				      const struct ir_inst *in, const struct ir_inst **field)
{
	const struct ir_inst *load;
	unsigned bit, size;

	load = picked_bits(m, f, in, &bit, &size);
	*field = load ? ir_def(f, load->ops[0]) : NULL;
	if (!*field || (*field)->op != IR_FIELD)
		return NULL;
	return bits_at(m, f, *field, bit, size);
}

/* The value of a store that replaces bits: (unit & mask) | bits, or unit & mask if
 * all of them become 0. */
static bool replaced_bits(const struct ir_module *m, const struct ir_func *f, const struct ir_inst *store,
			  unsigned *bit, unsigned *size)
{
	const struct ir_inst *in = ir_def(f, store->ops[1]), *load;
	uint64_t bits, all = store->bits >= 64 ? UINT64_MAX : ((uint64_t)1 << store->bits) - 1;
	int64_t mask;

	if (in && in->op == IR_BIN && in->sub == IR_B_OR)
		in = ir_def(f, in->ops[0]);
	if (!bin_by(m, in, IR_B_AND, &mask))
		return false;
	load = ir_def(f, in->ops[0]);
	bits = ~(uint64_t)mask & all;
	if (!load || load->op != IR_LOAD || load->ops[0] != store->ops[0] || !bits)
		return false;
	*bit = (unsigned)__builtin_ctzll(bits);
	*size = (unsigned)__builtin_popcountll(bits);
	return true;
}

const struct ir_field *expr_stored_bits(const struct ir_module *m, const struct ir_func *f,
					const struct ir_inst *field)
{
	const struct ir_inst *end = f->insts + f->ninsts, *in;
	unsigned bit, size;

	for (unsigned i = 1; i <= NEAR; i++) {
		in = field + i;
		if (in >= end || in->block != field->block)
			break;
		if (in->op == IR_STORE && in->ops[0] == IR_VREG(field->res))
			return replaced_bits(m, f, in, &bit, &size) ? bits_at(m, f, field, bit, size) : NULL;
	}
	return NULL;
}
