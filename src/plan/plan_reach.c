/*
 * plan_reach.c - what does a callee get at through an argument?
 *
 * The sets of plan_effects.c know a callee by all its calls at once: one that is given &a.x here and &b.y
 * there is taken to touch a.y as well.  Many functions do no more with a parameter than to load and store at
 * fixed distances from it.  Where the argument is the address of a part of a variable, or of an object
 * that this activation made, just those bytes are touched, and what they lead to.
 */
#include "plan/priv.h"

enum { REACH_MAX_DEPTH = 4, REACH_MAX_DERIVED = 32 };

/* A pointer into the memory of the parameter, at a fixed distance. */
struct derived {
	ir_ref r;
	int64_t off;
};

struct scan {
	struct fix_planner *pl;
	const struct ir_func *f;
	struct plan_reach *out;
	VEC(struct derived) d;
	unsigned depth;
};

static bool add_span(struct plan_reach *r, int64_t lo, int64_t hi)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->span[i].lo == lo && r->span[i].hi == hi)
			return true;
	if (r->n == PLAN_MAX_SPANS)
		return false;
	r->span[r->n].lo = lo;
	r->span[r->n++].hi = hi;
	return true;
}

static const struct derived *find(const struct scan *x, ir_ref r)
{
	for (uint32_t i = 0; i < x->d.n; i++)
		if (x->d.v[i].r == r)
			return &x->d.v[i];
	return NULL;
}

static bool scan_param(struct fix_planner *pl, uint32_t func, uint32_t param, struct plan_reach *out,
		       unsigned depth);

/* It is given to a function: that touches what it touches. */
static bool scan_call(struct scan *x, const struct ir_inst *in, uint32_t arg, int64_t off)
{
	const struct ir_func *g = ir_callee(x->pl->m, in);
	struct plan_reach inner = {0};

	if (!arg || !g || ir_is_decl(g) || arg > g->nparams || x->depth >= REACH_MAX_DEPTH ||
	    !scan_param(x->pl, (uint32_t)(g - x->pl->m->funcs.v), arg - 1, &inner, x->depth + 1))
		return false;
	for (uint32_t i = 0; i < inner.n; i++)
		if (!add_span(x->out, off + inner.span[i].lo, off + inner.span[i].hi))
			return false;
	return true;
}

/* One use of such a pointer. */
static bool scan_use(struct scan *x, const struct ir_inst *in, uint32_t op, int64_t off)
{
	switch (in->op) {
	case IR_LOAD:
		return in->bits && add_span(x->out, off, off + (in->bits + 7) / 8);
	case IR_STORE:
		return op == 0 && in->bits && add_span(x->out, off, off + (in->bits + 7) / 8);
	case IR_CMP:
		return true;
	case IR_FIELD:
	case IR_COPY:
	case IR_CAST:
		if (in->res == IR_NONE || x->d.n == REACH_MAX_DERIVED ||
		    (in->op == IR_CAST && in->sub != IR_CAST_BITCAST))
			return false;
		if (!find(x, IR_VREG(in->res)))
			vec_push(&x->d, ((struct derived) { IR_VREG(in->res),
							    off + (in->op == IR_FIELD ? in->imm : 0) }));
		return true;
	case IR_CALL:
		return scan_call(x, in, op, off);
	default:
		return false;
	}
}

/* The variable that the parameter is in, and nothing else ever. */
static uint32_t slot_of(const struct scan *x, uint32_t param, const struct ssa *ssa)
{
	uint32_t slot = IR_NONE;

	for (uint32_t i = 0; i < x->f->ninsts; i++) {
		const struct ir_inst *in = &x->f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++)
			if (in->ops[k] == IR_VREG(param)) {
				if (slot != IR_NONE || in->op != IR_STORE || k != 1 ||
				    IR_KIND(in->ops[0]) != IR_R_SLOT || !ssa->promoted[IR_IDX(in->ops[0])])
					return IR_NONE;
				slot = IR_IDX(in->ops[0]);
			}
	}
	for (uint32_t i = 0; i < x->f->ninsts && slot != IR_NONE; i++)
		if (x->f->insts[i].op == IR_STORE && x->f->insts[i].ops[0] == IR_SLOT(slot) &&
		    x->f->insts[i].ops[1] != IR_VREG(param))
			return IR_NONE;
	return slot;
}

static bool scan_param(struct fix_planner *pl, uint32_t func, uint32_t param, struct plan_reach *out,
		       unsigned depth)
{
	struct scan x = { .pl = pl, .f = &pl->m->funcs.v[func], .out = out, .depth = depth };
	uint32_t slot = x.f->params[param].byval || x.f->params[param].sret
				? IR_NONE
				: slot_of(&x, param, pta_ssa(pl->p, func));
	bool ok = slot != IR_NONE;

	for (uint32_t i = 0; ok && i < x.f->ninsts; i++)
		if (x.f->insts[i].op == IR_LOAD && x.f->insts[i].ops[0] == IR_SLOT(slot) &&
		    x.f->insts[i].res != IR_NONE)
			vec_push(&x.d, ((struct derived){ IR_VREG(x.f->insts[i].res), 0 }));
	for (uint32_t k = 0; ok && k < x.d.n; k++) {
		struct derived d = x.d.v[k];

		for (uint32_t i = 0; ok && i < x.f->ninsts; i++)
			for (uint32_t j = 0; ok && j < x.f->insts[i].nops; j++)
				if (x.f->insts[i].ops[j] == d.r)
					ok = scan_use(&x, &x.f->insts[i], j, d.off);
	}
	vec_release(&x.d);
	return ok;
}

const struct plan_reach *reach_of_param(struct fix_planner *pl, uint32_t func, uint32_t param)
{
	const struct ir_func *f = &pl->m->funcs.v[func];
	struct plan_reach *r;

	assert(param < f->nparams && !ir_is_decl(f));
	if (!pl->reach[func])
		pl->reach[func] = arena_array(&pl->arena, struct plan_reach, f->nparams);
	r = &pl->reach[func][param];
	if (!r->done) {
		r->shallow = scan_param(pl, func, param, r, 0);
		r->done = true;
	}
	return r->shallow ? r : NULL;
}

static bool meets(const struct plan_reach *r, int64_t base, int64_t off)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (base + r->span[i].lo < off + 8 && off < base + r->span[i].hi)
			return true;
	return false;
}

/* Does what these bytes hold lead to the object? */
static bool leads_on(const struct plan_sim *sim, ir_ref arg, const struct plan_reach *r, uint32_t obj)
{
	bool hit = false;

	SBITS_FOREACH(l, pta_points_to(sim->pl->p, sim->func, arg)) {
		const struct pta_loc *at = pta_loc(sim->pl->p, l);

		for (uint32_t k = pta_obj(sim->pl->p, at->obj)->first_loc; k != IR_NONE;
		     k = pta_loc(sim->pl->p, k)->next)
			if (pta_obj(sim->pl->p, at->obj)->collapsed ||
			    meets(r, (int64_t)at->off, (int64_t)pta_loc(sim->pl->p, k)->off))
				hit |= bits_test(closure_of(sim->pl->closure, pta_cell(sim->pl->p, k)), obj);
	}
	return hit;
}

bool reach_misses(const struct plan_sim *sim, const struct plan_state *s, uint32_t inst, uint32_t callee,
		  uint32_t arg, const struct plan_cell *c)
{
	const struct ir_inst *in = &sim->f->insts[inst];
	const struct plan_reach *r;
	const struct plan_path *q = sim_key_path(sim, c->via ? (uint32_t)c->via : c->key);
	const struct ir_inst *d;
	int64_t base = 0;
	ir_ref at;

	if (arg > sim->pl->m->funcs.v[callee].nparams || !(r = reach_of_param(sim->pl, callee, arg - 1)))
		return false;
	at = sim_base(sim, in->ops[arg], &base);
	if (IR_KIND(at) == IR_R_SLOT && !q && c->key >= sim_first_loc(sim) && c->key < sim_first_path(sim)) {
		uint32_t loc = pta_address(sim->pl->p, sim->func, at);
		const struct pta_loc *l = pta_loc(sim->pl->p, c->key - sim_first_loc(sim));

		return loc != IR_NONE && pta_loc(sim->pl->p, loc)->obj == l->obj &&
		       !pta_obj(sim->pl->p, l->obj)->collapsed && !meets(r, base, (int64_t)l->off) &&
		       !leads_on(sim, in->ops[arg], r, l->obj);
	}
	d = ir_def(sim->f, at);
	if (!q || q->out != IR_NONE || !d || d->op != IR_LOAD || d->ops[0] != IR_SLOT(q->slot) ||
	    !sim_is_own(sim, s, q->slot) || meets(r, base, q->off))
		return false;
	SBITS_FOREACH(o, &sim->births.v[pstate_val(s, q->slot).birth].objs)
		if (leads_on(sim, in->ops[arg], r, o))
			return false;
	return true;
}
