/*
 * plan_global.c - a global is the only owner of what it points to, and is set again: what it held is
 * freed before that.
 *
 * LeakFix frees what a global holds only if nobody reads it any more (II-C3); here the question is whether a
 * global, or a member of one, owns what it points to all the time.  It does if all of this holds in the whole
 * program, or in the unit if the global is static:
 *
 *   - it begins as null, and each store to it is of null or of what a call has just made, stored once;
 *   - nothing else holds such an object: no memory, and no variable but the one that what is made is in
 *     until it is stored;
 *   - a pointer that was read from it is looked at, or freed, at once: it gets into no variable, is not
 *     returned, not kept by a callee, and not in use over a call that may set the global;
 *   - a function that frees it sets it before it returns, or calls what may set it.
 *
 * Then at a store that no free comes before, the global holds null or an object that nobody else has, and may
 * free it.  Where the new value is computed from the old one, nothing is done.
 *
 * Which way it errs: all of it is asked of points-to sets, which are too large: a refusal.
 */
#include "plan/priv.h"

#include "ir/io.h"

struct owner {
	struct fix_planner *pl;
	struct finding *f;
	uint32_t cell, obj;		/* of the points-to analysis */
	struct sbits objs;		/* what it may hold */
	const char *why;
};

static bool refuse(struct owner *x, const char *why)
{
	x->why = why;
	return false;
}

static bool leads_to(const struct owner *x, uint32_t func, ir_ref r)
{
	return IR_KIND(r) == IR_R_VREG && pta_meets(x->pl->p, pta_points_to(x->pl->p, func, r), &x->objs);
}

static bool is_cell(const struct owner *x, uint32_t func, ir_ref addr)
{
	return sbits_test(pta_points_to(x->pl->p, func, addr), x->cell);
}

static bool is_only_cell(const struct owner *x, uint32_t func, ir_ref addr)
{
	return is_cell(x, func, addr) && sbits_count(pta_points_to(x->pl->p, func, addr)) == 1;
}

/* Is it written out as `&global`, or the address of a part of it?  The points-to analysis does not know all
 * of these. */
static bool is_its_address(const struct owner *x, ir_ref r, int64_t *off)
{
	const struct ir_addr *a = IR_KIND(r) == IR_R_ADDR ? &x->pl->m->addrs.v[IR_IDX(r)] : NULL;

	*off = a ? a->offset : 0;
	return (a ? a->base : r) == IR_REF(IR_R_GLOBAL, pta_obj(x->pl->p, x->obj)->index);
}

/* May the pointer lead into the global? */
static bool is_into_global(const struct owner *x, uint32_t func, ir_ref r)
{
	int64_t off;

	if (is_its_address(x, r, &off))
		return true;
	SBITS_FOREACH(l, pta_points_to(x->pl->p, func, r))
		if (pta_loc(x->pl->p, l)->obj == x->obj)
			return true;
	return false;
}

/* ---- the global -------------------------------------------------------------------- */

/* Is there one cell of a global in the function that the object gets into? */
static bool find_cell(struct owner *x, uint32_t func)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	uint32_t made = pta_heap_at(x->pl->p, x->f->made.func, x->f->made.inst, 0);

	for (uint32_t i = 0; i < f->ninsts && made != IR_NONE; i++) {
		const struct sbits *to;
		uint32_t l;

		if (f->insts[i].op != IR_STORE || f->insts[i].cls != IR_C_PTR)
			continue;
		to = pta_points_to(x->pl->p, func, f->insts[i].ops[0]);
		l = sbits_count(to) == 1 ? sbits_next(to, 0) : IR_NONE;
		if (l == IR_NONE || pta_obj(x->pl->p, pta_loc(x->pl->p, l)->obj)->kind != PTA_GLOBAL)
			continue;
		SBITS_FOREACH(o, pta_cell(x->pl->p, l))
			if (pta_loc(x->pl->p, o)->obj == made) {
				if (x->cell != IR_NONE && x->cell != l)
					return refuse(x, "it gets into several globals");
				x->cell = l;
			}
	}
	return x->cell != IR_NONE;
}

static bool check_global(struct owner *x)
{
	const struct pta *p = x->pl->p;
	const struct pta_obj *o = pta_obj(p, pta_loc(p, x->cell)->obj);
	const struct ir_global *g = &x->pl->m->globals.v[o->index];

	x->obj = pta_loc(p, x->cell)->obj;
	if (o->collapsed || o->given || o->common || !g->src[0] ||
	    (g->linkage != IR_L_STATIC && g->func == IR_NONE && !ir_is_program(x->pl->m)))
		return refuse(x, "others may set the global that holds it");
	for (uint32_t i = 0; i < g->ninits; i++)
		if (g->inits[i].offset == pta_loc(p, x->cell)->off)
			return refuse(x, "the global may hold what it began with");
	SBITS_FOREACH(l, pta_cell(p, x->cell)) {
		const struct pta_obj *h = pta_obj(p, pta_loc(p, l)->obj);

		if (h->kind != PTA_HEAP || pta_loc(p, l)->off || h->common)
			return refuse(x, "the global may point to something else");
		sbits_set(&x->objs, pta_loc(p, l)->obj);
	}
	for (uint32_t k = 0; k < pta_nobjs(p); k++) {
		const struct pta_obj *h = pta_obj(p, k);

		if (h->kind == PTA_BLOB || (h->kind == PTA_SLOT && pta_ssa(p, h->func)->promoted[h->index]))
			continue;
		for (uint32_t l = h->first_loc; l != IR_NONE; l = pta_loc(p, l)->next)
			if (l != x->cell && pta_meets(p, pta_cell(p, l), &x->objs))
				return refuse(x, "something else may hold it as well");
	}
	return true;
}

/* ---- who has a pointer to it --------------------------------------------------------- */

/* A pointer goes into a variable: only what was just made, and the parameter's own. */
static bool check_variable(const struct owner *x, uint32_t func, const struct ir_inst *in)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_inst *d = plan_root(f, in->ops[1]);

	if (!d)
		return IR_KIND(in->ops[1]) == IR_R_VREG && IR_IDX(in->ops[1]) < f->nparams &&
		       f->slots[IR_IDX(in->ops[0])].param;
	return d->op == IR_CALL && owned_is_new(x->pl, func, in->ops[1]);
}

static bool check_store(struct owner *x, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];

	if (is_cell(x, func, in->ops[0])) {
		if (!is_only_cell(x, func, in->ops[0]) || in->cls != IR_C_PTR ||
		    in->flags & (IR_F_VOLATILE | IR_F_MAYBE) || !owned_new_once(x->pl, func, inst))
			return refuse(x, "what is stored in the global is not always new");
		return true;
	}
	if (!leads_to(x, func, in->ops[1]))
		return true;
	if (IR_KIND(in->ops[0]) != IR_R_SLOT || !check_variable(x, func, in))
		return refuse(x, "a pointer to what the global holds is kept elsewhere");
	return true;
}

static bool may_set(const struct owner *x, uint32_t func, uint32_t inst)
{
	struct pta_callees to;
	bool may;

	if (x->pl->m->funcs.v[func].insts[inst].op != IR_CALL)
		return false;
	pta_callees(x->pl->p, func, inst, &to);
	may = false;
	SBITS_FOREACH(g, to.set)
		may |= !pta_model(x->pl->p, g) && sbits_test(&x->pl->fx[g].mod, x->cell);
	return may;
}

/* The callee looks at the argument, or frees it.  *freed: the latter. */
static bool check_argument(struct owner *x, uint32_t g, uint32_t arg, bool *freed)
{
	const struct model *md = pta_model(x->pl->p, g);
	const struct plan_summary *sum;

	if (md) {
		for (unsigned i = 0; i < md->neffects; i++) {
			const struct model_effect *e = &md->effects[i];

			if (e->kind == MODEL_E_KEEP || e->kind == MODEL_E_HOLD || e->kind == MODEL_E_REF ||
			    e->kind == MODEL_E_COPY ||
			    (e->kind == MODEL_E_SET && model_value_depends(&e->value)))
				return refuse(x, "what the global holds is handed on");
		}
		*freed |= model_frees(md, arg) != NULL;
		return true;
	}
	if (ir_is_decl(&x->pl->m->funcs.v[g]) || arg > x->pl->m->funcs.v[g].nparams ||
	    sbits_test(&x->pl->fx[g].mod, x->cell))
		return refuse(x, "what the global holds is handed on");
	sum = summary_of_param(x->pl, g, arg - 1);
	for (uint32_t i = 0; i < sum->n && sum->known; i++) {
		if (sum->out[i].doubt || sum->out[i].returned)
			return refuse(x, "what the global holds is handed on");
		*freed |= sum->out[i].phase == PHASE_FREED;
	}
	return sum->known || refuse(x, "what the global holds is handed on");
}

static bool check_call(struct owner *x, uint32_t func, uint32_t inst, bool *freed)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];
	struct pta_callees to;

	pta_callees(x->pl->p, func, inst, &to);
	for (uint32_t k = 1; k < in->nops; k++) {
		if (is_into_global(x, func, in->ops[k]))
			SBITS_FOREACH(g, to.set)
				if (pta_model(x->pl->p, g) && model_writes(pta_model(x->pl->p, g), k))
					return refuse(x, "a library may write to the global");
		if (!leads_to(x, func, in->ops[k]))
			continue;
		if (to.unknown || !sbits_count(to.set))
			return refuse(x, "what the global holds is handed on");
		SBITS_FOREACH(g, to.set)
			if (!check_argument(x, g, k, freed))
				return false;
	}
	return true;
}

/* What was read from the global is used in the same block, and nothing sets that meanwhile. */
static bool check_read(struct owner *x, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	uint32_t end = f->blocks[f->insts[inst].block].first + f->blocks[f->insts[inst].block].n;
	bool set = false;

	for (uint32_t i = inst + 1; i < end; i++) {
		for (uint32_t k = 0; k < f->insts[i].nops; k++)
			if (set && plan_root(f, f->insts[i].ops[k]) == &f->insts[inst])
				return refuse(
					x, "what was read from the global is used when it may be set again");
		set |= may_set(x, func, i) ||
		       (f->insts[i].op == IR_STORE && is_cell(x, func, f->insts[i].ops[0]));
	}
	for (uint32_t i = 0; i < f->ninsts; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++)
			if (f->insts[i].block != f->insts[inst].block &&
			    plan_root(f, f->insts[i].ops[k]) == &f->insts[inst])
				return refuse(
					x, "what was read from the global is used when it may be set again");
	return true;
}

/* The variable that held the new object before it was stored must not be used when the global may have
 * changed again. */
static bool check_alias(struct owner *x, uint32_t func, uint32_t store)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_inst *d = ir_def(f, f->insts[store].ops[1]);

	if (!d || d->op != IR_LOAD)
		return true;
	for (uint32_t k = 0; k < f->ninsts; k++) {
		if (!(may_set(x, func, k) ||
		      (k != store && f->insts[k].op == IR_STORE && is_cell(x, func, f->insts[k].ops[0]))) ||
		    !ir_comes_before(f, store, k, IR_NONE))
			continue;
		for (uint32_t i = 0; i < f->ninsts; i++)
			if (f->insts[i].op == IR_LOAD && f->insts[i].ops[0] == d->ops[0] &&
			    ir_comes_before(f, k, i, IR_NONE))
				return refuse(x, "a variable may still be used for what the global holds");
	}
	return true;
}

/* Does the memset() make all of the global null, or all of it from its start on that the cell is in? */
static bool is_cleared(const struct owner *x, const struct ir_inst *in)
{
	const struct ir_module *m = x->pl->m;
	int64_t off;

	return is_its_address(x, in->ops[0], &off) && !off && IR_KIND(in->ops[1]) == IR_R_INT &&
	       !ir_int_value(m, in->ops[1]) && IR_KIND(in->ops[2]) == IR_R_INT &&
	       ir_int_value(m, in->ops[2]) >= (int64_t)pta_loc(x->pl->p, x->cell)->off + 8;
}

static bool check_inst(struct owner *x, uint32_t func, uint32_t i, bool *freed)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_inst *in = &f->insts[i];

	switch (in->op) {
	case IR_STORE:
		return check_store(x, func, i) && (!is_cell(x, func, in->ops[0]) || check_alias(x, func, i));
	case IR_LOAD:
		return !is_cell(x, func, in->ops[0]) || (in->cls == IR_C_PTR && check_read(x, func, i)) ||
		       refuse(x, "what was read from the global is used when it may be set again");
	case IR_CALL:
		return check_call(x, func, i, freed);
	case IR_RET:
		for (uint32_t k = 0; k < in->nops; k++)
			if (leads_to(x, func, in->ops[k]) && !owned_is_new(x->pl, func, in->ops[k]))
				return refuse(x, "what the global holds is returned");
		return true;
	case IR_MEMSET:
		if (is_cleared(x, in))
			return true;
		/* fall through */
	case IR_MEMCPY:
	case IR_VACOPY:
	case IR_ASM:
		for (uint32_t k = 0; k < in->nops; k++)
			if (is_into_global(x, func, in->ops[k]))
				return refuse(x, "the global is copied or set as a whole");
		return true;
	default:
		return true;
	}
}

/* ---- freed, and not set yet -------------------------------------------------------------- */

static bool frees_argument(struct owner *x, uint32_t func, uint32_t inst)
{
	bool freed = false;

	return x->pl->m->funcs.v[func].insts[inst].op == IR_CALL && check_call(x, func, inst, &freed) &&
	       freed;
}

static bool stale_after(struct owner *x, uint32_t func, uint32_t inst, bool stale)
{
	const struct ir_inst *in = &x->pl->m->funcs.v[func].insts[inst];

	if (in->op == IR_STORE && is_cell(x, func, in->ops[0]))
		return false;
	return stale || frees_argument(x, func, inst);
}

/* By block: may the global point to what was freed at its start?  False: it may when the function ends, or
 * calls what sets it. */
static bool find_stale(struct owner *x, uint32_t func, struct bits *in)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];

	for (bool more = true; more;) {
		more = false;
		for (uint32_t b = 0; b < f->nblocks; b++) {
			bool s = bits_test(in, b);

			for (uint32_t i = f->blocks[b].first; i < f->blocks[b].first + f->blocks[b].n; i++) {
				if (s && (f->insts[i].op == IR_RET || may_set(x, func, i)))
					return refuse(x, "the global is freed, and not set after it");
				s = stale_after(x, func, i, s);
			}
			for (uint32_t k = 0; k < f->blocks[b].nsucc && s; k++)
				more |= bits_set(in, f->blocks[b].succ[k]);
		}
	}
	return true;
}

/* May a function read the global that a library calls at any time: a signal handler, a thread? */
static bool is_read_later(const struct owner *x)
{
	for (uint32_t f = 0; f < x->pl->m->funcs.n; f++) {
		const struct pta_callback *cb;
		uint32_t n = ir_is_decl(&x->pl->m->funcs.v[f]) ? 0 : pta_callbacks(x->pl->p, f, &cb);

		for (uint32_t i = 0; i < n; i++)
			if (cb[i].effect->later && sbits_test(&x->pl->fx[cb[i].callee].read, x->cell))
				return true;
	}
	return false;
}

static bool check_program(struct owner *x)
{
	const struct ir_module *m = x->pl->m;
	bool ok = true;

	if (is_read_later(x))
		return refuse(x, "a signal handler, or a thread, may read the global");
	for (uint32_t g = 0; g < m->funcs.n && ok; g++) {
		bool freed = false;
		struct bits stale;

		for (uint32_t i = 0; i < m->funcs.v[g].ninsts && ok; i++)
			ok = check_inst(x, g, i, &freed);
		if (!ok || !freed)
			continue;
		bits_init(&stale, m->funcs.v[g].nblocks);
		ok = find_stale(x, g, &stale);
		bits_release(&stale);
	}
	return ok;
}

/* ---- the text ------------------------------------------------------------------------------ */

static const char *cell_text(const struct owner *x, struct arena *arena, bool *is_const)
{
	const struct ir_module *m = x->pl->m;
	const struct pta_loc *l = pta_loc(x->pl->p, x->cell);
	const struct ir_global *g = &m->globals.v[pta_obj(x->pl->p, x->obj)->index];
	uint32_t type = ir_type_strip(m, g->type);
	const char *text = NULL;
	struct sbuf b = {0};

	if (m->types.v[type].kind == IR_T_PTR && !l->off)
		text = g->src;
	else if (m->types.v[type].kind == IR_T_STRUCT && place_member(m, &type, l->off, &b))
		text = arena_printf(arena, "%s.%s", g->src, sbuf_str(&b));
	sbuf_release(&b);
	type = ir_type_strip(m, type);
	*is_const = m->types.v[type].flags & IR_TF_CONST;
	return m->types.v[type].kind == IR_T_PTR ? text : NULL;
}

/* Is the global null whenever control gets to the block, by the branch before it? */
static bool is_null_in(const struct owner *x, uint32_t func, uint32_t block)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_block *b = &f->blocks[block];
	const struct ir_inst *br, *c, *d;

	if (b->npred != 1)
		return false;
	br = &f->insts[f->blocks[b->pred[0]].first + f->blocks[b->pred[0]].n - 1];
	c = br->op == IR_CONDBR && br->targets[0] != br->targets[1] ? ir_def(f, br->ops[0]) : NULL;
	d = c && c->op == IR_CMP && c->ops[1] == IR_NULL && (c->sub == IR_P_EQ || c->sub == IR_P_NE)
		    ? ir_def(f, c->ops[0])
		    : NULL;
	return d && d->op == IR_LOAD && is_only_cell(x, func, d->ops[0]) &&
	       block == br->targets[c->sub == IR_P_EQ ? 0 : 1];
}

/* May a function, or one that it calls, look at the global or set it? */
static bool touches(const struct owner *x, uint32_t func, struct bits *seen)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];

	if (pta_model(x->pl->p, func) || !bits_set(seen, func))
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		struct pta_callees to;

		if ((f->insts[i].op == IR_LOAD || f->insts[i].op == IR_STORE) &&
		    is_cell(x, func, f->insts[i].ops[0]))
			return true;
		if (f->insts[i].op != IR_CALL)
			continue;
		pta_callees(x->pl->p, func, i, &to);
		SBITS_FOREACH(g, to.set)
			if (touches(x, g, seen))
				return true;
	}
	return false;
}

/* Does an instruction, which the new value is computed by, look at the old object? */
static bool looks_back(const struct owner *x, uint32_t func, const struct ir_inst *in, int depth)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	bool hit = depth > 20 || (in->op == IR_LOAD && is_cell(x, func, in->ops[0]));

	if (in->op == IR_CALL) {
		struct pta_callees to;
		struct bits seen;

		bits_init(&seen, x->pl->m->funcs.n + 1);
		pta_callees(x->pl->p, func, (uint32_t)(in - f->insts), &to);
		SBITS_FOREACH(g, to.set)
			hit |= touches(x, g, &seen);
		bits_release(&seen);
	}
	for (uint32_t k = 0; k < in->nops && !hit; k++) {
		const struct ir_inst *d = ir_def(f, in->ops[k]);

		hit = leads_to(x, func, in->ops[k]) && in->op == IR_CALL;
		hit |= d && looks_back(x, func, d, depth + 1);
	}
	return hit;
}

/* Is the old object looked at by the statement that sets the global? */
static bool is_computed_from(const struct owner *x, uint32_t func, uint32_t store)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_inst *in = &f->insts[store];

	for (uint32_t i = f->blocks[in->block].first; i < store; i++)	/* (f(), G = g()) */
		if (f->insts[i].pos.line == in->pos.line &&
		    ((f->insts[i].op == IR_LOAD && is_cell(x, func, f->insts[i].ops[0])) ||
		     may_set(x, func, i)))
			return true;
	return looks_back(x, func, in, 0);
}

static void write_function(struct owner *x, uint32_t func, const char *text, const char *release,
			   struct fix_plan *plan)
{
	const struct ir_func *f = &x->pl->m->funcs.v[func];
	const struct ir_global *g = &x->pl->m->globals.v[pta_obj(x->pl->p, x->obj)->index];
	struct bits stale;

	bits_init(&stale, f->nblocks);
	find_stale(x, func, &stale);
	for (uint32_t i = 0; i < f->ninsts; i++) {
		uint32_t b = f->insts[i].block;
		bool s = bits_test(&stale, b);
		struct fix_insertion in = { .where = FIX_BEFORE,
					    .func = func,
					    .from = IR_NONE,
					    .to = IR_NONE,
					    .inst = i,
					    .text = text };

		if (f->insts[i].op != IR_STORE || !is_cell(x, func, f->insts[i].ops[0]))
			continue;
		for (uint32_t k = f->blocks[b].first; k < i; k++)
			s = stale_after(x, func, k, s);
		if (s || is_null_in(x, func, b) || is_computed_from(x, func, i))
			continue;
		vec_push(&in.names, ((struct fix_name){ g->src, IR_NONE }));
		vec_push(&in.names, ((struct fix_name){ release, IR_NONE }));
		vec_push(&plan->in, in);
	}
	bits_release(&stale);
}

bool global_plan(struct fix_planner *p, struct finding *f, struct arena *arena, struct fix_plan *plan)
{
	struct owner x = {
		.pl = p, .f = f, .cell = IR_NONE, .why = "it is stored where it outlives the function"
	};
	const char *text, *release;
	bool ok, is_const;

	ok = (find_cell(&x, f->lost.func) ||
	      (f->lost.func != f->made.func && find_cell(&x, f->made.func))) &&
	     check_global(&x) && check_program(&x);
	text = ok ? cell_text(&x, arena, &is_const) : NULL;
	release = text ? release_of_all(p, f->made.func, &x.objs, arena) : NULL;
	if (text && release) {
		text = arena_printf(arena, "%s(%s%s);", release, is_const ? "(void *)" : "", text);
		write_function(&x, f->lost.func, text, release, plan);
		if (f->made.func != f->lost.func)
			write_function(&x, f->made.func, text, release, plan);
	}
	plan->refused = plan->in.n ? NULL : x.why;
	sbits_release(&x.objs);
	return !plan->refused;
}
