/*
 * walk_sure.c - is the path possible, and is the leak certain?
 *
 * A path that loses the object was found with the cheap domain of sym.c.  Before it
 * is accepted, somebody who knows more (struct vfg_judge, an SMT solver) is asked
 * whether all that was assumed on it can hold together.  If not, the search continues
 * behind the assumption that was one too many.
 *
 * That a path is possible does not make the leak certain: the judge knows the
 * expressions, not the program's invariants.  A table that is never empty, a
 * parameter that no caller passes, a callee that fails only where it has given
 * nothing out: to the judge these are unknowns, which have the value that
 * loses the object.  (Each is the reason of false alarms that were judged by
 * reading, bench/verdicts/.)  So a path is certain only if every branch that
 * the object's fate depends on asks for values which nothing in the program
 * decides: what the C library and the operating system return and write, whether
 * memory was left, and what callers out of sight pass.  All else is a guess, by
 * one of the names in walk.h, and so are the places where the walker takes
 * one way of several that it cannot tell apart.  This errs towards calling a true
 * leak uncertain.
 */
#include "vfg/walker.h"

#include "base/clock.h"
#include "base/file.h"

/* ---- is it possible? ------------------------------------------------- */

#define MAP_NAME counts
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* How many terms and expressions have each value? */
static void count_uses(const struct syms *s, struct counts *counts, struct sym v, int depth)
{
	const struct sym_expr *e = symexprs_get(&s->exprs, v.id);
	bool is_new;

	++*counts_put(counts, v.id, &is_new);
	if (!e || !is_new || depth >= MAX_COUNTED)
		return;
	count_uses(s, counts, e->a, depth + 1);
	count_uses(s, counts, e->b, depth + 1);
}

/* Is the term a question of its own, about one unknown: how it compares with a constant,
 * or whether it is null?  sym.c has answered that. */
static bool is_settled(const struct syms *s, const struct counts *counts, struct sym v)
{
	const struct sym_expr *e;

	for (; *counts_get(counts, v.id) == 1; v = e->a) {
		e = symexprs_get(&s->exprs, v.id);
		if (!e)
			return sym_tag(v) == SYM_T_ANY;
		if (e->op != SYM_NOT && !(e->op == IR_CMP && sym_tag(e->b) == SYM_T_CONST))
			return false;
	}
	return false;
}

static enum vfg_opinion ask(struct walker *w, uint32_t n)
{
	double start = clock_now();
	enum vfg_opinion o = VFG_POSSIBLE;
	struct counts counts = {0};

	for (uint32_t i = 0; i < n; i++)
		count_uses(&w->s, &counts, w->s.assumed.v[i].v, 0);
	vec_clear(&w->open);
	for (uint32_t i = 0; i < n; i++)
		if (!is_settled(&w->s, &counts, w->s.assumed.v[i].v))
			vec_push(&w->open, w->s.assumed.v[i]);
	counts_release(&counts);
	if (w->open.n)
		o = w->o->judge->ask(w->judge, &w->s, w->open.v, w->open.n);
	w->stats.seconds += clock_now() - start;
	return o;
}

/* How many of the assumptions, from the first on, are too many?  (Some more, if the
 * judge has no answer.) */
static uint32_t impossible_prefix(struct walker *w)
{
	uint32_t fine = 0, bad = w->s.assumed.n;

	while (bad - fine > 1) {
		uint32_t n = fine + (bad - fine) / 2;
		enum vfg_opinion o = ask(w, n);

		if (o == VFG_NOT_KNOWN)
			break;
		if (o == VFG_IMPOSSIBLE)
			bad = n;
		else
			fine = n;
	}
	return bad;
}

/* The number of assumptions up to the first about the value. */
static uint32_t first_about(const struct walker *w, struct sym v)
{
	for (uint32_t i = 0; i < w->s.assumed.n; i++) {
		const struct sym_expr *e = symexprs_get(&w->s.exprs, w->s.assumed.v[i].v.id);

		if (w->s.assumed.v[i].v.id == v.id || (e && (e->a.id == v.id || e->b.id == v.id)))
			return i + 1;
	}
	return w->s.assumed.n;
}

/* Does the path begin with a null pointer that no caller is seen to pass (pta/nulls.c)? */
static bool is_uncalled_for(struct walker *w)
{
	const struct ir_func *f = func_of(w, w->root);

	for (uint32_t k = 0; k < f->nparams; k++) {
		struct sym v = walk__unknown(w, w->root, k, hash_join(w->root->serial, k));
		struct sym now = sym_refined(&w->s, v);

		if (f->params[k].cls != IR_C_PTR || !sym_is_const(now) || now.lo)
			continue;
		trace_note(FACT_NULL, w->root->func, k);
		if (nulls_may_be(&w->g->nulls, w->root->func, k))
			continue;
		w->cut = first_about(w, v);
		keyset_clear(&w->seen);
		return true;
	}
	return false;
}

/* The path loses the object: can it be taken?  If not, w->cut tells how far to go
 * back.  Places that were seen on the way may be come to by another way.  After too
 * many impossible paths the search is given up. */
bool walk__accepts(struct walker *w)
{
	enum vfg_opinion o = VFG_NOT_KNOWN;

	if (is_uncalled_for(w))
		return false;
	/* To find no answer takes longest, and another path of the source is much the same. */
	if (w->judge && w->stats.asked < MAX_JUDGED && !w->stats.not_known) {
		w->stats.asked++;
		o = ask(w, w->s.assumed.n);
		w->stats.not_known += o == VFG_NOT_KNOWN;
	}
	if (w->judge && w->stats.impossible && w->stats.asked >= MAX_JUDGED) {
		w->gave_up = true;
		return false;
	}
	if (o == VFG_NOT_KNOWN)
		w->guesses |= WALK_GUESS_NO_ANSWER;
	if (o != VFG_IMPOSSIBLE)
		return true;
	w->stats.impossible++;
	w->cut = impossible_prefix(w);
	keyset_clear(&w->seen);
	return false;
}

/* Is what is assumed by now impossible already? */
bool walk__is_cut(struct walker *w)
{
	if (w->cut && w->s.assumed.n < w->cut)
		w->cut = 0;
	return w->cut != 0;
}

/* ---- is it certain? -------------------------------------------------- */

/* Is what the function returns, and writes, none of the program's business?  The C
 * library and the system have their own reasons, and memory may be short.  A pure
 * function tells something of memory that the program wrote, and other libraries
 * have contracts that we do not know. */
bool walk__is_environment(const struct walker *w, const struct ir_func *callee)
{
	static const char *const files[] = { "libc.model", "posix.model", "linux.model" };
	const struct model *m;
	const struct model_effect *e;

	if (!callee || !ir_is_decl(callee) || callee->flags & IR_FN_READONLY ||
	    !(m = model_find(pta_models(w->g->p), callee->name)))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		if (m->file && str_eq(path_base(m->file), files[i]))
			return true;
	e = model_allocates(m);
	return e && !e->value.nonnull;
}

/* Whose value is the unknown?  guess: WALK_GUESS_..., 0 if nothing in the program
 * decides it. */
void walk__set_origin(struct walker *w, struct sym v, uint32_t guess)
{
	if (sym_tag(v) == SYM_T_ANY)
		origins_set(&w->origins, v.id, guess);
}

static uint32_t guesses_in(const struct walker *w, struct sym v, int depth)
{
	const struct sym_expr *e;
	const uint32_t *known;

	if (sym_tag(v) != SYM_T_ANY)
		return 0;
	known = origins_get(&w->origins, v.id);
	if (known)
		return *known;
	e = symexprs_get(&w->s.exprs, v.id);
	if (!e || e->op == SYM_TEXT || depth >= MAX_LEAVES)
		return WALK_GUESS_BRANCH;
	return guesses_in(w, e->a, depth + 1) | guesses_in(w, e->b, depth + 1);
}

/* A function that nobody in the program calls can be given anything. */
void walk__origins_of_parameters(struct walker *w, const struct frame *fr)
{
	const struct ir_func *f = func_of(w, fr);
	bool inside = w->g->caller_row[fr->func] != w->g->caller_row[fr->func + 1] ||
		      f->linkage == IR_L_STATIC;

	trace_note(FACT_CALLED, fr->func, 0);
	for (uint32_t k = 0; k < f->nparams; k++)
		walk__set_origin(w, walk__unknown(w, fr, k, hash_join(fr->serial, k)),
				 inside ? WALK_GUESS_PARAM : 0);
}

/* Notes what is guessed at a branch.  That control gets to the source at all is not
 * doubted, unless the function has a parameter for it, which maybe nobody passes so;
 * that it gets to an allocation within an allocator, for this caller, is. */
static void note_guesses(struct walker *w, const struct spot *at, uint64_t g)
{
	if (at->obj == IR_NONE && !at->fr->parent)
		w->guesses |= g << WALK_BEFORE | (g & WALK_GUESS_PARAM);
	else if (at->obj != IR_NONE && !walk__within_wrapper(at->fr))
		w->guesses |= g << WALK_AFTER;
	else
		w->guesses |= g;
}

static bool matters(const struct walker *w, const struct spot *at)
{
	return bits_test(&at->fr->rel->blocks, func_of(w, at->fr)->insts[at->inst].block);
}

/* A branch was decided by assumptions number `first` and those after it. */
void walk__guess_branch(struct walker *w, const struct spot *at, uint32_t first)
{
	for (uint32_t i = first; matters(w, at) && i < w->s.assumed.n; i++)
		note_guesses(w, at, guesses_in(w, w->s.assumed.v[i].v, 0));
}

/* What is guessed of an operand. */
static uint32_t operand_guesses(struct walker *w, const struct frame *fr, ir_ref r, int depth)
{
	const struct ssa *s = pta_ssa(w->g->p, fr->func);
	const struct sym *known;
	const struct ir_inst *d;
	uint32_t all = 0;

	r = ssa_ref(s, r);
	if (IR_KIND(r) != IR_R_VREG)
		return IR_KIND(r) == IR_R_SPECIAL && r != IR_NULL ? WALK_GUESS_BRANCH : 0;
	if (live_is_leaf(s, r)) {
		if (walk__holds(w, VNODE_VALUE(fr->func, IR_IDX(r))))
			return 0;
		known = sym_env_get(&w->s, fr->serial, IR_IDX(r));
		/* so on this path: by what led here */
		if (known && sym_tag(*known) == SYM_T_CONST)
			return w->guesses >> WALK_BEFORE & WALK_ROW;
		return guesses_in(w, known ? *known
				  : walk__unknown(w, fr, IR_IDX(r), hash_join(fr->serial, IR_IDX(r))), 0);
	}
	d = ssa_def(s, r);
	if (depth >= MAX_LEAVES)
		return WALK_GUESS_BRANCH;
	for (uint32_t k = 0; k < d->nops; k++)
		all |= operand_guesses(w, fr, d->ops[k], depth + 1);
	return all;
}

/* A branch was decided by what is known. */
void walk__guess_decided(struct walker *w, const struct spot *at, ir_ref cond)
{
	if (matters(w, at))
		note_guesses(w, at, operand_guesses(w, at->fr, cond, 0));
}

/* The call makes the object: certainly?  entered: we are in the allocator. */
void walk__guess_made(struct walker *w, const struct spot *at, uint32_t obj, bool entered)
{
	const struct ir_inst *in = &func_of(w, at->fr)->insts[at->inst];
	const struct ir_func *callee = ir_callee(w->g->m, in);
	const struct model_effect *e = pta_obj(w->g->p, obj)->effect;

	if (!callee || (!entered && !ir_is_decl(callee)))
		w->guesses |= WALK_GUESS_MADE;
	for (unsigned i = 0; !entered && i < e->nconds; i++)
		if (e->conds[i].place.base != MODEL_RETURN)
			w->guesses |= WALK_GUESS_MADE;
	for (unsigned i = 0; !entered && i < e->place.nsteps; i++)
		if (e->place.steps[i].any)
			w->guesses |= WALK_GUESS_MADE;	/* elements: maybe there are none */
}

uint32_t walker_guesses(const struct walker *w, bool never)
{
	return (w->found.guesses | (never ? 0 : w->found.guesses >> WALK_AFTER)) & WALK_ROW;
}

const struct walk_stats *walker_stats(const struct walker *w)
{
	return &w->stats;
}
