/*
 * expr.c - operands as a person would write them in the source.
 *
 * clang -O0 keeps the shape of the source: an expression is a tree of
 * instructions over loads of named slots.  So the text is grown from the operand
 * backwards: a load is the name of what it reads, FIELD is "->" or ".", ELEM and
 * INDEX are "[]", casts vanish, a comparison with null is "p" or "!p".  Some
 * idioms are recognised as a whole: ++ and --, ?: and && and || (exprphi.c), bit
 * fields, `if ((p = f()))`, whose condition is shown as "p".
 *
 * A load gives the variable's value at that time, the text means its value where
 * the text stands: a caller that shows or inserts the text elsewhere has to know that
 * nothing was stored between.
 *
 * Where this errs: a cast in the source is not shown, unless arithmetic on a
 * pointer to char needs it; a union's members at its beginning have no FIELD of their
 * own, so that the text ends at the union.  What is unknown is "..." and makes
 * the answer "not faithful", as do temporaries, and what is too deep or too long.
 */
#include "ir/io.h"

#include "ir/expr.h"

#include "base/sbuf.h"

#include <inttypes.h>

enum {
	MAX_DEPTH = 14,		/* of nested operands */
	MAX_NODES = 80,		/* of one text */
	NEAR = 8,		/* instructions between parts of one idiom */
};

/* Precedence, as in C; a text of lower precedence gets parentheses. */
enum prec {
	P_COND, P_OR, P_AND, P_BITOR, P_BITXOR, P_BITAND, P_EQ, P_REL, P_SHIFT, P_ADD, P_MUL,
	P_UNARY, P_POSTFIX,
};

struct expr {
	const struct ir_module *m;
	const struct ir_func *f;
	unsigned depth, nodes;
	bool faithful;
	uint32_t use;		/* in a condition: the instruction where it is tested; else 0 */
	const struct ir_spelling *how;	/* or NULL */
};

static enum prec value(struct expr *x, struct sbuf *out, ir_ref r);
static enum prec object(struct expr *x, struct sbuf *out, ir_ref addr);
static enum prec cond(struct expr *x, struct sbuf *out, ir_ref r, bool taken, bool brief);

static enum prec unknown(struct expr *x, struct sbuf *out)
{
	sbuf_adds(out, "...");
	x->faithful = false;
	return P_POSTFIX;
}

/* Appends what was made in tmp, in parentheses if it binds less than need. */
static void finish(struct sbuf *out, struct sbuf *tmp, enum prec have, enum prec need)
{
	if (have < need)
		sbuf_printf(out, "(%s)", sbuf_str(tmp));
	else
		sbuf_adds(out, sbuf_str(tmp));
	sbuf_release(tmp);
}

static void value_at(struct expr *x, struct sbuf *out, ir_ref r, enum prec need)
{
	struct sbuf tmp = {0};
	enum prec p = value(x, &tmp, r);

	finish(out, &tmp, p, need);
}

static void object_at(struct expr *x, struct sbuf *out, ir_ref addr, enum prec need)
{
	struct sbuf tmp = {0};
	enum prec p = object(x, &tmp, addr);

	finish(out, &tmp, p, need);
}

/* ---- constants ------------------------------------------------------- */

static enum prec number(struct sbuf *out, int64_t n)
{
	sbuf_printf(out, "%" PRId64, n);
	return n < 0 ? P_UNARY : P_POSTFIX;
}

/* A literal; only its beginning is known and a long one is not wanted. */
static enum prec literal(struct expr *x, struct sbuf *out, const struct ir_global *g)
{
	if (!expr_literal(out, g))
		x->faithful = false;
	return P_POSTFIX;
}

static const char *global_name(const struct ir_global *g)
{
	return *g->src ? g->src : g->name;
}

/* The object at symbol + offset. */
static enum prec addressed(struct expr *x, struct sbuf *out, const struct ir_addr *a, uint32_t *type)
{
	const struct ir_global *g;

	*type = 0;
	if (IR_KIND(a->base) != IR_R_GLOBAL || a->offset < 0)
		return unknown(x, out);
	g = &x->m->globals.v[IR_IDX(a->base)];
	if (g->text) {
		literal(x, out, g);
		sbuf_printf(out, "[%" PRId64 "]", a->offset);
		return P_POSTFIX;
	}
	sbuf_adds(out, global_name(g));
	*type = g->type;
	if (!expr_path(out, x->m, type, (uint64_t)a->offset))
		unknown(x, out);
	return P_POSTFIX;
}

/* ---- idioms ---------------------------------------------------------- */

/* The instruction shortly behind `in` that stores its result, or NULL. */
static const struct ir_inst *stored(const struct ir_func *f, const struct ir_inst *in)
{
	const struct ir_inst *end = f->insts + f->ninsts;

	for (const struct ir_inst *s = in + 1; s < end && s <= in + NEAR && s->block == in->block; s++)
		if (s->op == IR_STORE && s->ops[1] == IR_VREG(in->res))
			return s;
	return NULL;
}

/* Does in add n = +1 or -1 to what it loads from an address and store it there
 * again?  Then returns the load. */
static const struct ir_inst *step(const struct expr *x, const struct ir_inst *in, int64_t *n)
{
	const struct ir_inst *from, *store;

	if (!(in->op == IR_INDEX || (in->op == IR_BIN && in->sub == IR_B_ADD)) ||
	    IR_KIND(in->ops[1]) != IR_R_INT)
		return NULL;
	*n = ir_int_value(x->m, in->ops[1]);
	from = ir_def(x->f, in->ops[0]);
	if ((*n != 1 && *n != -1) || !from || from->op != IR_LOAD)
		return NULL;
	store = stored(x->f, in);
	return store && store->ops[0] == from->ops[0] ? from : NULL;
}

/* ---- objects --------------------------------------------------------- */

static enum prec slot(struct expr *x, struct sbuf *out, uint32_t i)
{
	const struct ir_slot *s = &x->f->slots[i];

	if (*s->name) {
		sbuf_adds(out, s->name);
		return P_POSTFIX;
	}
	return unknown(x, out);
}

/* The slot into which the function's start puts a parameter. */
static enum prec param(struct expr *x, struct sbuf *out, uint32_t vreg)
{
	const struct ir_func *f = x->f;

	for (uint32_t i = 0; i < f->blocks[0].n; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op == IR_STORE && in->ops[1] == IR_VREG(vreg) && IR_KIND(in->ops[0]) == IR_R_SLOT)
			return slot(x, out, IR_IDX(in->ops[0]));
	}
	return unknown(x, out);
}

static const struct ir_field *member(const struct ir_module *m, const struct ir_inst *field)
{
	const struct ir_type *t = &m->types.v[ir_type_strip(m, field->type)];

	assert(field->op == IR_FIELD);
	return field->member < t->nfields ? &t->fields[field->member] : NULL;
}

/* Is the address that of a named object or part, so that "." selects from it?
 * Otherwise it is a pointer's value, and "->" does. */
static bool is_place(const struct ir_func *f, ir_ref addr)
{
	const struct ir_inst *in = ir_def(f, addr);

	if (IR_KIND(addr) == IR_R_SLOT || IR_KIND(addr) == IR_R_GLOBAL || IR_KIND(addr) == IR_R_ADDR)
		return true;
	return in && (in->op == IR_FIELD || in->op == IR_ELEM || in->op == IR_INDEX || in->op == IR_ALLOCA);
}

static void select_member(struct expr *x, struct sbuf *out, ir_ref base, const struct ir_field *d)
{
	const struct ir_inst *in;

	/* Members without a name are not written. */
	for (unsigned i = 0; i < MAX_DEPTH; i++) {
		const struct ir_field *outer;

		base = expr_uncast(x->f, base);
		in = ir_def(x->f, base);
		outer = in && in->op == IR_FIELD ? member(x->m, in) : NULL;
		if (!outer || *outer->name)
			break;
		base = in->ops[0];
	}
	if (is_place(x->f, base)) {
		object_at(x, out, base, P_POSTFIX);
		sbuf_addc(out, '.');
	} else {
		value_at(x, out, base, P_POSTFIX);
		sbuf_adds(out, "->");
	}
	if (d && *d->name)
		sbuf_adds(out, d->name);
	else
		unknown(x, out);
}

static enum prec field(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	const struct ir_field *d = member(x->m, in);

	if (!d || d->bit_size) {
		const struct ir_field *bits = expr_stored_bits(x->m, x->f, in);

		d = bits ? bits : d;
	}
	select_member(x, out, in->ops[0], d);
	return P_POSTFIX;
}

/* How an INDEX by the size of some type fits the pointer's type. */
enum stride { FITS, BY_CHAR, OTHER };

static enum stride stride(struct expr *x, const struct ir_inst *in)
{
	const struct ir_module *m = x->m;
	uint32_t type = expr_value_type(m, x->f, in->ops[0]), to = 0;

	assert(in->op == IR_INDEX);
	if (m->types.v[type].kind == IR_T_PTR || m->types.v[type].kind == IR_T_ARRAY)
		to = ir_type_strip(m, m->types.v[type].elem);
	else if (is_place(x->f, expr_uncast(x->f, in->ops[0])))
		to = expr_object_type(m, x->f, in->ops[0]);
	if (!m->types.v[to].size || m->types.v[to].size == (uint64_t)in->imm)
		return FITS;
	/* an array's address, counted by its elements */
	if (m->types.v[to].kind == IR_T_ARRAY)
		return FITS;
	return in->imm == 1 ? BY_CHAR : OTHER;
}

/* The pointer that an INDEX starts from. */
static void index_base(struct expr *x, struct sbuf *out, const struct ir_inst *in, enum prec need)
{
	switch (stride(x, in)) {
	case FITS:
		value_at(x, out, in->ops[0], need);
		break;
	case BY_CHAR:
		sbuf_adds(out, need > P_UNARY ? "((char *)" : "(char *)");
		value_at(x, out, in->ops[0], P_UNARY);
		sbuf_adds(out, need > P_UNARY ? ")" : "");
		break;
	case OTHER:
		x->faithful = false;
		value_at(x, out, in->ops[0], need);
		break;
	}
}

static enum prec element(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	ir_ref base = expr_uncast(x->f, in->ops[0]);

	if (in->op == IR_INDEX) {
		index_base(x, out, in, P_POSTFIX);
	} else if (is_place(x->f, base)) {
		object_at(x, out, base, P_POSTFIX);
	} else {
		sbuf_adds(out, "(*");
		value_at(x, out, base, P_UNARY);
		sbuf_addc(out, ')');
	}
	sbuf_addc(out, '[');
	value(x, out, in->ops[1]);
	sbuf_addc(out, ']');
	return P_POSTFIX;
}

bool expr_is_errno(const struct ir_module *m, const struct ir_func *f, ir_ref pointer)
{
	const struct ir_inst *in = ir_def(f, pointer);
	const struct ir_func *g = in ? ir_callee(m, in) : NULL;

	return g && in->nops == 1 && (str_eq(g->name, "__errno_location") || str_eq(g->name, "__errno") ||
				      str_eq(g->name, "___errno"));
}

static enum prec deref(struct expr *x, struct sbuf *out, ir_ref pointer)
{
	if (expr_is_errno(x->m, x->f, pointer)) {
		sbuf_adds(out, "errno");
		return P_POSTFIX;
	}
	sbuf_addc(out, '*');
	value_at(x, out, pointer, P_UNARY);
	return P_UNARY;
}

/* What lies at an address: "x", "p->name", "buf[i]", "*out". */
static enum prec object_inner(struct expr *x, struct sbuf *out, ir_ref addr)
{
	const struct ir_inst *in;
	uint32_t type;
	int64_t n;

	addr = expr_uncast(x->f, addr);
	switch (IR_KIND(addr)) {
	case IR_R_SLOT:
		return slot(x, out, IR_IDX(addr));
	case IR_R_GLOBAL:
		if (x->m->globals.v[IR_IDX(addr)].text) {
			sbuf_addc(out, '*');
			literal(x, out, &x->m->globals.v[IR_IDX(addr)]);
			return P_UNARY;
		}
		sbuf_adds(out, global_name(&x->m->globals.v[IR_IDX(addr)]));
		return P_POSTFIX;
	case IR_R_ADDR:
		return addressed(x, out, &x->m->addrs.v[IR_IDX(addr)], &type);
	case IR_R_VREG:
		break;
	default:
		return deref(x, out, addr);
	}
	in = ir_def(x->f, addr);
	if (in && in->op == IR_FIELD)
		return field(x, out, in);
	if (in && (in->op == IR_ELEM || in->op == IR_INDEX) && !step(x, in, &n))
		return element(x, out, in);
	if (in && in->op == IR_ALLOCA)
		return slot(x, out, (uint32_t)in->imm);
	return deref(x, out, addr);
}

static enum prec object(struct expr *x, struct sbuf *out, ir_ref addr)
{
	enum prec p;

	if (x->depth >= MAX_DEPTH || x->nodes >= MAX_NODES)
		return unknown(x, out);
	x->depth++;
	x->nodes++;
	p = object_inner(x, out, addr);
	x->depth--;
	return p;
}

/* ---- values ---------------------------------------------------------- */

static bool is_int(const struct expr *x, ir_ref r, int64_t n)
{
	return IR_KIND(r) == IR_R_INT && ir_int_value(x->m, r) == n;
}

/* The address of an object as a value: an array or function is its own. */
static enum prec address(struct expr *x, struct sbuf *out, ir_ref addr)
{
	uint32_t type = expr_object_type(x->m, x->f, addr);
	const struct ir_inst *in = ir_def(x->f, addr);

	if (x->m->types.v[type].kind == IR_T_ARRAY)
		return object(x, out, addr);
	if (in && in->op == IR_ELEM && is_int(x, in->ops[1], 0) && is_place(x->f, in->ops[0]))
		return object(x, out, in->ops[0]);
	sbuf_addc(out, '&');
	object_at(x, out, addr, P_UNARY);
	return P_UNARY;
}

static enum prec address_constant(struct expr *x, struct sbuf *out, const struct ir_addr *a)
{
	struct sbuf tmp = {0};
	bool is_before = a->offset < 0;
	uint32_t type;

	if (IR_KIND(a->base) == IR_R_GLOBAL && x->m->globals.v[IR_IDX(a->base)].text) {
		uint64_t distance = is_before ? -(uint64_t)a->offset : (uint64_t)a->offset;

		literal(x, out, &x->m->globals.v[IR_IDX(a->base)]);
		sbuf_printf(out, " %c %" PRIu64, is_before ? '-' : '+', distance);
		return P_ADD;
	}
	addressed(x, &tmp, a, &type);
	if (x->m->types.v[type].kind != IR_T_ARRAY)
		sbuf_addc(out, '&');
	finish(out, &tmp, P_POSTFIX, P_UNARY);
	return P_UNARY;
}

static enum prec constant(struct expr *x, struct sbuf *out, ir_ref r)
{
	const struct ir_global *g;

	switch (IR_KIND(r)) {
	case IR_R_SLOT:
		return address(x, out, r);
	case IR_R_GLOBAL:
		g = &x->m->globals.v[IR_IDX(r)];
		return g->text ? literal(x, out, g) : address(x, out, r);
	case IR_R_FUNC:
		sbuf_adds(out, x->m->funcs.v[IR_IDX(r)].src);
		return P_POSTFIX;
	case IR_R_INT:
		return number(out, ir_int_value(x->m, r));
	case IR_R_ADDR:
		return address_constant(x, out, &x->m->addrs.v[IR_IDX(r)]);
	default:
		if (r != IR_NULL)
			return unknown(x, out);
		sbuf_adds(out, "NULL");
		return P_POSTFIX;
	}
}

/* The constant on the right of an operator as the source has it. */
static bool spelled(const struct expr *x, struct sbuf *out, const struct ir_inst *in, const char *sign)
{
	struct expr plain = *x;
	struct sbuf other = {0};
	int64_t number_there;
	bool is;

	if (!x->how || IR_KIND(in->ops[1]) != IR_R_INT || in->pos.file == IR_NONE)
		return false;
	plain.how = NULL;
	value(&plain, &other, in->ops[0]);
	number_there = ir_int_value(x->m, in->ops[1]);
	is = x->how->operand(x->how->arg, out, &in->pos, sign, sbuf_str(&other), number_there);
	sbuf_release(&other);
	return is;
}

static const struct { const char *sign; enum prec prec; } bins[IR_B__COUNT] = {
	[IR_B_ADD] = { "+", P_ADD }, [IR_B_SUB] = { "-", P_ADD }, [IR_B_MUL] = { "*", P_MUL },
	[IR_B_UDIV] = { "/", P_MUL }, [IR_B_SDIV] = { "/", P_MUL }, [IR_B_UREM] = { "%", P_MUL },
	[IR_B_SREM] = { "%", P_MUL }, [IR_B_AND] = { "&", P_BITAND }, [IR_B_OR] = { "|", P_BITOR },
	[IR_B_XOR] = { "^", P_BITXOR }, [IR_B_SHL] = { "<<", P_SHIFT }, [IR_B_LSHR] = { ">>", P_SHIFT },
	[IR_B_ASHR] = { ">>", P_SHIFT },
};

/* a + n or a - n, for n that may be negative. */
static enum prec add_number(struct expr *x, struct sbuf *out, ir_ref n, bool minus)
{
	int64_t k;

	if (IR_KIND(n) == IR_R_INT && (k = ir_int_value(x->m, n)) < 0 && k != INT64_MIN) {
		sbuf_printf(out, " %c %" PRId64, minus ? '+' : '-', -k);
		return P_ADD;
	}
	sbuf_adds(out, minus ? " - " : " + ");
	value_at(x, out, n, P_MUL);
	return P_ADD;
}

/* p++: the load's value is used, and the next instruction steps. */
static bool postfix_step(const struct expr *x, const struct ir_inst *in, int64_t *n)
{
	const struct ir_inst *next = in + 1;

	assert(in->op == IR_LOAD);
	return next < x->f->insts + x->f->ninsts && next->block == in->block && next->nops == 2 &&
	       next->ops[0] == IR_VREG(in->res) && step(x, next, n) == in;
}

static enum prec load(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	const struct ir_inst *from = ir_def(x->f, in->ops[0]);
	int64_t n;

	if (from && from->op == IR_FIELD && expr_stored_bits(x->m, x->f, from))
		return unknown(x, out);		/* the whole unit of a bit field */
	if (!postfix_step(x, in, &n))
		return object(x, out, in->ops[0]);
	object_at(x, out, in->ops[0], P_POSTFIX);
	sbuf_adds(out, n > 0 ? "++" : "--");
	return P_POSTFIX;
}

static bool is_from_pointer(const struct ir_inst *in)
{
	return in && in->op == IR_CAST && in->sub == IR_CAST_PTRTOINT;
}

/* (a - b) / size on pointers is a - b. */
static bool pointer_difference(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	const struct ir_inst *sub = in, *a, *b;

	if (in->sub == IR_B_SDIV && IR_KIND(in->ops[1]) == IR_R_INT)
		sub = ir_def(x->f, in->ops[0]);
	if (!sub || sub->op != IR_BIN || sub->sub != IR_B_SUB)
		return false;
	a = ir_def(x->f, sub->ops[0]);
	b = ir_def(x->f, sub->ops[1]);
	if (!is_from_pointer(a) || !is_from_pointer(b))
		return false;
	value_at(x, out, a->ops[0], P_ADD);
	sbuf_adds(out, " - ");
	value_at(x, out, b->ops[0], P_MUL);
	return true;
}

/* -x and ~x; P_COND if `in` is neither. */
static enum prec unary(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	if (in->sub == IR_B_SUB && is_int(x, in->ops[0], 0)) {
		sbuf_addc(out, '-');
		value_at(x, out, in->ops[1], P_POSTFIX);
		return P_UNARY;
	}
	if (in->sub == IR_B_XOR && in->bits > 1 && is_int(x, in->ops[1], -1)) {
		sbuf_addc(out, '~');
		value_at(x, out, in->ops[0], P_UNARY);
		return P_UNARY;
	}
	return P_COND;
}

/* What a bit field is set to: `in` is (unit & mask) | (value << place), or the AND
 * alone if the value is 0. */
static bool bits_to_store(struct expr *x, struct sbuf *out, const struct ir_inst *in, enum prec *p)
{
	const struct ir_inst *and = in->sub == IR_B_OR ? ir_def(x->f, in->ops[0]) : in, *unit, *addr, *v;
	const struct ir_field *d;
	ir_ref r;

	if (!and || and->op != IR_BIN || and->sub != IR_B_AND || !stored(x->f, in))
		return false;
	unit = ir_def(x->f, and->ops[0]);
	addr = unit && unit->op == IR_LOAD ? ir_def(x->f, unit->ops[0]) : NULL;
	d = addr && addr->op == IR_FIELD ? expr_stored_bits(x->m, x->f, addr) : NULL;
	if (!d)
		return false;
	if (and == in) {
		*p = number(out, 0);
		return true;
	}
	r = in->ops[1];
	if (IR_KIND(r) == IR_R_INT) {
		uint64_t place = d->offset * 8 + d->bit_offset - (uint64_t)addr->imm * 8;

		*p = number(out, (int64_t)((uint64_t)ir_int_value(x->m, r) >> (place & 63)));
		return true;
	}
	if ((v = ir_def(x->f, r)) && v->op == IR_BIN && v->sub == IR_B_SHL)
		r = v->ops[0];
	if ((v = ir_def(x->f, r)) && v->op == IR_BIN && v->sub == IR_B_AND)
		r = v->ops[0];
	*p = value(x, out, r);
	return true;
}

static enum prec bin(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	enum prec p = bins[in->sub].prec, q;
	const struct ir_inst *from;
	const struct ir_field *d;
	struct sbuf right = {0};
	int64_t n;

	if (in->bits == 1)
		return cond(x, out, IR_VREG(in->res), true, false);
	if ((in->sub == IR_B_OR || in->sub == IR_B_AND) && bits_to_store(x, out, in, &q))
		return q;
	if ((d = expr_bit_field(x->m, x->f, in, &from))) {
		select_member(x, out, from->ops[0], d);
		return P_POSTFIX;
	}
	if ((from = step(x, in, &n))) {
		sbuf_adds(out, n > 0 ? "++" : "--");
		object_at(x, out, from->ops[0], P_UNARY);
		return P_UNARY;
	}
	if (pointer_difference(x, out, in))
		return P_ADD;
	if (unary(x, out, in) == P_UNARY)
		return P_UNARY;
	value_at(x, out, in->ops[0], p);
	if (spelled(x, &right, in, bins[in->sub].sign)) {
		sbuf_printf(out, " %s %s", bins[in->sub].sign, sbuf_str(&right));
		sbuf_release(&right);
		return p;
	}
	if (in->sub == IR_B_ADD || in->sub == IR_B_SUB)
		return add_number(x, out, in->ops[1], in->sub == IR_B_SUB);
	sbuf_printf(out, " %s ", bins[in->sub].sign);
	value_at(x, out, in->ops[1], p + 1);
	return p;
}

static enum prec index_value(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	const struct ir_inst *from;
	uint32_t type;
	int64_t n;

	if ((from = step(x, in, &n))) {
		sbuf_adds(out, n > 0 ? "++" : "--");
		object_at(x, out, from->ops[0], P_UNARY);
		return P_UNARY;
	}
	type = expr_object_type(x->m, x->f, IR_VREG(in->res));
	if (x->m->types.v[type].kind == IR_T_ARRAY)	/* a row of a matrix */
		return object(x, out, IR_VREG(in->res));
	index_base(x, out, in, P_ADD);
	return add_number(x, out, in->ops[1], false);
}

/* Argument i of a call. */
static void argument(struct expr *x, struct sbuf *out, const struct ir_inst *in, uint32_t i)
{
	const struct ir_func *callee = ir_callee(x->m, in);
	const struct ir_type *t = &x->m->types.v[callee ? ir_type_strip(x->m, callee->type) : 0];

	assert(i >= 1 && i < in->nops);
	/* By number, parameters and arguments agree only if none is a struct. */
	if (t->nfields == in->nops - 1 && expr_is_char(x->m, t->fields[i - 1].type))
		if (expr_character(out, x->m, in->ops[i]))
			return;
	value(x, out, in->ops[i]);
}

/* The hidden argument for a struct result is not written. */
static enum prec call(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	const struct ir_func *callee = ir_callee(x->m, in);
	uint32_t first = callee && callee->nparams && callee->params[0].sret ? 2 : 1;

	value_at(x, out, in->ops[0], P_POSTFIX);
	sbuf_addc(out, '(');
	for (uint32_t i = first; i < in->nops; i++) {
		if (i > first)
			sbuf_adds(out, ", ");
		argument(x, out, in, i);
	}
	sbuf_addc(out, ')');
	return P_POSTFIX;
}

static enum prec choice(struct expr *x, struct sbuf *out, ir_ref c, ir_ref a, ir_ref b)
{
	struct sbuf tmp = {0};
	enum prec p = cond(x, &tmp, c, true, true);

	finish(out, &tmp, p, P_OR);
	sbuf_adds(out, " ? ");
	value_at(x, out, a, P_OR);
	sbuf_adds(out, " : ");
	value_at(x, out, b, P_COND);
	return P_COND;
}

static const struct ir_inst *terminator(const struct ir_func *f, uint32_t block)
{
	return &f->insts[f->blocks[block].first + f->blocks[block].n - 1];
}

/* c ? a : b: the two predecessors have one and the same block before them. */
static bool phi_choice(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	const struct ir_block *a, *b;
	const struct ir_inst *br;
	uint32_t first, second;

	if (in->nops != 2)
		return false;
	a = &x->f->blocks[in->targets[0]];
	b = &x->f->blocks[in->targets[1]];
	if (a->npred != 1 || b->npred != 1 || a->pred[0] != b->pred[0])
		return false;
	br = terminator(x->f, a->pred[0]);
	if (br->op != IR_CONDBR)
		return false;
	/* which operand comes by which way */
	first = br->targets[0] != in->targets[0] ? 1 : 0;
	second = 1 - first;
	if (br->targets[first] != in->targets[0] || br->targets[second] != in->targets[1])
		return false;
	choice(x, out, br->ops[0], in->ops[first], in->ops[second]);
	return true;
}

static enum prec bool_node(struct expr *x, struct sbuf *out, const struct bool_tree *t, int i)
{
	const struct bool_node *n = &t->node[i];
	enum prec have = n->op == BOOL_OR ? P_OR : P_AND, p;
	struct sbuf a = {0}, b = {0};

	assert(i >= 0 && i < t->n);
	if (n->op == BOOL_LEAF)
		return cond(x, out, n->leaf, !n->negated, true);
	p = bool_node(x, &a, t, n->a);
	/* && inside || needs no parentheses, but people write them */
	finish(out, &a, p, p > have && p == P_AND ? P_BITOR : have);
	sbuf_adds(out, n->op == BOOL_OR ? " || " : " && ");
	p = bool_node(x, &b, t, n->b);
	finish(out, &b, p, p > have && p == P_AND ? P_BITOR : have);
	return have;
}

static enum prec phi(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	struct bool_tree t;
	int root = expr_bool_phi(&t, x->m, x->f, in);

	if (root >= 0)
		return bool_node(x, out, &t, root);
	if (phi_choice(x, out, in))
		return P_COND;
	return unknown(x, out);
}

/* In a condition, a value that was just assigned is shown as what it was assigned to. */
static const struct ir_inst *assigned(const struct expr *x, const struct ir_inst *in)
{
	const struct ir_inst *s;

	if (!x->use || (in->op != IR_CALL && in->op != IR_LOAD))
		return NULL;
	s = stored(x->f, in);
	if (!s || s >= x->f->insts + x->use || s->flags & IR_F_MAYBE)
		return NULL;
	if (IR_KIND(s->ops[0]) == IR_R_SLOT && !*x->f->slots[IR_IDX(s->ops[0])].name)
		return NULL;
	return s;
}

static enum prec instruction(struct expr *x, struct sbuf *out, const struct ir_inst *in)
{
	const struct ir_inst *s = assigned(x, in);

	if (s)
		return object(x, out, s->ops[0]);
	switch (in->op) {
	case IR_LOAD:
		return load(x, out, in);
	case IR_FIELD:
	case IR_ELEM:
		return address(x, out, IR_VREG(in->res));
	case IR_INDEX:
		return index_value(x, out, in);
	case IR_BIN:
		return bin(x, out, in);
	case IR_CMP:
		return cond(x, out, IR_VREG(in->res), true, false);
	case IR_SELECT:
		return choice(x, out, in->ops[0], in->ops[1], in->ops[2]);
	case IR_PHI:
		return phi(x, out, in);
	case IR_CALL:
		return call(x, out, in);
	case IR_ALLOCA:
		if (*x->f->slots[in->imm].name)
			return slot(x, out, (uint32_t)in->imm);
		sbuf_adds(out, "alloca(");
		value(x, out, in->ops[0]);
		sbuf_addc(out, ')');
		return P_POSTFIX;
	default:
		return unknown(x, out);
	}
}

static enum prec value(struct expr *x, struct sbuf *out, ir_ref r)
{
	const struct ir_inst *in;
	enum prec p;

	r = expr_uncast(x->f, r);
	if (IR_KIND(r) != IR_R_VREG && IR_KIND(r) != IR_R_SLOT && IR_KIND(r) != IR_R_ADDR)
		return constant(x, out, r);
	if (x->depth >= MAX_DEPTH || x->nodes >= MAX_NODES)
		return unknown(x, out);
	x->depth++;
	x->nodes++;
	in = ir_def(x->f, r);
	if (in)
		p = instruction(x, out, in);
	else if (IR_KIND(r) == IR_R_VREG)
		p = param(x, out, IR_IDX(r));
	else
		p = constant(x, out, r);
	x->depth--;
	return p;
}

/* ---- conditions ------------------------------------------------------ */

static const struct { const char *sign; enum ir_pred not; } preds[IR_P__COUNT] = {
	[IR_P_EQ] = { "==", IR_P_NE }, [IR_P_NE] = { "!=", IR_P_EQ },
	[IR_P_ULT] = { "<", IR_P_UGE }, [IR_P_UGE] = { ">=", IR_P_ULT },
	[IR_P_ULE] = { "<=", IR_P_UGT }, [IR_P_UGT] = { ">", IR_P_ULE },
	[IR_P_SLT] = { "<", IR_P_SGE }, [IR_P_SGE] = { ">=", IR_P_SLT },
	[IR_P_SLE] = { "<=", IR_P_SGT }, [IR_P_SGT] = { ">", IR_P_SLE },
};

/* Is the value one bit, perhaps widened? */
static bool is_bool(const struct expr *x, ir_ref r)
{
	uint16_t bits;

	r = expr_uncast(x->f, r);
	return IR_KIND(r) == IR_R_VREG && ir_vreg_class(x->f, IR_IDX(r), &bits) == IR_C_INT && bits == 1;
}

static void compared(struct expr *x, struct sbuf *out, ir_ref r, ir_ref other, enum prec need)
{
	/* A character compared with a number is compared with a character. */
	if (expr_is_char(x->m, expr_value_type(x->m, x->f, other)) && expr_character(out, x->m, r))
		return;
	value_at(x, out, r, need);
}

static enum prec negated(struct sbuf *out, struct sbuf *tmp, enum prec p, bool taken)
{
	if (taken) {
		finish(out, tmp, p, p);
		return p;
	}
	sbuf_addc(out, '!');
	finish(out, tmp, p, P_UNARY);
	return P_UNARY;
}

static enum prec truth(struct expr *x, struct sbuf *out, ir_ref r, bool taken)
{
	struct sbuf tmp = {0};
	enum prec p = value(x, &tmp, r);

	return negated(out, &tmp, p, taken);
}

/* brief: "p" and "!p" for a test against zero. */
static enum prec comparison(struct expr *x, struct sbuf *out, const struct ir_inst *in, bool taken,
			    bool brief)
{
	enum ir_pred pred = taken ? in->sub : preds[in->sub].not;
	bool zero = in->ops[1] == IR_NULL || is_int(x, in->ops[1], 0), equality = in->sub <= IR_P_NE;
	enum prec p = equality ? P_EQ : P_REL;
	struct sbuf right = {0};

	if (zero && equality && is_bool(x, in->ops[0]))
		return cond(x, out, in->ops[0], taken == (in->sub == IR_P_NE), brief);
	if (!spelled(x, &right, in, preds[in->sub].sign)) {
		if (zero && in->sub == IR_P_NE && brief)
			return truth(x, out, in->ops[0], taken);
		compared(x, &right, in->ops[1], in->ops[0], p + 1);
	}
	compared(x, out, in->ops[0], in->ops[1], p + 1);
	sbuf_printf(out, " %s %s", preds[pred].sign, sbuf_str(&right));
	sbuf_release(&right);
	return p;
}

/* Is it not(a) of one bit? */
static bool is_not(const struct expr *x, const struct ir_inst *in)
{
	return in->op == IR_BIN && in->sub == IR_B_XOR && in->bits == 1 &&
	       IR_KIND(in->ops[1]) == IR_R_INT && ir_int_value(x->m, in->ops[1]) & 1;
}

static enum prec cond_inner(struct expr *x, struct sbuf *out, ir_ref r, bool taken, bool brief)
{
	const struct ir_inst *in;
	struct sbuf tmp = {0};
	enum prec p;

	in = ir_def(x->f, r);
	if (in && in->op == IR_CMP)
		return comparison(x, out, in, taken, brief);
	if (in && is_not(x, in))	/* "!" is in the source */
		return cond(x, out, in->ops[0], !taken, true);
	if (in && in->op == IR_BIN && in->bits == 1) {	/* & | ^ on truth values */
		p = bins[in->sub].prec;
		value_at(x, &tmp, in->ops[0], p);
		sbuf_printf(&tmp, " %s ", bins[in->sub].sign);
		value_at(x, &tmp, in->ops[1], p + 1);
		return negated(out, &tmp, p, taken);
	}
	return truth(x, out, r, taken);
}

static enum prec cond(struct expr *x, struct sbuf *out, ir_ref r, bool taken, bool brief)
{
	enum prec p;

	r = expr_uncast(x->f, r);
	if (x->depth >= MAX_DEPTH || x->nodes >= MAX_NODES)
		return unknown(x, out);
	x->depth++;
	x->nodes++;
	p = cond_inner(x, out, r, taken, brief);
	x->depth--;
	return p;
}

/* ---- what others call ------------------------------------------------ */

bool ir_expr(struct sbuf *out, const struct ir_module *m, const struct ir_func *f, ir_ref r)
{
	struct expr x = { .m = m, .f = f, .faithful = true };

	value(&x, out, r);
	assert(!x.depth);
	return x.faithful;
}

bool ir_expr_lvalue(struct sbuf *out, const struct ir_module *m, const struct ir_func *f, ir_ref addr)
{
	struct expr x = { .m = m, .f = f, .faithful = true };

	object(&x, out, addr);
	assert(!x.depth);
	return x.faithful;
}

static bool condition(struct sbuf *out, const struct ir_module *m, const struct ir_func *f, ir_ref r,
		      bool taken, const struct ir_spelling *how)
{
	struct expr x = { .m = m, .f = f, .faithful = true, .how = how };

	if (IR_KIND(r) == IR_R_VREG && f->def[IR_IDX(r)] != IR_NONE)
		x.use = f->def[IR_IDX(r)];
	cond(&x, out, r, taken, true);
	assert(!x.depth);
	return x.faithful;
}

bool ir_expr_cond(struct sbuf *out, const struct ir_module *m, const struct ir_func *f,
		  ir_ref r, bool taken)
{
	return condition(out, m, f, r, taken, NULL);
}

/* A case of a switch: the label stands before the code that it leads to. */
static bool spelled_label(struct sbuf *out, const struct ir_module *m, const struct ir_func *f,
			  const struct ir_inst *in, uint32_t t, const struct ir_spelling *how)
{
	const struct ir_block *b = &f->blocks[in->targets[t]];
	const struct ir_pos *to = &f->insts[b->first].pos;

	assert(in->op == IR_SWITCH && t >= 1 && t < in->ntargets);
	if (!how || IR_KIND(in->ops[t]) != IR_R_INT || in->pos.file == IR_NONE || in->pos.file != to->file)
		return false;
	return how->label(how->arg, out, &in->pos, to, ir_int_value(m, in->ops[t]));
}

bool ir_expr_branch(struct sbuf *out, const struct ir_module *m, const struct ir_func *f,
		    const struct ir_inst *in, uint32_t t, const struct ir_spelling *how)
{
	if (in->op == IR_CONDBR)
		return condition(out, m, f, in->ops[0], t == 0, how);
	if (in->op != IR_SWITCH || !t || !ir_expr(out, m, f, in->ops[0]))
		return false;
	sbuf_adds(out, " == ");
	return spelled_label(out, m, f, in, t, how) || ir_expr(out, m, f, in->ops[t]);
}
