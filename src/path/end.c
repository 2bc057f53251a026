/*
 * end.c - the end of a path: what is lost, and what callers must know.
 *
 * Section 6 of Xu and Zhang (QSIC 2008): an object neither freed nor escaped
 * is a leak.  Escaped is who can be reached from what outlives the function:
 * the result, globals, memory that the caller's pointers lead to, objects that
 * somebody keeps.  So no store needs to be classified when it happens, and an
 * object in a member of a local object is lost with it.
 */
#include "path/exec.h"

#include "path/keep.h"

/* ---- who can be reached ---------------------------------------------- */

VEC_TYPE(bases, uint64_t);

struct reach {
	struct exec *x;
	struct digests in;	/* value: only by what the function returns */
	struct digests arrays;	/* looked through for an element of theirs */
	struct bases todo;
	enum {
		FROM_OUTSIDE,	/* begin at all that outlives the function */
		FROM_SLOTS,	/* ... at local variables */
		FROM_NOWHERE,	/* ... at what callers have no name for */
	} from;
	bool at_exit;		/* the program ends, and so do globals */
	bool returning;
};

static void reach_value(struct reach *r, struct sym v)
{
	struct state *st = &r->x->st;
	const struct where *w = wheres_get(&st->wheres, v.id);
	const struct place *p = placemap_get(&st->places, v.id);
	const struct mobj *o;
	bool is_new, *by_return;

	/* the caller's pointer was put somewhere, though never looked through */
	if (r->from == FROM_NOWHERE && !w && p && !p->bits)
		state_where(st, v);
	o = mobjs_get(&st->objs, w ? w->base : v.id);
	if (!o || (o->kind != M_HEAP && !(o->kind == M_INPUT && r->from == FROM_NOWHERE)))
		return;
	by_return = digests_put(&r->in, o->addr.id, &is_new);
	if (is_new)
		*by_return = r->returning;
	if (is_new && o->kind == M_HEAP)
		vec_push(&r->todo, o->addr.id);
}

static void reach_cell(const struct state_cell *c, void *arg)
{
	struct reach *r = arg;
	const struct where *w = wheres_get(&r->x->st.elems, c->v.id);
	bool is_new = false;

	reach_value(r, c->v);
	if (w)		/* some element of an array */
		digests_put(&r->arrays, w->base, &is_new);
	if (is_new)
		state_cells(&r->x->st, w->base, reach_cell, r);
}

/* Is there a place for what is in it, in the language of summaries? */
static bool has_name(const struct mobj *o)
{
	return o->kind == M_GLOBAL || (o->kind == M_INPUT && o->has_place && o->place.nsteps < PLACE_STEPS);
}

/* Memory that nobody frees: it has no state. */
static bool is_named(const struct mobj *o)
{
	return o->kind == M_SLOT || o->kind == M_GLOBAL || o->kind == M_FUNC;
}

/* Does the search begin in this object? */
static bool is_root(const struct reach *r, uint64_t base)
{
	struct state *st = &r->x->st;
	const struct mobj *o = state_obj(st, base);

	if (r->from == FROM_NOWHERE && has_name(o))
		return false;
	if (o->kind == M_HEAP)
		return state_of(st, base) == O_KEPT;
	if ((o->kind == M_SLOT) != (r->from == FROM_SLOTS))
		return false;
	if (r->at_exit && o->kind == M_GLOBAL && bits_test(&r->x->e->left, o->index))
		return false;
	return is_named(o) || state_of(st, base) != O_FREED;
}

static void reach_root(const struct state_cell *c, void *arg)
{
	struct reach *r = arg;

	if (r->from != FROM_NOWHERE || c->written)
		reach_cell(c, r);
}

static void reach_rest(struct reach *r)
{
	struct state *st = &r->x->st;

	while (r->todo.n) {
		uint64_t base = vec_pop(&r->todo);

		if (state_of(st, base) != O_FREED)
			state_cells(st, base, reach_cell, r);
	}
}

static void reach_all(struct reach *r)
{
	struct state *st = &r->x->st;

	for (uint32_t i = 0; i < st->s.chains.n; i++)
		if (is_root(r, st->s.chains.e[i].key))
			state_cells(st, st->s.chains.e[i].key, reach_root, r);
	for (uint32_t i = 0; i < st->heaps.n; i++) {
		const struct mobj *o = &st->objs.e[st->heaps.v[i]].val;

		if (state_of(st, o->addr.id) == O_KEPT)
			reach_value(r, o->addr);
	}
	reach_rest(r);
}

/* Last of all, what the function returns: who was in reach before is so by others, too. */
static void reach_returned(struct reach *r, const struct ir_inst *ret)
{
	r->returning = true;
	for (uint32_t k = 0; k < ret->nops; k++) {
		struct state_cell c = { .v = exec__eval(r->x, ret->ops[k]) };

		reach_cell(&c, r);
	}
	reach_rest(r);
}

static void reach_release(struct reach *r)
{
	digests_release(&r->in);
	digests_release(&r->arrays);
	vec_release(&r->todo);
}

/* ---- reporting ------------------------------------------------------- */

static struct site *site_of(struct exec *x, const struct mobj *o)
{
	struct site s = { .made = o->made, .call = o->index };

	for (uint32_t i = 0; i < x->r->sites.n; i++)
		if (x->r->sites.v[i].call == o->index && x->r->sites.v[i].made.inst == o->made.inst &&
		    x->r->sites.v[i].made.func == o->made.func && x->r->sites.v[i].made.nth == o->made.nth)
			return &x->r->sites.v[i];
	bits_init(&s.settled, x->f->ninsts + 1);
	vec_push(&x->r->sites, s);
	return &vec_last(&x->r->sites);
}

/* A path is better if fewer branches on it could have gone otherwise. */
static uint32_t length(const struct steps *s)
{
	uint32_t n = s->n;

	for (uint32_t i = 0; i < s->n; i++)
		n += s->v[i].kind == STEP_BRANCH && s->v[i].open ? 100 : 0;
	return n;
}

static struct snew made_of(const struct mobj *o)
{
	return o->kind == M_HEAP ? o->made : (struct snew){ .func = IR_NONE, .inst = IR_NONE };
}

/* The same thing gone wrong on an earlier path; NULL. */
static struct wrong *find_wrong(struct exec *x, enum wrong_kind kind, const struct mobj *o, uint32_t call,
				uint32_t at)
{
	bool leak = kind == WRONG_LEAK || kind == WRONG_OVERWRITTEN;
	struct snew made = made_of(o);

	for (uint32_t i = 0; i < x->r->wrongs.n; i++) {
		struct wrong *k = &x->r->wrongs.v[i];

		if (k->call != call || k->made.inst != made.inst || k->made.nth != made.nth)
			continue;
		if (leak ? k->kind == WRONG_LEAK || k->kind == WRONG_OVERWRITTEN
			 : k->at == at && k->kind == kind)
			return k;
	}
	return NULL;
}

/* Is this path better to tell?  A sure one is, then a short one. */
static bool is_better(const struct exec *x, const struct wrong *w, bool sure)
{
	return sure != w->sure ? sure : length(&x->steps) < length(&w->steps);
}

void exec__wrong(struct exec *x, enum wrong_kind kind, const struct mobj *o, uint32_t call, uint32_t at)
{
	bool leak = kind == WRONG_LEAK || kind == WRONG_OVERWRITTEN;
	struct wrong *w = find_wrong(x, kind, o, call, at);
	bool sure = x->sure;

	if (!leak) {
		enum solver_answer a = solver_check(x->e->solver, &x->st.s, x->st.s.assumed.v,
						    x->st.s.assumed.n);

		if (a == SOLVER_UNSAT)
			return;
		/* What is reached through memory may have been changed by another name for it. */
		if (o->kind != M_HEAP && !(o->kind == M_INPUT && o->has_place && !o->place.nsteps))
			return;
		/* There is no second opinion: what is not sure is a doubt (path_doubts()). */
		sure = a == SOLVER_SAT && state_is_sure(&x->st) && !state_asks_rounds(&x->st);
		if (w && w->sure && !sure)
			return;
	}
	if (w && (leak || w->sure == sure))
		w->nulls &= nulls_on_path(x);
	else if (w)
		w->nulls = nulls_on_path(x);
	if (w && !is_better(x, w, sure))
		return;
	if (!w) {
		w = vec_add(&x->r->wrongs, 1);
		w->nulls = nulls_on_path(x);
	}
	w->sure = sure;
	w->exact = sure && state_is_exact(&x->st);
	w->inside = x->inside;
	w->kind = (uint8_t)kind;
	w->made = made_of(o);
	w->call = call;
	w->at = at;
	vec_clear(&w->steps);
	for (uint32_t i = 0; i < x->steps.n; i++)
		vec_push(&w->steps, x->steps.v[i]);
}

struct asked {
	struct exec *x;
	uint64_t base;
	uint32_t freed_at;	/* an object that held it was freed here */
	struct digests *lost;
	bool held;		/* by another one that is lost */
};

static void look_for_holder(const struct state_cell *c, void *arg)
{
	struct asked *a = arg;
	struct state *st = &a->x->st;
	const struct where *w = wheres_get(&st->wheres, c->v.id);

	if ((w ? w->base : c->v.id) != a->base || c->at.base == a->base)
		return;
	if (state_of(st, c->at.base) == O_FREED && state_obj(st, c->at.base)->kind != M_SLOT)
		a->freed_at = state_at(st, c->at.base);
	else if (digests_get(a->lost, c->at.base))
		a->held = true;
}

/* The store writes to a variable of a loop's body, in the next round: its old value was out of
 * reach when the round ended. */
static bool is_gone(const struct exec *x, uint32_t store)
{
	const struct ir_inst *in = &x->f->insts[store];
	uint32_t header = x->flow.inner[in->block];

	return in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT && header != IR_NONE &&
	       bits_test(&x->flow.plain, IR_IDX(in->ops[0])) &&
	       !flow_is_live(&x->flow, header, IR_IDX(in->ops[0]));
}

static void report(struct exec *x, const struct mobj *o, uint32_t end, struct reach *local,
		   struct digests *lost)
{
	uint64_t base = o->addr.id;
	struct asked a = { x, base, IR_NONE, lost, false };
	uint32_t at = state_lost_at(&x->st, base);

	state_all_cells(&x->st, look_for_holder, &a);
	if (a.held)
		return;
	x->inside = a.freed_at != IR_NONE && !digests_get(&local->in, base);
	if (digests_get(&local->in, base))
		exec__wrong(x, WRONG_LEAK, o, o->index, x->last_jump != IR_NONE ? x->last_jump : end);
	else if (x->inside)
		exec__wrong(x, WRONG_LEAK, o, o->index, a.freed_at);
	else if (at != IR_NONE && is_gone(x, at))
		exec__wrong(x, WRONG_LEAK, o, o->index, x->last_jump != IR_NONE ? x->last_jump : end);
	else if (at != IR_NONE)
		exec__wrong(x, WRONG_OVERWRITTEN, o, o->index, at);
	else
		exec__wrong(x, WRONG_LEAK, o, o->index, o->index);
	x->inside = false;
}

static bool is_there(struct exec *x, const struct mobj *o)
{
	return o->kind == M_HEAP && state_exists(&x->st, o->addr.id) && !state_is_null(&x->st, o->addr);
}

/* ---- loops over elements --------------------------------------------- */

static bool call_frees(const struct exec *x, const struct ir_inst *in)
{
	const struct ir_func *g = in->op == IR_CALL ? ir_callee(x->m, in) : NULL;
	const struct model *md;
	const struct summary *s;

	if (!g)
		return false;
	if (ir_is_decl(g)) {
		md = model_find(x->e->models, g->name);
		for (unsigned i = 0; md && i < md->neffects; i++)
			if (md->effects[i].kind == MODEL_E_FREE)
				return true;
		return false;
	}
	s = keep_summary(x->e, (uint32_t)(g - x->m->funcs.v));
	for (uint32_t i = 0; i < s->cases.n; i++)
		for (uint32_t k = 0; k < s->cases.v[i].effects.n; k++)
			if (s->cases.v[i].effects.v[k].kind == SEFF_FREE)
				return true;
	return false;
}

/* Did the path come by this loop, which frees elements of something, without a round in it? */
static bool is_skipped(const struct exec *x, const struct flow_loop *l, uint32_t from)
{
	bool met = false, frees = false, picks = false;

	for (uint32_t i = from; i < x->steps.n && !met; i++)
		met = x->steps.v[i].kind == STEP_BRANCH && x->f->insts[x->steps.v[i].inst].block == l->header;
	if (!met)
		return false;
	for (uint32_t b = bits_next(&l->body, 0); b != UINT32_MAX; b = bits_next(&l->body, b + 1)) {
		if (b != l->header && x->visits[b])
			return false;
		for (uint32_t i = x->f->blocks[b].first; i < x->f->blocks[b].first + x->f->blocks[b].n; i++) {
			frees |= call_frees(x, &x->f->insts[i]);
			picks |= x->f->insts[i].op == IR_INDEX || x->f->insts[i].op == IR_ELEM;
		}
	}
	return frees && picks;
}

struct element_asked {
	struct exec *x;
	uint64_t base;
	bool is_one;
};

static void look_for_array(const struct state_cell *c, void *arg)
{
	struct element_asked *a = arg;
	const struct where *w = wheres_get(&a->x->st.wheres, c->v.id);

	a->is_one |= (c->at.any || state_obj(&a->x->st, c->at.base)->kind == M_HEAP) &&
		     (w ? w->base : c->v.id) == a->base;
}

/* An element of an array, and a loop that frees elements had no round: it has as many as there
 * are elements, which the numbers may not tell. */
static bool is_passed_over(struct exec *x, const struct mobj *o)
{
	struct element_asked a = { x, o->addr.id, false };
	uint32_t from = 0;

	state_all_cells(&x->st, look_for_array, &a);
	if (!a.is_one)
		return false;
	for (uint32_t i = 0; i < x->steps.n; i++)
		if (x->steps.v[i].kind == STEP_MADE && x->steps.v[i].base == o->addr.id)
			from = i + 1;
	for (uint32_t i = 0; i < x->flow.loops.n; i++)
		if (is_skipped(x, &x->flow.loops.v[i], from))
			return true;
	return false;
}

static void find_lost(struct exec *x, const struct reach *escaped, const struct reach *local, bool is_main,
		      struct digests *lost)
{
	struct state *st = &x->st;

	for (uint32_t i = 0; i < st->heaps.n; i++) {
		const struct mobj *o = &st->objs.e[st->heaps.v[i]].val;

		if (!is_there(x, o) || state_of(st, o->addr.id) == O_FREED ||
		    digests_get(&escaped->in, o->addr.id))
			continue;
		if (is_main && digests_get(&local->in, o->addr.id))
			continue;
		if (!state_is_vague(st, o->addr.id) && !is_passed_over(x, o))
			digests_put(lost, o->addr.id, NULL);
	}
}

static void count_leak(struct exec *x, struct site *s)
{
	uint64_t nulls = nulls_on_path(x);

	s->nulls = s->leaked++ ? s->nulls & nulls : nulls;
}

static void count_settled(struct exec *x, const struct digests *lost, const struct reach *escaped)
{
	struct state *st = &x->st;

	for (uint32_t i = 0; i < st->heaps.n; i++) {
		const struct mobj *o = &st->objs.e[st->heaps.v[i]].val;
		uint64_t base = o->addr.id;
		const bool *by_return;
		struct site *s;

		if (!is_there(x, o))
			continue;
		s = site_of(x, o);
		if (digests_get(lost, base)) {
			count_leak(x, s);
		} else if (state_of(st, base) == O_FREED) {
			s->freed++;
		} else if ((by_return = digests_get(&escaped->in, base))) {
			s->escaped++;
			s->returned += *by_return;
		} else {
			s->ended++;
		}
		if (!digests_get(lost, base) && state_of(st, base) != O_LIVE && state_at(st, base) != IR_NONE)
			bits_set(&s->settled, state_at(st, base));
	}
}

static bool is_asked_for(const struct exec *x, const struct mobj *o)
{
	return o->kind == M_HEAP && o->index == x->from && o->made.effect == x->made;
}

bool exec__holds(struct exec *x)
{
	struct state *st = &x->st;

	for (uint32_t i = 0; i < st->heaps.n; i++) {
		const struct mobj *o = &st->objs.e[st->heaps.v[i]].val;

		if (is_asked_for(x, o) && is_there(x, o) && state_of(st, o->addr.id) != O_FREED)
			return true;
	}
	for (uint32_t i = 0; i < st->heaps.n; i++) {
		const struct mobj *o = &st->objs.e[st->heaps.v[i]].val;

		if (is_asked_for(x, o) && is_there(x, o))
			site_of(x, o)->freed++;
	}
	return false;
}

bool exec__is_lost(struct exec *x)
{
	for (uint32_t i = 0; i < x->r->sites.n; i++) {
		const struct site *s = &x->r->sites.v[i];

		if (s->call != x->from || s->made.effect != x->made)
			continue;
		if (s->escaped || s->ended || s->open)
			return true;
		if (s->leaked && !(s->nulls & x->e->never_null[x->func]))
			return true;
	}
	return false;
}

void exec__left(struct exec *x)
{
	for (uint32_t i = 0; i < x->st.heaps.n; i++) {
		const struct mobj *o = &x->st.objs.e[x->st.heaps.v[i]].val;

		if (is_there(x, o) && state_of(&x->st, o->addr.id) == O_LIVE)
			site_of(x, o)->open = true;
	}
}

/* Is a parameter null on this path that no caller is seen to pass null for? */
static bool is_uncalled_for(const struct exec *x)
{
	for (uint32_t k = 0; k < x->f->nparams && x->e->pta; k++) {
		const struct sym *v = sym_env_get(&x->st.s, 0, k);

		if (v && x->f->params[k].cls == IR_C_PTR && state_is_null(&x->st, *v) &&
		    !nulls_may_be(&x->e->nulls, x->func, k))
			return true;
	}
	return false;
}

/* Cheap tests let the path through; is it impossible all the same?  Asked only if the path
 * would be told. */
static bool is_impossible(struct exec *x, const struct digests *lost, bool *sure)
{
	bool told = false;

	*sure = false;
	for (uint32_t i = 0; i < lost->n && !told; i++) {
		const struct mobj *o = state_obj(&x->st, lost->e[i].key);
		const struct wrong *w = find_wrong(x, WRONG_LEAK, o, o->index, IR_NONE);

		told = !w || is_better(x, w, true);
	}
	if (!told)
		return false;
	switch (solver_check(x->e->solver, &x->st.s, x->st.s.assumed.v, x->st.s.assumed.n)) {
	case SOLVER_UNSAT:
		x->e->refuted++;
		return true;
	case SOLVER_SAT:
		*sure = state_is_sure(&x->st) && !is_uncalled_for(x) && !state_needs_change(&x->st);
		return false;
	case SOLVER_UNKNOWN:
		break;
	}
	return false;
}

/* ---- what callers must know ------------------------------------------ */

struct build {
	struct exec *x;
	struct scase c;
	struct bases news;
	struct reach nameless;	/* by somebody whom callers have no name for */
};

static struct sval value_for_caller(struct build *b, struct sym v)
{
	struct state *st = &b->x->st;
	struct sym now = sym_refined(&st->s, v);
	struct sval r = { .kind = SVAL_ANY, .lo = now.lo, .hi = now.hi };
	const struct where *w = wheres_get(&st->wheres, v.id);
	const struct place *p = placemap_get(&st->places, v.id);
	const struct mobj *o;

	if (sym_is_const(now))
		return r;
	r.not_zero = now.lo <= 0 && now.hi >= 0 && sym_truth(&st->s, v) > 0;
	if (p) {
		r.kind = SVAL_PLACE;
		r.place = *p;
		return r;
	}
	p = placemap_get(&st->places, sym_less(&st->s, v, &r.off).id);
	if (p && !w) {
		r.kind = SVAL_SUM;
		r.place = *p;
		return r;
	}
	o = mobjs_get(&st->objs, w ? w->base : v.id);
	if (!o)
		return r;
	r.off = w ? w->off : 0;
	if (o->kind == M_HEAP)
		for (uint32_t i = 0; i < b->news.n; i++)
			if (b->news.v[i] == o->addr.id) {
				r.kind = SVAL_NEW;
				r.index = i;
				r.lo = state_is_nonnull(st, o->addr);
				return r;
			}
	if ((o->kind == M_GLOBAL || o->kind == M_FUNC) && !(w && w->any)) {
		r.kind = SVAL_SYMBOL;
		r.symbol = IR_REF(o->kind == M_GLOBAL ? IR_R_GLOBAL : IR_R_FUNC, o->index);
	} else if (o->kind == M_INPUT && o->has_place) {
		r.kind = w && w->any ? SVAL_INTO : SVAL_PLACE;
		r.place = o->place;
	}
	return r;
}

/* The place of memory in an object that callers know. */
static bool place_of_cell(struct build *b, const struct state_cell *c, struct place *p)
{
	const struct mobj *o = state_obj(&b->x->st, c->at.base);

	if (o->kind == M_SLOT || (!is_named(o) && state_of(&b->x->st, c->at.base) == O_FREED))
		return false;
	if (o->kind == M_GLOBAL) {
		*p = (struct place){ .base = PLACE_GLOBAL, .index = o->index };
	} else if (o->kind == M_INPUT && o->has_place) {
		*p = o->place;
	} else if (o->kind == M_HEAP) {
		uint32_t i;

		for (i = 0; i < b->news.n && b->news.v[i] != c->at.base; i++)
			;
		if (i == b->news.n)
			return false;
		*p = (struct place){ .base = PLACE_NEW, .index = i };
	} else {
		return false;
	}
	if (p->nsteps == PLACE_STEPS)
		return false;
	p->step[p->nsteps++] = (struct place_step){ c->at.off, c->at.any };
	return true;
}

static void add_write(const struct state_cell *c, void *arg)
{
	struct build *b = arg;
	struct seffect e = { .kind = SEFF_SET, .func = b->x->func, .inst = IR_NONE };

	if (!c->written || !place_of_cell(b, c, &e.place))
		return;
	e.v = value_for_caller(b, c->v);
	if (e.v.kind == SVAL_PLACE && !e.v.off && place_equal(&e.v.place, &e.place))
		return;
	if (!sval_is_known(&e.v))
		e.kind = SEFF_WRITE;
	vec_push(&b->c.effects, e);
}

/* Memory that was copied before anybody looked at it. */
static void add_copies(struct build *b)
{
	struct state *st = &b->x->st;

	for (uint32_t i = 0; i < st->objs.n && st->copies; i++) {
		const struct mobj *o = &st->objs.e[i].val, *src;
		struct state_cell c = { .at = { .base = o->addr.id } };
		struct seffect e = { .kind = SEFF_COPY, .v.kind = SVAL_PLACE, .func = b->x->func,
				     .inst = IR_NONE };
		uint64_t from = state_copied(st, o->addr.id, &e.v.off, &e.v.lo, &e.v.hi);

		src = from ? state_obj(st, from) : NULL;
		if (!src || src->kind != M_INPUT || !src->has_place || !place_of_cell(b, &c, &e.place))
			continue;
		e.place.nsteps--;
		e.v.place = src->place;
		vec_push(&b->c.effects, e);
	}
}

static void add_states(struct build *b)
{
	struct state *st = &b->x->st;

	for (uint32_t i = 0; i < st->inputs.n; i++) {
		const struct mobj *o = &st->objs.e[st->inputs.v[i]].val;
		struct seffect e = { .place = o->place, .func = b->x->func };

		if (!o->has_place)
			continue;
		if (digests_get(&b->nameless.in, o->addr.id) && state_of(st, o->addr.id) == O_LIVE) {
			e.kind = SEFF_KEEP;
			e.inst = IR_NONE;
			vec_push(&b->c.effects, e);
			continue;
		}
		if (!state_exists(st, o->addr.id) || state_of(st, o->addr.id) == O_LIVE)
			continue;
		e.kind = state_of(st, o->addr.id) == O_FREED ? SEFF_FREE : SEFF_KEEP;
		e.inst = state_at(st, o->addr.id);
		vec_push(&b->c.effects, e);
	}
}

static int by_call(const void *a, const void *b, void *arg)
{
	struct state *st = arg;
	const struct mobj *x = state_obj(st, *(const uint64_t *)a), *y = state_obj(st, *(const uint64_t *)b);

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return (x->addr.id > y->addr.id) - (x->addr.id < y->addr.id);
}

/* The new objects, in an order that does not depend on the path.  What somebody keeps whom callers
 * have no name for, or what is in such an object, is none of them: it would be in nobody's hands. */
static void number_news(struct build *b, const struct reach *escaped)
{
	struct state *st = &b->x->st;

	for (uint32_t i = 0; i < st->heaps.n; i++) {
		const struct mobj *o = &st->objs.e[st->heaps.v[i]].val;

		if (!digests_get(&escaped->in, o->addr.id) || state_of(st, o->addr.id) != O_LIVE)
			continue;
		if (!state_exists(st, o->addr.id) || state_is_null(st, o->addr) ||
		    digests_get(&b->nameless.in, o->addr.id))
			continue;
		vec_push(&b->news, o->addr.id);
	}
	if (b->news.n)
		qsort_r(b->news.v, b->news.n, sizeof(*b->news.v), by_call, st);
	for (uint32_t i = 0; i < b->news.n; i++) {
		struct mobj *o = state_obj(st, b->news.v[i]);
		struct snew n = o->made;

		n.nonnull = state_is_nonnull(st, o->addr);
		vec_push(&b->c.news, n);
	}
}

static void add_case(struct exec *x, const struct ir_inst *ret, const struct reach *escaped)
{
	struct build b = { .x = x, .nameless = { .x = x, .from = FROM_NOWHERE } };

	reach_all(&b.nameless);
	number_news(&b, escaped);
	add_copies(&b);
	state_all_cells(&x->st, add_write, &b);
	add_states(&b);
	b.c.returns = ret->nops > 0;
	if (b.c.returns)
		b.c.ret = value_for_caller(&b, exec__eval(x, ret->ops[0]));
	for (uint32_t k = 1; k < ret->nops; k++)
		vec_push(&b.c.parts, value_for_caller(&b, exec__eval(x, ret->ops[k])));
	exec__log_case(x, &b.c);
	vec_release(&b.news);
	reach_release(&b.nameless);
}

/* ---- ends ------------------------------------------------------------ */

void exec__no_return(struct exec *x)
{
	struct scase c = { .noreturn = true };

	x->r->paths++;
	if (!x->coarse)
		exec__log_case(x, &c);
}

void exec__give_up(struct exec *x)
{
	struct reach escaped = { .x = x }, local = { .x = x, .from = FROM_SLOTS };
	struct digests lost = {0}, over = {0};

	for (uint32_t i = 0; i < x->st.s.cells.n; i++)
		if (x->st.s.cells.e[i].val.kind == SYM_ENV)
			reach_value(&local, x->st.s.cells.e[i].val.v);
	reach_all(&escaped);
	reach_all(&local);
	find_lost(x, &escaped, &local, true, &lost);
	for (uint32_t i = 0; i < lost.n; i++)
		if (state_lost_at(&x->st, lost.e[i].key) != IR_NONE)
			digests_put(&over, lost.e[i].key, NULL);
	if (over.n && !is_impossible(x, &over, &x->sure))
		for (uint32_t i = 0; i < over.n; i++) {
			struct mobj *o = state_obj(&x->st, over.e[i].key);

			count_leak(x, site_of(x, o));
			report(x, o, o->index, &local, &over);
		}
	digests_release(&lost);
	digests_release(&over);
	reach_release(&escaped);
	reach_release(&local);
}

void exec__end(struct exec *x, uint32_t inst)
{
	const struct ir_inst *in = &x->f->insts[inst];
	struct reach escaped = { .x = x }, local = { .x = x, .from = FROM_SLOTS };
	bool is_main = str_eq(x->f->name, "main") && !x->e->o->at_exit;
	struct digests lost = {0};

	escaped.at_exit = str_eq(x->f->name, "main");

	x->r->paths++;
	reach_all(&escaped);
	reach_returned(&escaped, in);
	reach_all(&local);
	find_lost(x, &escaped, &local, is_main, &lost);
	if (lost.n && is_impossible(x, &lost, &x->sure))
		goto done;
	count_settled(x, &lost, &escaped);
	for (uint32_t i = 0; i < lost.n; i++)
		report(x, state_obj(&x->st, lost.e[i].key), inst, &local, &lost);
	if (!x->coarse)
		add_case(x, in, &escaped);
done:
	digests_release(&lost);
	reach_release(&escaped);
	reach_release(&local);
}
