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

		if (e->kind == MODEL_E_WRITE || e->kind == MODEL_E_HOLD || e->kind == MODEL_E_NORETURN)
			continue;
		if (e->kind != MODEL_E_COPY && !(e->kind == MODEL_E_SET && e->value.kind != MODEL_V_NEW))
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
		    (IR_KIND(in->ops[k]) == IR_R_VREG &&
		     ir_vreg_class(f, IR_IDX(in->ops[k]), &bits) == IR_C_PTR))
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

		if ((in->op == IR_CALL && call_touches(e, f, in)) ||
		    (in->op == IR_STORE && store_touches(f, in)) || in->op == IR_ASM)
			return true;
	}
	return false;
}
