/*
 * ssa.h - SSA form for top-level variables, laid over a function.
 *
 * The IR keeps every source variable as a slot.  A slot whose address is used
 * for nothing but whole loads and stores of one width is a top-level variable:
 * here it gets SSA names, without any change to the function.  A load of such
 * a slot is a copy of the definition that reaches it; where several meet there
 * is a phi.
 *
 * A *value* is a number: the vregs first, then the phis.  Operands are
 * looked up with ssa_ref(), which sees through loads of promoted slots, copies
 * and casts that keep the bits of a pointer.
 */
#ifndef IR_SSA_H
#define IR_SSA_H

#include "ir/dom.h"
#include "ir/ir.h"

struct ssa_phi {
	uint32_t block, slot;
	ir_ref *args;		/* by predecessor, in the order of block->pred; IR_VREG of a value */
};

struct ssa {
	const struct ir_func *f;
	struct dom dom;
	uint32_t nvalues;		/* f->nvregs + nphis */
	uint32_t nphis;
	struct ssa_phi *phis;		/* by block */
	uint32_t *phi_row;		/* phis of block b: phi_row[b] .. phi_row[b + 1] - 1 */
	bool *promoted;			/* by slot */
	ir_ref *rep;			/* by vreg: what it stands for */
	uint32_t *var;			/* by value: a slot it was stored in, for names; IR_NONE */
	struct arena arena;
};

void ssa_init(struct ssa *s, const struct ir_func *f);
void ssa_release(struct ssa *s);
/* Asserts what is said above: of phis, of what vregs stand for, of the variables of values. */
void ssa_check(const struct ssa *s);

/* The operand as a canonical ref: VREG indices are values. */
static inline ir_ref ssa_ref(const struct ssa *s, ir_ref r)
{
	return IR_KIND(r) == IR_R_VREG && IR_IDX(r) < s->f->nvregs ? s->rep[IR_IDX(r)] : r;
}

/* The instruction that defines a canonical ref, or NULL (phi, parameter, constant). */
static inline const struct ir_inst *ssa_def(const struct ssa *s, ir_ref r)
{
	return IR_KIND(r) == IR_R_VREG && IR_IDX(r) < s->f->nvregs ? ir_def(s->f, r) : NULL;
}

static inline bool ssa_is_phi(const struct ssa *s, ir_ref r)
{
	return IR_KIND(r) == IR_R_VREG && IR_IDX(r) >= s->f->nvregs;
}

static inline const struct ssa_phi *ssa_phi(const struct ssa *s, ir_ref r)
{
	assert(ssa_is_phi(s, r));
	return &s->phis[IR_IDX(r) - s->f->nvregs];
}

#endif
