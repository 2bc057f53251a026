/*
 * plan_local.c - a struct on the stack owns things, and has a function that releases them, which is
 * forgotten on some ways.
 *
 * The object hangs on a variable by whatever calls were given its address (init, add, push); no variable of
 * the function holds the object.  What is done is what the program does itself: the function that releases
 * such structs is called on the ways out that miss it.  Which calls with the variable may stand before it is
 * told by an example, the same function on its other ways or another one:
 *
 *   - whatever can touch the variable on the way to the place can touch it on the way to the example, too
 *     (another function: the same callees, and the variable began as zeroes in both);
 *   - the call that fills the variable has succeeded there as it has before the example: both are behind the
 *     same side of the branch on its result;
 *   - what hangs on it is heap, and no call that gets the variable gets a pointer to such things from
 * elsewhere;
 *   - no call has freed what hangs on it and left the pointer (plan_stale.c);
 *   - behind the place nothing looks at the variable, nor at what hangs on it; and nobody asks for errno, if
 * there is such a place (plan_errno.c).
 *
 * Which way it errs: what touches the variable is asked of points-to sets, which are too large: a refusal.
 */
#include "plan/priv.h"

struct local {
	struct fix_planner *pl;
	uint32_t func, slot, destructor;
	const struct ir_func *f;
	uint32_t obj;
	struct bits hangs;		/* objects that can be reached from it */
	uint32_t begin;			/* the first instruction that touches it */
	uint32_t from;			/* block: it is filled from its start on, or from `begin` on */
};

static bool is_of(const struct local *x, ir_ref r)
{
	if (r == IR_SLOT(x->slot))
		return true;
	SBITS_FOREACH(l, pta_points_to(x->pl->p, x->func, r))
		if (pta_loc(x->pl->p, l)->obj == x->obj)
			return true;
	return false;
}

/* Does the instruction write the variable, or hand its address on? */
static bool touches(const struct local *x, uint32_t inst)
{
	const struct ir_inst *in = &x->f->insts[inst];

	if (in->op == IR_STORE)
		return is_of(x, in->ops[0]) || is_of(x, in->ops[1]);
	if (in->op != IR_CALL && in->op != IR_MEMCPY && in->op != IR_MEMSET && in->op != IR_ASM)
		return false;
	for (uint32_t k = 0; k < in->nops; k++)
		if (is_of(x, in->ops[k]))
			return true;
	return false;
}

/* Does it look at the variable, or at what hangs on it? */
static bool looks(const struct local *x, uint32_t inst)
{
	const struct ir_inst *in = &x->f->insts[inst];

	for (uint32_t k = 0; k < in->nops; k++) {
		if (is_of(x, in->ops[k]))
			return true;
		if (IR_KIND(in->ops[k]) == IR_R_VREG)
			SBITS_FOREACH(l, pta_points_to(x->pl->p, x->func, in->ops[k]))
				if (bits_test(&x->hangs, pta_loc(x->pl->p, l)->obj))
					return true;
	}
	return false;
}

static bool is_example(const struct local *x, uint32_t inst)
{
	const struct ir_inst *in = &x->f->insts[inst];

	return in->op == IR_CALL && ir_callee(x->pl->m, in) == &x->pl->m->funcs.v[x->destructor] &&
	       in->nops == 2 && in->ops[1] == IR_SLOT(x->slot);
}

static bool local_init(struct local *x, struct fix_planner *pl, uint32_t func, uint32_t slot,
		       uint32_t destructor)
{
	struct sbits loc = {0};
	uint32_t l;

	*x = (struct local) { .pl = pl,
			      .func = func,
			      .slot = slot,
			      .destructor = destructor,
			      .f = &pl->m->funcs.v[func],
			      .begin = IR_NONE };
	bits_init(&x->hangs, pta_nobjs(pl->p));
	l = pta_ssa(pl->p, func)->promoted[slot] ? IR_NONE : pta_address(pl->p, func, IR_SLOT(slot));
	if (l == IR_NONE)
		return false;
	x->obj = pta_loc(pl->p, l)->obj;
	for (uint32_t k = pta_obj(pl->p, x->obj)->first_loc; k != IR_NONE; k = pta_loc(pl->p, k)->next)
		sbits_or(&loc, pta_cell(pl->p, k));
	pta_reach(pl->p, &loc, &x->hangs);
	sbits_release(&loc);
	return !bits_test(&x->hangs, x->obj) && !pta_obj(pl->p, x->obj)->given &&
	       !pta_obj(pl->p, x->obj)->common;
}

static bool dominates(const struct local *x, uint32_t a, uint32_t b)
{
	return a == b || plan_comes_first(x->f, pta_ssa(x->pl->p, x->func), a, b);
}

/* The instruction that comes before all others that touch the variable. */
static bool find_begin(struct local *x)
{
	for (uint32_t i = 0; i < x->f->ninsts; i++)
		if (touches(x, i) && (x->begin == IR_NONE || dominates(x, i, x->begin)))
			x->begin = i;
	for (uint32_t i = 0; i < x->f->ninsts && x->begin != IR_NONE; i++)
		if (touches(x, i) && !dominates(x, x->begin, i))
			return false;
	return x->begin != IR_NONE && !ir_comes_before(x->f, x->begin, x->begin, IR_NONE);
}

static bool is_zeroed(const struct local *x)
{
	const struct ir_inst *in = &x->f->insts[x->begin];

	return in->op == IR_MEMSET && in->ops[0] == IR_SLOT(x->slot) && IR_KIND(in->ops[1]) == IR_R_INT &&
	       ir_int_value(x->pl->m, in->ops[1]) == 0 && IR_KIND(in->ops[2]) == IR_R_INT &&
	       (uint64_t)ir_int_value(x->pl->m, in->ops[2]) >= x->f->slots[x->slot].size;
}

/* From where on is it filled?  example: a release that is there, or IR_NONE. */
static bool find_from(struct local *x, uint32_t example)
{
	const struct ir_inst *in = &x->f->insts[x->begin];
	const struct ir_block *b = &x->f->blocks[in->block];
	const struct dom *d = &pta_ssa(x->pl->p, x->func)->dom;

	x->from = in->block;
	if (in->op != IR_CALL || in->res == IR_NONE)
		return true;
	if (example == IR_NONE || x->f->insts[b->first + b->n - 1].op != IR_CONDBR)
		return false;
	for (uint32_t k = 0; k < b->nsucc; k++)
		if (x->f->blocks[b->succ[k]].npred == 1 &&
		    dom_dominates(d, b->succ[k], x->f->insts[example].block)) {
			x->from = b->succ[k];
			return true;
		}
	return false;
}

static uint32_t last_of(const struct local *x, uint32_t block)
{
	return x->f->blocks[block].first + x->f->blocks[block].n - 1;
}

/* May the release go on this edge?  examples: what is there of releases. */
static bool check_edge(const struct local *x, uint32_t from, uint32_t to, uint32_t example)
{
	uint32_t first = x->f->blocks[to].first, last = last_of(x, from);

	if (!dom_dominates(&pta_ssa(x->pl->p, x->func)->dom, x->from, from) ||
	    (x->from == x->f->insts[x->begin].block && x->begin > last && x->from == from))
		return false;
	for (uint32_t i = 0; i < x->f->ninsts; i++) {	/* few are asked where they are */
		if (is_example(x, i) && ir_comes_before(x->f, i, last, IR_NONE))
			return false;
		if (looks(x, i) && (i == first || ir_comes_before(x->f, first, i, IR_NONE)))
			return false;
		if (example != IR_NONE && touches(x, i) && ir_comes_before(x->f, i, last, IR_NONE) &&
		    !ir_comes_before(x->f, i, example, IR_NONE))
			return false;
	}
	return true;
}

static void push(const struct local *x, uint32_t from, uint32_t to, struct arena *arena,
		 struct fix_plan *plan)
{
	const char *name = x->pl->m->funcs.v[x->destructor].src, *var = x->f->slots[x->slot].name;
	struct fix_insertion in = {
		.where = FIX_EDGE, .func = x->func, .from = from, .to = to, .inst = IR_NONE
	};

	in.text = arena_printf(arena, "%s(&%s);", name, var);
	in.frees = var;
	vec_push(&in.names, ((struct fix_name){ var, x->slot }));
	vec_push(&in.names, ((struct fix_name){ name, IR_NONE }));
	vec_push(&plan->in, in);
}

static void cut_plan(struct fix_plan *plan, uint32_t n)
{
	while (plan->in.n > n) {
		plan->in.n--;
		vec_release(&plan->in.v[plan->in.n].names);
	}
}

/* On all ways over the edge, behind those who ask for errno first: a release may change that.  False: there
 * is no such place. */
static bool push_told(const struct local *x, uint32_t from, uint32_t to, struct arena *arena,
		      struct fix_plan *plan)
{
	const struct ir_block *b = &x->f->blocks[to];

	if (x->f->insts[last_of(x, to)].op == IR_UNREACHABLE)
		return true;
	if (!errno_is_asked(x->pl, x->f, b->first)) {
		push(x, from, to, arena, plan);
		return true;
	}
	for (uint32_t k = 0; b->npred == 1 && k < b->nsucc; k++)
		if (!push_told(x, to, b->succ[k], arena, plan))
			return false;
	return b->npred == 1 && b->nsucc;
}

/* The edges by which control leaves the ways to the example. */
static bool leave_example(const struct local *x, uint32_t example, struct arena *arena, struct fix_plan *plan)
{
	for (uint32_t b = 0; b < x->f->nblocks; b++)
		for (uint32_t k = 0; k < x->f->blocks[b].nsucc; k++) {
			uint32_t to = x->f->blocks[b].succ[k], first = x->f->blocks[to].first, n = plan->in.n;

			if (!ir_comes_before(x->f, last_of(x, b), example, IR_NONE) || first == example ||
			    ir_comes_before(x->f, first, example, IR_NONE))
				continue;
			if (!dom_dominates(&pta_ssa(x->pl->p, x->func)->dom, x->from, b))
				continue;	/* it is not filled there */
			if (x->f->insts[last_of(x, to)].op == IR_UNREACHABLE)
				continue;
			if (!check_edge(x, b, to, example))
				return false;
			if (!push_told(x, b, to, arena, plan)) {
				cut_plan(plan, n);
				push(x, b, to, arena, plan);
			}
		}
	return plan->in.n > 0;
}

/* Are the callees that get the variable here among those that get one in the example, which is released? */
static bool is_like(const struct local *x, uint32_t func, uint32_t slot)
{
	struct local y;
	bool ok = local_init(&y, x->pl, func, slot, x->destructor) && find_begin(&y) && is_zeroed(&y),
	     released = false;

	for (uint32_t i = 0; ok && i < y.f->ninsts; i++)
		released |= is_example(&y, i);
	for (uint32_t i = 0; ok && i < x->f->ninsts; i++) {
		const struct ir_func *g;
		bool found = false;

		if (i == x->begin || !touches(x, i))
			continue;
		g = x->f->insts[i].op == IR_CALL ? ir_callee(x->pl->m, &x->f->insts[i]) : NULL;
		for (uint32_t k = 0; g && k < y.f->ninsts && !found; k++)
			found = y.f->insts[k].op == IR_CALL && touches(&y, k) &&
				ir_callee(x->pl->m, &y.f->insts[k]) == g;
		ok = found;
	}
	bits_release(&y.hangs);
	return ok && released;
}

static bool has_like(const struct local *x)
{
	const struct ir_module *m = x->pl->m;

	for (uint32_t g = 0; g < m->funcs.n; g++)
		for (uint32_t s = 0; s < m->funcs.v[g].nslots && g != x->func && !ir_is_decl(&m->funcs.v[g]);
		     s++)
			if (ir_type_strip(m, m->funcs.v[g].slots[s].type) ==
				    ir_type_strip(m, x->f->slots[x->slot].type) &&
			    is_like(x, g, s))
				return true;
	return false;
}

/* All edges to where the function returns. */
static bool leave_function(const struct local *x, struct arena *arena, struct fix_plan *plan)
{
	for (uint32_t b = 0; b < x->f->nblocks; b++) {
		const struct ir_inst *ret = &x->f->insts[last_of(x, b)];

		if (ret->op != IR_RET)
			continue;
		if (x->f->blocks[b].n > 2 || !x->f->blocks[b].npred)
			return false;
		for (uint32_t k = 0; k < x->f->blocks[b].npred; k++) {
			if (!check_edge(x, x->f->blocks[b].pred[k], b, IR_NONE))
				return false;
			push(x, x->f->blocks[b].pred[k], b, arena, plan);
		}
	}
	return plan->in.n > 0;
}

/* Was the pointer read from the variable itself? */
static bool is_derived(const struct local *x, ir_ref r)
{
	const struct ir_inst *d = plan_root(x->f, r);

	return d && d->op == IR_LOAD && is_of(x, d->ops[0]);
}

/* All that the destructor frees is heap, and nobody but the variable has it: no call that gets the variable
 * gets a pointer to such a thing as well. */
static bool check_owned(const struct local *x)
{
	const struct pta *p = x->pl->p;
	const struct sbits *freed = &x->pl->fx[x->destructor].freed;

	SBITS_FOREACH(o, freed)
		if (bits_test(&x->hangs, o) && pta_obj(p, o)->kind != PTA_HEAP)
			return false;
	for (uint32_t i = 0; i < x->f->ninsts; i++) {
		const struct ir_inst *in = &x->f->insts[i];

		for (uint32_t k = 0; touches(x, i) && k < in->nops; k++)
			if (!is_of(x, in->ops[k]) && !(in->op == IR_STORE && is_derived(x, in->ops[k])))
				SBITS_FOREACH(l, pta_points_to(p, x->func, in->ops[k]))
		if (bits_test(&x->hangs, pta_loc(p, l)->obj) && sbits_test(freed, pta_loc(p, l)->obj))
			return false;
	}
	return true;
}

/* Has no call before the places freed what hangs on the variable, and left the pointer? */
static bool check_stale(const struct local *x, const struct fix_plan *plan)
{
	struct sbits root = {0};
	bool ok = true;

	sbits_set(&root, x->obj);
	for (uint32_t i = 0; i < plan->in.n && ok; i++)
		ok = !stale_may_be(x->pl, x->func, x->f->blocks[plan->in.v[i].to].first, &root,
				   x->destructor, &x->pl->fx[x->destructor].freed);
	sbits_release(&root);
	return ok;
}

static bool try_local(struct local *x, struct arena *arena, struct fix_plan *plan)
{
	uint32_t example = IR_NONE;

	for (uint32_t i = 0; i < x->f->ninsts; i++)
		if (is_example(x, i)) {
			if (example != IR_NONE)
				return false;
			example = i;
		}
	if (!find_begin(x) || !find_from(x, example) || !check_owned(x))
		return false;
	if (example != IR_NONE)
		return leave_example(x, example, arena, plan) && check_stale(x, plan);
	return is_zeroed(x) && has_like(x) && leave_function(x, arena, plan) && check_stale(x, plan);
}

/* A function of the program that takes a pointer to such a struct, and may free the object. */
static bool is_destructor(const struct fix_planner *pl, uint32_t func, const struct ir_func *caller,
			  uint32_t type, uint32_t object)
{
	const struct ir_module *m = pl->m;
	const struct ir_func *g = &m->funcs.v[func];
	const struct ir_type *t = &m->types.v[g->type];
	uint32_t p;

	if (ir_is_decl(g) || g->nparams != 1 || g->flags & IR_FN_VARIADIC || t->kind != IR_T_FUNC ||
	    t->nfields != 1 || !sbits_test(&pl->fx[func].freed, object) ||
	    (g->linkage == IR_L_STATIC && g->unit != caller->unit))
		return false;
	p = ir_type_strip(m, t->fields[0].type);
	return m->types.v[p].kind == IR_T_PTR && ir_type_strip(m, m->types.v[p].elem) == type;
}

static void clear_plan(struct fix_plan *plan)
{
	cut_plan(plan, 0);
	vec_release(&plan->in);
}

/* Does the finding tell of a call that gets the variable's address?  Then it is what the object was put
 * into. */
static bool is_named(const struct finding *f, const struct ir_func *fn, uint32_t slot)
{
	for (uint32_t i = 0; i < fn->ninsts; i++)
		for (uint32_t k = 0; fn->insts[i].op == IR_CALL && k < fn->insts[i].nops; k++)
			for (uint32_t j = 0; fn->insts[i].ops[k] == IR_SLOT(slot) && j < f->path.n; j++)
				if (f->path.v[j].at.line == fn->insts[i].pos.line &&
				    f->path.v[j].at.function && str_eq(f->path.v[j].at.function, fn->src))
					return true;
	return false;
}

/* Is it a variable of the program that is a struct? */
static bool is_struct(const struct ir_module *m, const struct ir_slot *s)
{
	return m->types.v[ir_type_strip(m, s->type)].kind == IR_T_STRUCT && s->name[0] && !s->param &&
	       !(s->flags & (IR_S_TEMP | IR_S_RETVAL | IR_S_DYNAMIC));
}

/* One variable of the function where the object is lost. */
static bool plan_slot(struct fix_planner *p, const struct finding *f, uint32_t slot, uint32_t made,
		      struct arena *arena, struct fix_plan *plan)
{
	const struct ir_func *fn = &p->m->funcs.v[f->lost.func];
	uint32_t type = ir_type_strip(p->m, fn->slots[slot].type);
	bool ok = false;

	for (uint32_t g = 0; g < p->m->funcs.n && !ok; g++) {
		struct local x;

		if (!is_destructor(p, g, fn, type, made) ||
		    acts_besides(p, g, f->made.func, f->lost.func, arena))
			continue;
		ok = local_init(&x, p, f->lost.func, slot, g) && bits_test(&x.hangs, made) &&
		     try_local(&x, arena, plan);
		if (!ok)
			clear_plan(plan);
		bits_release(&x.hangs);
	}
	return ok;
}

bool local_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan)
{
	const struct ir_func *fn = &p->m->funcs.v[f->lost.func];
	uint32_t made = pta_heap_at(p->p, f->made.func, f->made.inst, 0);
	bool ok = false;

	for (int named = 1; named >= 0 && made != IR_NONE && !ok; named--)
		for (uint32_t s = 0; s < fn->nslots && !ok; s++)
			ok = is_struct(p->m, &fn->slots[s]) && is_named(f, fn, s) == named &&
			     plan_slot(p, f, s, made, arena, plan);
	plan->refused = ok ? NULL : "it is stored where it outlives the function";
	return ok;
}
