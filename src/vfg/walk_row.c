/*
 * walk_row.c - what a row of a constant table says of the function that it names.
 *
 *	{ "name",    TEXT, get_name },		makes a string
 *	{ "created", TIME, get_created },	shows a part of something
 *
 *	value = row->get(t);
 *	if (row->kind == TEXT) ... free(value);
 *
 * That the call has made the object means that the row is one of those whose
 * function makes one, and so its other members are what they are in these rows.
 * They are put into memory as the path knows it, each with the range of its values
 * in the rows that fit: never less than what is possible.
 */
#include "vfg/walker.h"

#include <assert.h>

struct row_call {		/* a call through a member of a row */
	const struct ir_global *table;
	ir_ref row;		/* operand: the address of the row */
	const struct ir_type *type;	/* of a row */
	uint64_t member;	/* where the function's address is in it */
	uint32_t made_by, nth;	/* see walk__know_row() */
};

/* The one constant table that an address points into, or NULL. */
static const struct ir_global *table_of(const struct walker *w, uint32_t func, ir_ref addr)
{
	const struct sbits *pts = pta_points_to(w->g->p, func, addr);
	uint32_t first = sbits_next(pts, 0);
	const struct pta_obj *o;
	const struct ir_global *t;

	if (first == UINT32_MAX)
		return NULL;
	o = pta_obj(w->g->p, pta_loc(w->g->p, first)->obj);
	SBITS_FOREACH(l, pts)
		if (pta_obj(w->g->p, pta_loc(w->g->p, l)->obj) != o)
			return NULL;
	if (o->kind != PTA_GLOBAL)
		return NULL;
	t = &w->g->m->globals.v[o->index];
	trace_note(FACT_GLOBAL, o->index, 0);
	return t->flags & IR_G_CONST && !(t->flags & (IR_G_PARTIAL | IR_G_STRING)) && t->ninits ? t : NULL;
}

static bool is_row_call(const struct walker *w, const struct frame *fr, const struct ir_inst *in,
			struct row_call *out)
{
	const struct ir_module *m = w->g->m;
	const struct ssa *s = pta_ssa(w->g->p, fr->func);
	const struct ir_inst *load = ssa_def(s, ssa_ref(s, in->ops[0])), *field;
	const struct ir_type *t;

	if (!load || load->op != IR_LOAD)
		return false;
	field = ssa_def(s, ssa_ref(s, load->ops[0]));
	if (!field || field->op != IR_FIELD || field->imm < 0)
		return false;
	out->table = table_of(w, fr->func, ssa_ref(s, load->ops[0]));
	if (!out->table)
		return false;
	t = &m->types.v[ir_type_strip(m, out->table->type)];
	if (t->kind != IR_T_ARRAY)
		return false;
	out->type = &m->types.v[ir_type_strip(m, t->elem)];
	out->row = field->ops[0];
	out->member = (uint64_t)field->imm;
	return out->type->kind == IR_T_STRUCT && out->type->size &&
	       out->type->size == m->types.v[field->type].size;
}

/* Can the call of this function have made the object? */
static bool is_maker(const struct walker *w, const struct row_call *c, uint32_t func)
{
	const struct pta_wrapper *x = pta_wrapper(w->g->p, func);

	return c->made_by != IR_NONE ? func == c->made_by : x && c->nth < x->nouts;
}

/* The range of an integer member over all rows that fit; false if one is no integer
 * or none fits. */
static bool member_range(const struct walker *w, const struct row_call *c, uint64_t off, int64_t *lo,
			 int64_t *hi)
{
	assert(c->type->size > 0);
	*lo = INT64_MAX;
	*hi = INT64_MIN;
	for (uint64_t row = 0; row + c->type->size <= c->table->size; row += c->type->size) {
		ir_ref f = ir_init_at(c->table, row + c->member), v = ir_init_at(c->table, row + off);
		int64_t n = IR_KIND(v) == IR_R_INT ? ir_int_value(w->g->m, v) : 0;

		if (IR_KIND(f) != IR_R_FUNC || !is_maker(w, c, IR_IDX(f)))
			continue;
		if (v != IR_UNDEF && IR_KIND(v) != IR_R_INT)
			return false;
		*lo = MIN(*lo, n);
		*hi = MAX(*hi, n);
	}
	return *lo <= *hi;
}

/* The indirect call `at` makes the object: its nth, or by calling the function made_by. */
void walk__know_row(struct walker *w, const struct spot *at, uint32_t made_by, uint32_t nth)
{
	const struct ir_inst *in = &func_of(w, at->fr)->insts[at->inst];
	struct row_call c;
	struct sym row;

	if (IR_KIND(in->ops[0]) != IR_R_VREG || !is_row_call(w, at->fr, in, &c))
		return;
	c.made_by = made_by;
	c.nth = nth;
	row = walk__eval(w, at->fr, c.row);
	for (uint32_t k = 0; k < c.type->nfields; k++) {
		const struct ir_field *f = &c.type->fields[k];
		uint8_t kind = w->g->m->types.v[ir_type_strip(w->g->m, f->type)].kind;
		struct sym a = sym_index(&w->s, row, sym_const(1), (int64_t)f->offset);
		int64_t lo, hi;

		if ((kind != IR_T_INT && kind != IR_T_ENUM) || f->bit_size ||
		    !member_range(w, &c, f->offset, &lo, &hi))
			continue;
		walk__store_memory(w, at->fr, c.row, a, sym_between(hash_join(a.id, 0x7ab1e), lo, hi), false);
	}
}
