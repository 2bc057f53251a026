/*
 * walk_round.c - what the rounds of a loop make of a variable.
 *
 * A path goes round a loop a few times, the program may go round it more often.
 * What the last round on the path has is then any value that a later one could
 * have: a counter's is on the side it counts to; a variable that the loop sets to
 * constants only (the state of a state machine, a flag) has one of these, or what it
 * had; of others only the direction is known.
 *
 * Which way it errs: of several constants only the smallest and the greatest are
 * known, so a state between them may be one that no round can leave behind.
 */
#include "vfg/walker.h"

#include <assert.h>

/* Is the value computed from the phi itself, by arithmetic: a counter? */
static bool is_counter(const struct ssa *s, ir_ref phi, ir_ref r, bool counted, int depth)
{
	const struct ir_inst *d;

	r = ssa_ref(s, r);
	if (r == phi)
		return counted;
	if (depth > 6)
		return false;
	if (ssa_is_phi(s, r)) {
		const struct ssa_phi *x = ssa_phi(s, r);

		for (uint32_t k = 0; k < s->f->blocks[x->block].npred; k++)
			if (x->args[k] != r && is_counter(s, phi, x->args[k], counted, depth + 1))
				return true;
		return false;
	}
	d = ssa_def(s, r);
	if (!d || (d->op != IR_BIN && d->op != IR_CAST && d->op != IR_INDEX))
		return false;
	return is_counter(s, phi, d->ops[0], counted || d->op != IR_CAST, depth + 1) ||
	       (d->op == IR_BIN && is_counter(s, phi, d->ops[1], true, depth + 1));
}

bool walk__is_counter(const struct ssa *s, uint32_t value, ir_ref arg)
{
	return is_counter(s, IR_VREG(value), arg, false, 0);
}

struct settings {		/* what a round can set a phi to */
	const struct walker *w;
	const struct ssa *s;
	const struct bits *loop;
	uint32_t phi;
	struct bits seen;	/* values looked at */
	int64_t lo, hi;
};

static bool is_set_to(struct settings *t, ir_ref r);

static bool are_set_to(struct settings *t, const ir_ref *args, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (!is_set_to(t, args[k]))
			return false;
	return true;
}

/* Is it a constant, or what the phi was before, or one of several such?  A value from before the loop
 * is neither. */
static bool is_set_to(struct settings *t, ir_ref r)
{
	const struct ir_inst *d;

	r = ssa_ref(t->s, r);
	if (IR_KIND(r) == IR_R_INT) {
		t->lo = MIN(t->lo, ir_int_value(t->w->g->m, r));
		t->hi = MAX(t->hi, ir_int_value(t->w->g->m, r));
		return true;
	}
	if (IR_KIND(r) != IR_R_VREG)
		return false;
	if (!bits_set(&t->seen, IR_IDX(r)))
		return true;
	if (ssa_is_phi(t->s, r)) {
		const struct ssa_phi *p = ssa_phi(t->s, r);

		return bits_test(t->loop, p->block) &&
		       are_set_to(t, p->args, t->s->f->blocks[p->block].npred);
	}
	d = ssa_def(t->s, r);
	if (!d || !bits_test(t->loop, d->block))
		return false;
	if (d->op == IR_PHI)
		return are_set_to(t, d->ops, d->nops);
	return d->op == IR_SELECT && are_set_to(t, d->ops + 1, 2);
}

/* Does the loop set the phi of its header to constants only?  Then the least and the greatest. */
static bool is_set_by_rounds(const struct walker *w, const struct frame *fr, uint32_t value,
			     int64_t *lo, int64_t *hi)
{
	const struct ir_func *f = func_of(w, fr);
	const struct ssa *s = pta_ssa(w->g->p, fr->func);
	struct settings t = { .w = w, .s = s, .lo = INT64_MAX, .hi = INT64_MIN };
	const struct ssa_phi *p;
	bool ok = true;

	if (value < f->nvregs)
		return false;
	p = &s->phis[value - f->nvregs];
	assert(fr->live->loop[p->block] != IR_NONE);
	t.loop = &w->g->flow[fr->func].loops[fr->live->loop[p->block]].blocks;
	bits_init(&t.seen, s->nvalues);
	bits_set(&t.seen, value);
	for (uint32_t k = 0; ok && k < f->blocks[p->block].npred; k++)
		if (bits_test(t.loop, f->blocks[p->block].pred[k]))
			ok = is_set_to(&t, p->args[k]);
	bits_release(&t.seen);
	*lo = t.lo;
	*hi = t.hi;
	return ok && t.lo <= t.hi;
}

/* The type of the variable that a phi is of; NULL for other values. */
static const struct ir_type *phi_type(const struct walker *w, const struct frame *fr, uint32_t value)
{
	const struct ir_func *f = func_of(w, fr);
	uint32_t slot;

	if (value < f->nvregs)
		return NULL;
	assert(value < pta_ssa(w->g->p, fr->func)->nvalues);
	slot = pta_ssa(w->g->p, fr->func)->phis[value - f->nvregs].slot;
	return &w->g->m->types.v[ir_type_strip(w->g->m, f->slots[slot].type)];
}

/* A phi of a variable of type size_t or the like? */
static bool is_size(const struct walker *w, const struct frame *fr, uint32_t value)
{
	const struct ir_type *t = phi_type(w, fr, value);

	return t && t->kind == IR_T_INT && t->size == 8 && t->flags & IR_TF_UNSIGNED;
}

/* Is v, which a round of a loop gives to a phi, this and nothing else?  Of a number that is no
 * constant it is not said: branches that do not matter are one, and what they set is whatever they
 * may set. */
bool walk__is_known(struct walker *w, const struct frame *fr, uint32_t value, struct sym v)
{
	const struct ir_type *t = phi_type(w, fr, value);

	return !t || t->kind == IR_T_PTR || sym_is_const(sym_refined(&w->s, v));
}

/* A value after any number of rounds, of which two are known. */
struct sym walk__widened(struct walker *w, const struct frame *fr, uint32_t value, struct sym v,
			 uint32_t visits)
{
	const struct sym *known = sym_env_get(&w->s, fr->serial, value);
	struct sym old, r;
	int64_t lo, hi;

	if (!known)
		return v;
	old = sym_refined(&w->s, *known);
	v = sym_refined(&w->s, v);
	if (old.id == v.id || sym_tag(v) == SYM_T_OBJ)
		return v;
	r = walk__unknown(w, fr, value, hash_join(hash_join(fr->serial, value), visits));
	if (v.lo >= old.lo)
		r.lo = MAX(r.lo, v.hi <= old.hi ? old.lo : v.lo);	/* it rises */
	if (v.hi <= old.hi)
		r.hi = MIN(r.hi, v.lo >= old.lo ? old.hi : v.hi);
	if (old.lo >= 0 && is_size(w, fr, value))
		r.lo = MAX(r.lo, 0);
	if (is_set_by_rounds(w, fr, value, &lo, &hi)) {		/* this one, too: to these, or not at all */
		r.lo = MAX(r.lo, MIN(lo, MAX(v.lo, old.lo)));
		r.hi = MIN(r.hi, MAX(hi, MIN(v.hi, old.hi)));
	}
	walk__set_origin(w, r, WALK_GUESS_LOOP);
	return r.lo > r.hi ? v : r;
}
