/*
 * passed.c - which of its arguments can a function give back?
 *
 * A function that does nothing to memory but write it, and has too many paths, is not walked to
 * its end: callers need not know what it writes.  They do need to know that what it returns is
 * what it was given, or points into it: `return mark_word(make_word(text));` loses nothing.
 * This is read off the text: from what is returned back through local variables.
 *
 * Which way it errs: branches do not count, so that it tells of more arguments than there may be;
 * what comes back through memory of the caller's (`return list->last`) is not followed.
 */
#include "path/exec.h"

#include "path/keep.h"

struct passing {
	const struct exec *x;
	const struct engine *e;
	const struct ir_func *f;
	struct bits seen, moved;	/* vregs, then slots; those that were computed with on the way */
	struct funcs todo;
	uint64_t whole, into;		/* parameters: itself, a pointer into it */
	bool other;			/* something else */
};

static void follow(struct passing *p, ir_ref r, bool moved)
{
	uint32_t k = IR_IDX(r) + (IR_KIND(r) == IR_R_SLOT ? p->f->nvregs : 0);

	if (IR_KIND(r) != IR_R_VREG && IR_KIND(r) != IR_R_SLOT) {
		p->other = true;
		return;
	}
	if (bits_test(&p->seen, k) && (!moved || bits_test(&p->moved, k)))
		return;
	bits_set(&p->seen, k);
	if (moved)
		bits_set(&p->moved, k);
	vec_push(&p->todo, k);
}

static void follow_call(struct passing *p, const struct ir_inst *in, bool moved)
{
	const struct ir_func *g = ir_callee(p->e->m, in);
	const struct model *md = g && ir_is_decl(g) ? model_find(p->e->models, g->name) : NULL;
	const struct summary *s = NULL;

	if (g && !ir_is_decl(g))
		s = keep_summary(p->e, (uint32_t)(g - p->e->m->funcs.v));
	p->other = true;
	for (unsigned i = 0; md && i < md->neffects; i++)
		for (uint32_t k = 1; k < in->nops; k++)
			if (md->effects[i].kind == MODEL_E_SET && md->effects[i].place.base == MODEL_RETURN &&
			    model_value_is_arg(&md->effects[i].value, k))
				follow(p, in->ops[k], moved || md->effects[i].value.kind == MODEL_V_INTO);
	for (uint32_t i = 0; s && i < s->cases.n; i++) {
		const struct sval *v = &s->cases.v[i].ret;
		bool moves = v->kind == SVAL_INTO || v->off;

		if (!s->cases.v[i].returns || (v->kind != SVAL_PLACE && v->kind != SVAL_INTO))
			continue;
		if (v->place.base == PLACE_ARG && !v->place.nsteps && v->place.index + 1 < in->nops)
			follow(p, in->ops[v->place.index + 1], moved || moves);
	}
}

static void follow_slot(struct passing *p, uint32_t slot, bool moved)
{
	p->other |= !bits_test(&p->x->flow.plain, slot);
	for (uint32_t i = 0; i < p->f->ninsts; i++)
		if (p->f->insts[i].op == IR_STORE && p->f->insts[i].ops[0] == IR_REF(IR_R_SLOT, slot))
			follow(p, p->f->insts[i].ops[1], moved);
}

static void follow_inst(struct passing *p, const struct ir_inst *in, bool moved)
{
	switch ((enum ir_opcode)in->op) {
	case IR_COPY:
	case IR_CAST:
		follow(p, in->ops[0], moved);
		break;
	case IR_FIELD:
	case IR_ELEM:
	case IR_INDEX:
		follow(p, in->ops[0], true);
		break;
	case IR_PHI:
		for (uint32_t k = 0; k < in->nops; k++)
			follow(p, in->ops[k], moved);
		break;
	case IR_SELECT:
		follow(p, in->ops[1], moved);
		follow(p, in->ops[2], moved);
		break;
	case IR_LOAD:
		if (IR_KIND(in->ops[0]) == IR_R_SLOT)
			follow(p, in->ops[0], moved);
		else
			p->other = true;
		break;
	case IR_CALL:
		follow_call(p, in, moved);
		break;
	default:
		p->other = true;
	}
}

static void find(struct passing *p)
{
	for (uint32_t i = 0; i < p->f->ninsts; i++)
		if (p->f->insts[i].op == IR_RET && p->f->insts[i].nops)
			follow(p, p->f->insts[i].ops[0], false);
	while (p->todo.n) {
		uint32_t k = vec_pop(&p->todo);
		bool moved = bits_test(&p->moved, k);

		if (k >= p->f->nvregs)
			follow_slot(p, k - p->f->nvregs, moved);
		else if (k < p->f->nparams && k < 64)
			*(moved ? &p->into : &p->whole) |= 1ull << k;
		else if (k >= p->f->nparams && p->f->def[k] != IR_NONE)
			follow_inst(p, &p->f->insts[p->f->def[k]], moved);
		else
			p->other = true;
	}
}

void passed_add_cases(const struct exec *x)
{
	const struct ir_func *f = x->f;
	struct summary *sum = x->sum;
	struct passing p = { .x = x, .e = x->e, .f = f };

	assert(f->ret_cls == IR_C_PTR);
	bits_init(&p.seen, f->nvregs + f->nslots + 1);
	bits_init(&p.moved, f->nvregs + f->nslots + 1);
	find(&p);
	for (uint32_t k = 0; k < f->nparams && k < 64; k++) {
		struct scase c = { .returns = true,
				   .ret = { .hi = INT64_MAX, .place = { .base = PLACE_ARG, .index = k } } };

		if (f->params[k].cls != IR_C_PTR || !((p.whole | p.into) >> k & 1))
			continue;
		c.ret.kind = p.into >> k & 1 ? SVAL_INTO : SVAL_PLACE;
		summary_add(sum, &c);
	}
	if (p.other || !sum->cases.n) {
		struct scase c = { .returns = true, .ret = { .hi = INT64_MAX } };

		summary_add(sum, &c);
	}
	bits_release(&p.seen);
	bits_release(&p.moved);
	vec_release(&p.todo);
}
