/*
 * plan_call.c - what a call does to the object: by a model, by the summary of the callee's
 * parameter, or, where neither is at hand, by the sets of plan_effects.c.
 *
 * A call may end in several ways that the caller can tell apart by the result ("keeps it
 * when it returns 0"): then there are several states after it, each with what is known of the
 * result.
 */
#include "plan/priv.h"

#include "base/hash.h"
#include "ir/expr.h"

struct call {
	struct plan_sim *sim;
	struct plan_node *node;
	const struct ir_inst *in;
	uint32_t inst;
	uint32_t callee;		/* the function whose model is at hand */
	struct plan_states *out;
	struct plan_val ret;		/* what the result is before more is known */
	uint32_t cell; /* the variable that the object was in, if it is known what became of that; else
			  IR_NONE */
	bool strictly;			/* the summary at hand tells whether the callee touches the object */
	uint32_t spared; /* the variable that points to what the callee did not touch on this way; else
			    IR_NONE */
};

static const enum ir_pred preds[] = {
	[MODEL_EQ] = IR_P_EQ, [MODEL_NE] = IR_P_NE, [MODEL_LT] = IR_P_SLT,
	[MODEL_LE] = IR_P_SLE, [MODEL_GT] = IR_P_SGT, [MODEL_GE] = IR_P_SGE,
};

static void touch(struct call *c, const struct plan_state *s)
{
	if (s->phase != PHASE_BEFORE)
		c->node->touches = true;
}

static void doubt_freed(struct call *c, struct plan_state *s)
{
	s->doubt |= DOUBT_FREED;
	if (c->sim->freed_at == IR_NONE)
		c->sim->freed_at = c->inst;
}

static void set_result(struct call *c, struct plan_state *s, enum plan_hold hold, struct plan_val val)
{
	if (c->in->res == IR_NONE)
		return;
	pstate_set(s, sim_vreg_key(c->sim, c->in->res), hold, val);
	c->sim->numbers |= hold != HOLD_NO && c->in->cls == IR_C_INT && c->in->bits <= 32;
}

static void push(struct call *c, struct plan_state *s)
{
	for (uint32_t i = 0; i < c->out->n; i++)
		if (pstate_equal(&c->out->v[i], s)) {
			pstate_release(s);
			return;
		}
	vec_push(c->out, *s);
	pstate_init(s);
}

static void free_object(struct call *c, struct plan_state *s, enum plan_hold hold, bool sure)
{
	if (hold == HOLD_MUST && sure && !s->doubt && s->phase == PHASE_ALIVE)
		s->phase = PHASE_FREED;
	else
		doubt_freed(c, s);
}

/* ---- by the points-to sets ---------------------------------------------- */

static bool may_be_object(const struct plan_sim *sim, const struct sbits *locs)
{
	return pta_meets(sim->pl->p, locs, &sim->objs);
}

/* Where a callee may store a pointer to the object, as far as that outlives it: does not depend on the
 * state. */
struct spots {
	bool outside;		/* where others see it */
	VEC(uint32_t) keys;	/* cells of this activation */
};

#define MAP_NAME plan_spots	/* by function */
#define MAP_KEY uint32_t
#define MAP_VAL struct spots
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

void call_spots_free(struct plan_spots *x)
{
	struct spots *one;
	uint32_t it = 0, func;

	if (!x)
		return;
	while (plan_spots_next(x, &it, &func, &one))
		vec_release(&one->keys);
	plan_spots_release(x);
	free(x);
}

static void find_spots(struct plan_sim *sim, const struct plan_effects *fx, struct spots *to)
{
	struct sbits locs = {0};

	if (!sim->has_holders) {
		SBITS_FOREACH(o, &sim->objs)
			sbits_or(&sim->holders, closure_holders(sim->pl->closure, o));
		sim->has_holders = true;
	}
	sbits_copy(&locs, &sim->holders);
	sbits_and(&locs, &fx->mod);
	SBITS_FOREACH(l, &locs) {
		uint32_t obj = pta_loc(sim->pl->p, l)->obj;
		const struct pta_obj *o = pta_obj(sim->pl->p, obj);

		if (o->kind == PTA_SLOT && o->func != sim->func && !bits_test(&sim->outside, obj))
			continue;	/* a variable of the callee's own, gone when it returns */
		if (bits_test(&sim->outside, obj) || o->func != sim->func)
			to->outside = true;
		else
			vec_push(&to->keys, sim_loc_key(sim, l));
	}
	sbits_release(&locs);
}

static const struct spots *spots_of(struct plan_sim *sim, uint32_t callee)
{
	struct spots *x;
	bool is_new;

	if (!sim->spots)
		sim->spots = xcalloc(1, sizeof(*sim->spots));
	x = plan_spots_put(sim->spots, callee, &is_new);
	if (is_new)
		find_spots(sim, &sim->pl->fx[callee], x);
	return x;
}

/* The object goes wherever the callee may store a pointer to it.  kept: it may get to it through memory of
 * unknown code. */
static void store_somewhere(struct call *c, struct plan_state *s, uint32_t callee, bool kept)
{
	const struct plan_effects *fx = &c->sim->pl->fx[callee];
	struct plan_sim *sim = c->sim;
	const struct spots *to;

	if (sbits_intersects(&sim->objs, &fx->gave))
		sim_escape(sim, s, c->inst);
	if (!sim->objs.n) {
		sim_escape(sim, s, c->inst);
		return;
	}
	if ((kept && sbits_intersects(&fx->mod, &sim->pl->blobs)) || sbits_intersects(&sim->objs, &fx->sunk))
		sim_escape(sim, s, c->inst);
	to = spots_of(sim, callee);
	if (to->outside)
		sim_escape(sim, s, c->inst);
	for (uint32_t i = 0; i < to->keys.n; i++)
		pstate_set(s, to->keys.v[i], HOLD_MAY, pval_any());
}

static void by_sets(struct call *c, struct plan_state *s, uint32_t callee, bool kept)
{
	const struct plan_effects *fx = &c->sim->pl->fx[callee];

	touch(c, s);
	if (!c->sim->objs.n)
		doubt_freed(c, s);
	SBITS_FOREACH(o, &c->sim->objs)
		if (sbits_test(&fx->freed, o))
			doubt_freed(c, s);
	store_somewhere(c, s, callee, kept);
}

/* ---- by a model ----------------------------------------------------------- */

static enum plan_hold arg_hold(const struct call *c, const struct plan_state *s, uint32_t arg)
{
	return arg && arg < c->in->nops ? sim_hold(c->sim, s, c->in->ops[arg]) : HOLD_NO;
}

static bool arg_reaches(const struct call *c, const struct plan_state *s, uint32_t arg)
{
	return arg && arg < c->in->nops && sim_reaches(c->sim, s, c->in->ops[arg]);
}

static bool is_on_result(const struct model_effect *e)
{
	return e->nconds == 1 && e->conds[0].place.base == MODEL_RETURN && !e->conds[0].place.nsteps &&
	       e->conds[0].cmp < MODEL_HAS;
}

static bool is_on_arg(const struct call *c, const struct model_cond *k)
{
	return k->place.base == MODEL_ARG && !k->place.nsteps && k->place.arg < c->in->nops &&
	       k->cmp < MODEL_HAS;
}

/* 1: happens, 0: does not, -1: who knows. */
static int happens(const struct call *c, const struct plan_state *s, const struct model_effect *e,
		   struct plan_val ret)
{
	int all = 1;

	for (unsigned i = 0; i < e->nconds; i++) {
		const struct model_cond *k = &e->conds[i];
		int h = -1;

		if (k->place.base == MODEL_RETURN && !k->place.nsteps && k->cmp < MODEL_HAS)
			h = pval_decide(ret, preds[k->cmp], k->value);
		else if (is_on_arg(c, k))
			h = pval_decide(sim_val(c->sim, s, c->in->ops[k->place.arg]), preds[k->cmp],
					k->value);
		if (!h)
			return 0;
		all = MIN(all, h);
	}
	return all;
}

/* Others get at it: objects of other sources are no longer this function's alone. */
static void show_others(struct call *c, struct plan_state *s, ir_ref v)
{
	uint32_t doubt = s->doubt, at = c->sim->escaped_at;

	sim_show(c->sim, s, v, c->inst);
	s->doubt = doubt;
	c->sim->escaped_at = at;
}

/* Does the release end the life of what uses the object, and not that of the object?  (fclose() of a stream
 * that writes to it.) */
static bool is_last_use(const struct plan_sim *sim, const struct model_effect *e)
{
	for (uint32_t i = 0; i < sim->births.n; i++) {
		const struct plan_birth *b = &sim->births.v[i];

		if (b->follow)
			return b->effect && b->effect->value.used && b->effect->value.resource != e->resource;
	}
	return false;
}

static void one_effect(struct call *c, struct plan_state *s, const struct model_effect *e, uint32_t arg,
		       struct plan_val ret)
{
	enum plan_hold h = arg_hold(c, s, arg);
	int sure = happens(c, s, e, ret);
	bool inside = e->place.nsteps && (h != HOLD_NO || arg_reaches(c, s, arg));

	if (sure && (e->kind == MODEL_E_KEEP || e->kind == MODEL_E_REF || e->kind == MODEL_E_COPY) &&
	    arg < c->in->nops)
		show_others(c, s, c->in->ops[arg]);
	if (!sure || s->phase == PHASE_BEFORE)
		return;
	switch (e->kind) {
	case MODEL_E_FREE:
		if (!e->place.nsteps && h == HOLD_MAY && is_last_use(c->sim, e))
			break;
		if (!e->place.nsteps && h != HOLD_NO)
			free_object(c, s, h, sure > 0);
		else if (inside)
			doubt_freed(c, s);
		break;
	case MODEL_E_HOLD:
		if (e->later && remember_is_private(c->sim->pl, c->callee))
			break;
		/* fall through */
	case MODEL_E_KEEP:
	case MODEL_E_REF:
		if ((!e->place.nsteps && h != HOLD_NO) ||
		    arg_reaches(c, s, arg)) /* what is in the object is not the object */
			sim_escape(c->sim, s, c->inst);
		break;
	case MODEL_E_COPY:
		if (arg_reaches(c, s, arg))
			sim_escape(c->sim, s, c->inst);
		break;
	default:
		break;
	}
}

/* Memory that a model sets or writes. */
static void do_writes(struct call *c, struct plan_state *s, const struct model *md)
{
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		const struct model_place *to = e->kind == MODEL_E_COPY ? &e->to : &e->place;
		bool writes = e->kind == MODEL_E_SET || e->kind == MODEL_E_COPY || e->kind == MODEL_E_WRITE;

		if (!writes || to->base == MODEL_RETURN || to->base == MODEL_GLOBAL)
			continue;
		for (uint32_t k = to->arg; k < c->in->nops && (k == to->arg || to->base == MODEL_ARGS_FROM);
		     k++)
			sim_blur(c->sim, s, pta_points_to(c->sim->pl->p, c->sim->func, c->in->ops[k]));
	}
}

/* A pointer to the object, or into it, is stored through an argument: the end that strtol() finds. */
static void model_stores(struct call *c, struct plan_state *s, const struct model_effect *e)
{
	const struct pta *p = c->sim->pl->p;
	uint32_t arg = e->value.place.arg;

	if (e->kind != MODEL_E_SET || e->place.base != MODEL_ARG || !e->place.nsteps ||
	    e->place.arg >= c->in->nops || !model_value_depends(&e->value) ||
	    e->value.place.base != MODEL_ARG || (arg_hold(c, s, arg) == HOLD_NO && !arg_reaches(c, s, arg)))
		return;
	SBITS_FOREACH(to, pta_points_to(p, c->sim->func, c->in->ops[e->place.arg])) {
		uint32_t obj = pta_loc(p, to)->obj;

		if (sim_is_outside(c->sim, obj))
			sim_escape(c->sim, s, c->inst);
		for (uint32_t l = pta_obj(p, obj)->first_loc; l != IR_NONE; l = pta_loc(p, l)->next)
			if (pta_loc(p, l)->off >= pta_loc(p, to)->off &&
			    pstate_hold(s, sim_loc_key(c->sim, l)) == HOLD_NO)
				pstate_set(s, sim_loc_key(c->sim, l), HOLD_MAY, pval_any());
	}
}

/* Does the result hold it, or something that goes with it?  A function that returns its argument returns its
 * value, too. */
static enum plan_hold model_result(const struct call *c, const struct plan_state *s, const struct model *md,
				   struct plan_val *val)
{
	const struct model_effect *only = NULL;
	enum plan_hold h = HOLD_NO;
	unsigned n = 0;

	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		uint32_t arg = e->value.place.arg;

		if (e->kind != MODEL_E_SET || e->place.base != MODEL_RETURN || e->place.nsteps)
			continue;
		n++;
		only = e;
		if (model_value_depends(&e->value) &&
		    (arg_hold(c, s, arg) != HOLD_NO || arg_reaches(c, s, arg)))
			h = HOLD_MAY;
	}
	if (n == 1 && !only->nconds && only->value.kind == MODEL_V_PLACE &&
	    model_place_is_arg(&only->value.place, only->value.place.arg) &&
	    only->value.place.arg < c->in->nops) {
		h = arg_hold(c, s, only->value.place.arg);
		*val = sim_val(c->sim, s, c->in->ops[only->value.place.arg]);
	}
	return h;
}

/* What a freed object held is gone. */
static void drop_freed(struct call *c, struct plan_state *s, uint32_t arg)
{
	struct sbits objs = {0};

	pta_add_objs(c->sim->pl->p, pta_points_to(c->sim->pl->p, c->sim->func, c->in->ops[arg]), &objs);
	sim_drop_freed(c->sim, s, &objs, c->inst);
	sbits_release(&objs);
}

/* The object was in a member of what is freed, which only this function has, and there alone: nobody can get
 * at it through that memory any more. */
static void drop_members(struct call *c, struct plan_state *s, uint32_t arg)
{
	const struct plan_sim *sim = c->sim;
	const struct ir_inst *d = ir_def(sim->f, expr_uncast(sim->f, c->in->ops[arg]));

	if (!d || d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT ||
	    !sim_is_own(sim, s, IR_IDX(d->ops[0])))
		return;
	for (uint32_t i = 0; i < sim->paths.n; i++) {
		uint32_t key = sim_path_key(sim, i);

		if (sim->paths.v[i].slot != IR_IDX(d->ops[0]) || sim->paths.v[i].out != IR_NONE ||
		    pstate_hold(s, key) != HOLD_MUST)
			continue;
		for (uint32_t k = s->n; k-- > 0;)
			if (s->cells[k].via == key)
				pstate_set(s, s->cells[k].key, HOLD_NO, pval_any());
		pstate_set(s, key, HOLD_NO, pval_any());
	}
}

/* Is the object, or what leads to it, given to a function that is called when this call is over?  Until when
 * that looks at it nobody knows: a thread that was joined is not told from one that runs.  Errs towards a
 * refusal. */
static bool is_given_later(const struct call *c, const struct plan_state *s, const struct model_effect *e)
{
	for (unsigned i = 0; e->later && i < e->nargs; i++)
		if (model_value_depends(&e->args[i]) && (arg_hold(c, s, e->args[i].place.arg) != HOLD_NO ||
							 arg_reaches(c, s, e->args[i].place.arg)))
			return true;
	return false;
}

/* Functions of the program that the library calls, now or later. */
static void run_callbacks(struct call *c, struct plan_state *s, const struct model *md, struct plan_val ret)
{
	const struct pta_callback *cb;
	uint32_t n = pta_callbacks(c->sim->pl->p, c->sim->func, &cb);
	bool given = false;

	for (uint32_t k = 1; k < c->in->nops && s->phase != PHASE_BEFORE; k++)
		given |= arg_hold(c, s, k) != HOLD_NO || arg_reaches(c, s, k);
	for (unsigned i = 0; i < md->neffects; i++)
		for (uint32_t k = 1; k < c->in->nops && md->effects[i].kind == MODEL_E_CALL &&
				     happens(c, s, &md->effects[i], ret);
		     k++)
			show_others(c, s, c->in->ops[k]);
	for (uint32_t i = 0; i < n; i++)
		if (cb[i].inst == c->inst && !ir_is_decl(&c->sim->pl->m->funcs.v[cb[i].callee]) &&
		    happens(c, s, cb[i].effect, ret)) {
			if (given)
				by_sets(c, s, cb[i].callee, true);
			if (s->phase == PHASE_ALIVE && is_given_later(c, s, cb[i].effect))
				sim_escape(c->sim, s, c->inst);
			sim_blur(c->sim, s, &c->sim->pl->fx[cb[i].callee].mod);
		}
}

/* Is the object in just the variable that the argument is the address of, and only set there?  It is not
 * looked at then. */
static bool is_overwritten(const struct call *c, const struct plan_state *s, const struct model *md,
			   uint32_t arg)
{
	uint32_t key = sim_exact(c->sim, c->in->ops[arg], 0);

	return key != IR_NONE && pstate_hold(s, key) != HOLD_NO && model_only_sets(md, arg);
}

static void run_model(struct call *c, struct plan_state *s, const struct model *md, struct plan_val ret)
{
	struct plan_val val = ret;
	enum plan_hold res = model_result(c, s, md, &val);

	run_callbacks(c, s, md, ret);
	if (remember_is_used(c->sim, s, c->inst, md))
		touch(c, s);
	for (uint32_t k = 1; k < c->in->nops; k++) {
		if (arg_hold(c, s, k) != HOLD_NO ||
		    (!model_frees(md, k) && arg_reaches(c, s, k) && !is_overwritten(c, s, md, k)))
			touch(c, s);
		if (model_frees(md, k) && !model_frees(md, k)->nconds)
			drop_members(c, s, k);
		if (model_frees(md, k))
			drop_freed(c, s, k);
	}
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		if (e->place.base != MODEL_ARG && e->place.base != MODEL_ARGS_FROM)
			continue;
		for (uint32_t k = e->place.arg;
		     k < c->in->nops && (k == e->place.arg || e->place.base == MODEL_ARGS_FROM); k++)
			one_effect(c, s, e, k, ret);
	}
	do_writes(c, s, md);
	for (unsigned i = 0; i < md->neffects && s->phase != PHASE_BEFORE; i++)
		if (happens(c, s, &md->effects[i], ret))
			model_stores(c, s, &md->effects[i]);
	set_result(c, s, res, val);
	push(c, s);
}

/* Does it matter to the object whether the effect happens? */
static bool matters(const struct call *c, const struct plan_state *s, const struct model_effect *e)
{
	if (e->kind == MODEL_E_CALL)
		for (uint32_t k = 1; k < c->in->nops; k++)
			if (arg_hold(c, s, k) != HOLD_NO || arg_reaches(c, s, k))
				return true;
	return (e->kind == MODEL_E_FREE || e->kind == MODEL_E_KEEP || e->kind == MODEL_E_HOLD) &&
	       e->place.base == MODEL_ARG &&
	       (arg_hold(c, s, e->place.arg) != HOLD_NO || arg_reaches(c, s, e->place.arg));
}

/* The effect on whose outcome it depends what becomes of the object. */
static const struct model_effect *deciding(const struct call *c, const struct plan_state *s,
					   const struct model *md)
{
	for (unsigned i = 0; i < md->neffects && s->phase != PHASE_BEFORE; i++)
		if (is_on_result(&md->effects[i]) && matters(c, s, &md->effects[i]))
			return &md->effects[i];
	return NULL;
}

/* The same for what an argument is, if all else about the effect is known. */
static const struct model_cond *open_question(const struct call *c, const struct plan_state *s,
					      const struct model *md, struct plan_val ret)
{
	for (unsigned i = 0; i < md->neffects && s->phase != PHASE_BEFORE; i++) {
		const struct model_effect *e = &md->effects[i];

		if (!matters(c, s, e) || happens(c, s, e, ret) >= 0)
			continue;
		for (unsigned k = 0; k < e->nconds; k++)
			if (is_on_arg(c, &e->conds[k]) &&
			    IR_KIND(c->in->ops[e->conds[k].place.arg]) == IR_R_VREG &&
			    pval_decide(sim_val(c->sim, s, c->in->ops[e->conds[k].place.arg]),
					preds[e->conds[k].cmp], e->conds[k].value) < 0)
				return &e->conds[k];
	}
	return NULL;
}

static void ask_and_run(struct call *c, struct plan_state *s, const struct model *md, struct plan_val ret)
{
	const struct model_cond *k = open_question(c, s, md, ret);
	struct plan_state other;

	if (k) {
		ir_ref arg = c->in->ops[k->place.arg];

		pstate_copy(&other, s);
		if (sim_assume_value(c->sim, &other, c->inst, arg, pval_negate(preds[k->cmp]), k->value))
			run_model(c, &other, md, ret);
		else
			pstate_release(&other);
		if (!sim_assume_value(c->sim, s, c->inst, arg, preds[k->cmp], k->value)) {
			pstate_release(s);
			return;
		}
	}
	run_model(c, s, md, ret);
}

static void by_model(struct call *c, struct plan_state *s, const struct model *md)
{
	const struct model_effect *e = deciding(c, s, md);
	struct plan_val yes = c->ret, no = c->ret;

	if (md->noreturn) {
		pstate_release(s);
		return;
	}
	if (e && pval_refine(&yes, preds[e->conds[0].cmp], e->conds[0].value) &&
	    pval_refine(&no, pval_negate(preds[e->conds[0].cmp]), e->conds[0].value)) {
		struct plan_state other;

		pstate_copy(&other, s);
		ask_and_run(c, &other, md, no);
		ask_and_run(c, s, md, yes);
	} else {
		ask_and_run(c, s, md, c->ret);
	}
}

/* ---- by a summary ----------------------------------------------------------- */

/* Does the callee look at memory that may hold the object? */
static bool looks_at_holder(const struct call *c, const struct plan_state *s, uint32_t g)
{
	const struct plan_sim *sim = c->sim;
	const struct sbits *read = &sim->pl->fx[g].read;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct plan_path *q = sim_key_path(sim, s->cells[i].key);
		uint32_t o = sim_key_object(sim, s->cells[i].key);

		if (s->cells[i].hold == HOLD_NO)
			continue;
		if (q && (!q->locs.n || sbits_intersects(&q->locs, read)))
			return true;
		if (s->cells[i].key >= sim_first_loc(sim) && s->cells[i].key < sim_first_path(sim)) {
			if (sbits_test(read, s->cells[i].key - sim_first_loc(sim)))
				return true;
			continue;
		}
		for (uint32_t l = o == IR_NONE ? IR_NONE : pta_obj(sim->pl->p, o)->first_loc; l != IR_NONE;
		     l = pta_loc(sim->pl->p, l)->next)
			if (sbits_test(read, l))
				return true;
	}
	return false;
}

/* Can the callee get at a cell that may hold the object through this argument? */
static bool gets_at_holder(const struct call *c, const struct plan_state *s, uint32_t g, uint32_t arg)
{
	bool misses = true;

	for (uint32_t i = 0; i < s->n && misses; i++)
		misses = s->cells[i].hold == HOLD_NO || s->cells[i].key < sim_first_loc(c->sim) ||
			 reach_misses(c->sim, s, c->inst, g, arg, &s->cells[i]);
	for (uint32_t i = 0; i < s->n && misses; i++)
		misses = s->cells[i].hold == HOLD_NO || s->cells[i].key >= sim_first_loc(c->sim) ||
			 sim_key_object(c->sim, s->cells[i].key) == IR_NONE;
	return !misses && arg_reaches(c, s, arg);
}

/* The only argument through which the callee can get at the object; 0 if there are several
 * ways or it gets there through memory; IR_NONE if there is no way. */
static uint32_t only_argument(const struct call *c, const struct plan_state *s, uint32_t g)
{
	bool through = looks_at_holder(c, s, g);
	uint32_t found = IR_NONE;

	for (uint32_t k = 1; k < c->in->nops; k++) {
		if (arg_hold(c, s, k) != HOLD_NO)
			found = found == IR_NONE ? k : 0;
		else if (through && gets_at_holder(c, s, g, k))
			found = 0;
	}
	return found;
}

/* Is it given the object by several arguments, each for a parameter, and does no more with each of them than
 * to look at it, or write to it? */
static bool all_only_look(const struct call *c, const struct plan_state *s, uint32_t g)
{
	bool through = looks_at_holder(c, s, g), given = false, returned;

	for (uint32_t k = 1; k < c->in->nops; k++) {
		if (arg_hold(c, s, k) == HOLD_NO
			    ? through && gets_at_holder(c, s, g, k)
			    : k > c->sim->pl->m->funcs.v[g].nparams ||
				      !looks_only(c->sim->pl, g, k - 1, &returned) || returned)
			return false;
		given |= arg_hold(c, s, k) != HOLD_NO;
	}
	return given;
}

/* Does the callee no more with what the variable points to, an object that nobody has been shown, than to
 * read it, and no more with what its members point to than to look at that?  It gets at it by arguments that
 * are the variable alone. */
static bool is_left_alone(const struct call *c, const struct plan_state *s, uint32_t g, uint32_t slot)
{
	bool given = false, alone = sim_is_own(c->sim, s, slot);

	for (uint32_t k = 1; k < c->in->nops; k++)
		given |= plan_is_value_of(c->sim->f, c->in->ops[k], slot);
	for (uint32_t k = 1; k < c->in->nops && given && alone; k++) {
		if (!plan_is_value_of(c->sim->f, c->in->ops[k], slot))
			alone = !sim_reaches_own(c->sim, s, c->in->ops[k], slot);
		else
			alone = looks_reads(c->sim->pl, g, k - 1) && looks_only_within(c->sim->pl, g, k - 1);
	}
	return given && alone;
}

/* Is the object in members of such an object, and nowhere else that the callee can get at? */
static bool is_only_seen(const struct call *c, const struct plan_state *s, uint32_t g)
{
	uint32_t slot = IR_NONE;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct plan_path *q =
			sim_key_path(c->sim, s->cells[i].via ? (uint32_t)s->cells[i].via : s->cells[i].key);

		if (s->cells[i].hold == HOLD_NO || (!q && sim_key_object(c->sim, s->cells[i].key) == IR_NONE))
			continue;
		if (!q || q->out != IR_NONE || (slot != IR_NONE && q->slot != slot))
			return false;
		slot = q->slot;
	}
	return slot != IR_NONE && is_left_alone(c, s, g, slot);
}

static const struct plan_summary *summary_of_arg(const struct call *c, uint32_t g, uint32_t arg)
{
	const struct plan_summary *sum =
		arg <= c->sim->pl->m->funcs.v[g].nparams ? summary_of_param(c->sim->pl, g, arg - 1) : NULL;

	return sum && sum->known ? sum : NULL;
}

/* Does the callee return just this argument, whatever it is, and leave it alone otherwise?  So do
 * the checks that allocation wrappers put around what they got.  *nonnull: it does not return if
 * that was null. */
static bool is_handed_back(const struct call *c, uint32_t g, uint32_t arg, bool *nonnull)
{
	const struct plan_summary *sum = c->in->cls == IR_C_PTR ? summary_of_arg(c, g, arg) : NULL;
	bool ok = sum && sum->n;

	*nonnull = true;
	for (uint32_t i = 0; ok && i < sum->n; i++) {
		const struct plan_outcome *o = &sum->out[i];

		if (o->phase == PHASE_BEFORE) {
			*nonnull = false;
			ok = pval_decide(o->ret, IR_P_EQ, 0) == 1;
		} else {
			ok = o->phase == PHASE_ALIVE && !o->doubt && o->ret_hold == HOLD_MUST;
		}
	}
	return ok;
}

/* Does the callee neither keep nor store what this argument points to? */
static bool is_only_looked_at(const struct call *c, uint32_t g, uint32_t arg)
{
	const struct plan_summary *sum;
	bool ok, nonnull, returned;

	if (!pta_points_to(c->sim->pl->p, c->sim->func, c->in->ops[arg])->n)
		return true;
	if (looks_only(c->sim->pl, g, arg - 1, &returned) && !returned)	/* costs less than a summary */
		return true;
	sum = summary_of_arg(c, g, arg);
	ok = sum != NULL;
	for (uint32_t i = 0; ok && i < sum->n; i++)
		ok = !(sum->out[i].doubt & DOUBT_ESCAPED) && !sum->out[i].returned;
	return ok || is_handed_back(c, g, arg, &nonnull);
}

/* What is known of the result before it is asked what becomes of the object. */
static struct plan_val value_of_result(const struct call *c, const struct plan_state *s, uint32_t g)
{
	ir_ref same = c->in->res == IR_NONE || c->ret.kind == PVAL_FRESH ? IR_UNDEF
									 : summary_constant(c->sim->pl, g);

	if (same != IR_UNDEF)
		return sim_val(c->sim, s, same);
	for (uint32_t k = 1; k < c->in->nops && c->ret.kind != PVAL_FRESH; k++) {
		struct plan_val v = sim_val(c->sim, s, c->in->ops[k]);
		bool nonnull;

		if (v.kind != PVAL_FRESH || !is_handed_back(c, g, k, &nonnull))
			continue;
		v.lo |= nonnull;
		return v;
	}
	return c->ret;
}

/* In how many places of memory may it be? */
static uint32_t held_in_memory(const struct plan_sim *sim, const struct plan_state *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		n += s->cells[i].hold != HOLD_NO && s->cells[i].key >= sim->f->nslots;
	return n;
}

/* Can no argument of the call lead to what the variable points to?  It must be an object of this
 * activation that nobody has seen. */
static bool is_out_of_reach(const struct call *c, const struct plan_state *s, uint32_t slot)
{
	if (!sim_is_own(c->sim, s, slot))
		return false;
	for (uint32_t k = 1; k < c->in->nops; k++)
		if (sim_reaches_own(c->sim, s, c->in->ops[k], slot))
			return false;
	return true;
}

/* Can no argument lead to the cell, each by what the callee does with it? */
static bool is_missed(const struct call *c, const struct plan_state *s, uint32_t g, const struct plan_cell *x)
{
	const struct plan_sim *sim = c->sim;
	const struct plan_path *q = sim_key_path(sim, x->via ? (uint32_t)x->via : x->key);
	uint32_t obj = sim_key_object(sim, x->key);
	bool missed = (x->key >= sim_first_loc(sim) || x->key < sim->f->nslots) &&
		      (q ? q->out == IR_NONE && sim_is_own(sim, s, q->slot)
			 : obj != IR_NONE && !sim_is_outside(sim, obj));

	for (uint32_t k = 1; k < c->in->nops && missed; k++) {
		bool leads = q ? sim_reaches_own(sim, s, c->in->ops[k], q->slot)
			       : bits_test(closure_of(sim->pl->closure,
						      pta_points_to(sim->pl->p, sim->func, c->in->ops[k])),
					   obj);

		missed = !leads || reach_misses(sim, s, c->inst, g, k, x);
	}
	return missed;
}

/* Does the callee write to no memory of a path, of that of the object that the variable points to now?  It
 * may have pointed to others at other times. */
static bool is_not_written(const struct plan_sim *sim, const struct plan_state *s,
			   const struct plan_effects *fx, const struct plan_path *q)
{
	const struct sbits *objs = &sim->births.v[pstate_val(s, q->slot).birth].objs;
	uint32_t n = 0;

	SBITS_FOREACH(l, &q->locs) {
		uint32_t obj = pta_loc(sim->pl->p, l)->obj;

		if (!sbits_test(objs, obj))
			continue;
		n++;
		if (sbits_test(&fx->mod, l) || sbits_test(&fx->freed, obj) ||
		    pta_obj(sim->pl->p, obj)->kind != PTA_HEAP)
			return false;
	}
	return n > 0;
}

/* Does a member of an object that nobody else has stay as it is?  kept: as below. */
static bool stays(const struct call *c, const struct plan_state *s, uint32_t g, const struct plan_path *q,
		  bool kept)
{
	if (!q || q->out != IR_NONE || !sim_is_own(c->sim, s, q->slot))
		return false;
	return q->slot == c->spared || (!kept && is_not_written(c->sim, s, &c->sim->pl->fx[g], q)) ||
	       is_left_alone(c, s, g, q->slot);
}

/* What is left of what was known when the callee has written to memory and freed some.  The sets
 * speak of all objects of a kind; what it cannot get at stays as it was.  kept: it may have given the
 * object, or what that is in, to others, and got it back from there. */
static void leave(struct call *c, struct plan_state *s, uint32_t g, bool kept)
{
	const struct plan_effects *fx = &c->sim->pl->fx[g];
	const struct plan_sim *sim = c->sim;
	struct plan_state old;

	pstate_copy(&old, s);
	sim_blur(c->sim, s, &fx->mod);
	sim_drop_freed(c->sim, s, &fx->freed, c->inst);
	for (uint32_t i = 0; i < old.n; i++) {
		const struct plan_cell *x = &old.cells[i];
		const struct plan_path *q = sim_key_path(sim, x->via ? (uint32_t)x->via : x->key);

		if (!(q && q->out == IR_NONE && is_out_of_reach(c, &old, q->slot)) &&
		    !stays(c, &old, g, q, kept) && !is_missed(c, &old, g, x))
			continue;
		pstate_set(s, x->key, (enum plan_hold)x->hold, x->val);
		if (x->via)
			pstate_set_via(s, x->key, (uint32_t)x->via);
	}
	pstate_release(&old);
}

static void one_outcome(struct call *c, struct plan_state *s, uint32_t callee, enum plan_hold h,
			const struct plan_outcome *o, struct plan_val val)
{
	if (!c->strictly)
		touch(c, s); /* even if the callee does not look: a pointer to what was released is no value
				any more */
	if (o->phase == PHASE_BEFORE && h == HOLD_MUST) {
		if (s->nonnull)
			goto drop;
		pstate_no_object(s);
	} else if (o->phase == PHASE_FREED) {
		free_object(c, s, h, true);
	} else if (h == HOLD_MUST && val.kind == PVAL_FRESH && val.lo) {
		s->nonnull = 1;
	}
	if (o->doubt & DOUBT_FREED)
		doubt_freed(c, s);
	if (o->doubt & DOUBT_ESCAPED || (o->returned && o->ret_hold == HOLD_NO)) {
		uint32_t held = held_in_memory(c->sim, s);

		store_somewhere(c, s, callee, true);
		if (o->doubt & DOUBT_ESCAPED && held_in_memory(c->sim, s) == held)
			sim_escape(c->sim, s, c->inst);	/* nobody knows where it went */
	}
	leave(c, s, callee, o->doubt || o->returned || o->phase != PHASE_ALIVE);
	set_result(c, s, s->phase == PHASE_BEFORE ? HOLD_NO : MIN((enum plan_hold)o->ret_hold, h),
		   o->ret.kind == PVAL_RANGE || o->ret.kind == PVAL_NOT ? o->ret
		   : val.kind == PVAL_FRESH || val.kind == PVAL_RANGE ? val : pval_any());
	push(c, s);
	return;
drop:
	pstate_release(s);
}

/* The object is in one cell alone, which one argument is the address of, or of what it is a part of. */
static uint32_t argument_of_cell(const struct call *c, const struct plan_state *s, uint32_t g, uint32_t *key,
				 int64_t *off)
{
	const struct plan_sim *sim = c->sim;
	uint32_t found = IR_NONE, obj;
	int64_t at = 0;

	*key = IR_NONE;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->cells[i].hold != HOLD_NO) {
			if (*key != IR_NONE || s->cells[i].hold != HOLD_MUST)
				return IR_NONE;
			*key = s->cells[i].key;
		}
	obj = *key == IR_NONE || *key >= sim_first_path(sim) ? IR_NONE : sim_key_object(sim, *key);
	if (obj == IR_NONE || sim_is_outside(sim, obj) || pta_obj(sim->pl->p, obj)->kind != PTA_SLOT)
		return IR_NONE;
	if (*key >= sim_first_loc(sim))
		at = (int64_t)pta_loc(sim->pl->p, *key - sim_first_loc(sim))->off;
	for (uint32_t k = 1; k < c->in->nops; k++) {
		int64_t base = 0;
		ir_ref r = sim_base(sim, c->in->ops[k], &base);

		if (IR_KIND(r) == IR_R_SLOT && sim_exact(sim, c->in->ops[k], at - base) == *key &&
		    found == IR_NONE && k <= sim->pl->m->funcs.v[g].nparams) {
			found = k;
			*off = at - base;
		} else if (arg_reaches(c, s, k)) {
			return IR_NONE;
		}
	}
	return found;
}

/* One way for the callee to end with an object that was in a variable of ours. */
static void one_cell_outcome(struct call *c, struct plan_state *s, uint32_t g, const struct plan_outcome *o,
			     uint32_t key, struct plan_val val)
{
	const struct plan_cell *cell = &o->outs[0];
	struct plan_val old = pstate_val(s, key);

	touch(c, s);
	if (o->phase == PHASE_BEFORE) {
		if (s->nonnull) {
			pstate_release(s);
			return;
		}
		pstate_no_object(s);
	} else if (o->phase == PHASE_FREED) {
		free_object(c, s, HOLD_MUST, true);
	}
	if (o->doubt & DOUBT_FREED)
		doubt_freed(c, s);
	if (o->doubt & DOUBT_ESCAPED || (o->returned && o->ret_hold == HOLD_NO && cell->hold == HOLD_NO))
		sim_escape(c->sim, s, c->inst);
	leave(c, s, g, true);
	if (s->phase == PHASE_BEFORE)
		pstate_set(s, key, HOLD_NO, cell->val.kind == PVAL_RANGE ? cell->val : pval_any());
	else if (cell->hold == HOLD_MUST)
		pstate_set(s, key, HOLD_MUST, old);
	else
		pstate_set(s, key, (enum plan_hold)cell->hold,
			   cell->hold == HOLD_NO && cell->val.kind == PVAL_RANGE ? cell->val : pval_any());
	set_result(c, s, s->phase == PHASE_BEFORE ? HOLD_NO : (enum plan_hold)o->ret_hold,
		   o->ret.kind == PVAL_RANGE || o->ret.kind == PVAL_NOT ? o->ret
		   : val.kind == PVAL_FRESH				? val
									: pval_any());
	push(c, s);
}

/* By what the callee does with what it finds in the variable.  False: that is not known. */
static bool by_cell(struct call *c, struct plan_state *s, uint32_t g, struct plan_val val)
{
	const struct plan_summary *sum;
	uint32_t key, k;
	int64_t off = 0;

	if (s->phase != PHASE_ALIVE || s->doubt || (k = argument_of_cell(c, s, g, &key, &off)) == IR_NONE)
		return false;
	sum = summary_of_cell(c->sim->pl, g, k - 1, off);
	if (!sum)
		return false;
	c->cell = key;
	for (uint32_t i = 0; i < sum->n; i++) {
		struct plan_state one;

		pstate_copy(&one, s);
		one_cell_outcome(c, &one, g, &sum->out[i], key, val);
	}
	pstate_release(s);
	return true;
}

static bool is_doubtful(const struct plan_summary *sum)
{
	bool doubt = !sum->known;

	for (uint32_t i = 0; i < sum->n && !doubt; i++)
		doubt = sum->out[i].doubt || sum->out[i].ret_hold == HOLD_MAY ||
			(sum->out[i].returned && sum->out[i].ret_hold == HOLD_NO);
	return doubt;
}

/* The arguments that are constants. */
static uint32_t given_to(const struct call *c, const struct plan_state *s,
			 struct plan_given given[PLAN_MAX_CONTEXT])
{
	uint32_t n = 0;

	memset(given, 0, PLAN_MAX_CONTEXT * sizeof(*given));
	for (uint32_t k = 1; k < c->in->nops && n < PLAN_MAX_CONTEXT; k++) {
		struct plan_val v = sim_val(c->sim, s, c->in->ops[k]);

		if ((v.kind == PVAL_OTHER && v.birth && v.lo) || (v.kind == PVAL_RANGE && v.lo == v.hi))
			given[n++] = (struct plan_given){ k - 1, v };
	}
	return n;
}

/* What the callee does with its parameter, given the other arguments that are constants. */
static const struct plan_summary *summary_of_call(const struct call *c, const struct plan_state *s,
						  uint32_t g, uint32_t param)
{
	struct plan_given given[PLAN_MAX_CONTEXT];

	return summary_in_context(c->sim->pl, g, param, given, given_to(c, s, given));
}

/* Is the argument an object of this activation that nobody has been shown, and that paths lead through? */
static bool is_own_argument(const struct call *c, const struct plan_state *s, uint32_t arg)
{
	const struct ir_inst *d = ir_def(c->sim->f, expr_uncast(c->sim->f, c->in->ops[arg]));

	return d && d->op == IR_LOAD && IR_KIND(d->ops[0]) == IR_R_SLOT &&
	       c->sim->ssa->promoted[IR_IDX(d->ops[0])] &&
	       sim_val(c->sim, s, c->in->ops[arg]).kind == PVAL_FRESH &&
	       sim_is_own(c->sim, s, IR_IDX(d->ops[0]));
}

/* The variable whose value the argument is, if that points to what nobody has been shown, and no other
 * argument leads there; else IR_NONE. */
static uint32_t only_way(const struct call *c, const struct plan_state *s, uint32_t arg)
{
	const struct ir_inst *d = ir_def(c->sim->f, expr_uncast(c->sim->f, c->in->ops[arg]));
	bool only = is_own_argument(c, s, arg);

	for (uint32_t k = 1; k < c->in->nops && only; k++)
		only = k == arg || !sim_reaches_own(c->sim, s, c->in->ops[k], IR_IDX(d->ops[0]));
	return only ? IR_IDX(d->ops[0]) : IR_NONE;
}

/* What the callee does with it on ways on which it does not touch what the argument points to; NULL: that is
 * not known.  *slot: as above. */
static const struct plan_summary *summary_if_spared(const struct call *c, const struct plan_state *s,
						    uint32_t g, uint32_t arg, uint32_t *slot)
{
	struct plan_given given[PLAN_MAX_CONTEXT];

	*slot = only_way(c, s, arg);
	return *slot == IR_NONE ? NULL
				: summary_untouched(c->sim->pl, g, arg - 1, given, given_to(c, s, given));
}

/* If this simulation is to tell whether the object is touched: whether the callee does that; else NULL. */
static const struct plan_summary *summary_if_asked(const struct call *c, const struct plan_state *s,
						   uint32_t g, uint32_t arg)
{
	struct plan_given given[PLAN_MAX_CONTEXT];

	if (!c->sim->context || !c->sim->context->strict || arg > c->sim->pl->m->funcs.v[g].nparams)
		return NULL;
	return summary_untouched(c->sim->pl, g, arg - 1, given, given_to(c, s, given));
}

static bool is_kept(const struct plan_outcome *o)
{
	return o->phase == PHASE_FREED || o->doubt || o->returned;
}

/* Does the callee, whenever it returns what it does on this way, not touch what the argument points to?  Of
 * a way of that result on which it does there must be none: it could be this one. */
static bool is_untouched(const struct plan_summary *strict, const struct plan_outcome *o)
{
	for (uint32_t i = 0; strict && i < strict->n && !is_kept(o); i++) {
		struct plan_val v = strict->out[i].ret;

		if (is_kept(&strict->out[i]) && pval_meet(&v, o->ret))
			return false;
	}
	return strict && !is_kept(o);
}

/* May the callee return the same on a way on which it keeps, or frees, what it does not on this one? */
static bool is_untold(const struct plan_summary *sum, const struct plan_outcome *o)
{
	for (uint32_t i = 0; i < sum->n && o->phase == PHASE_ALIVE && !is_kept(o); i++) {
		struct plan_val v = sum->out[i].ret;

		if (is_kept(&sum->out[i]) && pval_meet(&v, o->ret))
			return true;
	}
	return false;
}

/* What the callee does with the only argument that leads to the object.  False: that is not known. */
static bool by_summary(struct call *c, const struct plan_state *s, uint32_t g, uint32_t arg,
		       struct plan_val val)
{
	struct fix_planner *pl = c->sim->pl;
	const struct plan_summary *sum =
		arg <= pl->m->funcs.v[g].nparams ? summary_of_call(c, s, g, arg - 1) : NULL;
	struct plan_summary looked = {
		.known = true,
		.n = 1,
		.out[0] = { .phase = PHASE_ALIVE, .ret_hold = HOLD_MAY, .returned = true }
	};
	const struct plan_summary *strict = summary_if_asked(c, s, g, arg);
	uint32_t slot = IR_NONE;
	bool returned;

	c->strictly = strict != NULL;
	if (strict)
		sum = strict;
	else if ((!sum || is_doubtful(sum)) && looks_only(pl, g, arg - 1, &returned)) {
		if (sum && sum->known)
			looked = *sum;
		for (uint32_t i = 0; i < looked.n; i++) {
			looked.out[i].doubt = 0;
			looked.out[i].returned &= returned;
			looked.out[i].ret_hold = returned ? looked.out[i].ret_hold : HOLD_NO;
		}
		sum = &looked;
	}
	if (sum && sum->known && sum->n > 1)
		strict = summary_if_spared(c, s, g, arg, &slot);
	for (uint32_t i = 0; sum && sum->known && i < sum->n; i++) {
		struct plan_state one;

		c->spared = is_untouched(strict, &sum->out[i]) ? slot : IR_NONE;
		pstate_copy(&one, s);
		if (c->sim->untold && is_untold(sum, &sum->out[i]))
			sim_escape(c->sim, &one, c->inst);
		if (sim_owns_any(c->sim, s) && (sum->out[i].doubt || sum->out[i].returned))
			show_others(c, &one, c->in->ops[arg]);
		one_outcome(c, &one, g, arg_hold(c, s, arg), &sum->out[i], val);
	}
	c->spared = IR_NONE;
	c->strictly = false;
	return sum && sum->known;
}

/* By what the callee may do to such objects. */
static void by_effects(struct call *c, struct plan_state *s, uint32_t g, bool reaches, bool kept,
		       struct plan_val val)
{
	const struct plan_sim *sim = c->sim;

	if (reaches)
		by_sets(c, s, g, kept);
	leave(c, s, g, kept);
	set_result(c, s,
		   reaches && c->in->res != IR_NONE &&
				   (!sim->objs.n || may_be_object(sim, pta_points_to(sim->pl->p, sim->func,
										     IR_VREG(c->in->res))))
			   ? HOLD_MAY
			   : HOLD_NO,
		   val);
	push(c, s);
}

static bool is_through(const struct call *c, const struct plan_state *s, uint32_t arg)
{
	return s->phase != PHASE_BEFORE && arg_hold(c, s, arg) == HOLD_NO && arg_reaches(c, s, arg);
}

/* The only argument that the callee may keep and that leads to the object, or to what is known of another;
 * else IR_NONE. */
static uint32_t holder_argument(const struct call *c, const struct plan_state *s, uint32_t g)
{
	uint32_t arg = IR_NONE;

	for (uint32_t i = 1; i < c->in->nops; i++) {
		if ((!is_through(c, s, i) && !is_own_argument(c, s, i)) || is_only_looked_at(c, g, i))
			continue;
		if (arg != IR_NONE)
			return IR_NONE;
		arg = i;
	}
	return arg != IR_NONE && arg <= c->sim->pl->m->funcs.v[g].nparams ? arg : IR_NONE;
}

/* Is the object, as far as it is in memory, in members of what the variable points to alone, and given to
 * nobody itself? */
static bool is_only_within(const struct call *c, const struct plan_state *s, uint32_t slot)
{
	bool within = true;

	for (uint32_t k = 1; k < c->in->nops; k++)
		within &= arg_hold(c, s, k) == HOLD_NO;
	for (uint32_t i = 0; i < s->n && within; i++) {
		const struct plan_path *q =
			sim_key_path(c->sim, s->cells[i].via ? (uint32_t)s->cells[i].via : s->cells[i].key);

		if (s->cells[i].hold != HOLD_NO && (q || sim_key_object(c->sim, s->cells[i].key) != IR_NONE))
			within = q && q->out == IR_NONE && q->slot == slot;
	}
	return within;
}

/* What the argument points to is kept, or freed, on some ways only, which the result tells: so is the
 * object, if it is in that.  Where the callee does not touch what the argument points to, it does not come
 * by the object. */
static void by_holder(struct call *c, struct plan_state *s, uint32_t g, uint32_t arg,
		      const struct plan_summary *sum, bool reaches, struct plan_val val)
{
	bool through = is_through(c, s, arg), within;
	uint32_t slot;
	const struct plan_summary *strict = summary_if_spared(c, s, g, arg, &slot);

	within = slot != IR_NONE && is_only_within(c, s, slot);
	for (uint32_t i = 0; i < sum->n; i++) {
		const struct plan_outcome *o = &sum->out[i];
		bool kept = is_kept(o);
		struct plan_state one;

		if (o->phase == PHASE_BEFORE &&
		    pval_decide(sim_val(c->sim, s, c->in->ops[arg]), IR_P_NE, 0) == 1)
			continue;
		c->spared = is_untouched(strict, o) ? slot : IR_NONE;
		pstate_copy(&one, s);
		if (kept && through)
			sim_escape(c->sim, &one, c->inst);
		if (kept)
			show_others(c, &one, c->in->ops[arg]);
		if (through && (o->phase == PHASE_FREED || o->doubt & DOUBT_FREED))
			doubt_freed(c, &one);
		by_effects(c, &one, g, reaches && !(within && c->spared != IR_NONE), kept,
			   o->ret.kind == PVAL_RANGE || o->ret.kind == PVAL_NOT ? o->ret : val);
	}
	c->spared = IR_NONE;
	pstate_release(s);
}

/* May the callee keep objects that the argument leads to, even if it does not keep what that points to
 * itself? */
static bool shows_within(const struct call *c, const struct plan_state *s, uint32_t g, uint32_t arg)
{
	return sim_leads_to_own(c->sim, s, c->in->ops[arg]) && !looks_only_within(c->sim->pl, g, arg - 1);
}

/* Is the parameter put into a variable that is a pointer to bytes: `const char *p = buf;`?  What it points
 * to is looked at byte by byte, or sent. */
static bool becomes_bytes(const struct fix_planner *pl, uint32_t func, uint32_t param)
{
	const struct ir_func *f = &pl->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_type *t;

		if (in->op != IR_STORE || in->cls != IR_C_PTR || IR_KIND(in->ops[0]) != IR_R_SLOT ||
		    pta_origin(pl->p, func, in->ops[1]) != IR_VREG(param))
			continue;
		t = &pl->m->types.v[ir_type_strip(pl->m, f->slots[IR_IDX(in->ops[0])].type)];
		if (t->kind == IR_T_PTR && pl->m->types.v[ir_type_strip(pl->m, t->elem)].kind == IR_T_INT &&
		    pl->m->types.v[ir_type_strip(pl->m, t->elem)].size == 1)
			return true;
	}
	return false;
}

/* Is the callee given the address of a variable that the object is in, or of a part of one, as something
 * that the points-to analysis does not believe, such as a char *? */
static bool is_out_of_sight(const struct call *c, const struct plan_state *s, uint32_t g)
{
	const struct pta *p = c->sim->pl->p;

	for (uint32_t k = 1; k < c->in->nops && k <= c->sim->pl->m->funcs.v[g].nparams; k++) {
		int64_t off = 0;
		ir_ref base = sim_base(c->sim, c->in->ops[k], &off);
		uint32_t loc = IR_KIND(base) == IR_R_SLOT ? pta_address(p, c->sim->func, base) : IR_NONE;
		bool seen = false;

		if (loc == IR_NONE || !is_through(c, s, k))
			continue;
		SBITS_FOREACH(l, pta_points_to(p, g, IR_VREG(k - 1)))
			seen |= pta_loc(p, l)->obj == pta_loc(p, loc)->obj;
		if (!seen || becomes_bytes(c->sim->pl, g, k - 1))
			return true;
	}
	return false;
}

/* Does an argument of the call lead to the member that holds the object? */
static bool leads_to_member(const struct call *c, const struct plan_state *s, int64_t off)
{
	for (uint32_t k = 1; k < c->in->nops; k++)
		for (uint32_t i = 0; i < c->sim->paths.n; i++) {
			const struct plan_path *q = &c->sim->paths.v[i];

			if (q->off == off && plan_is_value_of(c->sim->f, c->in->ops[k], q->slot) &&
			    pstate_hold(s, sim_path_key(c->sim, i)) == HOLD_MUST)
				return true;
		}
	return false;
}

/* The callee can get to a function that the plan makes free a member (struct plan_mend): of the object it is
 * sure if an argument leads to the member that holds it, else it may be so wherever that is in memory.  Too
 * much that counts as freed costs a plan, and if it is not freed each time the proof will find the leak. */
static void by_mended(struct call *c, struct plan_state *s, uint32_t g)
{
	const struct plan_mend *mend = c->sim->mend;

	if (!mend || s->phase != PHASE_ALIVE || !bits_test(&mend->above, g) || !held_in_memory(c->sim, s))
		return;
	touch(c, s);
	free_object(c, s, HOLD_MUST, g == mend->func && leads_to_member(c, s, mend->off));
}

static void by_function(struct call *c, struct plan_state *s, uint32_t g)
{
	uint32_t k = s->phase == PHASE_BEFORE ? IR_NONE : only_argument(c, s, g);
	struct plan_val val = value_of_result(c, s, g);
	bool direct = k && k != IR_NONE;
	uint32_t holder = direct ? k : holder_argument(c, s, g);
	const struct plan_summary *sum =
		direct || holder == IR_NONE ? NULL : summary_of_call(c, s, g, holder - 1);

	by_mended(c, s, g);
	if (is_out_of_sight(c, s, g)) {
		touch(c, s);
		sim_escape(c->sim, s, c->inst);
	}
	if (k == 0 && is_only_seen(c, s, g)) {
		touch(c, s);
		k = IR_NONE;
	}
	if (!direct && (!sum || !sum->known || sum->n < 2))
		holder = IR_NONE;
	for (uint32_t i = 1; i < c->in->nops; i++)
		if (sim_owns_any(c->sim, s) &&
		    sim_would_show(c->sim, s,
				   c->in->ops[i]) && /* costs less than to ask what the callee does */
		    (shows_within(c, s, g, i) ||
		     (!is_through(c, s, i) && i != holder && !is_only_looked_at(c, g, i))))
			show_others(c, s, c->in->ops[i]);
	if (!direct && holder != IR_NONE) {
		by_holder(c, s, g, holder, sum, k != IR_NONE, val);
		return;
	}
	for (uint32_t i = 1; i < c->in->nops; i++)
		if (is_through(c, s, i) && !is_only_looked_at(c, g, i)) {
			sim_escape(c->sim, s, c->inst);	/* what holds it is kept, and it with that */
			show_others(c, s, c->in->ops[i]);
		}
	if (direct && by_summary(c, s, g, k, val)) {
		pstate_release(s);
		return;
	}
	if (direct && sim_owns_any(c->sim, s) && sim_would_show(c->sim, s, c->in->ops[k]) &&
	    !is_only_looked_at(c, g, k))
		show_others(c, s, c->in->ops[k]);
	if (k == 0 && by_cell(c, s, g, val))
		return;
	if (k == 0 && all_only_look(c, s, g)) {
		touch(c, s);
		k = IR_NONE;
	}
	by_effects(c, s, g, k != IR_NONE, true, val);
}

static void by_nobody(struct call *c, struct plan_state *s)
{
	for (uint32_t k = 0; k < c->in->nops; k++) {
		if (sim_leads_to(c->sim, s, c->in->ops[k]))
			touch(c, s);
		sim_show(c->sim, s, c->in->ops[k], c->inst);
		if (k)
			sim_blur(c->sim, s,
				 closure_whole(c->sim->pl->closure,
					       pta_points_to(c->sim->pl->p, c->sim->func, c->in->ops[k])));
	}
	set_result(c, s, HOLD_NO, c->ret);
	push(c, s);
}

/* ---- sources -------------------------------------------------------------- */

static struct plan_val fresh(uint32_t birth, bool nonnull)
{
	return (struct plan_val){ .kind = PVAL_FRESH, .birth = birth, .lo = nonnull };
}

/* From now on this object is followed; it is in this cell. */
static void follow(struct plan_state *s, uint32_t key, struct plan_val v)
{
	assert(s->phase == PHASE_BEFORE && v.kind == PVAL_FRESH);
	pstate_set(s, key, HOLD_MUST, v);
	s->phase = PHASE_ALIVE;
	s->nonnull = v.lo != 0;
}

/* The variable of this function that the argument is read from; IR_NONE if it may be known to others: read
 * from a parameter, or from memory.  *alone: it is in no variable at all. */
static uint32_t own_variable(const struct call *c, uint32_t arg, bool *alone)
{
	const struct ir_inst *d = ir_def(c->sim->f, expr_uncast(c->sim->f, c->in->ops[arg]));
	uint32_t slot;

	*alone = IR_KIND(c->in->ops[arg]) != IR_R_VREG || (d && d->op == IR_CALL);
	if (!d || d->op != IR_LOAD || IR_KIND(d->ops[0]) != IR_R_SLOT)
		return IR_NONE;
	slot = IR_IDX(d->ops[0]);
	return c->sim->f->slots[slot].param ? IR_NONE : slot;
}

/* Library functions whose result is the number of a file that nobody else has. */
static bool opens(const char *name)
{
	static const char *const names[] = { "open",
					     "open64",
					     "openat",
					     "openat64",
					     "__open_2",
					     "__open64_2",
					     "__openat_2",
					     "__openat64_2",
					     "creat",
					     "creat64",
					     "dup",
					     "dup2",
					     "dup3",
					     "fcntl",
					     "fcntl64",
					     "socket",
					     "accept",
					     "accept4",
					     "mkstemp",
					     "mkstemp64",
					     "mkostemp",
					     "mkostemp64",
					     "mkstemps",
					     "mkstemps64",
					     "mkostemps",
					     "mkostemps64",
					     "memfd_create",
					     "shm_open",
					     "posix_openpt",
					     "getpt",
					     "open_by_handle_at",
					     "eventfd",
					     "timerfd_create",
					     "signalfd",
					     NULL };

	return plan_is_one_of(name, names);
}

/* Is the number of a file, whichever way it came, one that was just opened?  If another object has it,
 * `fileno(f)`, `conn_fd(c)`, what releases the one takes it from the other. */
static bool is_new_number(const struct fix_planner *pl, uint32_t func, ir_ref r, int depth)
{
	const struct ssa *ssa = pta_ssa(pl->p, func);
	ir_ref from[PLAN_MAX_ORIGINS];
	uint32_t n = plan_origins(pl, func, r, from);

	for (uint32_t i = 0; i < n; i++) {
		const struct ir_inst *d = ssa_def(ssa, from[i]);
		const struct ir_func *g = d && d->op == IR_CALL ? ir_callee(pl->m, d) : NULL;

		if (IR_KIND(from[i]) == IR_R_INT && ir_int_value(pl->m, from[i]) < 0)
			continue;
		if (!g || (ir_is_decl(g) && !opens(g->name)) || depth > 3)
			return false;
		for (uint32_t k = 0; k < g->ninsts; k++)
			if (g->insts[k].op == IR_RET &&
			    (g->insts[k].nops != 1 || !is_new_number(pl, (uint32_t)(g - pl->m->funcs.v),
								     g->insts[k].ops[0], depth + 1)))
				return false;
	}
	return n > 0;
}

static const struct model *called_model(const struct call *c)
{
	const struct ir_func *g = ir_callee(c->sim->pl->m, c->in);

	return g ? pta_model(c->sim->pl->p, (uint32_t)(g - c->sim->pl->m->funcs.v)) : NULL;
}

/* The new object uses memory that was made with it, which must not be freed first: a free of that is asked
 * about.  In callees that do this for their callers it is not seen. */
static void born_with_memory(struct call *c, struct plan_state *s)
{
	const struct model *md = called_model(c);

	for (unsigned i = 0; md && i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		uint32_t key;

		if (e->kind != MODEL_E_SET || !e->value.used || e->place.base != MODEL_ARG ||
		    e->place.arg >= c->in->nops)
			continue;
		key = sim_exact(c->sim, c->in->ops[e->place.arg], 0);
		if (key == IR_NONE)
			sim_escape(c->sim, s, c->inst);
		else
			pstate_set(s, key, HOLD_MAY, pstate_val(s, key));
	}
}

/* The same from the other side: the object is in use as long as the result is not released.  Where a callee
 * has made both, it is not known what the second is, or where. */
static void born_with_user(struct call *c, struct plan_state *s, const struct plan_birth *b)
{
	uint32_t key = c->in->res == IR_NONE ? IR_NONE : sim_vreg_key(c->sim, c->in->res);

	if (!b->effect || !b->effect->value.used)
		return;
	if (key == IR_NONE || !called_model(c))
		sim_escape(c->sim, s, c->inst);
	else
		pstate_set(s, key, HOLD_MAY, pstate_val(s, key));
}

/* The call frees what was there, and makes it anew; or it leaves it as it is, where there is room for a line
 * (getline): whoever has a pointer to what was made in the round before may have one to the object. */
static void born_in_place(struct call *c, struct plan_state *s, const struct plan_birth *b)
{
	const struct model *md = b->effect ? called_model(c) : NULL;
	struct plan_sim *sim = c->sim;
	bool again = false;

	for (unsigned i = 0; md && i < md->neffects; i++)
		again |= md->effects[i].kind == MODEL_E_FREE && md->effects[i].place.base == MODEL_ARG &&
			 md->effects[i].place.nsteps && md->effects[i].place.arg == b->effect->place.arg &&
			 b->effect->place.base == MODEL_ARG;
	if (!again)
		return;
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		const struct ir_inst *in = &sim->f->insts[i];
		uint32_t slot = in->op == IR_STORE && in->cls == IR_C_PTR && IR_KIND(in->ops[0]) == IR_R_SLOT
					? IR_IDX(in->ops[0])
					: IR_NONE;

		if (slot != IR_NONE && pstate_hold(s, slot) == HOLD_NO &&
		    pta_meets(sim->pl->p, pta_points_to(sim->pl->p, sim->func, in->ops[1]), &b->objs))
			pstate_set(s, slot, HOLD_MAY, pstate_val(s, slot));
	}
	SBITS_FOREACH(o, &b->objs)
		SBITS_FOREACH(l, closure_holders(sim->pl->closure, o)) {
			if (sim_is_outside(sim, pta_loc(sim->pl->p, l)->obj))
				sim_escape(sim, s, c->inst);
			else if (pstate_hold(s, sim_loc_key(sim, l)) == HOLD_NO)
				pstate_set(s, sim_loc_key(sim, l), HOLD_MAY, pval_any());
		}
}

/* A number that the call was given is the new object's: who uses it later uses that.  In callees that do
 * this for their callers it is not seen. */
static void born_of_argument(struct call *c, struct plan_state *s)
{
	const struct model *md = called_model(c);

	for (unsigned i = 0; md && i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		bool number = e->kind == MODEL_E_HOLD && e->has_to && e->to.base == MODEL_RETURN, alone;
		uint32_t slot;

		if (!number || e->place.base != MODEL_ARG || e->place.nsteps || e->place.arg >= c->in->nops)
			continue;
		slot = own_variable(c, e->place.arg, &alone);
		if ((slot == IR_NONE && !alone) || (slot != IR_NONE && !c->sim->ssa->promoted[slot]) ||
		    !is_new_number(c->sim->pl, c->sim->func, c->in->ops[e->place.arg], 0))
			sim_escape(c->sim, s, c->inst);
		else if (slot != IR_NONE)
			pstate_set(s, slot, HOLD_MAY, pstate_val(s, slot));
	}
}

/* Does the call make something that its result uses? */
static bool makes_used(const struct call *c)
{
	for (uint32_t i = 0; i < c->sim->births.n; i++)
		if (c->sim->births.v[i].inst == c->inst && c->sim->births.v[i].rows &&
		    c->sim->births.v[i].effect && c->sim->births.v[i].effect->value.used)
			return true;
	return false;
}

/* The result is a new object: it may be the one that is followed, or another. */
static void born_as_result(struct call *c, struct plan_state *s, uint32_t birth, struct plan_states *out)
{
	uint32_t key = sim_vreg_key(c->sim, c->in->res);
	struct plan_val now = pstate_val(s, key);
	struct plan_state other;

	if (now.kind != PVAL_FRESH) {	/* it failed: realloc that kept the old one */
		vec_push(out, *s);
		return;
	}
	assert(now.birth == birth);
	if (s->phase == PHASE_BEFORE && c->sim->births.v[birth].follow) {
		pstate_copy(&other, s);
		follow(&other, key, now);
		born_of_argument(c, &other);
		born_with_memory(c, &other);
		vec_push(out, other);
	}
	pstate_set(s, key, makes_used(c) ? pstate_hold(s, key) : HOLD_NO, now);
	vec_push(out, *s);
}

static uint32_t birth_of_out(const struct plan_sim *sim, uint32_t inst, uint32_t out)
{
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (sim->births.v[i].inst == inst && sim->births.v[i].rows && sim->births.v[i].out == out)
			return i;
	return IR_NONE;
}

/* The cell that a call stores to through an argument, if it is known to be just that: a variable, a member
 * of an object that nobody else has, or memory that the function's own parameter leads to and that the
 * caller will ask for. */
static uint32_t cell_of_out(const struct call *c, const struct plan_state *s, const struct plan_out *o)
{
	ir_ref addr = o->param + 1 < c->in->nops ? c->in->ops[o->param + 1] : IR_NULL;
	uint32_t key = sim_exact(c->sim, addr, o->off);
	const struct plan_path *q;

	if (o->param == PLAN_RESULT)
		return c->in->res == IR_NONE ? IR_NONE : sim_vreg_key(c->sim, c->in->res);
	if (key != IR_NONE)
		return key;
	key = sim_path_beyond(c->sim, addr, o->off, c->inst);
	q = key == IR_NONE ? NULL : sim_key_path(c->sim, key);
	return q && (q->lent || (q->out != IR_NONE && !o->off) ||
		     (q->out == IR_NONE && sim_is_own(c->sim, s, q->slot)))
		       ? key
		       : IR_NONE;
}

/* The object is in memory behind a variable: it may be in all that this stands for. */
static void follow_path(const struct plan_sim *sim, struct plan_state *s, uint32_t key)
{
	const struct plan_path *q = sim_key_path(sim, key);

	if (!q || sim_is_alone(q))
		return;
	SBITS_FOREACH(l, &q->locs) {
		bool alone = pstate_hold(s, sim_loc_key(sim, l)) == HOLD_NO;

		pstate_set(s, sim_loc_key(sim, l), HOLD_MAY, pval_any());
		if (alone)
			pstate_set_via(s, sim_loc_key(sim, l), key);
	}
}

/* The callee has stored something in memory that is lent: what leads there is not null. */
static void was_stored(const struct plan_sim *sim, struct plan_state *s, uint32_t key)
{
	const struct plan_path *q = sim_key_path(sim, key);
	struct plan_val v = q && q->lent ? pstate_val(s, q->slot) : pval_any();

	if (q && q->lent && q->off >= 0 && q->off <= 4095 && pval_refine(&v, IR_P_NE, 0))
		pstate_set(s, q->slot, pstate_hold(s, q->slot), v);
}

/* Does a row tell another story of the variable that the object was in than what is known of the object? */
static bool contradicts(const struct call *c, const struct plan_state *s, uint32_t key, enum plan_left left)
{
	if (key != c->cell || key == IR_NONE || s->phase == PHASE_BEFORE)
		return false;
	if (pstate_hold(s, key) == HOLD_MUST)
		return left >= LEFT_NUMBER;
	return pstate_hold(s, key) == HOLD_NO && left == LEFT_KEPT;
}

/* One row of what the call leaves behind its arguments.  before: the state before the call. */
static void one_row(struct call *c, struct plan_state *s, const struct plan_state *before,
		    const struct plan_rows *rows, const struct plan_row *row, struct plan_states *out)
{
	uint32_t key[PLAN_MAX_OUTS];

	for (uint32_t i = 0; i < rows->nouts; i++) {
		uint32_t at = rows->out[i].param == IR_NONE ? IR_NONE : cell_of_out(c, before, &rows->out[i]);

		/* the address of a variable is not null, and the object, which was there before, is not new
		 */
		if ((rows->out[i].param == PLAN_RESULT && row->left[i] >= LEFT_FRESH &&
		     s->phase != PHASE_BEFORE && pstate_hold(s, at) == HOLD_MUST) ||
		    (row->left[i] == LEFT_ABSENT && at < sim_first_path(c->sim)) ||
		    contradicts(c, s, at, (enum plan_left)row->left[i])) {
			pstate_release(s);
			return;
		}
	}
	for (uint32_t i = 0; i < rows->nouts; i++) {
		const struct plan_out *o = &rows->out[i];
		uint32_t birth = birth_of_out(c->sim, c->inst, i);

		if (o->param == IR_NONE)
			key[i] = birth == IR_NONE ? IR_NONE : sim_member_key(c->sim, birth);
		else
			key[i] = cell_of_out(c, before, o);
		if (key[i] != IR_NONE && row->left[i] == LEFT_ANY && birth != IR_NONE && o->echo &&
		    s->phase == PHASE_BEFORE)
			pstate_set(s, key[i], HOLD_NO, echo_value(c->sim, birth));
		if (key[i] == IR_NONE || row->left[i] == LEFT_ANY ||
		    (o->param == IR_NONE && pstate_hold(s, key[i]) != HOLD_NO))
			continue;
		if (row->left[i] == LEFT_KEPT || row->left[i] == LEFT_ABSENT)
			pstate_set(s, key[i],
				   s->phase == PHASE_BEFORE ? HOLD_NO : pstate_hold(before, key[i]),
				   pstate_val(before, key[i]));
		else if (row->left[i] == LEFT_NULL || row->left[i] == LEFT_NUMBER)
			pstate_set(s, key[i], HOLD_NO,
				   pval_int(row->left[i] == LEFT_NULL ? 0 : row->number[i]));
		else
			pstate_set(s, key[i], HOLD_NO,
				   birth == IR_NONE ? pval_any()
						    : fresh(birth, row->left[i] == LEFT_FRESH_SURE));
		if (row->left[i] >= LEFT_FRESH)
			was_stored(c->sim, s, key[i]);
	}
	for (uint32_t i = 0; i < rows->nouts && s->phase == PHASE_BEFORE; i++) {
		uint32_t birth = birth_of_out(c->sim, c->inst, i);
		struct plan_state other;

		if (birth == IR_NONE || !c->sim->births.v[birth].follow || row->left[i] < LEFT_FRESH)
			continue;
		pstate_copy(&other, s);
		if (key[i] != IR_NONE) {
			follow(&other, key[i], fresh(birth, row->left[i] == LEFT_FRESH_SURE));
			follow_path(c->sim, &other, key[i]);
			if (rows->out[i].result && c->in->res != IR_NONE)
				pstate_set(&other, sim_vreg_key(c->sim, c->in->res), HOLD_MUST,
					   fresh(birth, true));
			born_with_user(c, &other, &c->sim->births.v[birth]);
			born_in_place(c, &other, &c->sim->births.v[birth]);
		} else {
			other.phase = PHASE_ALIVE;
			sim_escape(c->sim, &other, c->inst);
		}
		vec_push(out, other);
	}
	vec_push(out, *s);
}

/* Stored through arguments, as the result says. */
static void born_through(struct call *c, struct plan_state *s, const struct plan_state *before,
			 const struct plan_rows *rows, struct plan_states *out)
{
	for (uint32_t i = 0; i < rows->n; i++) {
		struct plan_val v =
			c->in->res == IR_NONE ? pval_any() : sim_val(c->sim, s, IR_VREG(c->in->res));
		struct plan_state one;

		if (!pval_meet(&v, rows->row[i].ret))
			continue;
		pstate_copy(&one, s);
		if (rows->arg && !sim_assume(c->sim, &one, c->inst, c->in->ops[rows->arg], i == 0)) {
			pstate_release(&one);
			continue;
		}
		if (c->in->res != IR_NONE)
			pstate_set(&one, sim_vreg_key(c->sim, c->in->res),
				   sim_hold(c->sim, s, IR_VREG(c->in->res)), v);
		one_row(c, &one, before, rows, &rows->row[i], out);
	}
	pstate_release(s);
}

/* What the call makes, of what is asked for: as its result, and through its arguments. */
static void find_births(const struct plan_sim *sim, uint32_t inst, uint32_t *result,
			const struct plan_rows **rows)
{
	*result = IR_NONE;
	*rows = NULL;
	for (uint32_t i = 0; i < sim->births.n; i++)
		if (sim->births.v[i].inst == inst && sim->births.v[i].rows)
			*rows = sim->births.v[i].rows;
		else if (sim->births.v[i].inst == inst)
			*result = i;
}

/* Whoever may be called, with c->ret as the result if nobody knows better. */
static void run_callees(struct call *c, const struct plan_state *s)
{
	struct plan_sim *sim = c->sim;
	struct plan_val known = sim_val(sim, s, c->in->ops[0]);
	struct pta_callees to;
	struct plan_state one;

	callees_of(sim->pl, sim->func, c->inst, &to);
	if (known.kind != PVAL_OTHER || !known.lo || !known.birth || !sbits_test(to.set, known.birth - 1))
		known.birth = 0;	/* it may be anybody */
	SBITS_FOREACH(g, to.set) {
		const struct ir_func *f = &sim->pl->m->funcs.v[g];
		const struct model *md = pta_model(sim->pl->p, g);

		if (known.birth && g != known.birth - 1)
			continue;
		pstate_copy(&one, s);
		if (f->flags & IR_FN_TWICE)
			sim->odd = "it calls setjmp()";
		c->callee = g;
		if (md)
			by_model(c, &one, md);
		else if (!ir_is_decl(f))
			by_function(c, &one, g);
		else
			by_nobody(c, &one);
	}
	if (known.birth || (!to.unknown && sbits_count(to.set)))
		return;
	pstate_copy(&one, s);
	by_nobody(c, &one);
}

void call_run(struct plan_sim *sim, struct plan_node *node, uint32_t inst, struct plan_state *s,
	      struct plan_states *out)
{
	struct plan_states after = {0}, stored = {0};
	struct call c = { .sim = sim,
			  .node = node,
			  .in = &sim->f->insts[inst],
			  .inst = inst,
			  .out = &after,
			  .ret = pval_any(),
			  .cell = IR_NONE,
			  .spared = IR_NONE };
	struct pta_callees to;
	const struct plan_rows *rows;
	uint32_t result;

	find_births(sim, inst, &result, &rows);
	if (result != IR_NONE)
		sim_unshow(s, result);
	if (result != IR_NONE)
		c.ret = fresh(result, sim->births.v[result].nonnull);
	callees_of(sim->pl, sim->func, inst, &to);
	if (!rows && !to.unknown && sbits_count(to.set) == 1 &&
	    !pta_model(sim->pl->p, sbits_next(to.set, 0)) &&
	    !ir_is_decl(&sim->pl->m->funcs.v[sbits_next(to.set, 0)]))
		rows = summary_of_outs(sim->pl, sbits_next(to.set, 0));
	run_callees(&c, s);
	if (result != IR_NONE && sim->births.v[result].none) {	/* once more, and it fails */
		c.ret = pval_int(sim->births.v[result].none);
		run_callees(&c, s);
	}
	for (uint32_t i = 0; i < after.n; i++)
		if (rows)
			born_through(&c, &after.v[i], s, rows, &stored);
		else
			vec_push(&stored, after.v[i]);
	for (uint32_t i = 0; i < stored.n; i++)
		if (result != IR_NONE)
			born_as_result(&c, &stored.v[i], result, out);
		else
			vec_push(out, stored.v[i]);
	pstate_release(s);
	vec_release(&after);
	vec_release(&stored);
}
