/*
 * plan_echo.c - a call returns a new object, or null, or just what it was given.
 *
 *	path = find(argv[0]);		// "/bin/ls" for "ls", but "./ls" itself for "./ls"
 *	...
 *	if (path != argv[0])
 *		free(path);
 *
 * Where the variable may hold the argument of the call, as the function returned it, a release asks whether
 *it does.  The value is PVAL_ECHO in the simulation as long as the argument is certain to have the value
 *that it had then: it is a variable that nobody has the address of, or is read through one, `v[0]`,
 *`p->name`; and no instruction since may have stored there, or freed what it leads to.  After such an
 *instruction the value is anything, and nothing is released.  To be asked at a place, the argument must also
 *have been left alone on every way from the call to it, those included on which the variable holds something
 *else: `v[0]` must not be read where v is null by now, nor a pointer be compared that leads to freed memory.
 *
 * Which way it errs: what may be changed is asked of points-to sets, which are too large: a refusal.  If the
 *object itself is in the argument by then the question keeps it: a leak.
 */
#include "plan/priv.h"

#include "ir/expr.h"

struct plan_echo {
	const char *text;		/* the argument; NULL: it cannot be asked for */
	uint32_t slot;			/* the variable in it */
	uint32_t type;			/* that of the argument */
	struct bits changes;		/* instructions that may change it */
};

/* ---- the argument ---------------------------------------------------------------- */

/* The argument, and how it is read: the load of the variable, and that of the memory behind it. */
struct argument {
	const struct ir_inst *var, *mem;	/* mem: NULL if it is the variable itself */
	int64_t off;
	struct sbits memory;		/* objects that it is in; none if it is the variable itself */
	struct sbits values;		/* objects that it may point to */
};

static bool find_argument(const struct plan_sim *sim, const struct ir_inst *call, uint32_t arg,
			  struct argument *a)
{
	const struct ir_inst *d = ir_def(sim->f, expr_uncast(sim->f, call->ops[arg])), *x;

	memset(a, 0, sizeof(*a));
	if (!d || d->op != IR_LOAD || d->flags & IR_F_VOLATILE || d->block != call->block)
		return false;
	a->var = d;
	if (IR_KIND(d->ops[0]) != IR_R_SLOT) {
		a->mem = d;
		a->var = ir_def(sim->f, plan_base(sim->f, d->ops[0], &a->off));
		for (x = a->var; x && x->op == IR_INDEX && x->imm > 0 && IR_KIND(x->ops[1]) == IR_R_INT;
		     x = a->var) {
			a->off += x->imm * ir_int_value(sim->pl->m, x->ops[1]);
			a->var = ir_def(sim->f, plan_base(sim->f, x->ops[0], &a->off));
		}
	}
	if (!a->var || a->var->op != IR_LOAD || a->var->flags & IR_F_VOLATILE ||
	    a->var->block != call->block || IR_KIND(a->var->ops[0]) != IR_R_SLOT)
		return false;
	pta_add_objs(sim->pl->p, pta_points_to(sim->pl->p, sim->func, IR_VREG(d->res)), &a->values);
	if (a->mem)
		pta_add_objs(sim->pl->p, pta_points_to(sim->pl->p, sim->func, a->mem->ops[0]), &a->memory);
	return sim->ssa->promoted[IR_IDX(a->var->ops[0])] && (!a->mem || a->memory.n);
}

/* "name", "argv[0]", "p->name"; NULL if it has no such form.  *type: its own. */
static const char *text_of(const struct plan_sim *sim, const struct argument *a, uint32_t *type)
{
	const struct ir_module *m = sim->pl->m;
	const struct ir_slot *x = &sim->f->slots[IR_IDX(a->var->ops[0])];
	struct sbuf b = {0};
	const char *text = NULL;
	uint32_t to;

	*type = ir_type_strip(m, x->type);
	if (!x->name[0] || x->flags & (IR_S_TEMP | IR_S_RETVAL | IR_S_DYNAMIC) ||
	    m->types.v[*type].kind != IR_T_PTR)
		return NULL;
	if (!a->mem)
		return x->name;
	to = ir_type_strip(m, m->types.v[*type].elem);
	if (a->off < 0)
		return NULL;
	if (m->types.v[to].kind == IR_T_PTR && m->types.v[to].size &&
	    a->off % (int64_t)m->types.v[to].size == 0) {
		*type = to;
		return arena_printf(&sim->pl->arena, "%s[%lld]", x->name,
				    (long long)(a->off / (int64_t)m->types.v[to].size));
	}
	sbuf_printf(&b, "%s->", x->name);
	*type = to;
	if (place_member(m, type, (uint64_t)a->off, &b) &&
	    m->types.v[ir_type_strip(m, *type)].kind == IR_T_PTR)
		text = arena_strdup(&sim->pl->arena, sbuf_str(&b));
	*type = ir_type_strip(m, *type);
	sbuf_release(&b);
	return text;
}

/* ---- what may change it -------------------------------------------------------------- */

static bool is_given_away(const struct plan_sim *sim, const struct sbits *objs)
{
	SBITS_FOREACH(o, objs)
	if (pta_obj(sim->pl->p, o)->given || pta_obj(sim->pl->p, o)->common ||
	    pta_obj(sim->pl->p, o)->kind == PTA_BLOB)
		return true;
	return false;
}

/* By the sets of what it and all that it calls do. */
static bool is_in_effects(const struct plan_sim *sim, const struct argument *a, uint32_t func, uint32_t inst)
{
	struct plan_effects fx = {0};
	bool any;

	effects_of_call(sim->pl, func, inst, &fx);
	any = sbits_intersects(&fx.freed, &a->memory) || sbits_intersects(&fx.freed, &a->values) ||
	      sbits_intersects(&fx.gave, &a->memory) || pta_meets(sim->pl->p, &fx.mod, &a->memory);
	effects_free(&fx);
	return any;
}

/* The blocks of a function that a return can be reached from. */
static void find_returning(const struct ir_func *f, struct bits *blocks)
{
	VEC(uint32_t) todo = {0};

	bits_init(blocks, f->nblocks);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_RET && bits_set(blocks, f->insts[i].block))
			vec_push(&todo, f->insts[i].block);
	while (todo.n) {
		const struct ir_block *b = &f->blocks[vec_pop(&todo)];

		for (uint32_t k = 0; k < b->npred; k++)
			if (bits_set(blocks, b->pred[k]))
				vec_push(&todo, b->pred[k]);
	}
	vec_release(&todo);
}

static bool may_change(const struct plan_sim *sim, const struct argument *a, uint32_t func, uint32_t inst,
		       struct bits *seen);

/* Does a function do so, on ways on which it returns?  What is freed by those that give up is not seen
 * behind the call. */
static bool function_changes(const struct plan_sim *sim, const struct argument *a, uint32_t func,
			     struct bits *seen)
{
	const struct ir_func *f = &sim->pl->m->funcs.v[func];
	struct bits returning;
	bool changes = false;

	if (!bits_set(seen, func))
		return false;
	find_returning(f, &returning);
	for (uint32_t i = 0; i < f->ninsts && !changes; i++)
		changes = bits_test(&returning, f->insts[i].block) && may_change(sim, a, func, i, seen);
	bits_release(&returning);
	return changes;
}

/* Unknown code may write where it was ever given a pointer to. */
static bool call_changes(const struct plan_sim *sim, const struct argument *a, uint32_t func, uint32_t inst,
			 struct bits *seen)
{
	const struct fix_planner *pl = sim->pl;
	const struct ir_func *g = ir_callee(pl->m, &pl->m->funcs.v[func].insts[inst]);
	uint32_t callee = g ? (uint32_t)(g - pl->m->funcs.v) : IR_NONE;

	if (is_given_away(sim, &a->memory) && !(g && pta_model(pl->p, callee)))
		return true;
	if (!is_in_effects(sim, a, func, inst))
		return false;
	return !g || ir_is_decl(g) || pta_model(pl->p, callee) || function_changes(sim, a, callee, seen);
}

/* seen: functions that were asked before. */
static bool may_change(const struct plan_sim *sim, const struct argument *a, uint32_t func, uint32_t inst,
		       struct bits *seen)
{
	const struct ir_inst *in = &sim->pl->m->funcs.v[func].insts[inst];
	const struct sbits *to;

	switch (in->op) {
	case IR_STORE:
		if (func == sim->func && in->ops[0] == a->var->ops[0])
			return true;
		if (IR_KIND(in->ops[0]) == IR_R_SLOT &&
		    pta_ssa(sim->pl->p, func)->promoted[IR_IDX(in->ops[0])])
			return false;
		/* fall through */
	case IR_MEMCPY:
	case IR_MEMSET:
	case IR_VACOPY:
		to = pta_points_to(sim->pl->p, func, in->ops[0]);
		return a->mem && (!to->n || pta_meets(sim->pl->p, to, &a->memory));
	case IR_ASM:
		return true;
	case IR_CALL:
		return !(in->flags & IR_F_NORETURN) && call_changes(sim, a, func, inst, seen);
	default:
		return false;
	}
}

static void find_changes(const struct plan_sim *sim, const struct argument *a, uint32_t call,
			 struct plan_echo *e)
{
	struct bits seen;

	bits_init(&seen, sim->pl->m->funcs.n);
	for (uint32_t i = 0; i < sim->f->ninsts; i++) {
		bits_zero(&seen);
		if (may_change(sim, a, sim->func, i, &seen))
			bits_set(&e->changes, i);
	}
	bits_release(&seen);
	for (uint32_t i = (uint32_t)(a->var - sim->f->insts); i <= call;
	     i++) /* as it was read for the call, and behind that */
		if (bits_test(&e->changes, i))
			e->text = NULL;
}

void echo_build(struct plan_sim *sim)
{
	for (uint32_t i = 0; i < sim->births.n && !sim->outs; i++) {
		const struct plan_birth *b = &sim->births.v[i];
		uint32_t arg = b->follow && b->rows ? b->rows->out[b->out].echo : 0;
		struct argument a;
		struct plan_echo *e;

		if (!arg || arg >= sim->f->insts[b->inst].nops)
			continue;
		if (!sim->echoes)
			sim->echoes = xcalloc(sim->births.n, sizeof(*sim->echoes));
		e = &sim->echoes[i];
		if (find_argument(sim, &sim->f->insts[b->inst], arg, &a) &&
		    (e->text = text_of(sim, &a, &e->type))) {
			e->slot = IR_IDX(a.var->ops[0]);
			bits_init(&e->changes, sim->f->ninsts);
			find_changes(sim, &a, b->inst, e);
		}
		sbits_release(&a.memory);
		sbits_release(&a.values);
	}
}

void echo_free(struct plan_sim *sim)
{
	for (uint32_t i = 0; i < sim->births.n && sim->echoes; i++)
		bits_release(&sim->echoes[i].changes);
	free(sim->echoes);
}

/* ---- in the simulation ------------------------------------------------------------------ */

struct plan_val echo_value(const struct plan_sim *sim, uint32_t birth)
{
	return sim->echoes && sim->echoes[birth].text
		       ? (struct plan_val) { .kind = PVAL_ECHO, .birth = birth }
		       : pval_any();
}

void echo_pass(const struct plan_sim *sim, struct plan_state *s, uint32_t inst)
{
	for (uint32_t i = 0; i < s->n && sim->echoes; i++)
		if (s->cells[i].val.kind == PVAL_ECHO &&
		    bits_test(&sim->echoes[s->cells[i].val.birth].changes, inst))
			s->cells[i].val = pval_any();
}

bool echo_differs(const struct plan_sim *sim, const struct plan_state *s, ir_ref a, ir_ref b)
{
	struct plan_val v;

	if (!sim->echoes || s->phase != PHASE_ALIVE || !s->nonnull || s->doubt)
		return false;
	if (sim_hold(sim, s, a) != HOLD_MUST)
		return sim_hold(sim, s, b) == HOLD_MUST && echo_differs(sim, s, b, a);
	v = sim_val(sim, s, a);
	return v.kind == PVAL_FRESH && sim->echoes[v.birth].text && sim_hold(sim, s, b) == HOLD_NO;
}

/* ---- at a place ------------------------------------------------------------------------- */

/* Can pointers of these types be compared as they are? */
static bool is_comparable(const struct ir_module *m, uint32_t a, uint32_t b)
{
	const struct ir_type *x = &m->types.v[ir_type_strip(m, a)], *y = &m->types.v[ir_type_strip(m, b)];
	uint32_t p, q;

	if (x->kind != IR_T_PTR || y->kind != IR_T_PTR)
		return false;
	p = x->elem ? ir_type_strip(m, x->elem) : 0;
	q = y->elem ? ir_type_strip(m, y->elem) : 0;
	return p == q || !p || !q || m->types.v[p].kind == IR_T_VOID || m->types.v[q].kind == IR_T_VOID;
}

/* Is the argument left alone between the call, whenever that was last, and the place? */
static bool is_left(const struct plan_sim *sim, const struct plan_echo *e, uint32_t call, uint32_t then)
{
	const struct ir_func *f = sim->f;

	if (!plan_comes_first(f, sim->ssa, call, then))
		return false;
	for (uint32_t i = bits_next(&e->changes, 0); i != UINT32_MAX; i = bits_next(&e->changes, i + 1))
		if (!(f->insts[i].block == f->insts[call].block && i <= call) &&
		    ir_comes_before(f, i, then, f->insts[call].block))
			return false;
	return true;
}

const char *echo_question(const struct plan_sim *sim, const struct plan_place *at, uint32_t key,
			  uint32_t *slot)
{
	uint32_t then = place_inst(sim, at) + (at->where == FIX_RESULT), last = IR_NONE;
	const char *text = "";

	*slot = IR_NONE;
	for (uint32_t i = 0; i < at->nodes.n && sim->echoes; i++) {
		const struct plan_state *s = &sim->nodes.v[at->nodes.v[i]].s;
		struct plan_val v = pstate_val(s, key);
		const struct plan_echo *e;

		if (v.kind != PVAL_ECHO || s->phase != PHASE_BEFORE || v.birth == last)
			continue;
		e = &sim->echoes[v.birth];
		if (*slot != IR_NONE && (*slot != e->slot || !str_eq(text, e->text)))
			return NULL;
		if (key >= sim->f->nslots || key == e->slot ||
		    !is_comparable(sim->pl->m, sim->f->slots[key].type, e->type) ||
		    !place_in_scope(sim, e->slot, at) || !is_left(sim, e, sim->births.v[v.birth].inst, then))
			return NULL;
		last = v.birth;
		*slot = e->slot;
		text = e->text;
	}
	return text;
}
