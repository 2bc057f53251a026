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

#include "pta/pta.h"

enum { MAX_ARGS = 40, MAX_GIVEN = 400 };

/* ---- what happens to objects ----------------------------------------- */

void exec__note_call(struct exec *x, uint32_t inst)
{
	if (!x->steps.n || vec_last(&x->steps).kind != STEP_CALL || vec_last(&x->steps).inst != inst)
		vec_push(&x->steps, ((struct step){ .kind = STEP_CALL, .inst = inst }));
}

struct sym exec__make(struct exec *x, const struct snew *made, uint32_t inst, uint32_t nth)
{
	struct sym v = state_new(&x->st, made, inst, nth, x->visits[x->f->insts[inst].block]);

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
		if (certain && !w.any)
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

		if (sym_is_const(sym_refined(&x->st.s, v)))
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

static bool is_whole_program(const struct ir_module *m)
{
	uint32_t f = ir_find_func(m, "main");

	return f != IR_NONE && !ir_is_decl(&m->funcs.v[f]);
}

/* Code of the program may change any of its globals; code out of sight only those that
 * it can see. */
static void forget_globals(struct exec *x, bool own_code)
{
	VEC(uint64_t) all = {0};
	bool whole = is_whole_program(x->m);

	for (uint32_t i = 0; i < x->st.objs.n; i++) {
		const struct mobj *o = &x->st.objs.e[i].val;
		const struct ir_global *g;

		if (o->kind != M_GLOBAL)
			continue;
		g = &x->m->globals.v[o->index];
		if (g->flags & IR_G_CONST || bits_test(&x->e->fixed, o->index))
			continue;
		if (own_code || g->linkage >= IR_L_DECL || (!whole && g->linkage != IR_L_STATIC))
			vec_push(&all, o->addr.id);
	}
	for (uint32_t i = 0; i < all.n; i++)
		state_forget(&x->st, all.v[i], true);
	vec_release(&all);
}

static void call_unknown(struct exec *x, uint32_t inst, const struct ir_func *callee, const struct sym *args, uint32_t nargs)
{
	const struct ir_inst *in = &x->f->insts[inst];
	bool harmless = callee && ir_is_decl(callee) && callee->flags & IR_FN_READONLY;

	if (!harmless)
		state_set_stamp(&x->st, inst);
	for (uint32_t k = 0; k < nargs && !harmless; k++)
		exec__give(x, args[k], inst);
	if (!harmless)
		forget_globals(x, !callee || !ir_is_decl(callee));
	exec__set(x, in->res, state_fresh(&x->st, in->cls, in->bits));
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
	bool unsure;		/* the case depends on what is in memory, which is not known: a count of
				 * references, perhaps */
};

static bool assume_bits(struct exec *x, struct sym v, const struct scond *k)
{
	if (k->zeros && !exec__assume(x, sym_bin(&x->st.s, IR_B_AND, 64, v, sym_const((int64_t)k->zeros)), false))
		return false;
	return !k->some || exec__assume(x, sym_bin(&x->st.s, IR_B_AND, 64, v, sym_const((int64_t)k->some)), true);
}

static bool assume_conds(struct applied *a, const struct scase *c)
{
	struct exec *x = a->x;

	for (uint32_t i = 0; i < c->conds.n; i++) {
		const struct scond *k = &c->conds.v[i];
		struct sym v = state_place(&x->st, &k->place, a->args, a->nargs, NULL, k->place.bits ? IR_C_INT : IR_C_PTR,
					   k->place.bits ? k->place.bits : 64);

		if (k->place.nsteps && k->place.base == PLACE_ARG && sym_truth(&x->st.s, sym_cmp(&x->st.s, IR_P_EQ, v, sym_const(k->lo))) < 0)
			a->unsure = true;
		if (!assume_bits(x, v, k))
			return false;
		if (k->lo == k->hi) {
			if (!exec__assume(x, sym_cmp(&x->st.s, IR_P_EQ, v, sym_const(k->lo)), true))
				return false;
			continue;
		}
		if (k->lo == 1 && k->hi == INT64_MAX && sym_refined(&x->st.s, v).lo >= 0) {
			if (!exec__assume(x, v, true))
				return false;
			continue;
		}
		if (k->lo != INT64_MIN && !exec__assume(x, sym_cmp(&x->st.s, IR_P_SGE, v, sym_const(k->lo)), true))
			return false;
		if (k->hi != INT64_MAX && !exec__assume(x, sym_cmp(&x->st.s, IR_P_SLE, v, sym_const(k->hi)), true))
			return false;
		if (k->not_zero && !exec__assume(x, v, true))
			return false;
	}
	for (uint32_t i = 0; i < c->terms.n; i++)
		if (!exec__assume(x, exec__term(x, &c->terms.v[i], a->args, a->nargs), c->terms.v[i].truth))
			return false;
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
	return sym_between(r.id, MAX(r.lo, v->lo), MIN(r.hi, v->hi));
}

/* Is it handed out, rather than a part of something that is? */
static bool is_handed_out(const struct scase *c, uint32_t k)
{
	if (c->returns && c->ret.kind == SVAL_NEW && c->ret.index == k)
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

static void apply_effects(struct applied *a, const struct scase *c)
{
	struct exec *x = a->x;
	uint32_t n = c->effects.n;
	struct sym *v = xmalloc(MAX(n, 1) * sizeof(*v)), *addr = xmalloc(MAX(n, 1) * sizeof(*addr));
	bool *ok = xcalloc(MAX(n, 1), sizeof(*ok));

	for (uint32_t i = 0; i < n; i++) {
		const struct seffect *e = &c->effects.v[i];

		if (e->kind == SEFF_FREE || e->kind == SEFF_KEEP)
			v[i] = state_place(&x->st, &e->place, a->args, a->nargs, a->news, IR_C_PTR, 64);
		else
			ok[i] = state_place_addr(&x->st, &e->place, a->args, a->nargs, a->news, &addr[i]);
		if (e->kind == SEFF_SET)
			v[i] = value_of(a, &e->v, e->v.lo >= 0 ? IR_C_PTR : IR_C_INT, 64);
		else if (e->kind == SEFF_WRITE)
			v[i] = state_fresh(&x->st, IR_C_OPAQUE, 0);
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct seffect *e = &c->effects.v[i];

		if (e->kind == SEFF_FREE && !(a->unsure && e->place.base == PLACE_ARG && !e->place.nsteps))
			exec__free(x, v[i], a->inst);
		else if (e->kind == SEFF_KEEP)
			exec__give(x, v[i], a->inst);
		else if (e->kind == SEFF_FREE)
			continue;
		else if (ok[i] && e->place.step[e->place.nsteps - 1].any)
			state_put_in(&x->st, addr[i], v[i], a->inst);
		else if (ok[i])
			state_store(&x->st, addr[i], v[i], IR_NONE, a->inst);
	}
	free(v);
	free(addr);
	free(ok);
}

/* What the function frees or not by a number in memory that is not known here: perhaps there
 * are other owners.  Nothing is said of it any more. */
static void keep_counted(struct applied *a, const struct summary *s)
{
	for (uint32_t i = 0; i < s->cases.n; i++)
		for (uint32_t k = 0; k < s->cases.v[i].effects.n; k++) {
			const struct seffect *e = &s->cases.v[i].effects.v[k];

			if (e->kind == SEFF_FREE && e->place.base == PLACE_ARG && !e->place.nsteps && e->place.index < a->nargs)
				exec__keep(a->x, a->args[e->place.index], a->inst);
		}
}

/* The result of a function that only looks: asked twice, it says the same, if nothing was
 * written in between and no round of a loop lies between. */
static bool set_pure(struct applied *a, const struct outcome *o)
{
	struct exec *x = a->x;
	const struct ir_inst *in = &x->f->insts[a->inst];
	uint64_t id = hash_join(hash_join(0x9e7, o->callee), hash_join(x->visits[in->block], state_stamp(&x->st)));
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
	exec__set(x, in->res, r);
	return true;
}

/* False: the case cannot be on this path. */
static bool apply(struct exec *x, uint32_t inst, const struct outcome *o, const struct sym *args, uint32_t nargs)
{
	const struct ir_inst *in = &x->f->insts[inst];
	struct applied a = { .x = x, .inst = inst, .args = args, .nargs = nargs };
	bool ok;

	if (!o->c) {
		call_unknown(x, inst, o->callee == IR_NONE ? NULL : &x->m->funcs.v[o->callee], args, nargs);
		return true;
	}
	if (!assume_conds(&a, o->c))
		return false;
	if (a.unsure)
		keep_counted(&a, o->sum);
	a.news = xmalloc(MAX(o->c->news.n, 1) * sizeof(*a.news));
	make_news(&a, o->c, o);
	if (o->c->effects.n)
		exec__note_call(x, inst);
	for (uint32_t k = 0; o->sum->wild && k < nargs; k++)
		if (mobjs_get(&x->st.objs, state_where(&x->st, args[k]).base))
			state_forget(&x->st, state_where(&x->st, args[k]).base, false);
	ok = true;
	if (!summary_is_plain(o->sum))
		state_set_stamp(&x->st, a.inst);
	if (in->res != IR_NONE && o->c->returns && o->c->ret.kind == SVAL_ANY && summary_is_plain(o->sum)) {
		ok = set_pure(&a, o);
	} else if (in->res != IR_NONE) {
		struct sym r = o->c->returns ? value_of(&a, &o->c->ret, in->cls, in->bits) : state_fresh(&x->st, in->cls, in->bits);

		apply_effects(&a, o->c);
		exec__set(x, in->res, r);
	} else {
		apply_effects(&a, o->c);
	}
	free(a.news);
	return ok;
}

/* ---- who is called --------------------------------------------------- */

VEC_TYPE(outcomes, struct outcome);

static void add_unknown(struct outcomes *out, uint32_t callee)
{
	vec_push(out, ((struct outcome){ .callee = callee }));
}

/* A function that does nothing to memory, and whose result is not looked at or tells
 * nothing: one outcome will do. */
static bool add_plain(const struct exec *x, struct outcomes *out, uint32_t callee, const struct summary *s, uint32_t inst)
{
	if (!s->cases.n || !summary_is_plain(s))
		return false;
	if (x->f->insts[inst].res == IR_NONE) {
		vec_push(out, ((struct outcome){ callee, s, &s->cases.v[0] }));
		return true;
	}
	return false;
}

static void add_function(struct exec *x, struct outcomes *out, uint32_t callee, uint32_t inst)
{
	const struct summary *s = &x->e->sums[callee];

	if (!s->done)
		x->e->unfinished++;
	if (!s->done || s->cut) {
		add_unknown(out, callee);
		return;
	}
	if (add_plain(x, out, callee, s, inst))
		return;
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
	uint32_t mark = sym_mark(&x->st.s), decided = x->decided.n;
	const struct summary *s = out->v[0].sum;
	bool ends = false;

	for (uint32_t i = 0; s && i < s->cases.n && !ends; i++) {
		ends = s->cases.v[i].noreturn && assume_conds(&a, &s->cases.v[i]);
		sym_undo(&x->st.s, mark);
		x->decided.n = x->decided_so.n = decided;
	}
	return ends;
}

static bool try_all(struct exec *x, uint32_t inst, const struct outcomes *out, const struct sym *args, uint32_t nargs)
{
	uint32_t mark = sym_mark(&x->st.s), decided = x->decided.n, steps = x->steps.n;
	uint64_t salt = x->st.salt;
	bool fits = false;

	for (uint32_t i = 0; i <= out->n && !x->r->cut; i++) {
		/* no case fits: the summary has not seen such a call */
		struct outcome o = i < out->n ? out->v[i] : (struct outcome){ .callee = out->v[0].callee };
		bool last = out->n == 1 || i == out->n;

		x->st.salt = hash_join(salt, i);
		if (i == out->n && (fits || may_end(x, inst, out, args, nargs)))
			break;
		if (apply(x, inst, &o, args, nargs)) {
			fits = true;
			if (last)
				return true;
			exec__go_on(x, inst);
		}
		sym_undo(&x->st.s, mark);
		x->decided.n = x->decided_so.n = decided;
		x->steps.n = steps;
	}
	return false;
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

	for (uint32_t k = 0; k < nargs; k++)
		args[k] = exec__eval(x, in->ops[k + 1]);
	if (in->flags & IR_F_NORETURN || (g && g->flags & IR_FN_NORETURN) || (md && md->noreturn)) {
		exec__no_return(x);
		return false;
	}
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
