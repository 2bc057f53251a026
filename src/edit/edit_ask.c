/*
 * edit_ask.c - a way that begins where the text has no place: what decides it is asked once more,
 * before the statement.
 *
 *	t = next(s, &i);
 *	+ if (i >= len)
 *	+	free(t);
 *	STOP_AT_END(i, len);		// if (i >= len) break;
 *
 * The branch that an edge leaves from tells the question, if it compares a variable with another or
 * with a number.  It is written with the variables' names, and C must understand by it what the
 * compiler made of the source: the types of the two say how they are converted, and the conversions
 * that are in the program must be those.  Where they are not (a cast, a bit field), nothing is asked.
 *
 * The statement is executed exactly if the edge is crossed: the point before the branch's statement
 * is passed on every way to the branch, each time anew, and from there to the branch the program
 * does nothing but read variables and compare.
 */
#include "edit/priv.h"

/* One side of a comparison: a variable, or a number. */
struct side {
	uint32_t slot;			/* IR_NONE: the number */
	int64_t number;
	uint32_t bits;			/* of its type, after promotion */
	bool is_unsigned, is_pointer;
};

/* Is the instruction part of nothing but asking for variables? */
static bool only_asks(const struct ir_inst *in)
{
	if (in->op == IR_LOAD)
		return IR_KIND(in->ops[0]) == IR_R_SLOT && !(in->flags & (IR_F_VOLATILE | IR_F_ATOMIC));
	return in->op == IR_CAST || in->op == IR_CMP;
}

/* The variable that a load reads, whole; IR_NONE. */
static uint32_t variable_of(const struct ir_module *m, const struct ir_func *f,
			    const struct ir_inst *load, uint32_t *type)
{
	const struct ir_slot *x;

	if (!load || load->op != IR_LOAD || !only_asks(load))
		return IR_NONE;
	x = &f->slots[IR_IDX(load->ops[0])];
	*type = ir_type_strip(m, x->type);
	if (!x->name[0] || x->flags & (IR_S_TEMP | IR_S_DYNAMIC | IR_S_RETVAL) ||
	    m->types.v[*type].size * 8 != load->bits)
		return IR_NONE;
	return IR_IDX(load->ops[0]);
}

/* What one operand of a comparison is.  *cast: how it was widened for it, or NULL.  False: it cannot be
 * written. */
static bool side_of(const struct ir_module *m, const struct ir_func *f, ir_ref r,
		    struct side *s, const struct ir_inst **cast)
{
	const struct ir_inst *d = ir_def(f, r);
	const struct ir_type *t;
	uint32_t type = 0;

	*cast = NULL;
	*s = (struct side){ .slot = IR_NONE, .bits = 32 };
	if (IR_KIND(r) == IR_R_INT) {
		s->number = ir_int_value(m, r);
		return s->number >= 0 && s->number <= INT32_MAX;
	}
	s->is_pointer = r == IR_NULL;
	if (r == IR_NULL)
		return true;
	if (d && d->op == IR_CAST) {
		*cast = d;
		d = ir_def(f, d->ops[0]);
	}
	s->slot = variable_of(m, f, d, &type);
	t = &m->types.v[type];
	s->is_pointer = t->kind == IR_T_PTR;
	if (s->slot == IR_NONE || (t->kind != IR_T_INT && t->kind != IR_T_PTR))
		return false;
	if (t->flags & IR_TF_BOOL || (t->size != 8 && t->size > 4))
		return false;
	s->bits = MAX(d->bits, 32);
	s->is_unsigned = t->flags & IR_TF_UNSIGNED && d->bits >= 32;
	/* from its own type, not from the promoted one */
	return !*cast ||
	       ((*cast)->from == d->bits &&
		(*cast)->sub == (t->flags & IR_TF_UNSIGNED ? IR_CAST_ZEXT : IR_CAST_SEXT));
}

/* Would C compare the two as the instruction does? */
static bool is_plain(const struct ir_inst *cmp, const struct side *a, const struct side *b,
		     const struct ir_inst *const *casts)
{
	uint32_t bits = MAX(a->bits, b->bits);
	bool is_unsigned = (a->is_unsigned && a->bits == bits) || (b->is_unsigned && b->bits == bits);
	bool equality = cmp->sub == IR_P_EQ || cmp->sub == IR_P_NE;
	bool as_unsigned = cmp->sub == IR_P_ULT || cmp->sub == IR_P_ULE ||
		cmp->sub == IR_P_UGT || cmp->sub == IR_P_UGE;

	if (a->is_pointer || b->is_pointer)	/* with null alone */
		return a->is_pointer && b->is_pointer && b->slot == IR_NONE && equality && !casts[0];
	for (int k = 0; k < 2; k++)
		if (casts[k] && casts[k]->bits != bits)
			return false;
	return cmp->bits == bits && (equality || as_unsigned == is_unsigned);
}

/* The comparison, or its opposite, as C writes it; NULL. */
static const char *operator_of(enum ir_pred p, bool yes)
{
	switch (p) {
	case IR_P_EQ: return yes ? "==" : "!=";
	case IR_P_NE: return yes ? "!=" : "==";
	case IR_P_ULT: case IR_P_SLT: return yes ? "<" : ">=";
	case IR_P_ULE: case IR_P_SLE: return yes ? "<=" : ">";
	case IR_P_UGT: case IR_P_SGT: return yes ? ">" : "<=";
	case IR_P_UGE: case IR_P_SGE: return yes ? ">=" : "<";
	default: return NULL;
	}
}

/* The instruction that reads a side of the comparison; IR_NONE for a number. */
static uint32_t read_at(const struct ir_func *f, ir_ref r, const struct ir_inst *cast)
{
	ir_ref v = cast ? cast->ops[0] : r;

	return IR_KIND(v) == IR_R_VREG ? f->def[IR_IDX(v)] : IR_NONE;
}

const char *ask_question(const struct ir_module *m, const struct ir_func *f, uint32_t branch,
			 uint32_t to, struct arena *arena,
			 struct question *out)
{
	const struct ir_inst *br = &f->insts[branch], *cmp, *casts[2];
	struct side a, b;
	const char *op, *name;

	if (br->op != IR_CONDBR || br->targets[0] == br->targets[1])
		return NULL;
	cmp = ir_def(f, br->ops[0]);
	if (!cmp || cmp->op != IR_CMP)
		return NULL;
	assert(br->targets[0] == to || br->targets[1] == to);
	op = operator_of((enum ir_pred)cmp->sub, br->targets[0] == to);
	if (!op || !side_of(m, f, cmp->ops[0], &a, &casts[0]) ||
	    !side_of(m, f, cmp->ops[1], &b, &casts[1]) || a.slot == IR_NONE ||
	    !is_plain(cmp, &a, &b, casts))
		return NULL;
	out->branch = branch;
	out->slots[0] = a.slot;
	out->slots[1] = b.slot;
	out->first = MIN(read_at(f, cmp->ops[0], casts[0]), read_at(f, cmp->ops[1], casts[1]));
	name = f->slots[a.slot].name;
	if (b.slot != IR_NONE)
		return arena_printf(arena, "%s %s %s", name, op, f->slots[b.slot].name);
	if (b.number == 0 && (str_eq(op, "==") || str_eq(op, "!=")))
		return arena_printf(arena, "%s%s", *op == '=' ? "!" : "", name);
	return arena_printf(arena, "%s %s %lld", name, op, (long long)b.number);
}

bool ask_is_before(const struct match *x, const struct ir_func *f,
		   const struct point *p, const struct question *q)
{
	if (!p->steps.n || !match_before(x, p, q->branch))
		return false;
	for (uint32_t i = 0; i < p->steps.n; i++) {
		uint32_t at = match_next(x, p->steps.v[i]);

		if (at == IR_NONE || f->insts[at].block != f->insts[q->branch].block || at > q->first)
			return false;
		for (; at < q->branch; at++)
			if (!only_asks(&f->insts[at]))
				return false;
	}
	return true;
}
