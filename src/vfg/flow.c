/*
 * flow.c - control flow as guards need it: where it ends, where it loops.
 *
 * A call that never returns ends the program for all we know (exit, abort, a
 * failed assertion, the project's own die()): what is held then is not lost.
 * Functions that never return are found bottom-up: every way through them meets
 * such a call.
 */
#include "vfg/priv.h"

/* Does a condition on an argument hold for sure?  Only constants tell. */
static bool cond_holds(const struct vfg *g, const struct ir_inst *in, const struct model_cond *c)
{
	if (c->place.base != MODEL_ARG || c->place.nsteps || c->place.arg >= in->nops ||
	    IR_KIND(in->ops[c->place.arg]) != IR_R_INT)
		return false;
	return model_cond_holds(c, ir_int_value(g->m, in->ops[c->place.arg]));
}

static bool model_never_returns(const struct vfg *g, const struct ir_inst *in, const struct model *md)
{
	if (md->noreturn)
		return true;
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		bool all = e->kind == MODEL_E_NORETURN;

		for (unsigned k = 0; all && k < e->nconds; k++)
			all = cond_holds(g, in, &e->conds[k]);
		if (all)
			return true;
	}
	return false;
}

bool vfg__never_returns(const struct vfg *g, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &g->m->funcs.v[func].insts[inst];
	struct pta_callees c;

	if (in->op != IR_CALL)
		return false;
	if (in->flags & IR_F_NORETURN)
		return true;
	pta_callees(g->p, func, inst, &c);
	if (c.unknown || !c.set->n)
		return false;
	SBITS_FOREACH(callee, c.set) {
		const struct model *md = pta_model(g->p, callee);

		if (!g->never_returns[callee] && !(md && model_never_returns(g, in, md)))
			return false;
	}
	return true;
}

static void find_ends(struct vfg *g, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	struct vflow *fl = &g->flow[func];

	if (!fl->ends)
		fl->ends = arena_array(&g->arena, uint32_t, f->nblocks);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		fl->ends[b] = IR_NONE;
		for (uint32_t i = f->blocks[b].first; i < f->blocks[b].first + f->blocks[b].n; i++)
			if (f->insts[i].op == IR_UNREACHABLE || vfg__never_returns(g, func, i)) {
				fl->ends[b] = i;
				break;
			}
	}
}

/* Blocks that have a way to a return, and whether the entry is one. */
static bool find_to_return(struct vfg *g, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	struct vflow *fl = &g->flow[func];
	VEC(uint32_t) todo = {0};

	bits_init(&fl->to_return, f->nblocks);
	for (uint32_t b = 0; b < f->nblocks; b++)
		if (f->insts[f->blocks[b].first + f->blocks[b].n - 1].op == IR_RET &&
		    fl->ends[b] == IR_NONE) {
			bits_set(&fl->to_return, b);
			vec_push(&todo, b);
		}
	while (todo.n) {
		const struct ir_block *b = &f->blocks[vec_pop(&todo)];

		for (uint32_t k = 0; k < b->npred; k++)
			if (fl->ends[b->pred[k]] == IR_NONE && bits_set(&fl->to_return, b->pred[k]))
				vec_push(&todo, b->pred[k]);
	}
	vec_release(&todo);
	return bits_test(&fl->to_return, 0);
}

bool vfg__can_fail(const struct vfg *g, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(g->p, func);
	uint32_t res = f->insts[inst].res;

	for (uint32_t b = 0; res != IR_NONE && b < f->nblocks; b++) {
		const struct ir_inst *br = &f->insts[f->blocks[b].first + f->blocks[b].n - 1];
		const struct ir_inst *c = br->op == IR_CONDBR ? ssa_def(s, ssa_ref(s, br->ops[0])) : NULL;

		if (vfg__is_equality(c) &&
		    ssa_ref(s, c->ops[0]) == IR_VREG(res) && ssa_ref(s, c->ops[1]) == IR_NULL &&
		    bits_test(&g->flow[func].to_return, br->targets[c->sub == IR_P_NE]))
			return true;
	}
	return false;
}

/* ---- loops ----------------------------------------------------------- */

/* Blocks behind the header (in reverse post-order) that can be got to from `at`, with the
 * edges or against them. */
static void reach_within(struct bits *out, const struct ir_func *f, const struct dom *d,
			 uint32_t header, uint32_t at, bool back)
{
	VEC(uint32_t) todo = {0};

	if (bits_set(out, at))
		vec_push(&todo, at);
	while (todo.n) {
		const struct ir_block *b = &f->blocks[vec_pop(&todo)];
		uint32_t n = back ? b->npred : b->nsucc;

		for (uint32_t k = 0; k < n; k++) {
			uint32_t to = back ? b->pred[k] : b->succ[k];

			if (dom_reachable(d, to) && d->num[to] > d->num[header] && bits_set(out, to))
				vec_push(&todo, to);
		}
	}
	vec_release(&todo);
}

/* A loop that a goto enters in the middle has no block that dominates the others.  Paths go round it all
 * the same, and are to be counted where they come back to the first of its blocks. */
static bool find_jumped(struct vloop *l, const struct ir_func *f, const struct dom *d)
{
	const struct ir_block *h = &f->blocks[l->header];
	struct bits from;

	for (uint32_t k = 0; k < h->npred; k++) {
		uint32_t p = h->pred[k];

		if (!dom_reachable(d, p) || d->num[p] < d->num[l->header] || dom_dominates(d, l->header, p))
			continue;
		if (!l->latches.n) {
			bits_init(&l->blocks, f->nblocks);
			bits_set(&l->blocks, l->header);
		}
		vec_push(&l->latches, p);
		reach_within(&l->blocks, f, d, l->header, p, true);
	}
	if (!l->latches.n)
		return false;
	bits_init(&from, f->nblocks);
	reach_within(&from, f, d, l->header, l->header, false);
	bits_and(&l->blocks, &from);
	bits_release(&from);
	return true;
}

/* A `continue` is a latch of its own: loops are distinguished by header only. */
static void find_loops(struct vfg *g, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct dom *d = &pta_ssa(g->p, func)->dom;
	VEC(struct vloop) loops = {0};

	for (uint32_t i = 0; i < d->nreach; i++) {
		uint32_t h = d->order[i];
		struct vloop l = { .header = h };

		for (uint32_t k = 0; k < f->blocks[h].npred; k++) {
			if (!dom_dominates(d, h, f->blocks[h].pred[k]))
				continue;
			if (!l.latches.n) {
				/* plumb-ignore: the first latch only */
				bits_init(&l.blocks, f->nblocks);
				bits_set(&l.blocks, h);
			}
			vec_push(&l.latches, f->blocks[h].pred[k]);
			dom_add_latch(&l.blocks, f, f->blocks[h].pred[k]);
		}
		if (l.latches.n)
			vec_push(&loops, l);
	}
	g->flow[func].nloops = loops.n;
	for (uint32_t i = 0; i < d->nreach; i++) {
		struct vloop l = { .header = d->order[i] };

		if (find_jumped(&l, f, d))
			vec_push(&loops, l);
	}
	g->flow[func].nrounds = loops.n;
	g->flow[func].loops = loops.v;
}

/* ---- what is written ------------------------------------------------- */

static void find_writes(struct vfg *g, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		struct pta_callees c;
		ir_ref r;

		if (in->op == IR_STORE || in->op == IR_MEMCPY || in->op == IR_MEMSET) {
			const struct ir_inst *d;

			for (r = in->ops[0]; (d = ir_def(f, r)) && (d->op == IR_FIELD || d->op == IR_ELEM);)
				r = d->ops[0];
			if (IR_KIND(r) == IR_R_ADDR)
				r = g->m->addrs.v[IR_IDX(r)].base;
			if (IR_KIND(r) == IR_R_GLOBAL)
				sbits_set(&g->writes[func], IR_IDX(r));
		} else if (in->op == IR_CALL) {
			pta_callees(g->p, func, i, &c);
			SBITS_FOREACH(h, c.set)
				if (h != func)
					sbits_or(&g->writes[func], &g->writes[h]);
		}
	}
}

/* A function of a recursion that is not known to end yet is taken to return. */
static bool find_never_returns(struct vfg *g, uint32_t func)
{
	bool before = g->never_returns[func];

	find_ends(g, func);
	bits_release(&g->flow[func].to_return);
	g->never_returns[func] = !find_to_return(g, func);
	return g->never_returns[func] != before;
}

/* A library function that does nothing to memory but fill it with plain data. */
static bool only_writes(const struct model *md)
{
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];
		bool asks = e->kind == MODEL_E_SET && e->place.base == MODEL_RETURN &&
			    e->value.kind == MODEL_V_UNKNOWN && e->value.in;

		if (e->kind != MODEL_E_WRITE && e->kind != MODEL_E_HOLD && !asks)
			return false;
	}
	return !md->noreturn;
}

/* Does the function neither write nor read any memory but its own variables, and
 * call only such?  A library function that does nothing to memory (fcntl, isatty)
 * counts as one: asked again, it is taken to answer the same. */
static bool goes_by_arguments(const struct vfg *g, uint32_t func)
{
	const struct ir_func *f = &g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(g->p, func);

	if (f->ret_cls != IR_C_INT || pta_recursive(g->p, func))
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *h;
		const struct model *md;

		switch (in->op) {
		case IR_LOAD:
		case IR_STORE:
			if (IR_KIND(in->ops[0]) != IR_R_SLOT || !s->promoted[IR_IDX(in->ops[0])])
				return false;
			break;
		case IR_CALL:
			h = ir_callee(g->m, in);
			if (!h)
				return false;
			md = pta_model(g->p, (uint32_t)(h - g->m->funcs.v));
			if (ir_is_decl(h) ? !(h->flags & IR_FN_READONLY) && !(md && only_writes(md))
					  : !g->by_arguments[h - g->m->funcs.v])
				return false;
			break;
		case IR_MEMCPY:
		case IR_MEMSET:
		case IR_ASM:
		case IR_VASTART:
			return false;
		default:
			break;
		}
	}
	return true;
}

void vfg__flow_init(struct vfg *g)
{
	uint32_t n;
	const uint32_t *order = pta_bottom_up(g->p, &n);

	g->never_returns = arena_array(&g->arena, bool, g->m->funcs.n);
	g->flow = arena_array(&g->arena, struct vflow, g->m->funcs.n);
	for (uint32_t i = 0; i < g->m->funcs.n; i++)
		g->never_returns[i] = ir_is_decl(&g->m->funcs.v[i]) &&
				      g->m->funcs.v[i].flags & IR_FN_NORETURN;
	for (uint32_t i = 0, end; i < n; i = end) {
		bool changed = true;

		for (end = i + 1; end < n &&
		     pta_component(g->p, order[end]) == pta_component(g->p, order[i]);)
			end++;
		while (changed) {
			changed = false;
			for (uint32_t k = i; k < end; k++)
				if (!ir_is_decl(&g->m->funcs.v[order[k]]))
					changed |= find_never_returns(g, order[k]);
			changed &= pta_recursive(g->p, order[i]);
		}
	}
	g->writes = xcalloc(MAX(g->m->funcs.n, 1), sizeof(*g->writes));
	g->by_arguments = arena_array(&g->arena, bool, g->m->funcs.n);
	for (uint32_t i = 0; i < n; i++)
		if (!ir_is_decl(&g->m->funcs.v[order[i]])) {
			find_writes(g, order[i]);
			g->by_arguments[order[i]] = goes_by_arguments(g, order[i]);
		}
	for (uint32_t i = 0; i < g->m->funcs.n; i++)
		if (!ir_is_decl(&g->m->funcs.v[i]))
			find_loops(g, i);
}

void vfg__flow_release(struct vfg *g)
{
	for (uint32_t i = 0; i < g->m->funcs.n; i++) {
		sbits_release(&g->writes[i]);
		bits_release(&g->flow[i].to_return);
		for (uint32_t k = 0; k < g->flow[i].nrounds; k++) {
			bits_release(&g->flow[i].loops[k].blocks);
			vec_release(&g->flow[i].loops[k].latches);
		}
		free(g->flow[i].loops);
	}
	free(g->writes);
}
