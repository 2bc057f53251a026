/*
 * touch.c - does a function do anything to memory that a leak could depend on?
 *
 * Most functions of a program neither make nor free nor keep anything, and
 * call only such.  They are walked for what they return and write, but not for
 * long: if they have many paths, it is enough to know that they write
 * something.
 */
#include "path/exec.h"

#include "path/keep.h"

static bool model_touches(const struct model *md)
{
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		if (e->kind != MODEL_E_WRITE && e->kind != MODEL_E_NORETURN && e->kind != MODEL_E_COPY &&
		    !(e->kind == MODEL_E_SET && e->value.kind != MODEL_V_NEW))
			return true;
	}
	return false;
}

static bool call_touches(const struct engine *e, const struct ir_func *f, const struct ir_inst *in)
{
	const struct ir_func *g = ir_callee(e->m, in);
	const struct model *md;
	uint16_t bits;

	if (!g)
		return true;
	if (!ir_is_decl(g)) {
		keep_summary(e, (uint32_t)(g - e->m->funcs.v));
		return !bits_test(&e->quiet, (uint32_t)(g - e->m->funcs.v));
	}
	md = model_find(e->models, g->name);
	if (md)
		return model_touches(md);
	if (g->flags & IR_FN_READONLY)
		return false;
	for (uint32_t k = 1; k < in->nops; k++)		/* it may keep a pointer, not a literal */
		if (IR_KIND(in->ops[k]) == IR_R_SLOT ||
		    (IR_KIND(in->ops[k]) == IR_R_VREG && ir_vreg_class(f, IR_IDX(in->ops[k]), &bits) == IR_C_PTR))
			return true;
	return false;
}

/* A pointer that is put anywhere but in a local variable may be found there by others. */
static bool store_touches(const struct ir_func *f, const struct ir_inst *in)
{
	uint16_t bits;

	return in->cls == IR_C_PTR && IR_KIND(in->ops[0]) != IR_R_SLOT && IR_KIND(in->ops[1]) == IR_R_VREG &&
	       ir_vreg_class(f, IR_IDX(in->ops[1]), &bits) == IR_C_PTR;
}

bool touch_find(const struct engine *e, uint32_t func)
{
	const struct ir_func *f = &e->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		if ((in->op == IR_CALL && call_touches(e, f, in)) || (in->op == IR_STORE && store_touches(f, in)) || in->op == IR_ASM)
			return true;
	}
	return false;
}

struct derived {		/* values that may point to what a parameter does */
	struct bits vregs, slots;
	bool more;
};

static bool is_derived(const struct derived *d, ir_ref r)
{
	return IR_KIND(r) == IR_R_VREG && bits_test(&d->vregs, IR_IDX(r));
}

static void derive(struct derived *d, const struct ir_inst *in)
{
	bool is = false;

	switch ((enum ir_opcode)in->op) {
	case IR_STORE:
		if (IR_KIND(in->ops[0]) == IR_R_SLOT && is_derived(d, in->ops[1]) && !bits_test(&d->slots, IR_IDX(in->ops[0]))) {
			bits_set(&d->slots, IR_IDX(in->ops[0]));
			d->more = true;
		}
		return;
	case IR_LOAD:
		is = IR_KIND(in->ops[0]) == IR_R_SLOT && bits_test(&d->slots, IR_IDX(in->ops[0]));
		break;
	case IR_COPY:
	case IR_CAST:
	case IR_FIELD:
	case IR_ELEM:
	case IR_INDEX:
	case IR_PHI:
	case IR_SELECT:
		for (uint32_t k = 0; k < in->nops && !is; k++)
			is = is_derived(d, in->ops[k]);
		break;
	default:
		return;
	}
	if (is && !bits_test(&d->vregs, in->res)) {
		bits_set(&d->vregs, in->res);
		d->more = true;
	}
}

bool touch_returns_param(const struct ir_func *f)
{
	struct derived d = { .more = true };
	bool found = false;

	bits_init(&d.vregs, f->nvregs + 1);
	bits_init(&d.slots, f->nslots + 1);
	for (uint32_t k = 0; k < f->nparams; k++)
		if (f->params[k].cls == IR_C_PTR)
			bits_set(&d.vregs, k);
	while (d.more) {
		d.more = false;
		for (uint32_t i = 0; i < f->ninsts; i++)
			derive(&d, &f->insts[i]);
	}
	for (uint32_t i = 0; i < f->ninsts && !found; i++)
		for (uint32_t k = 0; f->insts[i].op == IR_RET && k < f->insts[i].nops; k++)
			found |= is_derived(&d, f->insts[i].ops[k]);
	bits_release(&d.vregs);
	bits_release(&d.slots);
	return found;
}
