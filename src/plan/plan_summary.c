/*
 * plan_summary.c - what callees do with an object that they are given, and which functions
 * make objects for their callers: the procedures of LeakFix, section III-B, by simulation of
 * each function instead of by sets alone.
 *
 * A parameter's summary lists the ways in which the function can end, as far as its caller can
 * tell them apart: "freed, returns 0", "still there, returns -1".  Functions that call
 * themselves, and those with too many states, have none; the sets of plan_effects.c are
 * taken instead, which err on the side of refusing.
 *
 * A maker is a function whose result is always null or an object that it made and nobody
 * else has.
 */
#include "plan/priv.h"

#include "ir/expr.h"

enum { MAX_DEPTH = 100 };	/* of simulations inside simulations: it bounds the stack */

/* ---- parameters ------------------------------------------------------------ */

static bool same_but_result(const struct plan_outcome *a, const struct plan_outcome *b)
{
	return a->phase == b->phase && a->doubt == b->doubt && a->ret_hold == b->ret_hold &&
	       a->returned == b->returned;
}

/* Fewer rows, each less exact. */
static void add_row(struct plan_summary *sum, const struct plan_outcome *o, bool join)
{
	for (uint32_t i = 0; i < sum->n && join; i++)
		if (same_but_result(&sum->out[i], o)) {
			sum->out[i].ret = pval_join(sum->out[i].ret, o->ret);
			return;
		}
	if (sum->n == PLAN_MAX_OUTCOMES)
		sum->known = false;
	else
		sum->out[sum->n++] = *o;
}

/* What a caller can tell of a result: a number; of a pointer to something, a node that holds the object or a
 * text, that it is not null. */
static struct plan_val as_told(struct plan_val v)
{
	if (v.kind == PVAL_RANGE || v.kind == PVAL_NOT)
		return v;
	return pval_decide(v, IR_P_NE, 0) == 1 ? (struct plan_val){ .kind = PVAL_NOT } : pval_any();
}

static void fill_summary(struct plan_summary *sum, const struct plan_sim *sim)
{
	sum->known = !sim->overflow && !sim->odd;
	for (uint32_t i = 0; i < sim->outcomes.n && sum->known; i++) {
		struct plan_outcome o = sim->outcomes.v[i];

		memset(o.outs, 0, sizeof(o.outs));
		o.ret = as_told(o.ret);
		add_row(sum, &o, sim->outcomes.n > PLAN_MAX_OUTCOMES);
	}
}

static void simulate_param(struct fix_planner *pl, uint32_t func, uint32_t param,
			   const struct plan_context *context, struct plan_summary *sum)
{
	struct plan_sim sim;

	if (pl->budget.over)
		return;
	sum->busy = true;
	pl->depth++;
	sim_init(&sim, pl, func);
	sim.param = param;
	sim.context = context;
	pta_add_objs(pl->p, pta_points_to(pl->p, func, IR_VREG(param)), &sim.objs);
	sim_run(&sim);
	fill_summary(sum, &sim);
	sim_release(&sim);
	pl->depth--;
	sum->busy = false;
	sum->done = !pl->budget.over;
}

const struct plan_summary *summary_of_param(struct fix_planner *pl, uint32_t func, uint32_t param)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	struct plan_summary *sum;

	assert(param < f->nparams && !ir_is_decl(f));
	if (!pl->params[func])
		pl->params[func] = arena_array(&pl->arena, struct plan_summary, f->nparams);
	sum = &pl->params[func][param];
	if (!sum->done && !sum->busy && pl->depth < MAX_DEPTH && !f->params[param].byval &&
	    !f->params[param].sret)
		simulate_param(pl, func, param, NULL, sum);
	return sum;
}

/* Are there ways on which the caller cannot tell what became of the object? */
static bool is_vague(const struct plan_summary *sum)
{
	for (uint32_t i = 0; i < sum->n && sum->known; i++)
		if (sum->out[i].doubt ||
		    (sum->out[i].phase != PHASE_BEFORE && sum->out[i].phase != sum->out[0].phase))
			return true;
	return false;
}

/* The one among those of a parameter that is given the same; *n: how many of its kind there are. */
static struct plan_context *find_context(struct plan_context *first, const struct plan_context *x,
					 uint32_t *n)
{
	*n = 0;
	for (struct plan_context *y = first; y; y = y->next) {
		bool equal = y->n == x->n && y->strict == x->strict;

		*n += y->strict == x->strict;
		for (uint32_t k = 0; equal && k < x->n; k++)
			equal = y->given[k].param == x->given[k].param &&
				memcmp(&y->given[k].val, &x->given[k].val, sizeof(x->given[k].val)) == 0;
		if (equal)
			return y;
	}
	return NULL;
}

/* With what is given, simulated once; NULL if there are too many, or it is not known. */
static const struct plan_summary *in_context(struct fix_planner *pl, uint32_t func, uint32_t param,
					     const struct plan_given *given, uint32_t n, bool strict)
{
	enum { MAX_CONTEXTS = 8 };	/* of one parameter */
	struct plan_context x, *found, **first = &pl->params[func][param].contexts;
	uint32_t many;

	memset(&x, 0, sizeof(x));
	x.strict = strict;
	for (uint32_t i = 0; i < n && x.n < PLAN_MAX_CONTEXT; i++)
		if (given[i].param < pl->m->funcs.v[func].nparams && given[i].param != param)
			x.given[x.n++] = given[i];
	found = find_context(*first, &x, &many);
	if (!found && many < MAX_CONTEXTS) {
		found = arena_copy(&pl->arena, &x, sizeof(x));
		found->next = *first;
		*first = found;
	}
	if (found && !found->sum.done && !found->sum.busy)
		simulate_param(pl, func, param, found, &found->sum);
	return found && found->sum.known ? &found->sum : NULL;
}

const struct plan_summary *summary_in_context(struct fix_planner *pl, uint32_t func, uint32_t param,
					      const struct plan_given *given, uint32_t n)
{
	const struct plan_summary *sum = summary_of_param(pl, func, param), *more;

	if (!sum->done || !is_vague(sum) || !n || pl->depth >= MAX_DEPTH)
		return sum;
	more = in_context(pl, func, param, given, n, false);
	return more ? more : sum;
}

const struct plan_summary *summary_untouched(struct fix_planner *pl, uint32_t func, uint32_t param,
					     const struct plan_given *given, uint32_t n)
{
	const struct plan_summary *sum = summary_of_param(pl, func, param);

	return sum->done && sum->known && pl->depth < MAX_DEPTH ? in_context(pl, func, param, given, n, true)
								: NULL;
}

/* ---- memory behind parameters --------------------------------------------------- */

static void fill_cell(struct plan_summary *sum, const struct plan_sim *sim)
{
	uint32_t path = sim_cell_path(sim);

	sum->known = !sim->overflow && !sim->odd && path != IR_NONE && sim->outcomes.n <= PLAN_MAX_OUTCOMES;
	for (uint32_t i = 0; i < sim->outcomes.n && sum->known; i++) {
		struct plan_outcome o = sim->outcomes.v[i];
		struct plan_cell own = o.outs[sim->paths.v[path].out];

		if (o.absent & 1U << sim->paths.v[path].out)
			continue;	/* no memory, no object */
		for (uint32_t k = 0; k < PLAN_MAX_OUTS; k++)
			if (k != sim->paths.v[path].out && o.outs[k].hold != HOLD_NO)
				o.doubt |= DOUBT_ESCAPED;
		memset(o.outs, 0, sizeof(o.outs));
		o.outs[0] = own;
		o.ret = as_told(o.ret);
		sum->out[sum->n++] = o;
	}
}

const struct plan_summary *summary_of_cell(struct fix_planner *pl, uint32_t func, uint32_t param, int64_t off)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	struct plan_cell_summary *x = NULL;
	struct plan_sim sim;

	assert(param < f->nparams && !ir_is_decl(f));
	for (uint32_t i = 0; i < pl->cells.n && !x; i++)
		if (pl->cells.v[i]->func == func && pl->cells.v[i]->param == param &&
		    pl->cells.v[i]->off == off)
			x = pl->cells.v[i];
	if (x)
		return x->busy || !x->sum.known ? NULL : &x->sum;
	if (pl->depth >= MAX_DEPTH || pl->budget.over || f->params[param].byval || f->params[param].sret)
		return NULL;
	x = arena_new(&pl->arena, struct plan_cell_summary);
	x->func = func;
	x->param = param;
	x->off = off;
	x->busy = true;
	vec_push(&pl->cells, x);
	pl->depth++;
	sim_init(&sim, pl, func);
	sim.outs = true;
	sim.cell = param;
	sim.cell_off = off;
	sim_find_births(&sim);
	SBITS_FOREACH(l, pta_points_to(pl->p, func, IR_VREG(param))) {
		uint32_t at = pta_loc_at(pl->p, l, off);

		if (at != IR_NONE)
			SBITS_FOREACH(to, pta_cell(pl->p, at))
				sbits_set(&sim.objs, pta_loc(pl->p, to)->obj);
	}
	sim_run(&sim);
	fill_cell(&x->sum, &sim);
	sim_release(&sim);
	pl->depth--;
	x->busy = false;
	if (pl->budget.over)
		x->func = IR_NONE;	/* it is not found again */
	return x->sum.known ? &x->sum : NULL;
}

/* ---- makers ------------------------------------------------------------------ */

/* The bits of a number that may be, and that must be set. */
static void known_bits(const struct ir_module *m, const struct ir_func *f, ir_ref r, unsigned depth,
		       uint64_t *may, uint64_t *must)
{
	const struct ir_inst *d = ir_def(f, r);
	uint64_t a[2], b[2];

	*may = UINT64_MAX;
	*must = 0;
	if (IR_KIND(r) == IR_R_INT) {
		*may = *must = (uint64_t)ir_int_value(m, r);
		return;
	}
	if (!d || depth > 8 ||
	    (d->op != IR_SELECT && (d->op != IR_BIN || (d->sub != IR_B_OR && d->sub != IR_B_AND))))
		return;
	for (uint32_t k = 0; k < 2; k++)
		known_bits(m, f, d->ops[k + (d->op == IR_SELECT)], depth + 1, &a[k], &b[k]);
	*may = d->op == IR_BIN && d->sub == IR_B_AND ? a[0] & a[1] : a[0] | a[1];
	*must = d->op == IR_BIN && d->sub == IR_B_OR ? b[0] | b[1] : b[0] & b[1];
}

/* 1: the condition on an argument holds at this call, 0: it does not, -1: not known. */
static int holds_here(const struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *in,
		      const struct model_cond *c)
{
	uint64_t may, must;
	ir_ref r;

	if (c->place.base != MODEL_ARG || c->place.nsteps || c->place.arg >= in->nops)
		return -1;
	r = in->ops[c->place.arg];
	if (r == IR_NULL)
		return model_cond_holds(c, 0);
	if (IR_KIND(r) == IR_R_INT)
		return model_cond_holds(c, ir_int_value(pl->m, r));
	if (c->null && (IR_KIND(r) == IR_R_SLOT || IR_KIND(r) == IR_R_GLOBAL || IR_KIND(r) == IR_R_ADDR))
		return c->cmp == MODEL_NE;
	if (c->cmp != MODEL_HAS && c->cmp != MODEL_LACKS)
		return -1;
	known_bits(pl->m, f, r, 0, &may, &must);
	if (must & (uint64_t)c->value)
		return c->cmp == MODEL_HAS;
	return may & (uint64_t)c->value ? -1 : c->cmp == MODEL_LACKS;
}

/* Is it asked whether a number that the call is given is not zero? */
static bool is_flag(const struct model_cond *c)
{
	return c->place.base == MODEL_ARG && !c->place.nsteps && c->cmp == MODEL_NE && c->value == 0 &&
	       !c->null;
}

/* 1: the effect happens, 0: it does not, -1: not known; *cond: only if the result, or a flag, is so. */
static int effect_happens(const struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *in,
			  const struct model_effect *e, const struct model_cond **cond)
{
	*cond = NULL;
	for (unsigned i = 0; i < e->nconds; i++) {
		int h = holds_here(pl, f, in, &e->conds[i]);

		if (h == 0)
			return 0;
		if (h > 0)
			continue;
		if (*cond ||
		    (!is_flag(&e->conds[i]) && (e->conds[i].place.base != MODEL_RETURN ||
						e->conds[i].place.nsteps || e->conds[i].cmp >= MODEL_HAS)))
			return -1;
		*cond = &e->conds[i];
	}
	return 1;
}

/* What the argument points to, or a member of it: *off is where. */
static bool is_deref(const struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *in,
		     const struct model_place *p, int64_t *off)
{
	uint32_t type;

	if (p->base != MODEL_ARG || p->nsteps != 1 || p->steps[0].any || p->arg >= in->nops)
		return false;
	*off = p->steps[0].offset;
	if (!p->steps[0].field)
		return true;
	type = expr_object_type(pl->m, f, in->ops[p->arg]);
	if (!type || pl->m->types.v[type].kind != IR_T_STRUCT)
		return false;
	*off = (int64_t)ir_member_offset(pl->m, &type, p->steps[0].field);
	return pl->m->types.v[ir_type_strip(pl->m, type)].kind == IR_T_PTR;
}

/* The result of a model that is a new object, or null, or one number that says that there is none. */
static void born_as_result(const struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *in,
			   const struct model *md, struct plan_birth b, struct plan_births *out)
{
	const struct model_effect *found = NULL;
	bool null = false;

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		const struct model_cond *cond;
		int h;

		if (e->kind != MODEL_E_SET || e->place.base != MODEL_RETURN || e->place.nsteps)
			continue;
		h = effect_happens(pl, f, in, e, &cond);
		null |= e->value.kind == MODEL_V_NULL;
		if (!h || e->value.kind == MODEL_V_NULL)
			continue;
		if (h > 0 && !cond && e->value.kind == MODEL_V_INT && e->value.value < 0 &&
		    (!b.none || b.none == e->value.value)) {
			b.none = e->value.value;
			continue;
		}
		if (found || h < 0 || cond || e->value.kind != MODEL_V_NEW)
			return;
		found = e;
	}
	if (!found || in->res == IR_NONE || (b.none && (null || !found->value.nonnull)))
		return;
	b.nonnull = found->value.nonnull;
	b.effect = found;
	vec_push(out, b);
}

static const enum ir_pred preds[] = {
	[MODEL_EQ] = IR_P_EQ, [MODEL_NE] = IR_P_NE, [MODEL_LT] = IR_P_SLT,
	[MODEL_LE] = IR_P_SLE, [MODEL_GT] = IR_P_SGT, [MODEL_GE] = IR_P_SGE,
};

/* Does the model say that null is stored there whenever the condition does not hold? */
static bool is_null_else(const struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *in,
			 const struct model *md, const struct plan_out *o, const struct model_cond *cond)
{
	int64_t off;

	for (unsigned i = 0; i < md->neffects && cond; i++) {
		const struct model_effect *e = &md->effects[i];
		const struct model_cond *c;

		if (e->kind != MODEL_E_SET || e->value.kind != MODEL_V_NULL ||
		    e->place.arg != o->param + 1 || !is_deref(pl, f, in, &e->place, &off) || off != o->off ||
		    effect_happens(pl, f, in, e, &c) != 1)
			continue;
		if (!c || (preds[c->cmp] == pval_negate(preds[cond->cmp]) && c->value == cond->value))
			return true;
	}
	return false;
}

/* The numbers that a model says it returns. */
static struct plan_val returned_numbers(const struct model *md)
{
	struct plan_val all = pval_any();
	bool first = true;

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		struct plan_val one;

		if (e->kind != MODEL_E_SET || e->place.base != MODEL_RETURN || e->place.nsteps)
			continue;
		if (e->nconds || (e->value.kind != MODEL_V_INT && e->value.kind != MODEL_V_NEGATIVE))
			return pval_any();
		one = e->value.kind == MODEL_V_INT ? pval_int(e->value.value) : pval_range(INT32_MIN, -1);
		all = first ? one : pval_join(all, one);
		first = false;
	}
	return all;
}

/* What a model stores through its arguments, as rows: one if it always does, else one for
 * each outcome.  What is there if it does not, nobody says, or null is. */
static void born_through(struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *in,
			 const struct model *md, struct plan_birth b, struct plan_births *out)
{
	struct plan_rows *r = NULL;
	const struct model_cond *cond = NULL;

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		const struct model_cond *c;
		int64_t off;
		int h;

		if (e->kind != MODEL_E_SET || e->value.kind != MODEL_V_NEW || e->place.base == MODEL_RETURN)
			continue;
		h = effect_happens(pl, f, in, e, &c);
		if (!h)
			continue;
		if (h < 0 || !is_deref(pl, f, in, &e->place, &off) || (c && r && is_flag(c)) ||
		    (r && c != cond && (!c || !cond || c->cmp != cond->cmp || c->value != cond->value)) ||
		    (r && r->nouts == PLAN_MAX_OUTS))
			return;
		if (!r) {
			r = arena_new(&pl->arena, struct plan_rows);
			r->n = c ? 2 : 1;
			cond = c;
			r->row[0].ret = r->row[1].ret = returned_numbers(md);
			r->arg = c && is_flag(c) ? c->place.arg : 0;
			if (c && !r->arg)
				pval_refine(&r->row[0].ret, preds[c->cmp], c->value);
			if (c && !r->arg)
				pval_refine(&r->row[1].ret, pval_negate(preds[c->cmp]), c->value);
			if (c && !r->arg && c->cmp == MODEL_GE &&
			    c->value == 0) /* what fails so returns -1: errno has the rest */
				r->row[1].ret = pval_int(-1);
		}
		r->row[0].left[r->nouts] = e->value.nonnull ? LEFT_FRESH_SURE : LEFT_FRESH;
		r->out[r->nouts++] = (struct plan_out){ e->place.arg - 1, off, e, b.origin, false, 0 };
		if (r->n == 2 && is_null_else(pl, f, in, md, &r->out[r->nouts - 1], c))
			r->row[1].left[r->nouts - 1] = LEFT_NULL;
	}
	for (uint32_t i = 0; r && i < r->nouts; i++) {
		b.rows = r;
		b.out = i;
		b.effect = r->out[i].effect;
		vec_push(out, b);
	}
}

/* The call stores its result, if there is one, through an argument as well: both have the same object.
 * False: it does not. */
static bool born_twice(struct fix_planner *pl, const struct ir_func *f, const struct ir_inst *in,
		       const struct model *md, struct plan_birth b, struct plan_births *out)
{
	const struct model_effect *e = model_stores_result(md), *made = model_allocates(md);
	const struct model_cond *c;
	struct plan_rows *r;
	int64_t off;

	if (!e || e->place.arg >= in->nops || in->ops[e->place.arg] == IR_NULL)
		return false;
	if (!made || made->nconds || effect_happens(pl, f, in, e, &c) != 1 || !c || c->cmp != MODEL_NE ||
	    c->value || !is_deref(pl, f, in, &e->place, &off))
		return true;
	r = arena_new(&pl->arena, struct plan_rows);
	r->n = 2;
	r->nouts = 1;
	r->row[0].ret = r->row[1].ret = pval_any();
	pval_refine(&r->row[0].ret, IR_P_NE, 0);
	pval_refine(&r->row[1].ret, IR_P_EQ, 0);
	r->row[0].left[0] = LEFT_FRESH_SURE;
	r->row[1].left[0] = LEFT_KEPT;
	r->out[0] = (struct plan_out){ e->place.arg - 1, off, made, b.origin, true, 0 };
	b.rows = r;
	b.effect = made;
	vec_push(out, b);
	return true;
}

/* A call through a pointer, of one of several functions that all make objects of one kind. */
static void born_by_several(struct fix_planner *pl, const struct sbits *callees, struct plan_birth b,
			    struct plan_births *out)
{
	bool first = true;

	SBITS_FOREACH(g, callees) {
		const struct plan_maker *mk = ir_is_decl(&pl->m->funcs.v[g]) || pta_model(pl->p, g)
						      ? NULL
						      : summary_of_maker(pl, g);

		if (!mk || !mk->fresh || mk->inner || mk->none || mk->part ||
		    (!first && !summary_same_releaser(b.effect, mk->effect)))
			return;
		if (first) {
			b.callee = g;
			b.effect = mk->effect;
			b.nonnull = mk->nonnull;
		}
		b.nonnull &= mk->nonnull;
		first = false;
	}
	b.several = true;
	if (!first)
		vec_push(out, b);
}

/* Is the operand the parameter of the function? */
static bool is_param(const struct ir_func *f, ir_ref r, uint32_t param)
{
	const struct ir_inst *d = ir_def(f, r);
	uint32_t stores = 0;

	if (r == IR_VREG(param))
		return true;
	if (!d || d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT ||
	    f->slots[IR_IDX(d->ops[0])].param != param + 1)
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++)	/* it is not set again */
		for (uint32_t k = 0; k < f->insts[i].nops; k++)
			if (f->insts[i].ops[k] == d->ops[0] && f->insts[i].op != IR_LOAD)
				stores += f->insts[i].op == IR_STORE && k == 0 &&
							  f->insts[i].ops[1] == IR_VREG(param)
						  ? 1
						  : 2;
	return stores <= 1;
}

/* What the callee leaves behind its parameters, for this call. */
static const struct plan_rows *rows_for(const struct fix_planner *pl, const struct plan_maker *mk,
					uint32_t func, const struct ir_inst *in, uint32_t apart)
{
	const struct sbits *to;

	if (!mk->apart || mk->apart_param + 1 >= in->nops)
		return mk->rows;
	to = pta_points_to(pl->p, func, in->ops[mk->apart_param + 1]);
	if ((to->n && !sbits_intersects(to, &pl->blobs)) ||
	    (apart != IR_NONE && is_param(&pl->m->funcs.v[func], in->ops[mk->apart_param + 1], apart)))
		return mk->apart;
	return mk->rows;
}

void summary_births(struct fix_planner *pl, uint32_t func, uint32_t inst, uint32_t apart,
		    struct plan_births *out)
{
	const struct plan_rows *rows;
	const struct ir_func *f = &pl->m->funcs.v[func];
	const struct ir_inst *in = &f->insts[inst];
	struct plan_birth b = { .inst = inst, .origin = { func, inst } };
	const struct plan_maker *mk;
	const struct model *md;
	struct pta_callees to;

	if (in->op != IR_CALL)
		return;
	pta_callees(pl->p, func, inst, &to);
	if (to.unknown || sbits_count(to.set) != 1) {
		if (!to.unknown && in->res != IR_NONE && in->cls == IR_C_PTR)
			born_by_several(pl, to.set, b, out);
		return;
	}
	b.callee = sbits_next(to.set, 0);
	md = pta_model(pl->p, b.callee);
	if (md && born_twice(pl, f, in, md, b, out))
		return;
	if (md) {
		born_as_result(pl, f, in, md, b, out);
		born_through(pl, f, in, md, b, out);
		return;
	}
	if (ir_is_decl(&pl->m->funcs.v[b.callee]))
		return;
	mk = summary_of_maker(pl, b.callee);
	if (mk->fresh && in->res != IR_NONE && (in->cls == IR_C_PTR || (mk->part && in->cls != IR_C_INT))) {
		b.nonnull = mk->nonnull;
		b.none = mk->none;
		b.inner = mk->inner;
		b.part = mk->part;
		b.effect = mk->effect;
		b.origin = mk->origin;
		vec_push(out, b);
	}
	rows = rows_for(pl, mk, func, in, apart);
	for (uint32_t i = 0; rows && i < rows->nouts; i++)
		if (rows->out[i].effect) {
			b.nonnull = false;
			b.none = b.inner = 0;
			b.part = 0;
			b.rows = rows;
			b.out = i;
			b.effect = rows->out[i].effect;
			b.origin = rows->out[i].origin;
			vec_push(out, b);
		}
}

bool summary_same_releaser(const struct model_effect *a, const struct model_effect *b)
{
	return a->value.resource == b->value.resource && a->value.nfreers == b->value.nfreers &&
	       (!a->value.nfreers || str_eq(a->value.freers[0], b->value.freers[0]));
}

/* What all returns of a function have in common.  A number that was converted is not looked for. */
static ir_ref constant_of(const struct fix_planner *pl, uint32_t func)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	ir_ref same = IR_UNDEF;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		ir_ref v[PLAN_MAX_ORIGINS] = { IR_UNDEF };
		uint32_t n = 1;

		if (f->insts[i].op != IR_RET)
			continue;
		if (f->insts[i].nops == 1 && f->ret_cls == IR_C_PTR)
			n = plan_origins(pl, func, f->insts[i].ops[0], v);
		else if (f->insts[i].nops == 1)
			v[0] = ssa_ref(pta_ssa(pl->p, func), f->insts[i].ops[0]);
		for (uint32_t k = 0; k < n; k++) {
			if ((v[k] != IR_NULL && IR_KIND(v[k]) != IR_R_INT) ||
			    (same != IR_UNDEF && same != v[k]))
				return IR_UNDEF;
			same = v[k];
		}
		if (!n)
			return IR_UNDEF;
	}
	return same;
}

ir_ref summary_constant(struct fix_planner *pl, uint32_t func)
{
	ir_ref *c = &pl->constants[func];

	if (!*c)
		*c = constant_of(pl, func);
	return *c;
}

/* One way to return when no object is followed: is the result fresh, and of what kind? */
static void judge_result(struct plan_maker *mk, const struct plan_sim *sim, const struct plan_val *ret)
{
	const struct model_effect *e;
	int64_t inner;

	if (ret->kind == PVAL_RANGE && ret->lo == 0 && ret->hi == 0) {
		mk->nonnull = false;
		return;
	}
	if (ret->kind == PVAL_RANGE && ret->lo == ret->hi && ret->lo < 0 &&
	    (!mk->none || mk->none == ret->lo)) {
		mk->none = ret->lo;
		return;
	}
	if (ret->kind != PVAL_FRESH && !(ret->kind == PVAL_INNER && ret->hi > 0)) {
		mk->fresh = false;
		return;
	}
	inner = sim->births.v[ret->birth].inner + (ret->kind == PVAL_INNER ? ret->hi : 0);
	if (mk->effect && mk->inner != inner)
		mk->fresh = false;
	mk->inner = inner;
	e = sim->births.v[ret->birth].effect;
	mk->nonnull &= ret->lo != 0;
	if (mk->effect && !summary_same_releaser(mk->effect, e))
		mk->fresh = false;
	mk->effect = e;
	mk->origin = sim->births.v[ret->birth].origin;
}

/* The pointer in a struct that the function returns, with 1; 0 if there is none, or others where it returns
 * elsewhere. */
static uint32_t part_of_result(const struct ir_func *f)
{
	uint32_t part = 0;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		uint32_t k = in->op == IR_RET ? plan_returned(f, in) : 0;

		if (in->op != IR_RET)
			continue;
		if (in->nops < 2 || k >= in->nops || (part && part != k + 1))
			return 0;
		part = k + 1;
	}
	return part;
}

static void judge_maker(struct plan_maker *mk, const struct plan_sim *sim)
{
	mk->part = part_of_result(sim->f);
	mk->fresh = !sim->overflow && !sim->odd && (sim->f->ret_cls == IR_C_PTR || mk->part);
	mk->nonnull = true;
	for (uint32_t i = 0; i < sim->outcomes.n; i++) {
		const struct plan_outcome *o = &sim->outcomes.v[i];

		if (o->phase == PHASE_BEFORE)
			judge_result(mk, sim, &o->ret);
		else if (o->ret_hold != HOLD_NO)
			mk->fresh &= (o->ret_hold == HOLD_MUST || o->ret.kind == PVAL_INNER) &&
				     o->phase == PHASE_ALIVE && !o->doubt;
	}
	mk->fresh &= mk->effect != NULL && (!mk->none || mk->nonnull);
}

/* ---- out-parameters ------------------------------------------------------------- */

static bool may_meet(struct plan_val a, struct plan_val b)
{
	return pval_meet(&a, b);
}

/* On a way that returns so, is what the cell holds really the caller's alone? */
static bool is_given(const struct plan_sim *sim, const struct plan_outcome *row, uint32_t out)
{
	for (uint32_t i = 0; i < sim->outcomes.n; i++) {
		const struct plan_outcome *o = &sim->outcomes.v[i];
		uint32_t holders = o->ret_hold != HOLD_NO;

		if (o->phase == PHASE_BEFORE || o->outs[out].hold == HOLD_NO || !may_meet(o->ret, row->ret))
			continue;
		for (uint32_t k = 0; k < PLAN_MAX_OUTS; k++)
			holders += o->outs[k].hold != HOLD_NO;
		if (o->phase != PHASE_ALIVE || o->doubt || o->outs[out].hold != HOLD_MUST || holders != 1)
			return false;
	}
	return true;
}

static enum plan_left what_is_left(struct plan_rows *r, const struct plan_sim *sim,
				   const struct plan_outcome *o, uint32_t out)
{
	struct plan_val v = o->outs[out].val;
	const struct model_effect *e;

	if (o->absent & 1U << out)
		return LEFT_ABSENT;
	if (v.kind == PVAL_UNDEF)
		return LEFT_KEPT;
	if (r->number[out])
		return v.kind == PVAL_RANGE && v.lo == v.hi ? LEFT_NUMBER : LEFT_ANY;
	if (v.kind == PVAL_RANGE && v.lo == 0 && v.hi == 0)
		return LEFT_NULL;
	if (v.kind != PVAL_FRESH || sim->births.v[v.birth].inner || !is_given(sim, o, out))
		return LEFT_ANY;
	e = sim->births.v[v.birth].effect;
	if (r->out[out].effect && !summary_same_releaser(r->out[out].effect, e))
		return LEFT_ANY;
	r->out[out].effect = e;
	r->out[out].origin = sim->births.v[v.birth].origin;
	return v.lo ? LEFT_FRESH_SURE : LEFT_FRESH;
}

/* The result, on some ways, is an object that nobody else has. */
static bool is_sometimes_new(const struct plan_maker *mk, const struct plan_sim *sim)
{
	bool some = false;

	for (uint32_t i = 0; i < sim->outcomes.n && sim->f->ret_cls == IR_C_PTR && !mk->fresh; i++) {
		const struct plan_outcome *o = &sim->outcomes.v[i];

		if (o->phase == PHASE_BEFORE)
			some |= o->ret.kind == PVAL_FRESH;
		else if (o->ret_hold != HOLD_NO &&
			 (o->ret_hold != HOLD_MUST || o->phase != PHASE_ALIVE || o->doubt))
			return false;
	}
	return some;
}

static enum plan_left what_is_returned(struct plan_rows *r, const struct plan_sim *sim,
				       const struct plan_outcome *o, uint32_t out)
{
	const struct model_effect *e;

	if (o->ret.kind == PVAL_RANGE && o->ret.lo == 0 && o->ret.hi == 0)
		return LEFT_NULL;
	if (o->ret.kind != PVAL_FRESH)
		return LEFT_ANY;
	e = sim->births.v[o->ret.birth].effect;
	if (sim->births.v[o->ret.birth].none || sim->births.v[o->ret.birth].inner ||
	    (r->out[out].effect && !summary_same_releaser(r->out[out].effect, e)))
		return LEFT_ANY;
	r->out[out].effect = e;
	r->out[out].origin = sim->births.v[o->ret.birth].origin;
	return o->ret.lo ? LEFT_FRESH_SURE : LEFT_FRESH;
}

static void add_out_row(struct plan_rows *r, const struct plan_row *row, bool *fits)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (memcmp(r->row[i].left, row->left, sizeof(row->left)) == 0 &&
		    memcmp(r->row[i].number, row->number, sizeof(row->number)) == 0) {
			struct plan_val j = pval_join(r->row[i].ret, row->ret);

			if (memcmp(&j, &r->row[i].ret, sizeof(j)) == 0 || r->n == PLAN_MAX_ROWS) {
				r->row[i].ret = j;
				return;
			}
			if (memcmp(&r->row[i].ret, &row->ret, sizeof(j)) == 0)
				return;
		}
	if (r->n == PLAN_MAX_ROWS)
		*fits = false;
	else
		r->row[r->n++] = *row;
}

/* The parameter, from 1, that a function may return as it was, besides what calls have just made, and null;
 * 0: there are several, or it may return something else. */
static uint32_t returned_param(struct fix_planner *pl, uint32_t func)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	uint32_t found = 0;

	for (uint32_t i = 0; i < f->ninsts; i++) {
		ir_ref v[PLAN_MAX_ORIGINS];
		uint32_t n;

		if (f->insts[i].op != IR_RET)
			continue;
		n = f->insts[i].nops == 1 ? plan_origins(pl, func, f->insts[i].ops[0], v) : 0;
		if (!n)
			return 0;
		for (uint32_t k = 0; k < n; k++) {
			if (v[k] == IR_NULL)
				continue;
			if (IR_KIND(v[k]) != IR_R_VREG)
				return 0;
			if (IR_IDX(v[k]) >= f->nparams ? !owned_is_new(pl, func, v[k])
						       : found && found != IR_IDX(v[k]) + 1)
				return 0;
			if (IR_IDX(v[k]) < f->nparams)
				found = IR_IDX(v[k]) + 1;
		}
	}
	return found;
}

static void judge_outs(struct fix_planner *pl, struct plan_maker *mk, const struct plan_sim *sim)
{
	struct plan_rows r;
	bool fits = !sim->overflow && !sim->odd, any = false, nulls = false;
	uint32_t result = IR_NONE;

	mk->members_known = fits;

	memset(&r, 0, sizeof(r));
	for (uint32_t i = 0; i < sim->paths.n; i++)
		if (sim->paths.v[i].out != IR_NONE || sim->paths.v[i].member != IR_NONE) {
			uint32_t k = MIN(sim->paths.v[i].out, sim->paths.v[i].member);

			r.out[k] = (struct plan_out) { sim->paths.v[i].out != IR_NONE ? sim->paths.v[i].param
										      : IR_NONE,
						       sim->paths.v[i].off,
						       NULL,
						       { IR_NONE, IR_NONE },
						       false,
						       0 };
			r.number[k] = sim->paths.v[i].number;
			r.nouts = MAX(r.nouts, k + 1);
		}
	if (fits && r.nouts < PLAN_MAX_OUTS && is_sometimes_new(mk, sim)) {
		result = r.nouts;
		r.out[r.nouts++] =
			(struct plan_out) { PLAN_RESULT,	  0,	 NULL,
					    { IR_NONE, IR_NONE }, false, returned_param(pl, sim->func) };
	}
	for (uint32_t i = 0; i < sim->outcomes.n && r.nouts && fits; i++) {
		const struct plan_outcome *o = &sim->outcomes.v[i];
		struct plan_row row = { .ret = o->ret.kind == PVAL_RANGE || o->ret.kind == PVAL_NOT
						       ? o->ret
						       : pval_any() };

		if (o->ret.kind == PVAL_FRESH && o->ret.lo)
			row.ret = (struct plan_val){ .kind = PVAL_NOT };

		if (o->phase != PHASE_BEFORE)
			continue;
		for (uint32_t k = 0; k < r.nouts; k++) {
			row.left[k] = (uint8_t)(k == result ? what_is_returned(&r, sim, o, k)
							    : what_is_left(&r, sim, o, k));
			row.number[k] = row.left[k] == LEFT_NUMBER ? o->outs[k].val.lo : 0;
		}
		for (uint32_t k = 0; k < r.nouts; k++)
			mk->members_known &= r.out[k].param != IR_NONE || row.left[k] >= LEFT_NULL;
		for (uint32_t k = 0; k < r.nouts; k++)
			nulls |= r.out[k].param != IR_NONE && row.left[k] == LEFT_NULL;
		add_out_row(&r, &row, &fits);
	}
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {	/* stores that no path tells of */
		const struct ir_inst *in = &sim->f->insts[i];

		if (in->op == IR_STORE && in->cls == IR_C_PTR && IR_KIND(in->ops[0]) != IR_R_SLOT &&
		    sim_path_at(sim, in->ops[0], i) == IR_NONE)
			mk->members_known = false;
	}
	for (uint32_t i = 0; i < sim->paths.n; i++)
		mk->members_known &= sim->paths.n < 64 &&
				     (sim->paths.v[i].param != IR_NONE || sim->paths.v[i].member != IR_NONE);
	for (uint32_t k = 0; k < r.nouts; k++)
		any |= r.out[k].effect != NULL;
	if (fits && any)
		mk->rows = arena_copy(&pl->arena, &r, sizeof(r));
	else if (fits && nulls)
		mk->nulls = arena_copy(&pl->arena, &r, sizeof(r));
}

/* Does the function store null through what may be a parameter? */
static bool stores_null(const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->ninsts && f->nparams; i++)
		if (f->insts[i].op == IR_STORE && f->insts[i].cls == IR_C_PTR &&
		    f->insts[i].ops[1] == IR_NULL && IR_KIND(f->insts[i].ops[0]) == IR_R_VREG)
			return true;
	return false;
}

const struct plan_rows *summary_of_outs(struct fix_planner *pl, uint32_t func)
{
	const struct plan_maker *mk = summary_of_maker(pl, func);

	return mk->rows ? mk->rows : mk->nulls;
}

/* A parameter through which something new is stored on some ways, and nobody knows what on others, which for
 * some callers points to unknown memory; IR_NONE. */
static uint32_t vague_param(const struct fix_planner *pl, const struct plan_maker *mk, uint32_t func)
{
	for (uint32_t k = 0; mk->rows && k < mk->rows->nouts; k++) {
		const struct plan_out *o = &mk->rows->out[k];
		bool vague = false;

		for (uint32_t i = 0; i < mk->rows->n; i++)
			vague |= mk->rows->row[i].left[k] == LEFT_ANY;
		if (vague && o->effect && o->param < pl->m->funcs.v[func].nparams &&
		    sbits_intersects(pta_points_to(pl->p, func, IR_VREG(o->param)), &pl->blobs))
			return o->param;
	}
	return IR_NONE;
}

/* A function that makes more than that is a large one; if it can be followed at all, it tells nothing of
 * each. */
enum { MAX_MADE = 64 };

/* May the function, or who it calls, leave a pointer to a heap object, or null, to its caller?  If not there
 * is nothing to be followed. */
static bool may_leave(const struct fix_planner *pl, uint32_t func)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	if (f->ret_cls != IR_C_INT && f->ret_cls != IR_C_VOID && f->ret_cls != IR_C_FLOAT)
		return true;
	SBITS_FOREACH(l, &pl->fx[func].mod) {
		const struct pta_obj *o = pta_obj(pl->p, pta_loc(pl->p, l)->obj);

		if (o->kind == PTA_SLOT && o->func == func)
			continue;
		SBITS_FOREACH(to, pta_cell(pl->p, l))
			if (pta_obj(pl->p, pta_loc(pl->p, to)->obj)->kind == PTA_HEAP)
				return true;
	}
	SBITS_FOREACH(o, &pl->fx[func].sunk)	/* in memory of which nobody knows what is in it */
		if (pta_obj(pl->p, o)->kind == PTA_HEAP)
			return true;
	return stores_null(f);
}

/* Follows the function with all that it makes.  mk: with `apart`, only what it leaves behind its parameters.
 */
static void run_maker(struct fix_planner *pl, uint32_t func, uint32_t apart, struct plan_maker *mk)
{
	struct plan_sim sim;

	sim_init(&sim, pl, func);
	sim.outs = true;
	sim.apart = apart;
	sim_find_births(&sim);
	for (uint32_t i = 0; i < sim.births.n; i++)
		sim.births.v[i].follow = true;
	if (sim.births.n ? sim.births.n <= MAX_MADE : stores_null(sim.f)) {
		sim_run(&sim);
		judge_maker(mk, &sim);
		judge_outs(pl, mk, &sim);
	}
	sim_release(&sim);
}

const struct plan_maker *summary_of_maker(struct fix_planner *pl, uint32_t func)
{
	struct plan_maker *mk = &pl->makers[func], again = {0};

	if (mk->done || mk->busy || pl->depth >= MAX_DEPTH || pl->budget.over)
		return mk;
	if (!may_leave(pl, func)) {
		mk->done = true;
		return mk;
	}
	mk->busy = true;
	pl->depth++;
	run_maker(pl, func, IR_NONE, mk);
	mk->apart_param = vague_param(pl, mk, func);
	if (mk->apart_param !=
	    IR_NONE) { /* what unknown memory may be changed by, a variable of the caller is not */
		run_maker(pl, func, mk->apart_param, &again);
		mk->apart = again.rows;
	}
	pl->depth--;
	mk->busy = false;
	mk->done = !pl->budget.over;
	return mk;
}
