/*
 * ssa.c - SSA form for top-level variables, laid over a function.
 *
 * rename.c does the work; here slots become its variables, and what it found
 * becomes a table of what each vreg stands for.  A variable that is read before
 * it is written is IR_UNDEF.
 */
#include "ir/ssa.h"

#include "ir/rename.h"

#include <stdlib.h>

static void find_promoted(struct ssa *s)
{
	const struct ir_func *f = s->f;
	uint32_t *width = xcalloc(MAX(f->nslots, 1), sizeof(*width));

	s->promoted = arena_array(&s->arena, bool, f->nslots);
	for (uint32_t i = 0; i < f->nslots; i++)
		s->promoted[i] = !(f->slots[i].flags & (IR_S_DYNAMIC | IR_S_BYVAL));
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			uint32_t slot = IR_IDX(in->ops[k]);
			bool access = k == 0 && (in->op == IR_LOAD || in->op == IR_STORE);

			if (IR_KIND(in->ops[k]) != IR_R_SLOT)
				continue;
			if (!access || in->flags & IR_F_MAYBE || (width[slot] && width[slot] != in->bits))
				s->promoted[slot] = false;
			width[slot] = in->bits;
		}
	}
	free(width);
}

static bool is_access(const struct ssa *s, const struct ir_inst *in)
{
	return (in->op == IR_LOAD || in->op == IR_STORE) && IR_KIND(in->ops[0]) == IR_R_SLOT &&
	       s->promoted[IR_IDX(in->ops[0])];
}

/* Copies and casts that change nothing of a pointer are seen through. */
static bool is_transparent(const struct ir_inst *in)
{
	if (in->op == IR_COPY)
		return true;
	if (in->op != IR_CAST)
		return false;
	if (in->sub == IR_CAST_PTRTOINT || in->sub == IR_CAST_INTTOPTR)
		return in->bits >= 64 && in->from >= 64;
	return in->sub == IR_CAST_BITCAST;
}

struct accesses {
	VEC(struct rename_event) events;
	VEC(uint32_t) inst;		/* by event */
	uint32_t *row;
};

static void collect(struct accesses *a, const struct ssa *s)
{
	const struct ir_func *f = s->f;

	a->row = xcalloc((size_t)f->nblocks + 1, sizeof(*a->row));
	for (uint32_t b = 0; b < f->nblocks; b++) {
		for (uint32_t i = f->blocks[b].first; i < f->blocks[b].first + f->blocks[b].n; i++) {
			const struct ir_inst *in = &f->insts[i];

			if (!is_access(s, in))
				continue;
			vec_push(&a->events, ((struct rename_event){ IR_IDX(in->ops[0]), in->op == IR_LOAD,
								     in->op == IR_STORE }));
			vec_push(&a->inst, i);
		}
		a->row[b + 1] = a->events.n;
	}
}

/* What a definition of rename.c is as an operand. */
static ir_ref def_ref(const struct ssa *s, const struct accesses *a, uint32_t def)
{
	if (def == IR_NONE)
		return IR_UNDEF;
	if (def >= a->events.n)
		return IR_VREG(s->f->nvregs + def - a->events.n);
	assert(s->f->insts[a->inst.v[def]].op == IR_STORE);
	return s->f->insts[a->inst.v[def]].ops[1];
}

/* The end of a chain of vregs that stand for each other; rep holds one step of
 * it at first.  Chains follow dominators, so that they end. */
static ir_ref resolve(struct ssa *s, ir_ref r)
{
	ir_ref end = r;

	while (IR_KIND(end) == IR_R_VREG && IR_IDX(end) < s->f->nvregs && s->rep[IR_IDX(end)] != end)
		end = s->rep[IR_IDX(end)];
	while (IR_KIND(r) == IR_R_VREG && IR_IDX(r) < s->f->nvregs && r != end) {
		ir_ref next = s->rep[IR_IDX(r)];

		s->rep[IR_IDX(r)] = end;
		r = next;
	}
	return end;
}

static void note_variable(struct ssa *s, ir_ref value, uint32_t slot)
{
	if (IR_KIND(value) == IR_R_VREG && s->var[IR_IDX(value)] == IR_NONE)
		s->var[IR_IDX(value)] = slot;
}

static void take_over(struct ssa *s, const struct rename *r, const struct accesses *a)
{
	const struct ir_func *f = s->f;

	s->nphis = r->nphis;
	s->nvalues = f->nvregs + s->nphis;
	s->phi_row = r->phi_row;
	s->phis = arena_array(&s->arena, struct ssa_phi, s->nphis);
	s->rep = arena_array(&s->arena, ir_ref, f->nvregs);
	s->var = arena_array(&s->arena, uint32_t, s->nvalues);
	for (uint32_t i = 0; i < f->nvregs; i++)
		s->rep[i] = IR_VREG(i);
	for (uint32_t i = 0; i < s->nvalues; i++)
		s->var[i] = i < f->nvregs ? IR_NONE : r->phis[i - f->nvregs].var;
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].res != IR_NONE && is_transparent(&f->insts[i]) &&
		    dom_reachable(&s->dom, f->insts[i].block))
			s->rep[f->insts[i].res] = f->insts[i].ops[0];
	for (uint32_t i = 0; i < a->events.n; i++)
		if (a->events.v[i].use && dom_reachable(&s->dom, f->insts[a->inst.v[i]].block))
			s->rep[f->insts[a->inst.v[i]].res] = def_ref(s, a, r->reach[i]);
	for (uint32_t i = 0; i < f->nvregs; i++)
		resolve(s, IR_VREG(i));
	for (uint32_t i = 0; i < a->events.n; i++)
		if (a->events.v[i].def)
			note_variable(s, resolve(s, f->insts[a->inst.v[i]].ops[1]), a->events.v[i].var);
	for (uint32_t i = 0; i < s->nphis; i++) {
		struct ssa_phi *phi = &s->phis[i];
		uint32_t npred = f->blocks[r->phis[i].block].npred;

		phi->block = r->phis[i].block;
		phi->slot = r->phis[i].var;
		phi->args = arena_array(&s->arena, ir_ref, npred);
		for (uint32_t k = 0; k < npred; k++)
			phi->args[k] = resolve(s, def_ref(s, a, r->phis[i].args[k]));
	}
}

void ssa_init(struct ssa *s, const struct ir_func *f)
{
	struct accesses a = {0};
	struct rename r = { .f = f, .dom = &s->dom };

	memset(s, 0, sizeof(*s));
	arena_init(&s->arena);
	s->f = f;
	dom_init(&s->dom, f);
	find_promoted(s);
	collect(&a, s);
	r.nvars = f->nslots;
	r.nevents = a.events.n;
	r.events = a.events.v;
	r.row = a.row;
	rename_run(&r, &s->arena);
#ifdef PLUMB_DEBUG
	rename_check(&r);
#endif
	take_over(s, &r, &a);
#ifdef PLUMB_DEBUG
	ssa_check(s);
#endif
	vec_release(&a.events);
	vec_release(&a.inst);
	free(a.row);
}

/* A vreg that stands for itself, a phi or a constant. */
static bool is_canonical(const struct ssa *s, ir_ref r)
{
	return ssa_ref(s, r) == r && (IR_KIND(r) != IR_R_VREG || IR_IDX(r) < s->nvalues);
}

void ssa_check(const struct ssa *s)
{
	const struct ir_func *f = s->f;

	assert(s->nvalues == f->nvregs + s->nphis && s->phi_row[f->nblocks] == s->nphis);
	for (uint32_t i = 0; i < f->nvregs; i++)
		assert(is_canonical(s, s->rep[i]));
	for (uint32_t i = 0; i < s->nvalues; i++)
		assert(s->var[i] == IR_NONE || (s->var[i] < f->nslots && s->promoted[s->var[i]]));
	for (uint32_t b = 0; b < f->nblocks; b++)
		for (uint32_t i = s->phi_row[b]; i < s->phi_row[b + 1]; i++) {
			assert(s->phis[i].block == b && s->promoted[s->phis[i].slot]);
			assert(s->var[f->nvregs + i] == s->phis[i].slot);
			for (uint32_t k = 0; k < f->blocks[b].npred; k++)
				assert(is_canonical(s, s->phis[i].args[k]));
		}
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		if (in->op == IR_LOAD && is_access(s, in) && dom_reachable(&s->dom, in->block))
			assert(s->rep[in->res] != IR_VREG(in->res));
	}
}

void ssa_release(struct ssa *s)
{
	dom_release(&s->dom);
	arena_release(&s->arena);
	memset(s, 0, sizeof(*s));
}
