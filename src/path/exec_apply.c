/*
 * exec_apply.c - one case of a callee's summary, done to the state of the path.
 *
 * First its conditions, with the caller's values for the callee's places: a case that
 * contradicts what the path knows is not on it.  Then what it makes, then its effects,
 * all of whose places are looked up before the first of them is done: they name the
 * memory as it was at the call.  Then the result.
 *
 * Where a case depends on a number in memory of which the path has lost track (a count of
 * references, most often), the object is taken as kept: silence rather than a false alarm.
 */
#include "path/exec.h"

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

static struct sym masked(struct exec *x, struct sym v, uint64_t mask)
{
	return sym_bin(&x->st.s, IR_B_AND, 64, v, sym_const((int64_t)mask));
}

static bool assume_bits(struct exec *x, struct sym v, const struct scond *k)
{
	if (k->zeros && !exec__assume(x, masked(x, v, k->zeros), false))
		return false;
	for (uint64_t left = k->ones; left; left &= left - 1)
		if (!exec__assume(x, masked(x, v, left & -left), true))
			return false;
	return !k->some || exec__assume(x, masked(x, v, k->some), true);
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
	enum ir_class cls = k->place.bits ? IR_C_INT : IR_C_PTR;
	unsigned bits = k->place.bits ? k->place.bits : 64;
	struct sym v;

	if (place_is_any(&k->place) && k->hi == 0 && !may_be_empty(a, k))
		return false;
	v = state_place(&x->st, &k->place, a->args, a->nargs, NULL, cls, bits);
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
	if (k->lo != INT64_MIN && !exec__assume(x, sym_cmp(s, IR_P_SGE, v, sym_const(k->lo)), true))
		return false;
	if (k->hi != INT64_MAX && !exec__assume(x, sym_cmp(s, IR_P_SLE, v, sym_const(k->hi)), true))
		return false;
	return !k->not_zero || exec__assume(x, v, true);
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
				a->doubtful |= c->terms.v[i].nodes.v[k].place.nsteps &&
					       !exec__is_for_caller(x, v);
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
		if (place_is_any(&v->place))
			r = state_another(&x->st, r,
					  hash_join(a->inst, x->visits[x->f->insts[a->inst].block]));
		return state_offset(&x->st, r, v->off);
	case SVAL_SUM:
		r = state_place(&x->st, &v->place, a->args, a->nargs, a->news, cls, bits);
		return sym_bin(&x->st.s, IR_B_ADD, bits ? bits : 64, r, sym_const(v->off));
	case SVAL_INTO:
		r = state_place(&x->st, &v->place, a->args, a->nargs, a->news, cls, bits);
		return state_into(&x->st, r, v->lo <= 0);
	case SVAL_NEW:
		assert(a->news);
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
	for (uint32_t i = 0; i < c->effects.n; i++) {
		const struct seffect *e = &c->effects.v[i];

		if (e->kind == SEFF_SET && e->v.kind == SVAL_NEW && e->v.index == k &&
		    e->place.base == PLACE_ARG)
			return true;
	}
	return false;
}

static void make_news(struct applied *a, const struct scase *c, const struct outcome *o)
{
	struct exec *x = a->x;
	const struct ir_func *g = &x->m->funcs.v[o->callee];
	bool wraps = x->e->pta ? pta_wrapper(x->e->pta, o->callee) != NULL : o->sum->wraps;

	for (uint32_t i = 0; i < c->news.n; i++) {
		struct snew n = c->news.v[i];

		n.part = !is_handed_out(c, i);
		if (wraps && !n.part) {
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
	if (p->base != PLACE_ARG || p->nsteps || p->index >= 64)
		return false;
	return a->counted >> p->index & 1 && is_freed_or_not(a->sum, p);
}

static bool uses_varargs(const struct seffect *e)
{
	if (e->place.base == PLACE_VARARGS)
		return true;
	if ((e->kind != SEFF_SET && e->kind != SEFF_COPY) || e->v.kind == SVAL_ANY)
		return false;
	return e->v.kind != SVAL_NEW && e->v.kind != SVAL_SYMBOL && e->v.place.base == PLACE_VARARGS;
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
		for (uint32_t k = 0; k < out->n && k < EXEC_MAX_GIVEN; k++) {
			struct sym addr;

			if (!state_place_addr(st, &one, &out->v[k], 1, NULL, &addr))
				continue;
			vec_push(&now, state_load(st, addr, IR_C_PTR, 64, IR_NONE));
			if (!p->step[i].any)
				continue;
			vec_clear(&held);
			state_cells(st, state_where(st, addr).base, exec__push_value, &held);
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
		p->ok = !sym_is_const(sym_refined(&st->s, p->addr)) &&
			!sym_is_const(sym_refined(&st->s, p->v));
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
		if (e->kind == SEFF_SET)
			p->v = value_of(a, &e->v, e->v.lo >= 0 ? IR_C_PTR : IR_C_INT, 64);
		else
			p->v = state_fresh(st, IR_C_OPAQUE, 0);
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
		state_copy(st, state_offset(st, aside, e->v.off), state_offset(st, all[i].v, e->v.off),
			   e->v.hi, a->inst);
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
			exec__free_one(a->x, p->all.v[i], a->inst, false);
	}
}

static void do_copy(struct applied *a, const struct prepared *p)
{
	struct state *st = &a->x->st;
	const struct seffect *e = p->e;

	state_copy(st, state_offset(st, p->addr, e->v.lo), state_offset(st, p->v, e->v.off), e->v.hi,
		   a->inst);
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
		else if (p->ok && place_is_any(&p->e->place))	/* one of many: the others stay as they are */
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
				exec__keep(a->x, state_place(&a->x->st, p, a->args, a->nargs, NULL, IR_C_PTR,
							     64), a->inst);
		}
}

/* The callee went through pointers on the way to what it frees or sets: none of them is null. */
static bool can_reach(struct applied *a, const struct scase *c)
{
	struct state *st = &a->x->st;

	for (uint32_t i = 0; i < c->effects.n; i++) {
		const struct seffect *e = &c->effects.v[i];
		struct place p = e->place;

		if ((e->kind != SEFF_SET && e->kind != SEFF_FREE) || e->if_there)
			continue;
		if (p.base != PLACE_ARG || place_is_any(&p))
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
			else if (e->kind == SEFF_SET && (e->v.kind == SVAL_PLACE || e->v.kind == SVAL_INTO) &&
				 !e->v.place.bits)
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
	uint64_t when = hash_join(x->visits[in->block], state_stamp(&x->st));
	uint64_t id = hash_join(hash_join(0x9e7, x->e->ids.func[o->callee]), when);
	const struct sval *v = &o->c->ret;
	struct sym r;

	for (uint32_t k = 0; k < a->nargs; k++) {
		struct sym arg = sym_refined(&x->st.s, a->args[k]);

		id = hash_join(id, arg.lo == arg.hi ? (uint64_t)arg.lo : a->args[k].id);
	}
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

bool exec__apply(struct exec *x, uint32_t inst, const struct outcome *o, const struct sym *args,
		 uint32_t nargs)
{
	const struct ir_inst *in = &x->f->insts[inst];
	struct applied a = { .x = x, .inst = inst, .args = args, .nargs = nargs, .sum = o->sum };
	bool ok = true;

	assert(in->op == IR_CALL && o->c && o->sum);
	if (!assume_conds(&a, o->c) || !can_reach(&a, o->c))
		return false;
	if (a.counted)
		keep_counted(&a, o->sum);
	if (o->sum->vague || a.doubtful)
		doubt_others(&a, o->c);
	/* Two callees go by comparisons: of the same texts, perhaps, and then they agree. */
	if (o->c->asks && !summary_is_plain(o->sum) && state_was_asked(&x->st, 0))
		state_doubt(&x->st);
	else if (o->c->asks)
		state_was_asked(&x->st, 0);
	if (o->c->asks)
		state_compared(&x->st);
	a.news = xmalloc(MAX(o->c->news.n, 1) * sizeof(*a.news));
	make_news(&a, o->c, o);
	if (o->c->effects.n)
		exec__note_call(x, inst);
	for (uint32_t k = 0; o->sum->wild && k < nargs; k++)
		if (mobjs_get(&x->st.objs, state_where(&x->st, args[k]).base))
			state_forget(&x->st, state_where(&x->st, args[k]).base, false);
	if (!summary_is_plain(o->sum))
		state_set_stamp(&x->st, a.inst);
	if (in->res != IR_NONE && o->c->returns && o->c->ret.kind == SVAL_ANY && !o->c->parts.n &&
	    summary_is_plain(o->sum)) {
		ok = set_pure(&a, o);
	} else if (in->res != IR_NONE) {
		struct sym r = o->c->returns ? value_of(&a, &o->c->ret, in->cls, in->bits)
					     : state_fresh(&x->st, in->cls, in->bits);

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

bool exec__skips_elements(struct exec *x, uint32_t inst, const struct outcome *o, const struct sym *args,
			  uint32_t nargs)
{
	struct applied a = { .x = x, .inst = inst, .args = args, .nargs = nargs };
	uint32_t mark = sym_mark(&x->st.s);
	bool skips = false;

	for (uint32_t i = 0; o->c && i < o->sum->cases.n && !skips; i++) {
		const struct scase *c = &o->sum->cases.v[i];

		for (uint32_t k = 0; k < c->effects.n && c != o->c && !c->noreturn && !skips; k++) {
			const struct place *p = &c->effects.v[k].place;

			if (c->effects.v[k].kind != SEFF_FREE || frees(o->c, p))
				continue;
			if (!(place_is_any(p) || p->base == PLACE_VARARGS) || !has_elements(&a, p))
				continue;
			skips = assume_conds(&a, c);
			sym_undo(&x->st.s, mark);
		}
	}
	return skips;
}

bool exec__fits(struct exec *x, uint32_t inst, const struct scase *c, const struct sym *args, uint32_t nargs)
{
	struct applied a = { .x = x, .inst = inst, .args = args, .nargs = nargs };
	struct exec_mark mark = exec__mark(x);
	bool fits = assume_conds(&a, c);

	exec__undo(x, mark);
	return fits;
}
