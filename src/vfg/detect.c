/*
 * detect.c - is every object freed on every path?  Section 4.4.
 *
 * As in the paper: collect the forward slice, cut it back to the nodes on ways
 * to a sink, and compute FREED as the disjunction of the guards of all
 * value-flow paths (equations 2 and 3).  We factor that formula by nodes:
 *
 *   FREED(n) = OR over edges n -> m:  guard(n to the edge) AND FREED(m)
 *
 * with TRUE for a sink, each node once per context.
 *
 * A cycle within the backward slice is a pointer that a loop carries round:
 * what matters is what happens when the loop is left, so on the way round it is
 * given the benefit (TRUE: the greatest fixed point).  This is Figure 8's rule
 * for values: to have been through the loop must not count as a path that never
 * frees.
 *
 * Contexts are call sites on the way down: what enters a function by a call
 * leaves it by that call only (matched parentheses).  On the way up, out of the
 * function where the source is, every caller must free: there the guards are
 * conjoined, and an object that one caller forgets is that caller's leak.
 *
 * Where a callee frees only under a condition, the object can be lost: icecast's
 * failed insertions (Fig. 13e).  Whether the caller then knows what happened, by
 * the call's result, is for walk.c to find out.  But if the condition asks the
 * object itself (a reference count, a flag "static"), the callee is trusted,
 * which may hide leaks.
 *
 * Paths on which the program ends count as freed, and so does what main still
 * holds when it returns, unless --at-exit.
 *
 * Some of this is exact: values in SSA form, direct calls.  Where the verdict "safe" rests on an
 * approximation, that is noted, and a path may know better (walk.h): memory, of which a version
 * tells only what it may hold; callees that a pointer may reach; a compare-and-swap, which may
 * store or not; loops that carry the object round or never end; conditions that ask the object.
 */
#include "vfg/detect.h"

#include "base/sbuf.h"

#include <assert.h>

enum { MAX_CONTEXT_DEPTH = 6, MAX_CALLERS = 64, MAX_RECURSION = 3000 };

struct context {
	uint32_t parent, func, inst, depth;	/* the call we are below */
};

struct state {			/* a node in a context */
	vnode node;
	uint32_t ctx;
	uint32_t via;		/* a phi: the block that control came from; else IR_NONE */
	struct vedges edges;
	uint32_t *next;		/* by edge: the state it leads to, or IR_NONE */
	bool alive;		/* a sink can be reached: in the backward slice */
	enum { NOT_YET, UNDER_WAY, DONE } progress;
	bdd freed;
};

#define MAP_NAME statemap
#define MAP_KEY struct state_key
#define MAP_VAL uint32_t
#define MAP_HASH(k) hash_join(hash_join((k).node, (k).ctx), (k).via)
#define MAP_EQ(a, b) ((a).node == (b).node && (a).ctx == (b).ctx && (a).via == (b).via)
struct state_key {
	vnode node;
	uint32_t ctx, via;
};
#include "base/map.h"

struct detect {
	const struct vfg *g;
	const struct vfg_options *o;
	struct guards gd;
	const struct vsource *src;
	VEC(struct context) ctxs;
	VEC(struct state) states;	/* the forward slice */
	struct statemap at;
	uint32_t depth;
	bool too_big, saw_sink;
	uint8_t way;			/* VE_BY_MEMORY or VE_BY_HOLDER, where there is a choice */
	bool chose;			/* there was */
	bool doubtful;			/* see detect_in_doubt() */
	bool sliced;			/* too_big: the slice is */
	bool sure;			/* only releases, callers outside and the
					 * end of the program count */
	bool saw_sure;			/* there are such */
	struct vend end;		/* of all ways */
	struct vend way_end;		/* of this one */
};

static bdd freed(struct detect *d, uint32_t state);

static uint32_t find_context(struct detect *d, uint32_t parent, uint32_t func, uint32_t inst)
{
	for (uint32_t i = 1; i < d->ctxs.n; i++)
		if (d->ctxs.v[i].parent == parent && d->ctxs.v[i].func == func && d->ctxs.v[i].inst == inst)
			return i;
	vec_push(&d->ctxs, ((struct context){ parent, func, inst, d->ctxs.v[parent].depth + 1 }));
	return d->ctxs.n - 1;
}

static bool in_context(const struct detect *d, uint32_t ctx, uint32_t func, uint32_t inst)
{
	for (; ctx; ctx = d->ctxs.v[ctx].parent)
		if (d->ctxs.v[ctx].func == func && d->ctxs.v[ctx].inst == inst)
			return true;
	return false;
}

/* ---- ways that need no free ------------------------------------------ */

/* Is the value in a variable at the end of the block?  Walks up the dominators
 * to the last store to a variable that it was ever stored in. */
static bool still_held(const struct detect *d, vnode n, uint32_t block)
{
	uint32_t func = VNODE_FUNC(n);
	const struct ir_func *f = &d->g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(d->g->p, func);
	const struct vuses *u = &d->g->uses[func];

	if (VNODE_IS_DEF(n) || VNODE_IS_HELD(n))
		return false;	/* it may be overwritten there: the walker tells */
	if (VNODE_IDX(n) >= f->nvregs)
		return true;
	for (uint32_t k = u->row[VNODE_IDX(n)]; k < u->row[VNODE_IDX(n) + 1]; k++) {
		const struct ir_inst *st = &f->insts[u->inst[k]];
		uint32_t slot, b;

		if (st->op != IR_STORE || IR_KIND(st->ops[0]) != IR_R_SLOT ||
		    !s->promoted[IR_IDX(st->ops[0])] ||
		    ssa_ref(s, st->ops[1]) != IR_VREG(VNODE_IDX(n)))
			continue;
		slot = IR_IDX(st->ops[0]);
		for (b = block;; b = s->dom.idom[b]) {
			uint32_t i = f->blocks[b].first + f->blocks[b].n;

			while (i-- > f->blocks[b].first)
				if (f->insts[i].op == IR_STORE && f->insts[i].ops[0] == IR_SLOT(slot))
					break;
			if (i + 1 > f->blocks[b].first) {
				if (&f->insts[i] == st)
					return true;
				break;
			}
			for (uint32_t p = s->phi_row[b]; p < s->phi_row[b + 1]; p++)
				if (s->phis[p].slot == slot)
					return true;	/* one of what it may be */
			if (s->dom.idom[b] == b)
				break;
		}
	}
	return false;
}

/* Control ends while the object is held, or goes round for ever. */
static bdd ended(struct detect *d, vnode n, const bdd *guard)
{
	uint32_t func = VNODE_FUNC(n), start, inst;
	const struct ir_func *f = &d->g->m->funcs.v[func];
	const struct vflow *fl = &d->g->flow[func];
	bool is_main = str_eq(f->name, "main") && pta_is_entry(d->g->p, func);
	bdd r = BDD_FALSE;

	vfg__where(d->g, n, &start, &inst);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		bool ends = fl->ends[b] != IR_NONE;

		if (guard[b] == BDD_FALSE)
			continue;
		if (b == start && inst != IR_NONE && ends && fl->ends[b] <= inst)
			ends = false;
		if (ends ? !d->o->at_exit || f->insts[fl->ends[b]].op == IR_UNREACHABLE
		    : !bits_test(&fl->to_return, b)) {
			r = bdd_or(d->gd.bdd, r, guard[b]);
			d->doubtful |= !ends;
		} else if (is_main && !d->o->at_exit &&
			   f->insts[f->blocks[b].first + f->blocks[b].n - 1].op == IR_RET &&
			   still_held(d, n, b)) {
			r = bdd_or(d->gd.bdd, r, guard[b]);
		}
	}
	return r;
}

/* ---- the slices ------------------------------------------------------ */

static uint32_t find_state(struct detect *d, vnode n, uint32_t ctx, uint32_t via)
{
	bool is_new;
	uint32_t *at = statemap_put(&d->at, ((struct state_key){ n, ctx, via }), &is_new);

	if (is_new) {
		*at = d->states.n;
		vec_push(&d->states, ((struct state){ .node = n, .ctx = ctx, .via = via }));
	}
	return *at;
}

static struct guard_start start_of(const struct state *s)
{
	return (struct guard_start){ s->node, s->ctx, s->via };
}

static void note_end(struct detect *d, uint8_t way, uint32_t func, uint32_t inst)
{
	struct vend *e = &d->way_end;

	if (!e->ways || (way == END_STORED && !(e->ways & END_STORED))) {
		e->func = func;
		e->inst = inst;
	}
	e->ways |= way;
}

/* The object is out of our hands: is it known where? */
static void note_escape(struct detect *d, uint32_t func, const struct vedge *e)
{
	const struct ir_inst *in = &d->g->m->funcs.v[func].insts[e->inst];
	struct pta_callees c;
	bool lost = false;

	if (in->op == IR_CALL && !ir_callee(d->g->m, in) && !e->by) {
		pta_callees(d->g->p, func, e->inst, &c);
		lost = c.unknown || !c.set->n;
	}
	note_end(d, lost ? END_NO_TARGET : END_STORED, func, e->inst);
}

/* Where an edge leads: IR_NONE if nowhere; sinks and what is too deep to follow,
 * and so trusted, set *sink. */
static uint32_t follow(struct detect *d, uint32_t from, const struct vedge *e, bool *sink)
{
	uint32_t ctx = d->states.v[from].ctx, func = VNODE_FUNC(d->states.v[from].node);

	switch ((enum vedge_kind)e->kind) {
	case VE_FREE:
	case VE_OUT:
		*sink = d->saw_sure = true;
		return IR_NONE;
	case VE_ESCAPE:
		note_escape(d, func, e);
		*sink = true;
		return IR_NONE;
	case VE_FLOW:
		return vfg__live(d->g, e->to) ? find_state(d, e->to, ctx, IR_NONE) : IR_NONE;
	case VE_PHI:
		if (!vfg__live(d->g, e->to))
			return IR_NONE;
		return find_state(d, e->to, ctx,
				  VNODE_IS_DEF(e->to) ? IR_NONE
				  : d->g->m->funcs.v[func].blocks[e->block].pred[e->pred]);
	case VE_CALL:
		if (in_context(d, ctx, func, e->inst))
			return IR_NONE;		/* recursion, once */
		if (!(vfg__fate(d->g, e->to) & (FATE_SINK | FATE_LEAVES)))
			return IR_NONE;		/* nothing can become of it there */
		if (d->ctxs.v[ctx].depth >= MAX_CONTEXT_DEPTH) {
			note_end(d, END_DEEP, func, e->inst);
			*sink = true;
			return IR_NONE;
		}
		return find_state(d, e->to, find_context(d, ctx, func, e->inst), IR_NONE);
	case VE_RET:
		if (ctx && !vfg__live(d->g, e->to))
			return IR_NONE;
		if (!ctx)
			return find_state(d, e->to, 0, IR_NONE);
		/* back to the call that we are below, and no other */
		if (VNODE_FUNC(e->to) != d->ctxs.v[ctx].func || e->site != d->ctxs.v[ctx].inst)
			return IR_NONE;
		return find_state(d, e->to, d->ctxs.v[ctx].parent, IR_NONE);
	}
	return IR_NONE;
}

/* Is it what one of the functions that a pointer may point to does, or the store of a
 * compare-and-swap? */
static bool is_open(const struct detect *d, vnode n, const struct vedge *e)
{
	const struct ir_inst *in;

	if (e->kind == VE_PHI)
		return false;
	in = &d->g->m->funcs.v[VNODE_FUNC(n)].insts[e->inst];
	return in->op == IR_CALL ? !ir_callee(d->g->m, in) : in->flags & IR_F_MAYBE;
}

static void edges_for_guards(const struct detect *d, vnode node, struct vedges *out)
{
	uint32_t n = 0;

	vfg__edges(d->g, node, d->src->obj, out);
	for (uint32_t i = 0; i < out->n; i++)
		if (!out->v[i].again)
			out->v[n++] = out->v[i];
	out->n = n;
}

/* The forward slice, breadth first, then backwards from its sinks. */
static void slice(struct detect *d)
{
	VEC(uint32_t) todo = {0};
	struct sbits *back;

	for (uint32_t i = 0; i < d->states.n; i++) {
		struct vedges edges = {0};
		uint32_t *next;

		if (i >= d->o->slice_limit) {
			d->too_big = d->sliced = true;
			return;
		}
		edges_for_guards(d, d->states.v[i].node, &edges);
		d->doubtful |= VNODE_IS_DEF(d->states.v[i].node) || VNODE_IS_HELD(d->states.v[i].node);
		next = xcalloc(MAX(edges.n, 1), sizeof(*next));
		for (uint32_t k = 0; k < edges.n; k++) {
			bool sink = false;

			next[k] = IR_NONE;
			d->chose |= edges.v[k].way != VE_EITHER;
			if (edges.v[k].way != VE_EITHER && edges.v[k].way != d->way)
				continue;
			next[k] = follow(d, i, &edges.v[k], &sink);
			d->states.v[i].alive |= sink;
			d->saw_sink |= sink;
			d->doubtful |= is_open(d, d->states.v[i].node, &edges.v[k]);
		}
		d->states.v[i].edges = edges;
		d->states.v[i].next = next;
	}
	back = xcalloc(MAX(d->states.n, 1), sizeof(*back));
	for (uint32_t i = 0; i < d->states.n; i++) {
		if (d->states.v[i].alive)
			vec_push(&todo, i);
		for (uint32_t k = 0; k < d->states.v[i].edges.n; k++)
			if (d->states.v[i].next[k] != IR_NONE)
				sbits_set(&back[d->states.v[i].next[k]], i);
	}
	while (todo.n) {
		uint32_t i = vec_pop(&todo);

		SBITS_FOREACH(from, &back[i])
			if (!d->states.v[from].alive) {
				d->states.v[from].alive = true;
				vec_push(&todo, from);
			}
	}
	for (uint32_t i = 0; i < d->states.n; i++)
		sbits_release(&back[i]);
	free(back);
	vec_release(&todo);
}

/* ---- calls ----------------------------------------------------------- */

static bdd into_callee(struct detect *d, uint32_t from, uint32_t edge)
{
	const struct state *s = &d->states.v[from];
	uint32_t to = s->next[edge], func = VNODE_FUNC(s->node), inst = s->edges.v[edge].inst;
	uint32_t ctx = s->ctx, below;
	bdd r;

	assert(s->edges.v[edge].kind == VE_CALL);
	if (to == IR_NONE)	/* recursion, nothing to gain, or too deep to follow */
		return d->sure || in_context(d, ctx, func, inst) ||
				       !(vfg__fate(d->g, s->edges.v[edge].to) & (FATE_SINK | FATE_LEAVES))
			       ? BDD_FALSE
			       : BDD_TRUE;
	below = d->states.v[to].ctx;
	r = freed(d, to);
	if (r == BDD_TRUE || r == BDD_FALSE)
		return r;
	/* Conditional: see the essay. */
	for (uint32_t v = 0; v < d->gd.info.n; v++) {
		const struct guard_var *i = &d->gd.info.v[v];

		if (i->ctx == below && i->of_object) {
			r = bdd_exists(d->gd.bdd, r, v);
			d->doubtful = true;
		}
	}
	return r;
}

/* The object leaves its function by the return `inst`: all callers must free.
 * They may know by what the function returns that there is something to free. */
static bdd out_to_callers(struct detect *d, uint32_t state, uint32_t inst, const bdd *guard)
{
	const struct vedge *edges = d->states.v[state].edges.v;
	uint32_t n = d->states.v[state].edges.n, callers = 0;
	int64_t lo, hi;
	struct guard_start from = start_of(&d->states.v[state]);
	bool known = guards_returned(&d->gd, &from, guard, inst, &lo, &hi);
	bdd all = BDD_TRUE;

	for (uint32_t i = 0; i < n; i++) {
		bdd one = BDD_FALSE;
		bool first = true;

		if (edges[i].kind != VE_RET || edges[i].inst != inst)
			continue;
		guards_result(&d->gd, VNODE_FUNC(edges[i].to), edges[i].site,
			      known ? lo : INT64_MIN, known ? hi : INT64_MAX);
		/* Several nodes of one call belong together: any of them will do. */
		for (uint32_t k = 0; k < n; k++) {
			if (edges[k].kind != VE_RET || edges[k].inst != inst ||
			    edges[k].site != edges[i].site ||
			    VNODE_FUNC(edges[k].to) != VNODE_FUNC(edges[i].to))
				continue;
			if (k < i) {
				first = false;
				break;
			}
			one = bdd_or(d->gd.bdd, one, freed(d, d->states.v[state].next[k]));
		}
		if (!first)
			continue;
		if (++callers > MAX_CALLERS) {
			note_end(d, END_DEEP, VNODE_FUNC(edges[i].to), edges[i].site);
			return d->sure ? BDD_FALSE : BDD_TRUE;
		}
		all = bdd_and(d->gd.bdd, all, one);
	}
	return all;
}

/* ---- one node -------------------------------------------------------- */

/* What is done to the elements of an array in a loop is taken to be done to the
 * one that holds the object: the loop's header then counts instead of the block.
 * (Loops that do not get to all of them hide leaks by that.) */
static uint32_t at_elements(const struct detect *d, vnode n, uint32_t block)
{
	const struct vflow *fl = &d->g->flow[VNODE_FUNC(n)];
	uint32_t start, best = block;

	if (!VNODE_IS_PUT(n) || !vfg__is_put_element(d->g, n, d->src->obj))
		return block;
	start = d->g->m->funcs.v[VNODE_FUNC(n)].insts[VNODE_PUT_INST(n)].block;
	for (uint32_t i = 0; i < fl->nloops; i++)	/* the outermost, by containment */
		if (bits_test(&fl->loops[i].blocks, block) && bits_test(&fl->loops[i].blocks, best) &&
		    !bits_test(&fl->loops[i].blocks, start))
			best = fl->loops[i].header;
	return best;
}

static bdd along_edge(struct detect *d, uint32_t state, uint32_t edge, const bdd *guard)
{
	struct bdd_manager *m = d->gd.bdd;
	const struct state *s = &d->states.v[state];
	const struct vedge *e = &s->edges.v[edge];
	const struct ir_func *f = &d->g->m->funcs.v[VNODE_FUNC(s->node)];
	struct guard_start from = start_of(s);
	uint32_t to = s->next[edge];
	bdd here;

	if (e->kind == VE_PHI) {
		uint32_t pred = f->blocks[e->block].pred[e->pred];

		if (to == IR_NONE)
			return BDD_FALSE;
		here = guards_via(&d->gd, &from, guard, pred, e->block, 0);
		return here == BDD_FALSE ? here : bdd_and(m, here, freed(d, to));
	}
	here = guard[at_elements(d, s->node, f->insts[e->inst].block)];
	if (here == BDD_FALSE)
		return here;
	switch ((enum vedge_kind)e->kind) {
	case VE_FREE:
		return e->if_result ? bdd_and(m, here, guards_not_null(&d->gd, &from, e->inst)) : here;
	case VE_ESCAPE:
		return d->sure ? BDD_FALSE : here;
	case VE_OUT:
		return here;
	case VE_FLOW:
		return to == IR_NONE ? BDD_FALSE : bdd_and(m, here, freed(d, to));
	case VE_CALL:
		return bdd_and(m, here, into_callee(d, state, edge));
	case VE_RET:
		if (s->ctx)
			return to == IR_NONE ? BDD_FALSE : bdd_and(m, here, freed(d, to));
		for (uint32_t k = 0; k < edge; k++)
			if (s->edges.v[k].kind == VE_RET && s->edges.v[k].inst == e->inst)
				return BDD_FALSE;	/* done with the first of this return */
		return bdd_and(m, here, out_to_callers(d, state, e->inst, guard));
	default:
		return BDD_FALSE;
	}
}

static bdd freed(struct detect *d, uint32_t state)
{
	const struct state *s = &d->states.v[state];
	const struct ir_func *f = &d->g->m->funcs.v[VNODE_FUNC(s->node)];
	struct guard_start from = start_of(s);
	bdd *guard, r;

	if (s->progress == DONE)
		return s->freed;
	if (s->progress == UNDER_WAY) {
		d->doubtful = true;
		return s->alive && !d->sure ? BDD_TRUE : BDD_FALSE;
	}
	if (!s->alive && s->ctx)
		return BDD_FALSE;
	if (d->depth > MAX_RECURSION || bdd_overflow(d->gd.bdd)) {
		d->too_big = true;
		return BDD_TRUE;
	}
	d->depth++;
	d->states.v[state].progress = UNDER_WAY;
	guard = xcalloc(f->nblocks, sizeof(*guard));
	guards_from(&d->gd, &from, guard);
	r = ended(d, s->node, guard);
	for (uint32_t i = 0; i < s->edges.n && r != BDD_TRUE && !d->too_big; i++)
		r = bdd_or(d->gd.bdd, r, along_edge(d, state, i, guard));
	free(guard);
	d->depth--;
	d->states.v[state].progress = DONE;
	d->states.v[state].freed = r;
	return r;
}

/* ---- one source ------------------------------------------------------ */

static void clear_states(struct detect *d)
{
	for (uint32_t i = 0; i < d->states.n; i++) {
		vec_release(&d->states.v[i].edges);
		free(d->states.v[i].next);
	}
	vec_clear(&d->states);
	statemap_clear(&d->at);
}

struct detect *detect_new(const struct vfg *g, const struct vfg_options *o)
{
	struct detect *d = xcalloc(1, sizeof(*d));

	d->g = g;
	d->o = o;
	guards_init(&d->gd, g);
	return d;
}

void detect_free(struct detect *d)
{
	clear_states(d);
	guards_release(&d->gd);
	vec_release(&d->ctxs);
	vec_release(&d->states);
	statemap_release(&d->at);
	free(d);
}

enum verdict detect_in_doubt(const struct detect *d)
{
	return !d->doubtful ? VERDICT_SAFE :
	       d->saw_sink ? VERDICT_SOMETIMES : VERDICT_NEVER;
}

struct vend detect_end(const struct detect *d)
{
	return d->end;
}

bool detect_is_sliced(const struct detect *d)
{
	return d->sliced;
}

struct guards *detect_guards(struct detect *d)
{
	return &d->gd;
}

uint8_t detect_way(const struct detect *d)
{
	return d->way;
}

/* The branches on the way to the source are taken: if they are asked again, the
 * answer is known. */
static bdd way_to(struct detect *d, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &d->g->m->funcs.v[func];
	struct guard_start entry = { VNODE_ENTRY(func), 0, IR_NONE };
	bdd *guard = xcalloc(f->nblocks, sizeof(*guard)), r;

	guards_from(&d->gd, &entry, guard);
	r = guard[f->insts[inst].block];
	free(guard);
	return r;
}

/* What a function returns after the instruction; false if not only constants. */
static bool returned_after(struct detect *d, uint32_t func, uint32_t inst, int64_t *lo, int64_t *hi)
{
	const struct ir_func *f = &d->g->m->funcs.v[func];
	bdd *guard = xcalloc(f->nblocks, sizeof(*guard));
	struct guard_start from = { VNODE_AFTER(func, inst), UINT32_MAX, IR_NONE };
	bool known = false;

	guards_from(&d->gd, &from, guard);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_RET)	/* clang makes one */
			known = guards_returned(&d->gd, &from, guard, i, lo, hi);
	free(guard);
	return known;
}

/* Does the source's callee store the object through a parameter?  Then what it
 * returns afterwards may be known: true if it is. */
static bool learn_result(struct detect *d)
{
	uint32_t callee;
	const struct pta_handout *h = vfg__handout(d->g, d->src, &callee);

	bool all = true;

	if (!h || h->param == IR_NONE)
		return false;
	trace_note(FACT_INSIDE, callee, 0);
	for (uint32_t i = 0; i < h->n; i++) {
		int64_t lo = 0, hi = 0;
		uint32_t at = h->made[i].store != IR_NONE ? h->made[i].store : h->made[i].inst;
		bool known = returned_after(d, callee, at, &lo, &hi);

		guards_result(&d->gd, d->src->func, d->src->inst,
			      known ? lo : INT64_MIN, known ? hi : INT64_MAX);
		all &= known;
	}
	return all;
}

/* How a call's result is used: not, compared or passed on, or in ways by which
 * what it tells cannot be followed. */
enum result_use { UNUSED, COMPARED, KEPT };

static enum result_use result_use(const struct detect *d, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &d->g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(d->g->p, func);
	const struct vuses *u = &d->g->uses[func];
	uint32_t res = f->insts[inst].res;
	enum result_use r = UNUSED;

	for (uint32_t k = res == IR_NONE ? 0 : u->row[res]; res != IR_NONE && k < u->row[res + 1]; k++) {
		const struct ir_inst *in = &f->insts[u->inst[k]];
		bool promoted = in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT &&
				s->promoted[IR_IDX(in->ops[0])];

		if (in->op == IR_BIN || in->op == IR_CALL || in->op == IR_CAST ||
		    (in->op == IR_STORE && !promoted))
			return KEPT;
		r = COMPARED;
	}
	return r;
}

bool detect_can_reach(struct detect *d, const struct vsource *src, uint32_t put, uint32_t inst)
{
	const struct ir_func *f = &d->g->m->funcs.v[src->func];
	struct guard_start from = { VNODE_PUT(src->func, put), 0, IR_NONE };
	const struct ir_block *b = &f->blocks[f->insts[inst].block];
	bdd *guard = xcalloc(f->nblocks, sizeof(*guard)), r;

	d->src = src;
	guards_begin(&d->gd, src);
	/* the result may tell that there is no object, and we do not know how */
	if (put == src->inst) {
		bool known = learn_result(d);
		enum result_use use = result_use(d, src->func, put);

		if (use == KEPT || (use == COMPARED && !known)) {
			free(guard);
			return false;
		}
	}
	guards_from(&d->gd, &from, guard);
	r = guard[f->insts[inst].block];
	if (f->insts[inst].block == f->insts[put].block && inst <= put) {	/* once more round a loop */
		r = BDD_FALSE;
		for (uint32_t k = 0; k < b->npred; k++)
			r = bdd_or(d->gd.bdd, r, guards_via(&d->gd, &from, guard, b->pred[k],
							    f->insts[inst].block, 0));
	}
	r = bdd_and(d->gd.bdd, way_to(d, src->func, put), r);
	free(guard);
	return r != BDD_FALSE && !bdd_overflow(d->gd.bdd);
}

/* Is it released on every way also if what others have does not count?  (A pointer that a loop carries round
 * gets no benefit then.) */
static bool is_surely_freed(struct detect *d, uint32_t nstart)
{
	bool doubtful = d->doubtful, too_big = d->too_big, is_sure;
	bdd r = BDD_FALSE;

	if (!d->saw_sure && !str_eq(d->g->m->funcs.v[d->src->func].name, "main"))
		return false;
	for (uint32_t i = 0; i < d->states.n; i++)
		d->states.v[i].progress = NOT_YET;
	d->sure = true;
	for (uint32_t i = 0; i < nstart && !d->too_big; i++)
		r = bdd_or(d->gd.bdd, r, freed(d, i));
	if (r != BDD_TRUE && !d->too_big)
		r = bdd_or(d->gd.bdd, r, bdd_not(d->gd.bdd, way_to(d, d->src->func, d->src->inst)));
	is_sure = r == BDD_TRUE && !d->too_big && !bdd_overflow(d->gd.bdd);
	d->sure = false;
	d->doubtful = doubtful;
	d->too_big = too_big;
	return is_sure;
}

static void add_end(struct detect *d, const struct vnodes *start, bool safe)
{
	if (!start->n)
		note_end(d, END_STORED, d->src->func, d->src->inst);
	else if (safe && d->way_end.ways && is_surely_freed(d, start->n))
		return;
	if (d->way_end.ways &&
	    (!d->end.ways || (d->way_end.ways & END_STORED && !(d->end.ways & END_STORED)))) {
		d->end.func = d->way_end.func;
		d->end.inst = d->way_end.inst;
	}
	d->end.ways |= d->way_end.ways;
}

static enum verdict judge_by(struct detect *d, const struct vsource *src, const struct vnodes *start,
			     uint8_t way, bdd *result)
{
	bdd r = BDD_FALSE;
	enum verdict v;

	d->src = src;
	guards_begin(&d->gd, src);
	clear_states(d);
	d->way_end = (struct vend){ 0, IR_NONE, IR_NONE };
	vec_clear(&d->ctxs);
	vec_push(&d->ctxs, ((struct context){0}));
	d->depth = 0;
	d->too_big = d->sliced = d->saw_sink = d->saw_sure = d->chose = false;
	d->way = way;
	for (uint32_t i = 0; i < start->n; i++)
		find_state(d, start->v[i], 0, IR_NONE);
	slice(d);
	if (!d->too_big)
		learn_result(d);
	for (uint32_t i = 0; i < start->n && !d->too_big; i++)
		r = bdd_or(d->gd.bdd, r, freed(d, i));
	if (r != BDD_TRUE && start->n && !d->too_big) {
		bdd reached = way_to(d, src->func, src->inst);

		if (reached == BDD_FALSE || r != BDD_FALSE)
			r = bdd_or(d->gd.bdd, r, bdd_not(d->gd.bdd, reached));
	}
	if (!start->n) {
		r = BDD_TRUE;	/* put where we cannot follow */
		d->doubtful = false;
	}
	*result = r;
	if (d->too_big || bdd_overflow(d->gd.bdd))
		return VERDICT_TOO_BIG;
	v = r == BDD_TRUE ? VERDICT_SAFE :
	    d->saw_sink ? VERDICT_SOMETIMES : VERDICT_NEVER;
	add_end(d, start, v == VERDICT_SAFE);
	return v;
}

enum verdict detect_source(struct detect *d, const struct vsource *src, bdd *result)
{
	struct vnodes start = {0};
	enum verdict v;

	d->doubtful = false;
	d->end = (struct vend){ 0, IR_NONE, IR_NONE };
	vfg__start(d->g, src, &start);
	v = judge_by(d, src, &start, VE_BY_MEMORY, result);
	if (v == VERDICT_SAFE && d->chose)
		v = judge_by(d, src, &start, VE_BY_HOLDER, result);
	vec_release(&start);
	return v;
}
