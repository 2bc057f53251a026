/*
 * held_at_exit.c - with --at-exit: what globals still hold when the program ends.
 *
 * An object that is stored in a global (or in something that a global leads to) has escaped: the
 * engine's question ends there, since anybody may look at the global and free it.  At the end of
 * the program the question is another one: did anybody?  That somebody reads the global is no
 * answer, and neither is that some function frees what is in it.  What counts is what runs
 * afterwards.  So for each object that a global can lead to we ask: is there a chain of calls,
 * from main to the allocation, so that
 *
 *   - nothing that can run after the allocation, in the function, in its callers of this chain, and
 *     in what they call from there on, may free the object (by points-to sets), nor do functions
 *     that run at exit or are called by libraries, and
 *   - the program can end then?
 *
 * Conditions are not looked at: what may free the object on some path is taken to do so if it is
 * due.  That misses what a program forgets only when it ends early, and gives no alarm on what it
 * releases in an orderly way.
 *
 * A whole program only: callers of a library come and go.  An object that another one holds which
 * is reported itself is reported with that.
 */
#include "vfg/detect.h"

#include "base/sbuf.h"
#include "ir/expr.h"

struct held {
	const struct vfg *g;
	struct bits reached;		/* objects that some global leads to */
	struct bits given;		/* ... or something that code out of sight can reach */
	struct sbits *frees;		/* by function: objects that a library call in it may free or keep */
	struct sbits outside;		/* functions that somebody else may call at any time, or at exit */
	uint32_t main;

	/* of the present object */
	uint32_t obj;
	struct bits freers;		/* functions that may free it, or call one that may */
};

/* Calls, as function and instruction. */
#define MAP_NAME callset
#define MAP_KEY uint64_t
#define MAP_VAL char
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

/* ---- who frees what --------------------------------------------------- */

/* The objects that an effect on a place takes away or hands to somebody. */
static void add_place(const struct vfg *g, uint32_t func, const struct ir_inst *call,
		      const struct model_place *p, struct sbits *out)
{
	uint32_t first = p->arg, last = p->base == MODEL_ARGS_FROM ? call->nops - 1 : p->arg;

	if (p->base != MODEL_ARG && p->base != MODEL_ARGS_FROM)
		return;
	for (uint32_t k = first; k <= last && k < call->nops; k++) {
		const struct sbits *pts = pta_points_to(g->p, func, call->ops[k]);
		struct bits all;

		if (!p->nsteps) {
			pta_add_objs(g->p, pts, out);
			continue;
		}
		bits_init(&all, pta_nobjs(g->p));
		pta_reach(g->p, pts, &all);
		for (uint32_t o = bits_next(&all, 0); o != UINT32_MAX; o = bits_next(&all, o + 1))
			sbits_set(out, o);
		bits_release(&all);
	}
}

static void add_model(const struct vfg *g, uint32_t func, const struct ir_inst *call, const struct model *md,
		      struct sbits *out)
{
	for (unsigned i = 0; i < md->neffects; i++) {
		const struct model_effect *e = &md->effects[i];

		if (e->kind == MODEL_E_FREE || e->kind == MODEL_E_KEEP)
			add_place(g, func, call, &e->place, out);
	}
}

/* What the library calls that an instruction may be do to objects. */
static void add_call(const struct vfg *g, uint32_t func, uint32_t inst, struct sbits *out)
{
	const struct ir_inst *in = &g->m->funcs.v[func].insts[inst];
	struct pta_callees c;

	if (in->op != IR_CALL)
		return;
	pta_callees(g->p, func, inst, &c);
	SBITS_FOREACH(callee, c.set) {
		const struct model *md = pta_model(g->p, callee);

		if (md)
			add_model(g, func, in, md, out);
	}
}

static bool may_free_here(const struct held *h, uint32_t func, uint32_t inst)
{
	struct sbits objs = {0};
	struct pta_callees c;
	bool found;

	if (h->g->m->funcs.v[func].insts[inst].op != IR_CALL)
		return false;
	if (sbits_test(&h->frees[func], h->obj)) {
		add_call(h->g, func, inst, &objs);
		found = sbits_test(&objs, h->obj);
		sbits_release(&objs);
		if (found)
			return true;
	}
	pta_callees(h->g->p, func, inst, &c);
	SBITS_FOREACH(callee, c.set)
		if (bits_test(&h->freers, callee))
			return true;
	return false;
}

/* ---- all of the program ------------------------------------------------ */

static void find_reached(struct held *h)
{
	const struct vfg *g = h->g;

	bits_init(&h->reached, pta_nobjs(g->p));
	bits_init(&h->given, pta_nobjs(g->p));
	pta_reach(g->p, pta_given_away(g->p), &h->given);
	for (uint32_t o = 0; o < pta_nobjs(g->p); o++) {
		const struct pta_obj *po = pta_obj(g->p, o);

		if (po->kind != PTA_GLOBAL || g->m->globals.v[po->index].flags & IR_G_STRING ||
		    ir_is_declared(g->m->globals.v[po->index].linkage))
			continue;
		for (uint32_t l = po->first_loc; l != IR_NONE; l = pta_loc(g->p, l)->next)
			pta_reach(g->p, pta_cell(g->p, l), &h->reached);
	}
}

static void find_frees(struct held *h)
{
	const struct ir_module *m = h->g->m;
	const struct pta_callback *back;
	struct bits named;	/* nobody has their address: if nobody calls them, nobody does */

	ir_called_by_name(m, &named);
	h->frees = xcalloc(MAX(m->funcs.n, 1), sizeof(*h->frees));
	for (uint32_t f = 0; f < m->funcs.n; f++) {
		uint32_t n = ir_is_decl(&m->funcs.v[f]) ? 0 : pta_callbacks(h->g->p, f, &back);

		for (uint32_t i = 0; i < m->funcs.v[f].ninsts; i++)
			add_call(h->g, f, i, &h->frees[f]);
		for (uint32_t i = 0; i < n; i++)
			sbits_set(&h->outside, back[i].callee);
		if ((pta_is_entry(h->g->p, f) && f != h->main && !bits_test(&named, f)) ||
		    m->funcs.v[f].flags & IR_FN_DTOR)
			sbits_set(&h->outside, f);
	}
	bits_release(&named);
}

static void held_init(struct held *h, const struct vfg *g)
{
	*h = (struct held){ .g = g, .main = ir_find_func(g->m, "main") };
	find_reached(h);
	find_frees(h);
}

static void held_release(struct held *h)
{
	for (uint32_t f = 0; f < h->g->m->funcs.n; f++)
		sbits_release(&h->frees[f]);
	free(h->frees);
	sbits_release(&h->outside);
	bits_release(&h->reached);
	bits_release(&h->given);
}

/* ---- one object -------------------------------------------------------- */

/* The functions that may free the object, with all that call them. */
static void find_freers(struct held *h)
{
	const struct vfg *g = h->g;
	VEC(uint32_t) todo = {0};

	bits_init(&h->freers, g->m->funcs.n);
	for (uint32_t f = 0; f < g->m->funcs.n; f++)
		if (sbits_test(&h->frees[f], h->obj) && bits_set(&h->freers, f))
			vec_push(&todo, f);
	while (todo.n) {
		uint32_t f = vec_pop(&todo);

		for (uint32_t k = g->caller_row[f]; k < g->caller_row[f + 1]; k++)
			if (bits_set(&h->freers, g->callers[k].func))
				vec_push(&todo, g->callers[k].func);
	}
	vec_release(&todo);
}

/* What can run in a function behind an instruction. */
struct rest {
	bool frees, returns, ends;	/* the program ends there */
};

static void see_block(const struct held *h, uint32_t func, uint32_t block, uint32_t from, struct rest *r)
{
	const struct ir_func *f = &h->g->m->funcs.v[func];
	const struct ir_block *b = &f->blocks[block];
	uint32_t end = h->g->flow[func].ends[block];

	for (uint32_t i = from; i < b->first + b->n && !r->frees; i++) {
		r->frees = may_free_here(h, func, i);
		r->returns |= f->insts[i].op == IR_RET;
		if (i == end) {
			r->ends |= f->insts[i].op != IR_UNREACHABLE;
			return;
		}
	}
}

static struct rest rest_of(const struct held *h, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &h->g->m->funcs.v[func];
	const uint32_t *ends = h->g->flow[func].ends;
	uint32_t block = f->insts[inst].block;
	bool stops = ends[block] != IR_NONE && ends[block] > inst;
	struct rest r = {0};
	VEC(uint32_t) todo = {0};
	struct bits seen;

	bits_init(&seen, f->nblocks);
	see_block(h, func, block, inst + 1, &r);
	for (uint32_t k = 0; !stops && k < f->blocks[block].nsucc; k++)
		if (bits_set(&seen, f->blocks[block].succ[k]))
			vec_push(&todo, f->blocks[block].succ[k]);
	while (todo.n && !r.frees) {
		const struct ir_block *b = &f->blocks[block = vec_pop(&todo)];

		see_block(h, func, block, b->first, &r);
		for (uint32_t k = 0; ends[block] == IR_NONE && k < b->nsucc; k++)
			if (bits_set(&seen, b->succ[k]))
				vec_push(&todo, b->succ[k]);
	}
	bits_release(&seen);
	vec_release(&todo);
	return r;
}

/* Is there a chain of calls to the object's allocation behind which nothing
 * frees it until the program ends? */
static bool stays(const struct held *h, const struct vsource *src)
{
	const struct vfg *g = h->g;
	struct callset seen = {0};
	VEC(struct vsite) todo = {0};
	bool ok = false;

	vec_push(&todo, ((struct vsite){ src->func, src->inst }));
	while (todo.n && !ok) {
		struct vsite at = vec_pop(&todo);
		struct rest r = rest_of(h, at.func, at.inst);

		if (r.frees)
			continue;
		ok = at.func == h->main && (r.returns || r.ends);
		for (uint32_t k = g->caller_row[at.func]; r.returns && k < g->caller_row[at.func + 1]; k++) {
			struct vsite up = g->callers[k];
			bool is_new;

			callset_put(&seen, (uint64_t)up.func << 32 | up.inst, &is_new);
			if (is_new)
				vec_push(&todo, up);
		}
	}
	callset_release(&seen);
	vec_release(&todo);
	return ok;
}

static bool is_held(struct held *h, const struct vsource *src)
{
	bool ok = true;

	if (!bits_test(&h->reached, src->obj) || bits_test(&h->given, src->obj) ||
	    pta_obj(h->g->p, src->obj)->given)
		return false;
	h->obj = src->obj;
	find_freers(h);
	SBITS_FOREACH(f, &h->outside)
		ok &= !bits_test(&h->freers, f);
	ok = ok && stays(h, src);
	bits_release(&h->freers);
	return ok;
}

/* ---- where it is ------------------------------------------------------- */

static bool cell_has(const struct vfg *g, uint32_t loc, uint32_t obj)
{
	SBITS_FOREACH(to, pta_cell(g->p, loc))
		if (pta_loc(g->p, to)->obj == obj)
			return true;
	return false;
}

static bool holds(const struct vfg *g, uint32_t holder, uint32_t obj)
{
	for (uint32_t l = pta_obj(g->p, holder)->first_loc; l != IR_NONE; l = pta_loc(g->p, l)->next)
		if (cell_has(g, l, obj))
			return true;
	return false;
}

/* The first global that holds the object itself, or the member of it, in source text; empty if none does. */
static void name_holder(const struct vfg *g, uint32_t obj, struct sbuf *out)
{
	for (uint32_t o = 0; o < pta_nobjs(g->p) && !out->n; o++) {
		const struct pta_obj *po = pta_obj(g->p, o);

		if (po->kind != PTA_GLOBAL)
			continue;
		for (uint32_t l = po->first_loc; l != IR_NONE && !out->n; l = pta_loc(g->p, l)->next) {
			uint32_t type = g->m->globals.v[po->index].type;

			if (!cell_has(g, l, obj))
				continue;
			sbuf_adds(out, g->m->globals.v[po->index].src);
			if (ir_type_strip(g->m, type) &&
			    g->m->types.v[ir_type_strip(g->m, type)].kind == IR_T_STRUCT)
				expr_path(out, g->m, &type, pta_loc(g->p, l)->off);
		}
	}
}

/* Where main returns, or its last way to the program's end. */
static struct vsite end_of_main(const struct held *h)
{
	const struct ir_func *f = &h->g->m->funcs.v[h->main];
	struct vsite at = { h->main, f->ninsts - 1 };

	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_RET)
			at.inst = i;
	return at;
}

uint32_t vfg__tell_held_at_exit(const struct vfg *g, struct findings *fs, const struct vsources *src,
				const bool *is_open)
{
	bool *held = xcalloc(MAX(src->n, 1), sizeof(*held));
	uint32_t told = 0;
	struct held h;

	held_init(&h, g);
	for (uint32_t i = 0; i < src->n; i++)
		held[i] = is_open[i] && is_held(&h, &src->v[i]);
	for (uint32_t i = 0; i < src->n; i++) {
		struct vsite end = end_of_main(&h);
		struct sbuf where = {0};
		bool inside = false;

		if (!held[i])
			continue;
		name_holder(g, src->v[i].obj, &where);
		for (uint32_t k = 0; k < src->n && !where.n; k++)
			inside |= k != i && held[k] && holds(g, src->v[k].obj, src->v[i].obj);
		if (!inside) {
			vfg__tell_held(g, fs, &src->v[i], sbuf_str(&where), &end);
			told++;
		}
		sbuf_release(&where);
	}
	held_release(&h);
	free(held);
	return told;
}
