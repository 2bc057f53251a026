/*
 * exec_call.c - calls: what the callee's summary, model or absence says, done
 * to the state of the path.
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

enum { MAX_ARGS = 40, MAX_GIVEN = 400, MAX_PARTS = 4 };

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

VEC_TYPE(values, struct sym);

static void push_value(const struct state_cell *c, void *arg)
{
	vec_push((struct values *)arg, c->v);
}

/* The objects that a value may mean: one, or all that an array holds. */
static void meant(struct exec *x, struct sym v, struct values *out)
{
	const struct where *w = wheres_get(&x->st.elems, v.id);

	vec_clear(out);
	vec_push(out, v);
	if (w)
		state_cells(&x->st, w->base, push_value, out);
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
	return !o || o->kind == M_HEAP || (o->kind == M_INPUT && o->has_place && !o->place.nsteps) ||
	       x->visits[x->f->insts[inst].block] < 2;
}

static void free_one(struct exec *x, struct sym v, uint32_t inst, bool certain)
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
		if (certain && exec__is_certain(x, v, inst))
			exec__wrong(x, WRONG_DOUBLE_FREE, o, state_at(&x->st, w.base), inst);
		return;
	}
	state_set(&x->st, w.base, O_FREED, inst);
}

void exec__free(struct exec *x, struct sym v, uint32_t inst)
{
	struct values all = {0};

	meant(x, v, &all);
	free_one(x, v, inst, true);
	for (uint32_t i = 1; i < all.n; i++)
		if (state_heap(&x->st, all.v[i]))
			free_one(x, all.v[i], inst, false);
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
	while (todo.n && seen.n < MAX_GIVEN) {
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
		if (o->kind == M_FUNC || (o->kind == M_GLOBAL && x->m->globals.v[o->index].flags & IR_G_CONST))
			continue;
		if ((o->kind == M_HEAP || o->kind == M_INPUT) && state_of(&x->st, w.base) == O_LIVE)
			state_set(&x->st, w.base, O_KEPT, inst);
		state_cells(&x->st, w.base, push_value, &todo);
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
	if (!wheres_get(&x->st.wheres, v.id) && !mobjs_get(&x->st.objs, v.id) && !placemap_get(&x->st.places, v.id) &&
	    !wheres_get(&x->st.elems, v.id))
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

static void call_unknown(struct exec *x, uint32_t inst, const struct ir_func *callee, const struct sym *args, uint32_t nargs)
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

/* ---- by summary ------------------------------------------------------ */

struct outcome {
	uint32_t callee;
	const struct summary *sum;
	const struct scase *c;		/* NULL: unknown */
};

struct applied {
	struct exec *x;
	uint32_t inst;
	const struct sym *args;
	uint32_t nargs;
	struct sym *news;
	const struct summary *sum;
	bool doubtful;		/* the case depends on a number in memory of which we have lost track */
	uint64_t counted;	/* arguments that the case depends on a number in, which is not known and
				 * which the function changes: a count of references */
};

static bool assume_bits(struct exec *x, struct sym v, const struct scond *k)
{
	if (k->zeros && !exec__assume(x, sym_bin(&x->st.s, IR_B_AND, 64, v, sym_const((int64_t)k->zeros)), false))
		return false;
	return !k->some || exec__assume(x, sym_bin(&x->st.s, IR_B_AND, 64, v, sym_const((int64_t)k->some)), true);
}

struct held {
	struct exec *x;
	struct where at;
	bool any;
};

static void look_for_held(const struct state_cell *c, void *arg)
{
	struct held *h = arg;

	h->any |= c->at.off >= h->at.off && state_heap(&h->x->st, c->v) && state_is_nonnull(&h->x->st, c->v);
}

/* A callee that found no element goes through none of them: not if there are some. */
static bool may_be_empty(struct applied *a, const struct scond *k)
{
	struct held h = { .x = a->x };
	struct sym addr;

	if (!state_place_addr(&a->x->st, &k->place, a->args, a->nargs, NULL, &addr))
		return true;
	h.at = state_where(&a->x->st, addr);
	state_cells(&a->x->st, h.at.base, look_for_held, &h);
	return !h.any;
}

/* The case depends on the number at this place, and nothing is known of it. */
static void note_count(struct applied *a, const struct place *p)
{
	const struct summary *s = a->sum;

	if (!s || p->base != PLACE_ARG || !p->nsteps || !p->bits || p->index >= 64)
		return;
	for (uint32_t i = 0; i < s->cases.n; i++)
		for (uint32_t k = 0; k < s->cases.v[i].effects.n; k++) {
			const struct seffect *e = &s->cases.v[i].effects.v[k];

			if ((e->kind == SEFF_SET || e->kind == SEFF_WRITE) && place_equal(&e->place, p))
				a->counted |= 1ull << p->index;
		}
}

static bool assume_cond(struct applied *a, const struct scond *k)
{
	struct exec *x = a->x;
	struct syms *s = &x->st.s;
	struct sym v;

	if (place_is_any(&k->place) && k->hi == 0 && !may_be_empty(a, k))
		return false;
	v = state_place(&x->st, &k->place, a->args, a->nargs, NULL, k->place.bits ? IR_C_INT : IR_C_PTR, k->place.bits ? k->place.bits : 64);
	if (!sym_is_const(sym_refined(s, v))) {
		note_count(a, &k->place);
		a->doubtful |= k->place.nsteps && k->place.bits && !exec__is_for_caller(x, v);
	}
	if (!assume_bits(x, v, k))
		return false;
	if (k->lo == k->hi)
		return exec__assume(x, sym_cmp(s, IR_P_EQ, v, sym_const(k->lo)), true);
	if (k->lo == 1 && k->hi == INT64_MAX && sym_refined(s, v).lo >= 0)
		return exec__assume(x, v, true);
	return (k->lo == INT64_MIN || exec__assume(x, sym_cmp(s, IR_P_SGE, v, sym_const(k->lo)), true)) &&
	       (k->hi == INT64_MAX || exec__assume(x, sym_cmp(s, IR_P_SLE, v, sym_const(k->hi)), true)) &&
	       (!k->not_zero || exec__assume(x, v, true));
}

static bool assume_conds(struct applied *a, const struct scase *c)
{
	struct exec *x = a->x;

	for (uint32_t i = 0; i < c->conds.n; i++)
		if (!assume_cond(a, &c->conds.v[i]))
			return false;
	for (uint32_t i = 0; i < c->terms.n; i++) {
		struct sym v = exec__term(x, &c->terms.v[i], a->args, a->nargs);

		for (uint32_t k = 0; k < c->terms.v[i].nodes.n && sym_truth(&x->st.s, v) < 0; k++)
			if (c->terms.v[i].nodes.v[k].op == SNODE_PLACE) {
				note_count(a, &c->terms.v[i].nodes.v[k].place);
				a->doubtful |= c->terms.v[i].nodes.v[k].place.nsteps && !exec__is_for_caller(x, v);
			}
		if (!exec__assume(x, v, c->terms.v[i].truth))
			return false;
	}
	return true;
}

static struct sym value_of(struct applied *a, const struct sval *v, enum ir_class cls, unsigned bits)
{
	struct exec *x = a->x;
	struct sym r;

	switch ((enum sval_kind)v->kind) {
	case SVAL_PLACE:
		r = state_place(&x->st, &v->place, a->args, a->nargs, a->news, cls, bits);
		return state_offset(&x->st, r, v->off);
	case SVAL_SUM:
		r = state_place(&x->st, &v->place, a->args, a->nargs, a->news, cls, bits);
		return sym_bin(&x->st.s, IR_B_ADD, bits ? bits : 64, r, sym_const(v->off));
	case SVAL_INTO:
		return state_into(&x->st, state_place(&x->st, &v->place, a->args, a->nargs, a->news, cls, bits), v->lo <= 0);
	case SVAL_NEW:
		return state_offset(&x->st, a->news[v->index], v->off);
	case SVAL_SYMBOL:
		return state_offset(&x->st, state_symbol(&x->st, v->symbol), v->off);
	case SVAL_ANY:
		break;
	}
	r = state_fresh(&x->st, cls, bits);
	if (v->lo == v->hi)
		return sym_const(v->lo);
	r = sym_between(r.id, MAX(r.lo, v->lo), MIN(r.hi, v->hi));
	if (v->not_zero)
		exec__assume(x, r, true);
	return r;
}

/* Is it handed out, rather than a part of something that is? */
static bool is_handed_out(const struct scase *c, uint32_t k)
{
	if (c->returns && c->ret.kind == SVAL_NEW && c->ret.index == k)
		return true;
	for (uint32_t i = 0; i < c->parts.n; i++)
		if (c->parts.v[i].kind == SVAL_NEW && c->parts.v[i].index == k)
			return true;
	for (uint32_t i = 0; i < c->effects.n; i++)
		if (c->effects.v[i].kind == SEFF_SET && c->effects.v[i].v.kind == SVAL_NEW && c->effects.v[i].v.index == k &&
		    c->effects.v[i].place.base == PLACE_ARG)
			return true;
	return false;
}

static void make_news(struct applied *a, const struct scase *c, const struct outcome *o)
{
	struct exec *x = a->x;
	const struct ir_func *g = &x->m->funcs.v[o->callee];
	bool wraps = x->e->pta ? pta_wrapper(x->e->pta, o->callee) != NULL : o->sum->wraps;

	for (uint32_t i = 0; i < c->news.n; i++) {
		struct snew n = c->news.v[i];

		if (wraps && is_handed_out(c, i)) {
			n.func = x->func;
			n.inst = a->inst;
			n.allocator = g->src;
		}
		a->news[i] = exec__make(x, &n, a->inst, i);
	}
}

static bool frees(const struct scase *c, const struct place *p)
{
	for (uint32_t i = 0; i < c->effects.n; i++)
		if (c->effects.v[i].kind == SEFF_FREE && place_equal(&c->effects.v[i].place, p))
			return true;
	return false;
}

/* Is the place freed in some cases, and not in others? */
static bool is_freed_or_not(const struct summary *s, const struct place *p)
{
	bool yes = false, no = false;

	for (uint32_t i = 0; i < s->cases.n; i++) {
		if (s->cases.v[i].noreturn)
			continue;
		yes |= frees(&s->cases.v[i], p);
		no |= !frees(&s->cases.v[i], p);
	}
	return yes && no;
}

/* Is it freed or not by a number that nobody knows? */
static bool is_counted(const struct applied *a, const struct place *p)
{
	return p->base == PLACE_ARG && !p->nsteps && p->index < 64 && a->counted >> p->index & 1 && is_freed_or_not(a->sum, p);
}

static bool uses_varargs(const struct seffect *e)
{
	return e->place.base == PLACE_VARARGS ||
	       ((e->kind == SEFF_SET || e->kind == SEFF_COPY) && e->v.kind != SVAL_ANY && e->v.kind != SVAL_NEW && e->v.kind != SVAL_SYMBOL &&
		e->v.place.base == PLACE_VARARGS);
}

/* What happens to one of the variable arguments happens to all; what is more than freeing them
 * is not followed. */
static void apply_to_varargs(struct applied *a, const struct seffect *e)
{
	const struct place *p = e->place.base == PLACE_VARARGS ? &e->place : &e->v.place;

	for (uint32_t k = p->index; k < a->nargs; k++) {
		if (e->kind == SEFF_FREE && p->nsteps == 1)
			exec__free(a->x, a->args[k], a->inst);
		else
			exec__give(a->x, a->args[k], a->inst);
	}
}

/* All that a place with elements on its way may mean. */
static void all_values(struct applied *a, const struct place *p, struct values *out)
{
	struct state *st = &a->x->st;
	struct values now = {0}, held = {0};
	struct place base = *p;

	base.nsteps = 0;
	vec_clear(out);
	vec_push(out, state_place(st, &base, a->args, a->nargs, a->news, IR_C_PTR, 64));
	for (unsigned i = 0; i < p->nsteps; i++) {
		struct place one = { .base = PLACE_ARG, .nsteps = 1, .step[0] = p->step[i] };

		vec_clear(&now);
		for (uint32_t k = 0; k < out->n && k < MAX_GIVEN; k++) {
			struct sym addr;

			if (!state_place_addr(st, &one, &out->v[k], 1, NULL, &addr))
				continue;
			vec_push(&now, state_load(st, addr, IR_C_PTR, 64, IR_NONE));
			if (!p->step[i].any)
				continue;
			vec_clear(&held);
			state_cells(st, state_where(st, addr).base, push_value, &held);
			for (uint32_t h = 0; h < held.n; h++)
				if (state_heap(st, held.v[h]))
					vec_push(&now, held.v[h]);
		}
		vec_clear(out);
		for (uint32_t k = 0; k < now.n; k++)
			vec_push(out, now.v[k]);
	}
	vec_release(&now);
	vec_release(&held);
}

struct prepared {		/* an effect, with all that it needs to know of memory before the call */
	const struct seffect *e;
	struct sym v, addr;
	bool ok;
	struct values all;	/* FREE: each of these */
};

static void prepare(struct applied *a, const struct seffect *e, struct prepared *p)
{
	struct state *st = &a->x->st;

	p->e = e;
	switch ((enum seffect_kind)e->kind) {
	case SEFF_COPY:
		p->addr = state_place(st, &e->place, a->args, a->nargs, a->news, IR_C_PTR, 64);
		p->v = state_place(st, &e->v.place, a->args, a->nargs, a->news, IR_C_PTR, 64);
		p->ok = !sym_is_const(sym_refined(&st->s, p->addr)) && !sym_is_const(sym_refined(&st->s, p->v));
		break;
	case SEFF_FREE:
		if (place_is_any(&e->place))
			all_values(a, &e->place, &p->all);
		/* fallthrough */
	case SEFF_KEEP:
		p->v = state_place(st, &e->place, a->args, a->nargs, a->news, IR_C_PTR, 64);
		break;
	case SEFF_SET:
	case SEFF_WRITE:
		p->ok = state_place_addr(st, &e->place, a->args, a->nargs, a->news, &p->addr);
		p->v = e->kind == SEFF_SET ? value_of(a, &e->v, e->v.lo >= 0 ? IR_C_PTR : IR_C_INT, 64)
					   : state_fresh(st, IR_C_OPAQUE, 0);
		break;
	}
}

/* Two copies happen together: each from what was there before the other. */
static void prepare_copies(struct applied *a, struct prepared *all, uint32_t n)
{
	struct state *st = &a->x->st;
	uint32_t copies = 0;

	for (uint32_t i = 0; i < n; i++)
		copies += all[i].e->kind == SEFF_COPY && all[i].ok;
	for (uint32_t i = 0; i < n && copies > 1; i++) {
		const struct seffect *e = all[i].e;
		struct sym aside;

		if (e->kind != SEFF_COPY || !all[i].ok)
			continue;
		aside = state_fresh(st, IR_C_PTR, 64);
		aside.lo = 1;
		state_copy(st, state_offset(st, aside, e->v.off), state_offset(st, all[i].v, e->v.off), e->v.hi, a->inst);
		all[i].v = aside;
		all[i].all.n = 0;
		vec_push(&all[i].all, aside);
	}
}

static void do_free(struct applied *a, const struct prepared *p)
{
	if (is_counted(a, &p->e->place))
		return;
	exec__free(a->x, p->v, a->inst);
	for (uint32_t i = 0; i < p->all.n; i++) {
		const struct mobj *o = state_heap(&a->x->st, p->all.v[i]);

		if (o && state_of(&a->x->st, o->addr.id) != O_FREED)
			exec__free(a->x, p->all.v[i], a->inst);
	}
}

static void do_copy(struct applied *a, const struct prepared *p)
{
	struct state *st = &a->x->st;
	const struct seffect *e = p->e;

	state_copy(st, state_offset(st, p->addr, e->v.lo), state_offset(st, p->v, e->v.off), e->v.hi, a->inst);
	if (p->all.n)		/* what was put aside is nowhere any more */
		state_zero(st, p->v, -1, a->inst);
}

static void apply_effects(struct applied *a, const struct scase *c)
{
	struct exec *x = a->x;
	uint32_t n = c->effects.n;
	struct prepared *all = xcalloc(MAX(n, 1), sizeof(*all));

	for (uint32_t i = 0; i < n; i++)
		prepare(a, &c->effects.v[i], &all[i]);
	prepare_copies(a, all, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct prepared *p = &all[i];

		if (uses_varargs(p->e))
			apply_to_varargs(a, p->e);
		else if (p->e->kind == SEFF_FREE)
			do_free(a, p);
		else if (p->e->kind == SEFF_KEEP)
			exec__give(x, p->v, a->inst);
		else if (p->ok && p->e->kind == SEFF_COPY)
			do_copy(a, p);
		else if (p->ok && p->e->place.step[p->e->place.nsteps - 1].any)
			state_put_in(&x->st, p->addr, p->v, a->inst);
		else if (p->ok)
			state_store(&x->st, p->addr, p->v, IR_NONE, a->inst);
	}
	for (uint32_t i = 0; i < n; i++)
		vec_release(&all[i].all);
	free(all);
}

/* What the function frees or not by a number in memory that is not known here: perhaps there
 * are other owners.  Nothing is said of it any more. */
static void keep_counted(struct applied *a, const struct summary *s)
{
	for (uint32_t i = 0; i < s->cases.n; i++)
		for (uint32_t k = 0; k < s->cases.v[i].effects.n; k++) {
			const struct place *p = &s->cases.v[i].effects.v[k].place;

			if (s->cases.v[i].effects.v[k].kind == SEFF_FREE && is_counted(a, p))
				exec__keep(a->x, state_place(&a->x->st, p, a->args, a->nargs, NULL, IR_C_PTR, 64), a->inst);
		}
}

/* The callee went through pointers on the way to what it frees or sets: none of them is null. */
static bool can_reach(struct applied *a, const struct scase *c)
{
	struct state *st = &a->x->st;

	for (uint32_t i = 0; i < c->effects.n; i++) {
		const struct seffect *e = &c->effects.v[i];
		struct place p = e->place;

		if ((e->kind != SEFF_SET && e->kind != SEFF_FREE) || p.base != PLACE_ARG || place_is_any(&p))
			continue;
		for (p.nsteps = 0; p.nsteps < e->place.nsteps; p.nsteps++) {
			struct sym v = state_place(st, &p, a->args, a->nargs, NULL, IR_C_PTR, 64);

			if (state_is_null(st, v))
				return false;
		}
	}
	return true;
}

static void doubt_value(struct applied *a, const struct place *p)
{
	const struct mobj *o;

	if (p->base != PLACE_ARG || place_is_any(p))
		return;
	o = state_heap(&a->x->st, state_place(&a->x->st, p, a->args, a->nargs, NULL, IR_C_PTR, 64));
	if (o)
		state_set_vague(&a->x->st, o->addr.id);
}

/* A case among others whose conditions were too many to keep: what one of the others frees or
 * puts somewhere, this one perhaps does not leave. */
static void doubt_others(struct applied *a, const struct scase *c)
{
	for (uint32_t i = 0; i < a->sum->cases.n; i++) {
		const struct scase *o = &a->sum->cases.v[i];

		for (uint32_t k = 0; k < o->effects.n && o != c && !o->noreturn; k++) {
			const struct seffect *e = &o->effects.v[k];

			if ((e->kind == SEFF_FREE || e->kind == SEFF_KEEP) && !frees(c, &e->place))
				doubt_value(a, &e->place);
			else if (e->kind == SEFF_SET && (e->v.kind == SVAL_PLACE || e->v.kind == SVAL_INTO) && !e->v.place.bits)
				doubt_value(a, &e->v.place);
		}
	}
}

/* The result of a function that only looks: asked twice, it says the same, if nothing was
 * written in between and no round of a loop lies between. */
static bool set_pure(struct applied *a, const struct outcome *o)
{
	struct exec *x = a->x;
	const struct ir_inst *in = &x->f->insts[a->inst];
	uint64_t id = hash_join(hash_join(0x9e7, x->e->ids.func[o->callee]), hash_join(x->visits[in->block], state_stamp(&x->st)));
	const struct sval *v = &o->c->ret;
	struct sym r;

	for (uint32_t k = 0; k < a->nargs; k++)
		id = hash_join(id, sym_refined(&x->st.s, a->args[k]).lo == sym_refined(&x->st.s, a->args[k]).hi
					   ? (uint64_t)sym_refined(&x->st.s, a->args[k]).lo
					   : a->args[k].id);
	r = sym_any(id, in->cls, in->bits);
	if (v->lo > r.lo && !exec__assume(x, sym_cmp(&x->st.s, IR_P_SGE, r, sym_const(v->lo)), true))
		return false;
	if (v->hi < r.hi && !exec__assume(x, sym_cmp(&x->st.s, IR_P_SLE, r, sym_const(v->hi)), true))
		return false;
	if (v->not_zero && !exec__assume(x, r, true))
		return false;
	exec__set(x, in->res, r);
	return true;
}

/* False: the case cannot be on this path. */
static bool apply(struct exec *x, uint32_t inst, const struct outcome *o, const struct sym *args, uint32_t nargs)
{
	const struct ir_inst *in = &x->f->insts[inst];
	struct applied a = { .x = x, .inst = inst, .args = args, .nargs = nargs, .sum = o->sum };
	bool ok = true;

	if (!o->c) {
		call_unknown(x, inst, o->callee == IR_NONE ? NULL : &x->m->funcs.v[o->callee], args, nargs);
		return true;
	}
	if (!assume_conds(&a, o->c) || !can_reach(&a, o->c))
		return false;
	if (a.counted)
		keep_counted(&a, o->sum);
	if (o->sum->vague || a.doubtful)
		doubt_others(&a, o->c);
	a.news = xmalloc(MAX(o->c->news.n, 1) * sizeof(*a.news));
	make_news(&a, o->c, o);
	if (o->c->effects.n)
		exec__note_call(x, inst);
	for (uint32_t k = 0; o->sum->wild && k < nargs; k++)
		if (mobjs_get(&x->st.objs, state_where(&x->st, args[k]).base))
			state_forget(&x->st, state_where(&x->st, args[k]).base, false);
	if (!summary_is_plain(o->sum))
		state_set_stamp(&x->st, a.inst);
	if (in->res != IR_NONE && o->c->returns && o->c->ret.kind == SVAL_ANY && !o->c->parts.n && summary_is_plain(o->sum)) {
		ok = set_pure(&a, o);
	} else if (in->res != IR_NONE) {
		struct sym r = o->c->returns ? value_of(&a, &o->c->ret, in->cls, in->bits) : state_fresh(&x->st, in->cls, in->bits);

		for (uint32_t k = 0; k < o->c->parts.n; k++)
			exec__set_part(x, in->res, k + 1, value_of(&a, &o->c->parts.v[k], IR_C_OPAQUE, 0));
		apply_effects(&a, o->c);
		exec__set(x, in->res, r);
	} else {
		apply_effects(&a, o->c);
	}
	free(a.news);
	return ok;
}

/* Is there a live object of this path among the elements that the place begins with? */
static bool has_elements(struct applied *a, const struct place *p)
{
	struct held h = { .x = a->x };
	struct place first = *p;
	struct sym addr;

	if (p->base == PLACE_VARARGS) {
		for (uint32_t k = p->index; k < a->nargs && !h.any; k++) {
			const struct mobj *o = state_heap(&a->x->st, a->args[k]);

			h.any = o && state_of(&a->x->st, o->addr.id) == O_LIVE;
		}
		return h.any;
	}
	first.nsteps = 0;
	while (first.nsteps < p->nsteps && !p->step[first.nsteps++].any)
		;
	if (p->base == PLACE_NEW || !first.step[first.nsteps - 1].any ||
	    !state_place_addr(&a->x->st, &first, a->args, a->nargs, NULL, &addr))
		return false;
	h.at = state_where(&a->x->st, addr);
	state_cells(&a->x->st, h.at.base, look_for_held, &h);
	return h.any;
}

/* A loop that frees elements frees all of them: a case in which it frees none is not for an
 * array that has some.  How many the callee thinks there are, the summary may not tell. */
static bool skips_elements(struct exec *x, uint32_t inst, const struct outcome *o, const struct sym *args, uint32_t nargs)
{
	struct applied a = { .x = x, .inst = inst, .args = args, .nargs = nargs };
	uint32_t mark = sym_mark(&x->st.s);
	bool skips = false;

	for (uint32_t i = 0; o->c && i < o->sum->cases.n && !skips; i++) {
		const struct scase *c = &o->sum->cases.v[i];

		for (uint32_t k = 0; k < c->effects.n && c != o->c && !c->noreturn && !skips; k++) {
			const struct place *p = &c->effects.v[k].place;

			if (c->effects.v[k].kind != SEFF_FREE || !(place_is_any(p) || p->base == PLACE_VARARGS) || frees(o->c, p) ||
			    !has_elements(&a, p))
				continue;
			skips = assume_conds(&a, c);
			sym_undo(&x->st.s, mark);
		}
	}
	return skips;
}

/* ---- who is called --------------------------------------------------- */

VEC_TYPE(outcomes, struct outcome);

static void add_unknown(struct outcomes *out, uint32_t callee)
{
	vec_push(out, ((struct outcome){ .callee = callee }));
}

static void add_function(struct exec *x, struct outcomes *out, uint32_t callee, uint32_t inst)
{
	const struct summary *s = keep_summary(x->e, callee);

	if (!s->done || s->cut) {
		add_unknown(out, callee);
		return;
	}
	/* it does nothing to memory, and its result is not looked at: one outcome will do */
	if (s->cases.n && summary_is_plain(s) && x->f->insts[inst].res == IR_NONE) {
		vec_push(out, ((struct outcome){ callee, s, &s->cases.v[0] }));
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
static bool may_end(struct exec *x, uint32_t inst, const struct outcomes *out, const struct sym *args, uint32_t nargs)
{
	struct applied a = { .x = x, .inst = inst, .args = args, .nargs = nargs };
	struct exec_mark mark = exec__mark(x);
	const struct summary *s = out->v[0].sum;
	bool ends = false;

	for (uint32_t i = 0; s && i < s->cases.n && !ends; i++) {
		ends = s->cases.v[i].noreturn && assume_conds(&a, &s->cases.v[i]);
		exec__undo(x, mark);
	}
	return ends;
}

static bool try_all(struct exec *x, uint32_t inst, const struct outcomes *out, const struct sym *args, uint32_t nargs)
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
		if (skips_elements(x, inst, &o, args, nargs))
			continue;
		if (out->n > 1)
			state_made_up(&x->st);
		if (out->n > 1 && !(o.sum && summary_is_plain(o.sum)) && !(o.c && !o.c->lossy))
			state_doubt(&x->st);
		if (apply(x, inst, &o, args, nargs)) {
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
 * been taken. */
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
