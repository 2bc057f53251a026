/*
 * exec_call.c - calls: who is called, and what an unknown callee does to the
 * state of the path; exec_apply.c does what a summary says, exec_model.c a model.
 *
 * A summary has several cases.  Each that the path allows is tried, as if the
 * call were a branch; section 5.5 of the paper applies one behaviour instead,
 * whose return value then decides.
 *
 * An unknown function keeps what it is given, and everything that leads from
 * there; so does one whose paths were too many, and, in the first round, a
 * function that is being looked at itself.  This errs on the side of silence.
 */
#include "path/exec.h"

#include "path/keep.h"
#include "pta/pta.h"

enum { MAX_ARGS = 40, MAX_PARTS = 4 };

/* ---- what happens to objects ----------------------------------------- */

void exec__note_call(struct exec *x, uint32_t inst)
{
	if (!x->steps.n || vec_last(&x->steps).kind != STEP_CALL || vec_last(&x->steps).inst != inst)
		vec_push(&x->steps, ((struct step){ .kind = STEP_CALL, .inst = inst }));
}

struct sym exec__make(struct exec *x, const struct snew *made, uint32_t inst, uint32_t nth)
{
	struct snew n = *made;
	struct sym v;

	n.nth = nth;
	v = state_new(&x->st, &n, inst, nth, x->visits[x->f->insts[inst].block]);

	vec_push(&x->steps, ((struct step){ .kind = STEP_MADE, .inst = inst, .base = v.id }));
	return v;
}

void exec__push_value(const struct state_cell *c, void *arg)
{
	vec_push((struct values *)arg, c->v);	/* plumb-ignore: whoever gave arg releases it */
}

/* The objects that a value may mean: one, or all that an array holds. */
static void meant(struct exec *x, struct sym v, struct values *out)
{
	const struct where *w = wheres_get(&x->st.elems, v.id);

	vec_clear(out);
	vec_push(out, v);
	if (w)
		state_cells(&x->st, w->base, exec__push_value, out);
}

/* Is it known for sure which object that is?  Not so of an element, nor of what was reached
 * through memory of the caller's in an earlier round: two of its pointers may be one, and a
 * store through one of them has changed the other. */
bool exec__is_certain(const struct exec *x, struct sym v, uint32_t inst)
{
	const struct where *w = wheres_get(&x->st.wheres, v.id);
	const struct mobj *o = mobjs_get(&x->st.objs, w ? w->base : v.id);
	const struct place *p = placemap_get(&x->st.places, v.id);

	if ((w && w->any) || wheres_get(&x->st.elems, v.id) || (p && place_is_any(p)))
		return false;
	if (!o || o->kind == M_HEAP)
		return true;
	return (o->kind == M_INPUT && o->has_place && !o->place.nsteps) ||
	       x->visits[x->f->insts[inst].block] < 2;
}

void exec__free_one(struct exec *x, struct sym v, uint32_t inst, bool certain)
{
	struct where w;
	struct mobj *o;

	if (sym_is_const(sym_refined(&x->st.s, v)))
		return;
	w = state_where(&x->st, v);
	o = state_obj(&x->st, w.base);
	if (o->kind == M_SLOT || o->kind == M_GLOBAL || o->kind == M_FUNC)
		return;
	if (state_of(&x->st, w.base) == O_FREED) {
		if (certain && exec__is_certain(x, v, inst) && !state_is_vague(&x->st, w.base))
			exec__wrong(x, WRONG_DOUBLE_FREE, o, state_at(&x->st, w.base), inst);
		return;
	}
	state_set(&x->st, w.base, O_FREED, inst);
	if (!certain)		/* one of several that it may have been */
		state_set_vague(&x->st, w.base);
}

void exec__free(struct exec *x, struct sym v, uint32_t inst)
{
	struct values all = {0};

	meant(x, v, &all);
	exec__free_one(x, v, inst, true);
	for (uint32_t i = 1; i < all.n; i++)
		if (state_heap(&x->st, all.v[i]))
			exec__free_one(x, all.v[i], inst, false);
	vec_release(&all);
}

static bool is_number(const struct exec *x, struct sym v)
{
	const struct place *p = placemap_get(&x->st.places, v.id);

	return p && p->bits && p->bits < 64;
}

/* Somebody else can reach it from now on, and all that it leads to; with `touch`, they
 * may also change what is in it. */
static void give(struct exec *x, struct sym start, uint32_t inst, bool touch)
{
	struct values todo = {0}, in = {0};
	struct digests seen = {0};
	bool is_new;

	vec_push(&todo, start);
	while (todo.n && seen.n < EXEC_MAX_GIVEN) {
		struct sym v = vec_pop(&todo);
		struct where w;
		struct mobj *o;

		if (sym_is_const(sym_refined(&x->st.s, v)) || is_number(x, v))
			continue;
		meant(x, v, &in);
		for (uint32_t i = 1; i < in.n; i++)
			if (state_heap(&x->st, in.v[i]))
				vec_push(&todo, in.v[i]);
		w = state_where(&x->st, v);
		digests_put(&seen, w.base, &is_new);
		if (!is_new)
			continue;
		o = state_obj(&x->st, w.base);
		if (o->kind == M_FUNC ||
		    (o->kind == M_GLOBAL && x->m->globals.v[o->index].flags & IR_G_CONST))
			continue;
		if ((o->kind == M_HEAP || o->kind == M_INPUT) && state_of(&x->st, w.base) == O_LIVE)
			state_set(&x->st, w.base, O_KEPT, inst);
		state_cells(&x->st, w.base, exec__push_value, &todo);
		if (touch)
			state_forget(&x->st, w.base, true);
	}
	vec_release(&todo);
	vec_release(&in);
	digests_release(&seen);
}

void exec__give(struct exec *x, struct sym v, uint32_t inst)
{
	/* a number is given to everybody, all the time */
	if (!wheres_get(&x->st.wheres, v.id) && !mobjs_get(&x->st.objs, v.id) &&
	    !placemap_get(&x->st.places, v.id) && !wheres_get(&x->st.elems, v.id))
		return;
	give(x, v, inst, true);
}

void exec__keep(struct exec *x, struct sym v, uint32_t inst)
{
	give(x, v, inst, false);
}

/* ---- unknown functions ----------------------------------------------- */

/* Code of the program may change any of its globals; code out of sight only those that
 * it can see. */
static void forget_globals(struct exec *x, bool own_code)
{
	VEC(uint64_t) all = {0};

	for (uint32_t i = 0; i < x->st.objs.n; i++) {
		const struct mobj *o = &x->st.objs.e[i].val;
		const struct ir_global *g;

		if (o->kind != M_GLOBAL)
			continue;
		g = &x->m->globals.v[o->index];
		if (g->flags & IR_G_CONST || bits_test(&x->e->fixed, o->index))
			continue;
		if (own_code || g->linkage >= IR_L_DECL || (!x->e->whole && g->linkage != IR_L_STATIC))
			vec_push(&all, o->addr.id);
	}
	for (uint32_t i = 0; i < all.n; i++)
		state_forget(&x->st, all.v[i], true);
	vec_release(&all);
}

/* A function behind a pointer, asked the same as before: nothing is known of what it looks at, but a
 * path on which it says something else now is a guess (a comparison of keys, asked twice). */
static void doubt_asked_again(struct exec *x, uint32_t inst, const struct sym *args, uint32_t nargs)
{
	const struct ir_inst *in = &x->f->insts[inst];
	uint64_t id = exec__eval(x, in->ops[0]).id;

	if (in->res == IR_NONE || !nargs)
		return;
	for (uint32_t k = 0; k < nargs; k++)
		id = hash_join(id, args[k].id);
	if (state_was_asked(&x->st, id))
		state_doubt(&x->st);
}

static void call_unknown(struct exec *x, uint32_t inst, const struct ir_func *callee, const struct sym *args,
			 uint32_t nargs)
{
	const struct ir_inst *in = &x->f->insts[inst];
	bool harmless = callee && ir_is_decl(callee) && callee->flags & IR_FN_READONLY;

	if (!harmless)
		state_set_stamp(&x->st, inst);
	if (!callee)
		doubt_asked_again(x, inst, args, nargs);
	for (uint32_t k = 0; k < nargs && !harmless; k++)
		exec__give(x, args[k], inst);
	if (!harmless)
		forget_globals(x, !callee || !ir_is_decl(callee));
	exec__set(x, in->res, state_fresh(&x->st, in->cls, in->bits));
	if (in->cls == IR_C_AGG && in->res != IR_NONE)
		for (uint32_t k = 1; k < MAX_PARTS; k++)
			exec__set_part(x, in->res, k, state_fresh(&x->st, IR_C_OPAQUE, 0));
}

/* ---- who is called --------------------------------------------------- */

VEC_TYPE(outcomes, struct outcome);

static void add_unknown(struct outcomes *out, uint32_t callee)
{
	vec_push(out, ((struct outcome){ .callee = callee }));
}

static bool asks_any(const struct summary *s)
{
	for (uint32_t i = 0; i < s->cases.n; i++)
		if (s->cases.v[i].asks)
			return true;
	return false;
}

static void add_function(struct exec *x, struct outcomes *out, uint32_t callee, uint32_t inst)
{
	static const struct scase nothing, asking = { .asks = true };
	const struct summary *s = keep_summary(x->e, callee);

	if (!s->done || s->cut) {
		add_unknown(out, callee);
		return;
	}
	/* it does nothing to memory, and its result is not looked at: one outcome will do, on no condition if
	 * there are several */
	if (s->cases.n && summary_is_plain(s) && x->f->insts[inst].res == IR_NONE) {
		const struct scase *any = asks_any(s) ? &asking : &nothing;

		vec_push(out, ((struct outcome){ callee, s, s->cases.n == 1 ? &s->cases.v[0] : any }));
		return;
	}
	for (uint32_t i = 0; i < s->cases.n; i++)
		if (!s->cases.v[i].noreturn)
			vec_push(out, ((struct outcome){ callee, s, &s->cases.v[i] }));
}

/* The function that is called for sure, or IR_NONE. */
static uint32_t direct_callee(struct exec *x, const struct ir_inst *in)
{
	const struct ir_func *g = ir_callee(x->m, in);
	struct sym v;
	const struct mobj *o;

	if (g)
		return (uint32_t)(g - x->m->funcs.v);
	v = exec__eval(x, in->ops[0]);
	o = mobjs_get(&x->st.objs, v.id);
	return o && o->kind == M_FUNC ? o->index : IR_NONE;
}

static void indirect(struct exec *x, struct outcomes *out, uint32_t inst)
{
	struct pta_callees c;
	uint32_t n = 0;

	if (!x->e->pta) {
		add_unknown(out, IR_NONE);
		return;
	}
	pta_callees(x->e->pta, x->func, inst, &c);
	SBITS_FOREACH(f, c.set)
		n++;
	if (c.unknown || n != 1) {
		add_unknown(out, IR_NONE);
		return;
	}
	SBITS_FOREACH(f, c.set) {
		if (ir_is_decl(&x->m->funcs.v[f]))
			add_unknown(out, f);
		else
			add_function(x, out, f, inst);
	}
}

/* ---- a call ---------------------------------------------------------- */

/* Does the function not return from such a call? */
static bool may_end(struct exec *x, uint32_t inst, const struct outcomes *out, const struct sym *args,
		    uint32_t nargs)
{
	const struct summary *s = out->v[0].sum;
	bool ends = false;

	for (uint32_t i = 0; s && i < s->cases.n && !ends; i++)
		ends = s->cases.v[i].noreturn && exec__fits(x, inst, &s->cases.v[i], args, nargs);
	return ends;
}

static bool makes(const struct scase *c, const struct model_effect *e)
{
	for (uint32_t i = 0; i < c->news.n; i++)
		if (c->news.v[i].effect == e)
			return true;
	return false;
}

/* Is the result null, though the caller relies on it? */
static bool is_denied(struct exec *x, uint32_t inst)
{
	const struct ir_inst *in = &x->f->insts[inst];

	return in->res != IR_NONE && in->cls == IR_C_PTR &&
	       state_is_null(&x->st, exec__eval(x, IR_VREG(in->res))) && exec__trusts(x, inst);
}

/* False: the outcome cannot be on this path. */
static bool try_one(struct exec *x, uint32_t inst, const struct outcome *o, const struct sym *args,
		    uint32_t nargs)
{
	if (o->c) {
		bool on = exec__apply(x, inst, o, args, nargs) && !is_denied(x, inst);

		x->refused |= !on && inst == x->from && makes(o->c, x->made);
		return on;
	}
	x->guessed |= inst == x->from;
	call_unknown(x, inst, o->callee == IR_NONE ? NULL : &x->m->funcs.v[o->callee], args, nargs);
	return true;
}

static bool try_all(struct exec *x, uint32_t inst, const struct outcomes *out, const struct sym *args,
		    uint32_t nargs)
{
	struct exec_mark mark = exec__mark(x);
	uint64_t salt = x->st.salt;
	bool fits = false;

	for (uint32_t i = 0; i <= out->n && !x->r->cut; i++) {
		/* no case fits: the summary has not seen such a call */
		struct outcome o = i < out->n ? out->v[i] : (struct outcome){ .callee = out->v[0].callee };
		bool last = out->n == 1 || i == out->n;

		x->st.salt = hash_join(salt, i);
		if (i == out->n && (fits || may_end(x, inst, out, args, nargs)))
			break;
		if (exec__skips_elements(x, inst, &o, args, nargs))
			continue;
		if (out->n > 1)
			state_made_up(&x->st);
		if (out->n > 1 && !(o.sum && summary_is_plain(o.sum)) && !(o.c && !o.c->lossy))
			state_doubt(&x->st);
		if (try_one(x, inst, &o, args, nargs)) {
			fits = true;
			if (last)
				return true;
			if (exec__may_go_on(x))
				exec__go_on(x, inst);
		}
		exec__undo(x, mark);
	}
	return false;
}

/* setjmp() returns a second time from somewhere else, where what our caller gave us may have
 * been taken, and so may what we made ourselves and give to somebody after the first return: a guess. */
static bool returns_twice(struct exec *x, uint32_t inst)
{
	const struct ir_inst *in = &x->f->insts[inst];
	struct exec_mark mark = exec__mark(x);
	struct sym r = state_fresh(&x->st, in->cls, in->bits);

	exec__set(x, in->res, sym_const(0));
	exec__go_on(x, inst);
	exec__undo(x, mark);
	if (!exec__assume(x, r, true))
		return false;
	state_doubt(&x->st);
	exec__set(x, in->res, r);
	for (uint32_t k = 0; k < x->f->nparams; k++) {
		const struct sym *v = sym_env_get(&x->st.s, 0, k);

		if (v)
			exec__give(x, *v, inst);
	}
	return true;
}

bool exec__call(struct exec *x, uint32_t inst)
{
	const struct ir_inst *in = &x->f->insts[inst];
	uint32_t callee = direct_callee(x, in), nargs = MIN(in->nops - 1, (uint32_t)MAX_ARGS);
	const struct ir_func *g = callee == IR_NONE ? NULL : &x->m->funcs.v[callee];
	const struct model *md = g && ir_is_decl(g) ? model_find(x->e->models, g->name) : NULL;
	struct sym args[MAX_ARGS + 1];
	struct outcomes out = {0};
	bool on;

	if (callee != IR_NONE)
		keep_summary(x->e, callee);
	for (uint32_t k = 0; k < nargs; k++)
		args[k] = exec__eval(x, in->ops[k + 1]);
	if (g && !ir_is_decl(g))
		nulls_note(x, callee, args, nargs);
	if (in->flags & IR_F_NORETURN || (g && g->flags & IR_FN_NORETURN) || (md && md->noreturn)) {
		exec__no_return(x);
		return false;
	}
	if (in->flags & IR_F_TWICE && in->res != IR_NONE)
		return returns_twice(x, inst);
	if (md)
		return exec__model(x, inst, md, g, args, nargs);
	if (!g)
		indirect(x, &out, inst);
	else if (ir_is_decl(g))
		add_unknown(&out, callee);
	else
		add_function(x, &out, callee, inst);
	if (!out.n)
		exec__no_return(x);
	on = out.n && try_all(x, inst, &out, args, nargs);
	vec_release(&out);
	return on;
}
