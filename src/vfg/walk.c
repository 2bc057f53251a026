/*
 * walk.c - is there a path on which the object is lost?
 *
 * Guards over branches (guard.c) know that two branches ask the same question.
 * They do not know that `flags` is 3 in this call, that `ok` was set to 0 on the
 * way here, or that the callee returns -1 only when it has given nothing out.
 * So a source that the guards hold to leak is looked at once more, by following
 * paths: from the entry of its function to the allocation (into the wrappers
 * that make it, with the arguments of this very call), and on, into callees that
 * are given the object and out again, until it is freed, kept by somebody, or
 * lost.  Values and what is known of them are those of sym.c; where the object
 * is follows from the edges of the value-flow graph that the path goes along.
 *
 * This goes beyond the SABER paper, whose guards end at function boundaries, and
 * is close to Melton's paths, but goal-directed: only paths that one object can
 * be lost on, and only the values that branches ask for.
 *
 * Depth first, nearest return first, so that the path found is a short one.  Paths that agree in
 * all that can still matter (live.c) are followed once.  A loop is gone round `loop` + 1 times with
 * the values it has; then once more with loop-carried values forgotten, only to leave it (Figure
 * 8).  If that loses nothing it is gone round some times more, with nothing forgotten, for as long
 * as all numbers are known.  The second round of a loop that counts is any later one, and thus also
 * the last: to leave it the count must be that after the first or after this one.
 *
 * Which way it errs.  Memory is known by the expression that names it: an alias
 * that changes it is overlooked; a callee changes what its arguments point to and
 * the globals it stores to.  A path through a null pointer is no path.  Where
 * the limits end the search the answer is that we gave up.
 */
#include "vfg/walker.h"

void walk__note(struct walker *w, enum walk_kind kind, uint32_t func, uint32_t inst, uint32_t target)
{
	vec_push(&w->steps, ((struct walk_step){ .kind = kind,
						 .func = func, .inst = inst, .target = target }));
}

static void note_branch(struct walker *w, const struct spot *at, uint32_t target, bool open)
{
	const struct ir_func *f = func_of(w, at->fr);

	if (at->fr->asks)
		return;
	vec_push(&w->steps, ((struct walk_step){ WALK_BRANCH, open,
						 bits_test(&at->fr->rel->blocks, f->insts[at->inst].block),
						 at->fr->func, at->inst, target }));
}

/* A variable is assigned: is it the last that held the object? */
static bool is_lost(struct walker *w, const struct spot *at, uint32_t slot, ir_ref value)
{
	const struct ssa *s = pta_ssa(w->g->p, at->fr->func);
	bool is_object;

	value = ssa_ref(s, value);
	is_object = IR_KIND(value) == IR_R_VREG && walk__holds(w, VNODE_VALUE(at->fr->func, IR_IDX(value)));
	for (uint32_t i = 0; i < w->holders.n; i++) {
		if (w->holders.v[i].frame != at->fr->serial || w->holders.v[i].slot != slot)
			continue;
		if (is_object)
			return false;
		w->holders.v[i] = vec_last(&w->holders);
		w->holders.n--;
		return !w->holders.n && !walk__in_memory(w);
	}
	if (is_object)
		vec_push(&w->holders, ((struct holder){ at->fr->serial, slot }));
	return false;
}

/* Is the variable assigned by the very allocation that made the object? */
static bool is_next_round(const struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	ir_ref v = ssa_ref(pta_ssa(w->g->p, at->fr->func), in->ops[1]);

	return at->fr->func == w->src->func && at->back != IR_NONE && IR_KIND(v) == IR_R_VREG &&
	       IR_IDX(v) == func_of(w, at->fr)->insts[w->src->inst].res;
}

static enum go do_store(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct ssa *s = pta_ssa(w->g->p, at->fr->func);
	struct sym a;

	if (IR_KIND(in->ops[0]) == IR_R_SLOT && s->promoted[IR_IDX(in->ops[0])]) {
		if (at->obj == IR_NONE || w->until != IR_NONE ||
		    !is_lost(w, at, IR_IDX(in->ops[0]), in->ops[1]) || walk__within_wrapper(at->fr))
			return GO;
		if (!walk__accepts(w))
			return NO;
		walk__note(w, WALK_OVER, at->fr->func, at->inst,
			   is_next_round(w, at, in) ? at->back : IR_NONE);
		return walk__leak(w);
	}
	if (!walk__go_through(w, at->fr, in->ops[0]))
		return NO;
	a = walk__eval(w, at->fr, in->ops[0]);
	walk__forget_others(w, at, in->ops[0]);
	walk__store_memory(w, at->fr, in->ops[0], a, walk__eval(w, at->fr, in->ops[1]), true);
	walk__see_latch(w, at->fr, in, walk__eval(w, at->fr, in->ops[1]));
	return GO;
}

enum { EXACT = 1 << 30 };	/* of a phi that stands for any later round: its value in this one */

struct alive {
	const struct walker *w;
	const struct spot *at;
	uint32_t block;
};

/* Does the operand that memory was reached by still have the same value? */
static bool is_still_there(const struct alive *a, const struct sym_cell *c)
{
	const struct frame *fr = a->at->fr;
	const struct sym *now;

	if (IR_KIND(c->value) != IR_R_VREG)
		return true;
	if (walk__holds(a->w, VNODE_VALUE(fr->func, IR_IDX(c->value))))
		return c->root == sym_object().id;
	now = sym_env_get(&a->w->s, fr->serial, IR_IDX(c->value));
	return !now || now->id == c->root;
}

static bool is_live(const struct sym_cell *c, void *arg)
{
	const struct alive *a = arg;
	const struct frame *fr = a->at->fr;
	const struct live *l = fr->live;
	uint32_t *n;

	if (c->kind == SYM_VISITS && c->root >> 31)
		return false;		/* of a call: it only tells results apart */
	if (c->kind == SYM_ENV && c->value & EXACT)
		return false;		/* asked at once */
	if (c->kind == SYM_MEM && a->w->coarse)
		return false;
	if (c->kind == SYM_MEM && sym_tag(c->v) == SYM_T_OBJ)
		return true;		/* where the object is */
	if (c->kind == SYM_NOTE)
		return true;
	if (c->kind == SYM_MEM && (c->frame == fr->serial || IR_KIND(c->value) == IR_R_GLOBAL) &&
	    !l->too_large) {
		n = rootmap_get(&l->roots, c->value);
		if (c->value == IR_NONE || (a->w->deep && fr->parent && IR_KIND(c->value) != IR_R_SLOT))
			return true;	/* callers may ask for it */
		if (n && bits_test(&l->loads[a->block], *n) &&
		    bits_test(&fr->rel->roots, *n) && is_still_there(a, c))
			return true;
	} else if (c->frame == fr->serial && c->kind == SYM_ENV) {
		return bits_test(&fr->rel->values, c->value) &&
		       (l->too_large || bits_test(&l->in[a->block], c->value));
	} else if (c->frame == fr->serial && c->kind == SYM_VISITS) {
		return bits_test(&a->w->g->flow[fr->func].loops[l->loop[c->root]].blocks, a->block);
	}
	for (fr = fr->parent; fr; fr = fr->parent)
		if (fr->serial == c->frame)
			return c->kind != SYM_ENV || bits_test(&fr->rel->values, c->value);
	return false;
}

/* Were we here before, with nothing different that matters? */
static bool was_here(struct walker *w, const struct spot *at, uint32_t block)
{
	struct alive a = { w, at, block };
	uint64_t h = hash_join(hash_join(at->fr->serial, block), hash_join(at->obj, at->out));
	bool is_new;

	for (uint32_t i = 0; i < w->held.n; i++)
		h += hash_mix(w->held.v[i]);
	for (uint32_t i = 0; i < w->holders.n; i++)
		h += hash_join(w->holders.v[i].frame, w->holders.v[i].slot);
	keyset_put(&w->seen, hash_join(h, sym_digest(&w->s, is_live, &a)), &is_new);
	return !is_new;
}

static uint32_t pred_number(const struct ir_func *f, uint32_t block, uint32_t from)
{
	for (uint32_t k = 0; k < f->blocks[block].npred; k++)
		if (f->blocks[block].pred[k] == from)
			return k;
	return IR_NONE;
}

struct phi_value {
	uint32_t value;
	bool widen;
	struct sym v;
};

/* The phis of a block, all at once.  False if the path ends here: it is one that guesses nothing,
 * and a number is not known. */
static bool do_phis(struct walker *w, const struct spot *at, uint32_t block, uint32_t pred, uint32_t visits)
{
	const struct ir_func *f = func_of(w, at->fr);
	const struct ssa *s = pta_ssa(w->g->p, at->fr->func);
	uint32_t from = f->blocks[block].pred[pred];
	VEC(struct phi_value) news = {0};
	struct vnodes to = {0};

	for (uint32_t p = s->phi_row[block]; p < s->phi_row[block + 1]; p++) {
		ir_ref arg = s->phis[p].args[pred];
		uint32_t value = f->nvregs + p;
		/* In the second round a counter is any later value, and continues from there; a
		 * flag is what it was set to, until that is forgotten. */
		bool counts = visits > 1 && walk__is_counter(s, value, arg);
		bool widen = !w->exact && (counts ? visits == 2 : visits > w->rounds);
		struct sym v = walk__eval(w, at->fr, arg);

		if (w->exact && visits > w->o->loop + 1 && !walk__is_known(w, at->fr, value, v)) {
			vec_release(&news);
			return false;
		}
		vec_push(&news, ((struct phi_value){ value, widen, v }));
	}
	for (uint32_t i = f->blocks[block].first; f->insts[i].op == IR_PHI; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++)
			if (f->insts[i].targets[k] == from) {
				struct sym v = walk__eval(w, at->fr, f->insts[i].ops[k]);

				vec_push(&news, ((struct phi_value){ f->insts[i].res, false, v }));
			}
	for (uint32_t i = 0; at->obj != IR_NONE && i < w->held.n; i++) {
		struct vedges e;

		if (VNODE_FUNC(w->held.v[i]) != at->fr->func)
			continue;
		e = walk__edges_of(w, w->held.v[i], at->obj);
		for (uint32_t k = 0; k < e.n; k++)
			if (e.v[k].kind == VE_PHI && e.v[k].block == block && e.v[k].pred == pred)
				vec_push(&to, e.v[k].to);
	}
	for (uint32_t i = w->held.n; i-- > 0;) {
		vnode x = w->held.v[i];
		uint32_t b, inst;

		if (VNODE_FUNC(x) != at->fr->func || VNODE_IS_PUT(x))
			continue;
		vfg__where(w->g, x, &b, &inst);
		if (b != block)
			continue;
		if (VNODE_IS_DEF(x) ? mssa_func(w->g->s, at->fr->func)->defs[VNODE_IDX(x)].kind == MSSA_PHI
				    : VNODE_IDX(x) >= f->nvregs ||
				      (inst != IR_NONE && f->insts[inst].op == IR_PHI))
			walk__unhold(w, x);
	}
	for (uint32_t i = 0; i < news.n; i++) {
		const struct phi_value *x = &news.v[i];

		if (x->widen && visits == 2 && bits_test(&at->fr->live->asked, x->value))
			sym_env_set(&w->s, at->fr->serial, x->value | EXACT, x->v);
		walk__set(w, at->fr, x->value,
			  x->widen ? walk__widened(w, at->fr, x->value, x->v, visits) : x->v);
	}
	for (uint32_t i = 0; i < to.n; i++)
		if (VNODE_IS_DEF(to.v[i]))
			walk__unhold_region(w, to.v[i]);
	for (uint32_t i = 0; i < to.n; i++)
		walk__hold(w, to.v[i], at->obj);
	vec_release(&news);
	vec_release(&to);
	return true;
}

static bool has_exit(const struct ir_func *f, const struct vloop *l, uint32_t block)
{
	for (uint32_t k = 0; k < f->blocks[block].nsucc; k++)
		if (!bits_test(&l->blocks, f->blocks[block].succ[k]))
			return true;
	return false;
}

/* One block more?  What it takes to get to the object at all is counted apart: there
 * is another way to do that, go_straight(). */
static bool may_enter(struct walker *w)
{
	if (w->reached || w->straight || w->deep)
		return ++w->blocks <= w->max_blocks;
	return ++w->ways <= w->max_blocks;
}

/* On along the edge to a block.  False if there is nothing to be gained. */
static bool go_to(struct walker *w, struct spot *at, uint32_t block)
{
	struct frame *fr = at->fr;
	const struct ir_func *f = func_of(w, fr);
	uint32_t from = f->insts[at->inst].block, loop = fr->live->loop[block];
	uint32_t visits = 1, rounds = w->rounds;
	uint32_t pred = pred_number(f, block, from);
	const struct vloop *l;

	if ((at->obj == IR_NONE && fr->reach && !bits_test(fr->reach, block)) || (w->all_paths && w->kept))
		return false;
	if (!may_enter(w)) {
		w->gave_up = true;
		return false;
	}
	if (loop != IR_NONE) {
		l = &w->g->flow[fr->func].loops[loop];
		visits = sym_visit(&w->s, fr->serial, block, !bits_test(&l->blocks, from));
		if (visits > rounds + 1) {
			w->cut_round = true;
			return false;
		}
	}
	/* the last visit of a loop that is left at its header: only to leave */
	if (fr->live->loop[from] != IR_NONE && block != from) {
		l = &w->g->flow[fr->func].loops[fr->live->loop[from]];
		if (bits_test(&l->blocks, block) && has_exit(f, l, from) &&
		    sym_visits(&w->s, fr->serial, from) > rounds) {
			w->cut_round = true;
			return false;
		}
	}
	if (!do_phis(w, at, block, pred, visits))
		return false;
	at->last = at->inst;
	if (visits > 1)
		at->back = at->inst;
	at->inst = f->blocks[block].first;
	while (f->insts[at->inst].op == IR_PHI)
		at->inst++;
	/* where paths meet */
	return f->blocks[block].npred < 2 || !was_here(w, at, block);
}

/* Does the branch ask whether a holder of the object is null, and does target t
 * mean that it is?  The list that the object is in is not empty.  (The value may
 * point to another list: that hides leaks, as it does in guard.c.) */
static bool denies_holder(struct walker *w, const struct spot *at, const struct ir_inst *in, uint32_t t)
{
	const struct ssa *s = pta_ssa(w->g->p, at->fr->func);
	const struct ir_inst *c = ssa_def(s, ssa_ref(s, in->ops[0]));

	if (at->obj == IR_NONE || !vfg__is_equality(c) ||
	    ssa_ref(s, c->ops[1]) != IR_NULL || (t == 0) != (c->sub == IR_P_EQ))
		return false;
	return IR_KIND(ssa_ref(s, c->ops[0])) == IR_R_VREG &&
	       walk__is_holder(w, at->fr, ssa_ref(s, c->ops[0]));
}

/* Is a loop left after its first round?  Then what it counts is known. */
static bool leaves_after_first(struct walker *w, const struct spot *at, const struct ir_inst *in, uint32_t t)
{
	const struct frame *fr = at->fr;
	const struct ir_func *f = func_of(w, fr);
	const struct ssa *s = pta_ssa(w->g->p, fr->func);
	uint32_t loop = fr->live->loop[in->block];

	if (loop == IR_NONE || bits_test(&w->g->flow[fr->func].loops[loop].blocks, in->targets[t]) ||
	    sym_visits(&w->s, fr->serial, in->block) != 2)
		return true;
	for (uint32_t p = s->phi_row[in->block]; p < s->phi_row[in->block + 1]; p++) {
		const struct sym *now = sym_env_get(&w->s, fr->serial, f->nvregs + p);
		const struct sym *exact = sym_env_get(&w->s, fr->serial, (f->nvregs + p) | EXACT);

		if (now && exact && !sym_assume(&w->s, sym_cmp(&w->s, IR_P_EQ, *now, *exact), true))
			return false;
	}
	return true;
}

/* Does a switch over an enumeration have a default of its own, and is nothing known of the
 * value but its type?  Then somebody expects other values than the enumerators. */
static bool expects_others(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct ssa *s = pta_ssa(w->g->p, at->fr->func);
	ir_ref r = ssa_ref(s, in->ops[0]);
	struct sym v = sym_refined(&w->s, walk__eval(w, at->fr, r));
	int64_t lo, hi;

	for (const struct ir_inst *d = ssa_def(s, r); d && d->op == IR_CAST; d = ssa_def(s, r))
		r = ssa_ref(s, d->ops[0]);
	return func_of(w, at->fr)->blocks[in->targets[0]].npred == 1 && IR_KIND(r) == IR_R_VREG &&
	       enums_range(&w->g->enums, at->fr->func, IR_IDX(r), &lo, &hi) && v.lo <= lo && v.hi >= hi;
}

/* Can the terminator be left by target t?  Then what that says is known from now on. */
static bool may_take(struct walker *w, const struct spot *at, const struct ir_inst *in, uint32_t t)
{
	int64_t lo, hi;
	struct sym v;

	if (!leaves_after_first(w, at, in, t))
		return false;
	if (in->op == IR_CONDBR)
		return !denies_holder(w, at, in, t) &&
		       sym_assume(&w->s, walk__eval(w, at->fr, in->ops[0]), t == 0);
	if (in->op != IR_SWITCH)
		return true;
	v = walk__eval(w, at->fr, in->ops[0]);
	if (t && ir_case_range(w->g->m, in, t, &lo, &hi) && lo < hi)
		return sym_assume(&w->s, sym_cmp(&w->s, IR_P_SGE, v, sym_const(lo)), true) &&
		       sym_assume(&w->s, sym_cmp(&w->s, IR_P_SLE, v, sym_const(hi)), true);
	if (t)
		return sym_assume(&w->s, sym_cmp(&w->s, IR_P_EQ, v, walk__eval(w, at->fr, in->ops[t])), true);
	if (expects_others(w, at, in))
		return true;
	for (uint32_t k = 1; k < in->nops; k++)
		if (!sym_assume(&w->s, sym_cmp(&w->s, IR_P_EQ, v, walk__eval(w, at->fr, in->ops[k])), false))
			return false;
	return true;
}

/* The target that a decided branch takes, or IR_NONE. */
static uint32_t decided(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	struct sym v;
	int t;

	if (in->ntargets == 1)
		return 0;
	if (in->op == IR_CONDBR) {
		t = sym_truth(&w->s, walk__eval(w, at->fr, in->ops[0]));
		return t < 0 ? IR_NONE :
		       t ? 0 : 1;
	}
	if (in->op != IR_SWITCH)
		return IR_NONE;
	v = sym_refined(&w->s, walk__eval(w, at->fr, in->ops[0]));
	if (!sym_is_const(v))
		return IR_NONE;
	for (uint32_t k = 1; k < in->nops; k++)
		if (ir_int_value(w->g->m, in->ops[k]) == v.lo)
			return k;
	return 0;
}

/* Targets, nearest to a return first. */
static void in_order(const struct spot *at, const struct ir_inst *in, uint32_t *order)
{
	const uint32_t *far = at->fr->live->far;

	for (uint32_t t = 0; t < in->ntargets; t++) {
		uint32_t k = t;

		while (k > 0 && far[in->targets[order[k - 1]]] > far[in->targets[t]]) {
			order[k] = order[k - 1];
			k--;
		}
		order[k] = t;
	}
}

/* Does a value depend on what is in the object, or in what holds it? */
static bool asks_object(struct walker *w, const struct frame *fr, ir_ref r, int depth)
{
	const struct ssa *s = pta_ssa(w->g->p, fr->func);
	const struct ir_inst *d;

	r = ssa_ref(s, r);
	if (IR_KIND(r) != IR_R_VREG || depth > 6)
		return false;
	if (walk__holds(w, VNODE_VALUE(fr->func, IR_IDX(r))) || walk__is_holder(w, fr, r))
		return true;
	for (uint32_t i = 0; i < w->held.n; i++)
		if (VNODE_IS_HELD(w->held.v[i]) && VNODE_FUNC(w->held.v[i]) == fr->func &&
		    vfg__held_value(w->g, w->held.v[i], w->src->obj) == r)
			return true;
	d = ssa_def(s, r);
	for (uint32_t k = 0; d && d->op != IR_PHI && k < d->nops; k++)
		if (asks_object(w, fr, d->ops[k], depth + 1))
			return true;
	return false;
}

/* Is a loop left here in which something can happen to the object? */
static bool leaves_loop(const struct walker *w, const struct frame *fr, const struct ir_inst *in)
{
	const struct ir_func *f = func_of(w, fr);
	const struct vflow *fl = &w->g->flow[fr->func];

	for (uint32_t i = 0; i < fl->nrounds; i++) {
		const struct bits *blocks = &fl->loops[i].blocks;

		if (!bits_test(blocks, in->block) || !has_exit(f, &fl->loops[i], in->block))
			continue;
		for (uint32_t b = bits_next(blocks, 0); b != UINT32_MAX; b = bits_next(blocks, b + 1))
			for (uint32_t k = f->blocks[b].first; k < f->blocks[b].first + f->blocks[b].n; k++)
				if (!w->all_deeds || keyset_get(&w->deeds, hash_join(fr->func, k)))
					return true;
	}
	return false;
}

/* In doubt: what a callee asks the object, and we do not know, it answers right, and
 * its loops get to all that they are to get to. */
static bool is_trusted(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct frame *fr = at->fr;
	bool is_plain = fr->parent && fr->goal == IR_NONE && !fr->wraps && !fr->asks;

	if (!w->in_doubt || at->obj == IR_NONE || !is_plain || !in->nops)
		return false;
	return asks_object(w, fr, in->ops[0], 0) || leaves_loop(w, fr, in);
}

static enum go fork_paths(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	uint32_t *order = xmalloc(MAX(in->ntargets, 1) * sizeof(*order));
	struct saved s = walk__save(w);
	bool leak = false;

	if (w->forks >= MAX_FORKS)
		w->gave_up = true;
	in_order(at, in, order);
	w->forks++;
	for (uint32_t k = 0; k < in->ntargets && !leak && !w->gave_up && !walk__is_cut(w); k++) {
		struct spot next = *at;
		uint32_t first = w->s.assumed.n;
		int64_t lo, hi;

		if (in->op == IR_SWITCH && order[k] && !ir_case_range(w->g->m, in, order[k], &lo, &hi))
			continue;
		if (may_take(w, at, in, order[k])) {
			note_branch(w, at, order[k], true);
			walk__guess_branch(w, at, first);
			leak = go_to(w, &next, in->targets[order[k]]) && walk__run(w, next);
		}
		if (!leak)
			walk__restore(w, &s);
	}
	w->forks--;
	walk__saved_release(&s);
	free(order);
	return leak ? YES : NO;
}

static enum go term_step(struct walker *w, struct spot *at, const struct ir_inst *in)
{
	uint32_t t;

	if (in->op == IR_RET)
		return walk__return_step(w, at);
	if (!in->ntargets)
		return NO;
	t = decided(w, at, in);
	if (t == IR_NONE)
		return is_trusted(w, at, in) ? walk__kept(w) : fork_paths(w, at, in);
	if (in->ntargets > 1) {
		note_branch(w, at, t, false);
		walk__guess_decided(w, at, in->ops[0]);
	}
	return go_to(w, at, in->targets[t]) ? GO : NO;
}

/* Has nobody a pointer to the object any more? */
static bool is_nowhere(const struct walker *w, const struct spot *at)
{
	return at->obj != IR_NONE && w->until == IR_NONE && !w->held.n &&
	       !w->holders.n && !walk__within_wrapper(at->fr);
}

/* A compare-and-swap stores the object away, or does not: can it fail?  Then it did, from
 * now on.  The comparison is the instruction before the store (lower_inst.c). */
static bool swap_fails(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct ir_inst *c = in - 1;
	const struct ir_inst *old;

	if (in->op != IR_STORE || !(in->flags & IR_F_MAYBE) ||
	    at->inst == func_of(w, at->fr)->blocks[in->block].first ||
	    c->op != IR_CMP || c->sub != IR_P_EQ)
		return false;
	old = ssa_def(pta_ssa(w->g->p, at->fr->func), c->ops[0]);
	return old && old->op == IR_LOAD && old->ops[0] == in->ops[0] &&
	       sym_assume(&w->s, walk__eval(w, at->fr, IR_VREG(c->res)), false);
}

static enum go plain_step(struct walker *w, struct spot *at, const struct ir_inst *in)
{
	struct deed d;
	enum go r = GO;

	walk__find_deed(w, at, &d);
	at->out |= d.out;
	if (d.freed && swap_fails(w, at, in)) {
		w->kept = true;
		at->inst++;
		walk__deed_release(&d);
		return GO;
	}
	if (d.freed)
		r = walk__kept(w);
	else if (in->op == IR_LOAD && !walk__do_load(w, at, in, &d))
		r = NO;
	else if (in->op == IR_STORE)
		r = do_store(w, at, in);
	else if (in->op == IR_MEMCPY)
		walk__do_copy(w, at, in);
	else if (in->op == IR_MEMSET)
		walk__do_fill(w, at, in);
	else if (in->op == IR_VASTART || in->op == IR_VACOPY)
		walk__forget_root(w, at, in->ops[0]);
	if (r == GO) {
		walk__define_anew(w, at, &d);
		if (in->op == IR_STORE && is_nowhere(w, at) && walk__accepts(w)) {
			walk__note(w, WALK_OVER, at->fr->func, at->inst, IR_NONE);
			r = walk__leak(w);
		}
	}
	walk__deed_release(&d);
	at->inst++;
	return r;
}

/* Follows the path until it ends or forks. */
bool walk__run(struct walker *w, struct spot at)
{
	for (;;) {
		const struct ir_func *f = func_of(w, at.fr);
		const struct ir_inst *in = &f->insts[at.inst];
		uint32_t func = at.fr->func, inst = at.inst;
		enum go r;

		if (inst == w->until && at.obj != IR_NONE && !at.fr->parent)
			return walk__accepts(w);
		if (ir_is_term(in))
			r = term_step(w, &at, in);
		else if (in->op == IR_CALL)
			r = walk__call_step(w, &at, in);
		else
			r = plain_step(w, &at, in);
		if (r == YES &&
		    (in->op == IR_RET || (in->op == IR_CALL && w->g->flow[func].ends[in->block] == inst)))
			walk__note(w, WALK_END, func, inst,
				   in->op == IR_RET && f->blocks[in->block].npred > 1 ? at.last : IR_NONE);
		if (r != GO)
			return r == YES;
		if (w->gave_up)
			return false;
	}
}

struct walker *walker_new(const struct vfg *g, const struct vfg_options *o)
{
	struct walker *w = xcalloc(1, sizeof(*w));

	w->g = g;
	w->o = o;
	for (int deep = 0; deep < 2; deep++)
		w->live[deep] = xcalloc(MAX(g->m->funcs.n, 1), sizeof(*w->live[deep]));
	arena_init(&w->frames);
	w->judge = o->judge ? o->judge->begin() : NULL;
	return w;
}

static void forget_path(struct walker *w)
{
	sym_clear(&w->s);
	keyset_clear(&w->seen);
	vec_clear(&w->held);
	vec_clear(&w->holders);
	vec_clear(&w->steps);
	for (uint32_t i = 0; i < w->reaches.n; i++)
		bits_release(&w->reaches.v[i]);
	vec_clear(&w->reaches);
	arena_release(&w->frames);
	arena_init(&w->frames);
	w->returned = w->reached = false;
	keyset_clear(&w->returned_to);
	origins_clear(&w->origins);
	w->forks = w->guesses = w->cut = 0;
}

static void forget_source(struct walker *w)
{
	forget_path(w);
	for (uint32_t i = 0; i < w->edges.n; i++)
		vec_release(&w->edges.e[i].val);
	edgemap_clear(&w->edges);
	for (uint32_t i = 0; i < w->rels.n; i++) {
		relevant_release(w->rels.e[i].val);
		free(w->rels.e[i].val);
	}
	relmap_clear(&w->rels);
	keyset_clear(&w->touched);
	keyset_clear(&w->matter);
	keyset_clear(&w->deeds);
	w->blocks = w->ways = 0;
	w->gave_up = w->kept = w->all_paths = false;
}

void walker_free(struct walker *w)
{
	forget_source(w);
	if (w->judge)
		w->o->judge->end(w->judge);
	for (int deep = 0; deep < 2; deep++) {
		for (uint32_t i = 0; i < w->g->m->funcs.n; i++)
			if (w->live[deep][i]) {
				live_release(w->live[deep][i]);
				free(w->live[deep][i]);
			}
		free(w->live[deep]);
	}
	sym_release(&w->s);
	evalmap_release(&w->evaluated);
	literals_release(&w->literals);
	edgemap_release(&w->edges);
	relmap_release(&w->rels);
	keyset_release(&w->touched);
	keyset_release(&w->matter);
	keyset_release(&w->deeds);
	keyset_release(&w->seen);
	keyset_release(&w->holds);
	keyset_release(&w->returned_to);
	origins_release(&w->origins);
	vec_release(&w->held);
	vec_release(&w->holders);
	vec_release(&w->steps);
	vec_release(&w->open);
	vec_release(&w->found.steps);
	vec_release(&w->reaches);
	arena_release(&w->frames);
	free(w);
}

struct chain {
	uint32_t n;
	struct vsite at[MAX_CHAIN];
};

VEC_TYPE(chains, struct chain);

/* Where the ways to the first call are too many: straight there, through the
 * blocks that every way goes through.  Less is known then than on a real path. */
static bool go_straight(struct walker *w, struct spot *at)
{
	const struct ir_func *f = func_of(w, at->fr);
	const struct dom *dom = &pta_ssa(w->g->p, at->fr->func)->dom;
	uint32_t goal = f->insts[at->fr->goal].block, n = 0;
	uint32_t *way = xmalloc(f->nblocks * sizeof(*way));
	bool ok = true;

	for (uint32_t b = goal;; b = dom->idom[b]) {
		way[n++] = b;
		if (dom->idom[b] == b)
			break;
	}
	while (n-- > 0 && ok) {
		const struct ir_block *b = &f->blocks[way[n]];
		const struct ir_inst *br = &f->insts[b->first + b->n - 1];

		for (uint32_t i = b->first; i < b->first + b->n && i != at->fr->goal && ok; i++) {
			at->inst = i;
			if (f->insts[i].op == IR_CALL)
				walk__do_call(w, at, &f->insts[i]);
			else if (!ir_is_term(&f->insts[i]))
				ok = plain_step(w, at, &f->insts[i]) == GO;
		}
		at->inst = b->first + b->n - 1;
		for (uint32_t t = 0; n && ok && br->ntargets > 1 && t < br->ntargets; t++)
			if (br->targets[t] == way[n - 1] && f->blocks[way[n - 1]].npred == 1)
				ok = may_take(w, at, br, t);
	}
	free(way);
	w->guesses |= WALK_GUESS_WAY;
	at->inst = at->fr->goal;
	return ok;
}

static bool follow_chain(struct walker *w, const struct chain *c, bool straight)
{
	struct spot at = { .obj = IR_NONE, .last = IR_NONE, .back = IR_NONE };

	forget_path(w);
	w->straight = straight;
	w->chain = c->at;
	w->nchain = c->n;
	at.fr = walk__new_frame(w, NULL, IR_NONE, c->at[0].func, c->at[0].inst, false);
	at.fr->reach = walk__reach_of(w, c->at[0].func, at.fr->goal);
	at.inst = func_of(w, at.fr)->blocks[0].first;
	w->root = at.fr;
	walk__origins_of_parameters(w, at.fr);
	return bits_test(at.fr->reach, 0) && (!straight || go_straight(w, &at)) && walk__run(w, at);
}

/* Did we give up before the object was there?  Then there is another way. */
static bool too_many(struct walker *w)
{
	if (!w->gave_up || w->reached || w->deep)
		return false;
	w->gave_up = false;
	return true;
}

/* The callers that get the object: each with its own way down to it. */
static void add_callers(const struct walker *w, const struct chain *c, struct chains *out)
{
	uint32_t func = c->at[0].func;

	trace_note(FACT_CALLERS, func, 0);
	for (uint32_t k = w->g->caller_row[func]; k < w->g->caller_row[func + 1] &&
	     out->n < MAX_CHAINS; k++) {
		struct chain longer = { .n = c->n + 1 };
		bool recursive = false;

		for (uint32_t i = 0; i < c->n; i++)
			recursive |= c->at[i].func == w->g->callers[k].func;
		if (recursive || c->n >= MAX_CHAIN ||
		    !keyset_get(&w->returned_to, hash_join(w->g->callers[k].func, w->g->callers[k].inst)))
			continue;
		longer.at[0] = w->g->callers[k];
		memcpy(longer.at + 1, c->at, c->n * sizeof(*c->at));
		vec_push(out, longer);
	}
}

/* A new source: its searches share what the judge has answered. */
static void begin_source(struct walker *w, const struct vsource *src, uint8_t way, bool in_doubt)
{
	w->src = src;
	w->way = way;
	w->in_doubt = in_doubt;
	w->stats = (struct walk_stats){0};
	if (w->judge)
		w->o->judge->source(w->judge);
}

static void begin(struct walker *w, bool deep, uint32_t rounds, uint32_t max_blocks)
{
	forget_source(w);
	w->deep = deep;
	w->rounds = rounds;
	w->max_blocks = max_blocks;
	w->until = IR_NONE;
	w->cut_round = false;
	walk__find_deeds(w);
}

/* The path just walked is what was looked for: the steps from where the object is made. */
static void keep_path(struct walker *w)
{
	struct found *f = &w->found;
	uint32_t first = 0;

	while (first < w->steps.n && w->steps.v[first].kind != WALK_MADE)
		first++;
	vec_clear(&f->steps);
	for (uint32_t i = first; i < w->steps.n; i++)
		vec_push(&f->steps, w->steps.v[i]);
	f->guesses = w->guesses;
	f->in_memory = walk__in_memory(w);
}

static enum walk_answer search(struct walker *w, bool deep, uint32_t rounds, uint32_t max_blocks)
{
	struct chains todo = {0};
	enum walk_answer r = WALK_SAFE;

	begin(w, deep, rounds, max_blocks);
	vec_push(&todo, ((struct chain){ 1, { { w->src->func, w->src->inst } } }));
	for (uint32_t i = 0; i < todo.n && r == WALK_SAFE; i++) {
		struct chain c = todo.v[i];

		if (i && w->in_doubt)
			w->max_blocks += MAX_DOUBT_BLOCKS / 4;
		if (follow_chain(w, &c, false) || (too_many(w) && follow_chain(w, &c, true)))
			r = WALK_LEAK;
		else if (w->gave_up)
			r = WALK_GAVE_UP;
		else if (w->returned)
			add_callers(w, &c, &todo);
	}
	if (r == WALK_LEAK)
		keep_path(w);
	vec_release(&todo);
	return r;
}

bool walker_ever_kept(struct walker *w, const struct vsource *src, uint8_t way)
{
	struct chain c = { 1, { { src->func, src->inst } } };

	begin_source(w, src, way, true);
	begin(w, false, w->o->loop + 1, MAX_DOUBT_BLOCKS);
	w->all_paths = true;
	follow_chain(w, &c, false);
	return w->kept || w->gave_up || w->returned;
}

bool walker_in_memory(const struct walker *w)
{
	return w->found.in_memory;
}

/* Any path will do.  There are fewer if those that differ only in memory are taken for
 * one, and if loops are gone round once. */
static enum walk_answer search_fewer(struct walker *w, uint32_t rounds)
{
	enum walk_answer r;

	w->coarse = true;
	r = search(w, false, rounds, MAX_COARSE);
	if (r != WALK_LEAK)
		r = search(w, false, 1, MAX_COARSE);
	w->coarse = false;
	return r == WALK_LEAK ? r : WALK_GAVE_UP;
}

/* Where loops have ended the search: a few rounds more, with the values that they have, so that
 * what is found is no guess.  What takes too long is not known. */
static enum walk_answer search_further(struct walker *w)
{
	enum walk_answer r = WALK_SAFE;

	if (!w->cut_round)
		return r;
	w->exact = true;
	r = search(w, false, MAX_ROUNDS, MAX_DOUBT_BLOCKS);
	if (r == WALK_LEAK && !w->second)
		r = search(w, true, MAX_ROUNDS, MAX_DOUBT_BLOCKS);
	w->exact = false;
	return r == WALK_LEAK ? r : WALK_SAFE;
}

/* A leak that is found is looked for once more, with callees entered for what they
 * return and write: that takes longer, so it is not done for all.  If it takes too
 * long, the first path stands. */
enum walk_answer walker_search(struct walker *w, const struct vsource *src, uint8_t way, bool in_doubt,
			       const struct walk_step **steps, uint32_t *n)
{
	uint32_t rounds = w->o->loop + 1;
	enum walk_answer r;

	begin_source(w, src, way, in_doubt);
	r = search(w, false, rounds, in_doubt ? MAX_DOUBT_BLOCKS :
				    w->latches ? MAX_AGAIN : MAX_BLOCKS);
	if (r == WALK_GAVE_UP && !in_doubt && !w->latches)
		r = search_fewer(w, rounds);
	else if (r == WALK_SAFE && !w->latches)
		r = search_further(w);
	else if (r == WALK_LEAK && !w->second &&
		 search(w, true, rounds, in_doubt ? MAX_DOUBT_BLOCKS : MAX_DEEP) == WALK_SAFE)
		r = WALK_SAFE;
	*steps = w->found.steps.v;
	*n = w->found.steps.n;
	return r;
}

void walker_know(struct walker *w, const struct latches *l)
{
	w->latches = l;
}

void walker_ask(struct walker *w, const struct vfg_second *s)
{
	w->second = s;
}

bool walker_reaches(struct walker *w, const struct vsource *src, uint32_t inst)
{
	struct chain c = { 1, { { src->func, src->inst } } };

	begin_source(w, src, VE_BY_MEMORY, false);
	begin(w, false, w->o->loop + 1, MAX_BLOCKS);
	w->until = inst;
	return follow_chain(w, &c, false) || w->gave_up;
}
