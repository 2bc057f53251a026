/*
 * trust.c - results that the caller takes for granted.
 *
 *	w = attach(s, &cause);		// can't fail
 *	if (!quiet)
 *		select(w->index);
 *
 * A function may return null, and a message in `cause` then; whoever calls it like this
 * knows that here it does not.  After Engler et al., "Bugs as Deviant Behavior" (SOSP
 * 2001): code that goes through a pointer believes that it is not null, and code that
 * never asks has not forgotten to ask in one place only.  Paths on which such a call
 * returns null would end in a crash elsewhere, and no leak on them is worth a word.
 *
 * Asked for: the result is compared with nothing, ever, nor is a variable that the call
 * was given the address of; and there is a way from the call to an instruction that goes
 * through the result, on which no branch asks for what the call may have done (memory,
 * a function that is given the same things).  Such a branch could be the test.
 *
 * Which way it errs: a caller that really forgot the test loses what the failed call made
 * before it crashes, or on the ways on which it does not; that is silence.
 */
#include "path/exec.h"

#include "pta/pta.h"

enum { MAX_TERM = 8 };		/* depth of a condition */

struct trusts {
	const struct ssa *s;
	struct bits tested;	/* values that something is compared with, or that a switch goes by */
	uint8_t *known;		/* by call: 0 not asked yet, 1 no, 2 yes */
};

static bool set_tested(struct trusts *t, ir_ref r)
{
	r = ssa_ref(t->s, r);
	return IR_KIND(r) == IR_R_VREG && bits_set(&t->tested, IR_IDX(r));
}

static struct trusts *trusts_new(const struct exec *x)
{
	struct trusts *t = xcalloc(1, sizeof(*t));
	bool more = true;

	t->s = pta_ssa(x->e->pta, x->func);
	t->known = xcalloc((size_t)x->f->ninsts + 1, 1);
	bits_init(&t->tested, t->s->nvalues + 1);
	for (uint32_t i = 0; i < x->f->ninsts; i++) {
		const struct ir_inst *in = &x->f->insts[i];

		for (uint32_t k = 0;
		     k < in->nops && (in->op == IR_CMP || in->op == IR_SWITCH || in->op == IR_CONDBR); k++)
			set_tested(t, in->ops[k]);
	}
	while (more) {		/* what is tested as one of several */
		more = false;
		for (uint32_t i = 0; i < t->s->nphis; i++)
			for (uint32_t k = 0; bits_test(&t->tested, x->f->nvregs + i) &&
					     k < x->f->blocks[t->s->phis[i].block].npred; k++)
				more |= set_tested(t, t->s->phis[i].args[k]);
	}
	return t;
}

void trusts_free(struct trusts *t)
{
	if (!t)
		return;
	bits_release(&t->tested);
	free(t->known);
	free(t);
}

/* The local variable that an address is one of, or in; IR_NONE. */
static uint32_t slot_of(const struct trusts *t, ir_ref r)
{
	r = ssa_ref(t->s, r);
	for (const struct ir_inst *d = ssa_def(t->s, r); d && d->op == IR_FIELD; d = ssa_def(t->s, r))
		r = ssa_ref(t->s, d->ops[0]);
	return IR_KIND(r) == IR_R_SLOT ? IR_IDX(r) : IR_NONE;
}

/* Is a variable tested that the call was given the address of? */
static bool tests_what_is_given(const struct exec *x, const struct trusts *t, const struct ir_inst *call)
{
	for (uint32_t i = 0; i < x->f->ninsts; i++) {
		const struct ir_inst *in = &x->f->insts[i];
		bool tests = in->op == IR_LOAD && bits_test(&t->tested, in->res);
		uint32_t slot = tests ? slot_of(t, in->ops[0]) : IR_NONE;

		for (uint32_t k = 1; slot != IR_NONE && k < call->nops; k++)
			if (slot_of(t, call->ops[k]) == slot)
				return true;
	}
	return false;
}

static bool gets_the_same(const struct trusts *t, const struct ir_inst *a, const struct ir_inst *b)
{
	for (uint32_t i = 1; i < a->nops; i++)
		for (uint32_t k = 1; k < b->nops; k++) {
			ir_ref r = ssa_ref(t->s, a->ops[i]);

			if (IR_KIND(r) != IR_R_INT && r != IR_NULL && r == ssa_ref(t->s, b->ops[k]))
				return true;
		}
	return false;
}

/* Can the value tell nothing of what the call has done? */
static bool is_independent(const struct exec *x, const struct trusts *t, ir_ref r, const struct ir_inst *call,
			   int depth)
{
	const struct ir_inst *d;

	r = ssa_ref(t->s, r);
	if (IR_KIND(r) != IR_R_VREG)
		return true;
	d = ssa_def(t->s, r);
	if (!d)
		return !ssa_is_phi(t->s, r);	/* a parameter */
	if (depth > MAX_TERM)
		return false;
	if (d->op == IR_CALL)
		return d != call && ir_callee(x->m, d) && !gets_the_same(t, d, call);
	if (d->op != IR_CMP && d->op != IR_BIN && d->op != IR_CAST)
		return false;
	for (uint32_t k = 0; k < d->nops; k++)
		if (!is_independent(x, t, d->ops[k], call, depth + 1))
			return false;
	return true;
}

/* Does an instruction of the block, from the first on, go through the value? */
static bool goes_through(const struct exec *x, const struct trusts *t, uint32_t first, uint32_t block,
			 ir_ref r)
{
	const struct ir_block *b = &x->f->blocks[block];

	for (uint32_t i = first; i < b->first + b->n; i++) {
		const struct ir_inst *in = &x->f->insts[i], *d;
		ir_ref p = (in->op == IR_LOAD || in->op == IR_STORE) ? ssa_ref(t->s, in->ops[0]) : IR_UNDEF;

		for (d = ssa_def(t->s, p); d && d->op == IR_FIELD && p != r; d = ssa_def(t->s, p))
			p = ssa_ref(t->s, d->ops[0]);
		if (p == r)
			return true;
	}
	return false;
}

/* Is there a way to such an instruction on which nobody can have asked? */
static bool is_gone_through(const struct exec *x, const struct trusts *t, uint32_t inst)
{
	const struct ir_inst *call = &x->f->insts[inst];
	ir_ref r = ssa_ref(t->s, IR_VREG(call->res));
	bool found = goes_through(x, t, inst + 1, call->block, r);
	VEC(uint32_t) todo = {0};
	struct bits seen;

	bits_init(&seen, x->f->nblocks + 1);
	vec_push(&todo, call->block);
	while (todo.n && !found) {
		const struct ir_block *b = &x->f->blocks[vec_pop(&todo)];
		const struct ir_inst *end = &x->f->insts[b->first + b->n - 1];

		if (end->ntargets > 1 && !is_independent(x, t, end->ops[0], call, 0))
			continue;
		for (uint32_t k = 0; k < end->ntargets && !found; k++)
			if (end->targets[k] != call->block && bits_set(&seen, end->targets[k])) {
				found = goes_through(x, t, x->f->blocks[end->targets[k]].first,
						     end->targets[k], r);
				vec_push(&todo, end->targets[k]);
			}
	}
	bits_release(&seen);
	vec_release(&todo);
	return found;
}

bool exec__trusts(struct exec *x, uint32_t inst)
{
	const struct ir_inst *in = &x->f->insts[inst];
	struct trusts *t;

	if (!x->e->pta || in->res == IR_NONE || in->cls != IR_C_PTR)
		return false;
	if (!x->trusts)
		x->trusts = trusts_new(x);
	t = x->trusts;
	if (!t->known[inst])
		t->known[inst] = 1 + (!bits_test(&t->tested, in->res) && !tests_what_is_given(x, t, in) &&
				      is_gone_through(x, t, inst));
	return t->known[inst] == 2;
}
