/*
 * walk.c - is there a path on which the object is lost?
 *
 * Guards over branches (guard.c) know that two branches ask the same question.
 * They do not know that `flags` is 3 in this call, that `ok` was set to 0 on the
 * way here, or that the callee returns -1 only when it has given nothing out.
 * So a source that the guards hold to leak is looked at once more, by following
 * paths: from the entry of its function to the allocation (into the wrappers
 * that make it, with the arguments of this very call), and on, into callees that
 * are given the object and out again, until it is freed, kept by somebody, or
 * lost.  Values and what is known of them are those of sym.c; where the object
 * is, is told by the edges of the value-flow graph that the path goes along.
 *
 * This goes beyond the SABER paper, whose guards end at function boundaries, and
 * is close to Melton's paths, but goal-directed: only paths that one object can
 * be lost on, and only the values that branches ask for.
 *
 * Depth first, nearest return first, so that the path found is a short one.
 * Paths that agree in all that can still matter (live.c) are followed once.  A
 * loop is gone round `loop` + 1 times with the values it has; then once more with
 * loop-carried values forgotten, only to leave it (Figure 8).
 *
 * Which way it errs.  Memory is known by the expression that names it: an alias
 * that changes it is overlooked; a callee changes what its arguments point to and
 * the globals it stores to.  A path through a null pointer is no path.  Where
 * the limits end the search the answer is that we gave up.
 */
#include "vfg/walk.h"

#include "vfg/relevant.h"
#include "vfg/sym.h"

#include "base/rows.h"

enum {
	MAX_FRAMES = 8,		/* calls below each other */
	MAX_CHAIN = 4,		/* callers above the source's function that it is returned to */
	MAX_CHAINS = 24,
	MAX_BLOCKS = 8000,	/* blocks entered for one source */
	MAX_FORKS = 2000,	/* open branches on one path */
	MAX_EVAL = 40,
	MAX_DEEDS = 3000,	/* nodes followed to find where anything happens */
	MAX_SLICE = 300,	/* nodes looked at to tell whether a callee matters */
};

struct frame {
	struct frame *parent;
	uint32_t func, call;	/* entered by this call of the parent's function */
	uint32_t depth;
	uint64_t serial;
	struct live *live;
	struct relevant *rel;
	uint32_t goal;		/* before the object is made: the call on the way to it; else IR_NONE */
	struct bits *reach;	/* blocks with a way to the goal */
	bool wraps;		/* an allocator, entered for the object it hands out */
	uint32_t outer;		/* wraps: the object as the caller knows it */
	const struct pta_handout *handout;	/* ... and how it gets out */
	bool passed;		/* ... into memory of the caller's caller */
};

struct holder {
	uint64_t frame;
	uint32_t slot;
};

struct spot {			/* where a path is */
	struct frame *fr;
	uint32_t inst;
	uint32_t obj;		/* what is followed; IR_NONE: not made yet */
	bool out;		/* it was handed out of the wrapper we are in */
	uint32_t last;		/* the jump that led to this block */
	uint32_t back;		/* the last jump back in a loop; IR_NONE */
};

struct retrange {		/* what a function returns, if that is known */
	bool done, known;
	int64_t lo, hi;
};

struct edge_list {
	struct vedges e;
};

#define MAP_NAME edgemap
#define MAP_KEY uint64_t
#define MAP_VAL struct edge_list
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME keyset
#define MAP_KEY uint64_t
#define MAP_VAL bool
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

#define MAP_NAME relmap
#define MAP_KEY uint64_t
#define MAP_VAL struct relevant *
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct walker {
	const struct vfg *g;
	const struct vfg_options *o;
	const struct vsource *src;
	uint8_t way;			/* see struct vedge */
	struct syms s;
	struct live **live;		/* by function, made on demand */
	struct relmap rels;		/* of this source: by function and goal */
	struct retrange *returns;	/* by function */
	struct edgemap edges;		/* of (node, object) */
	struct keyset touched;		/* instructions that a known edge is at */
	struct keyset matter;		/* see matters() */
	struct keyset deeds;		/* instructions that do something to the object */
	bool all_deeds;			/* these are all */
	struct keyset seen;		/* digests of blocks entered */
	struct arena frames;
	VEC(struct bits) reaches;
	struct vnodes held;		/* nodes that hold the object */
	VEC(struct holder) holders;	/* variables that do */
	VEC(struct walk_step) steps;
	const struct vsite *chain;	/* calls from the outermost function down to the source */
	uint32_t nchain;
	uint32_t blocks, forks;
	bool gave_up;
	bool reached;			/* the call that makes the object, on some path */
	bool returned;			/* a path hands it to a caller of the outermost function */
};

enum go { GO, NO, YES };		/* on, no leak this way, a leak */

static bool run(struct walker *w, struct spot at);

static const struct ir_func *func_of(const struct walker *w, const struct frame *fr)
{
	return &w->g->m->funcs.v[fr->func];
}

static void note(struct walker *w, enum walk_kind kind, uint32_t func, uint32_t inst, uint32_t target)
{
	vec_push(&w->steps, ((struct walk_step){ .kind = kind, .func = func, .inst = inst, .target = target }));
}

static void note_branch(struct walker *w, const struct spot *at, uint32_t target, bool open)
{
	const struct ir_func *f = func_of(w, at->fr);

	vec_push(&w->steps, ((struct walk_step){ WALK_BRANCH, open, bits_test(&at->fr->rel->blocks, f->insts[at->inst].block),
						 at->fr->func, at->inst, target }));
}

/* ---- values ---------------------------------------------------------- */

static bool holds(const struct walker *w, vnode n)
{
	for (uint32_t i = 0; i < w->held.n; i++)
		if (w->held.v[i] == n)
			return true;
	return false;
}

static struct sym unknown(const struct walker *w, const struct frame *fr, uint32_t v, uint64_t which)
{
	const struct ir_func *f = func_of(w, fr);
	const struct ir_type *t;
	uint16_t bits = 0;
	enum ir_class cls;

	if (v < f->nvregs) {
		cls = ir_vreg_class(f, v, &bits);
		return sym_any(which, cls, bits);
	}
	t = &w->g->m->types.v[ir_type_strip(w->g->m, f->slots[pta_ssa(w->g->p, fr->func)->phis[v - f->nvregs].slot].type)];
	if (t->kind == IR_T_PTR)
		return sym_any(which, IR_C_PTR, 64);
	return sym_any(which, t->kind == IR_T_INT || t->kind == IR_T_ENUM ? IR_C_INT : IR_C_OPAQUE, (unsigned)t->size * 8);
}

static struct sym eval_at(struct walker *w, const struct frame *fr, ir_ref r, int depth);

static struct sym eval(struct walker *w, const struct frame *fr, ir_ref r)
{
	return eval_at(w, fr, r, 0);
}

/* A pointer as a number?  ssa_ref() sees through the cast. */
static bool is_pointer(const struct ssa *s, ir_ref r)
{
	const struct ir_inst *d = ir_def(s->f, r);

	return d && d->op == IR_CAST && d->sub == IR_CAST_PTRTOINT;
}

static struct sym eval_inst(struct walker *w, const struct frame *fr, const struct ir_inst *in, int depth)
{
	struct sym a = eval_at(w, fr, in->ops[0], depth + 1), r;
	int t;

	switch (in->op) {
	case IR_COPY:
		return a;
	case IR_CAST:
		return sym_cast(&w->s, (enum ir_cast)in->sub, in->from, in->bits, a);
	case IR_BIN:
		r = sym_bin(&w->s, (enum ir_bin)in->sub, in->bits, a, eval_at(w, fr, in->ops[1], depth + 1));
		if (in->sub == IR_B_SUB && is_pointer(pta_ssa(w->g->p, fr->func), in->ops[0]) &&
		    is_pointer(pta_ssa(w->g->p, fr->func), in->ops[1]))
			r.lo = MAX(r.lo, 0);	/* the end minus the begin, not the other way round */
		return r;
	case IR_CMP:
		return sym_cmp(&w->s, (enum ir_pred)in->sub, a, eval_at(w, fr, in->ops[1], depth + 1));
	case IR_FIELD:
		return sym_index(&w->s, a, sym_const(1), in->imm);
	case IR_ELEM:
	case IR_INDEX:
		return sym_index(&w->s, a, eval_at(w, fr, in->ops[1], depth + 1), in->imm);
	case IR_SELECT:
		t = sym_truth(&w->s, a);
		if (t >= 0)
			return eval_at(w, fr, in->ops[t ? 1 : 2], depth + 1);
		return unknown(w, fr, in->res, hash_join(hash_join(a.id, eval_at(w, fr, in->ops[1], depth + 1).id),
							 eval_at(w, fr, in->ops[2], depth + 1).id));
	default:
		return unknown(w, fr, in->res, hash_join(fr->serial, in->res));
	}
}

static struct sym eval_at(struct walker *w, const struct frame *fr, ir_ref r, int depth)
{
	const struct ssa *s = pta_ssa(w->g->p, fr->func);
	const struct sym *known;

	r = ssa_ref(s, r);
	switch (IR_KIND(r)) {
	case IR_R_INT:
		return sym_const(ir_int_value(w->g->m, r));
	case IR_R_SLOT:
		return sym_addr(hash_join(fr->serial, r));
	case IR_R_GLOBAL:
	case IR_R_FUNC:
		return sym_addr(r);
	case IR_R_ADDR:
		return sym_index(&w->s, sym_addr(w->g->m->addrs.v[IR_IDX(r)].base), sym_const(1),
				 w->g->m->addrs.v[IR_IDX(r)].offset);
	case IR_R_SPECIAL:
		return r == IR_NULL ? sym_const(0) : sym_any(hash_join(fr->serial, r), IR_C_OPAQUE, 0);
	case IR_R_VREG:
		break;
	}
	if (!live_is_leaf(s, r) && depth < MAX_EVAL)
		return eval_inst(w, fr, ssa_def(s, r), depth);
	if (holds(w, VNODE_VALUE(fr->func, IR_IDX(r))))
		return sym_object();
	known = sym_env_get(&w->s, fr->serial, IR_IDX(r));
	return known ? sym_refined(&w->s, *known)
		     : sym_refined(&w->s, unknown(w, fr, IR_IDX(r), hash_join(fr->serial, IR_IDX(r))));
}

static ir_ref root_of(const struct walker *w, const struct frame *fr, ir_ref r)
{
	return live_root(w->g->m, pta_ssa(w->g->p, fr->func), r);
}

static void set(struct walker *w, const struct frame *fr, uint32_t value, struct sym v)
{
	if (bits_test(&fr->live->asked, value))
		sym_env_set(&w->s, fr->serial, value, v);
}

/* ---- where the object is --------------------------------------------- */

/* (By value: the table may move, the edges stay.) */
static struct vedges edges_of(struct walker *w, vnode n, uint32_t obj)
{
	bool is_new;
	struct edge_list *l = edgemap_put(&w->edges, hash_join(n, obj), &is_new);

	if (is_new) {
		vfg__edges(w->g, n, obj, &l->e);
		for (uint32_t i = 0; i < l->e.n; i++)
			if (l->e.v[i].kind != VE_PHI)
				keyset_put(&w->touched, hash_join(VNODE_FUNC(n), l->e.v[i].inst), NULL);
	}
	return l->e;
}

static void hold(struct walker *w, vnode n, uint32_t obj)
{
	if (holds(w, n))
		return;
	vec_push(&w->held, n);
	edges_of(w, n, obj);
}

static void unhold(struct walker *w, vnode n)
{
	for (uint32_t i = 0; i < w->held.n; i++)
		if (w->held.v[i] == n) {
			w->held.v[i] = vec_last(&w->held);
			w->held.n--;
			return;
		}
}

static void unhold_func(struct walker *w, uint32_t func)
{
	for (uint32_t i = w->held.n; i-- > 0;)
		if (VNODE_FUNC(w->held.v[i]) == func)
			unhold(w, w->held.v[i]);
}

static bool in_memory(const struct walker *w)
{
	for (uint32_t i = 0; i < w->held.n; i++)
		if (VNODE_IS_DEF(w->held.v[i]) || VNODE_IS_HELD(w->held.v[i]))
			return true;
	return false;
}

/* What an instruction does to the object. */
struct deed {
	bool freed;		/* or kept by somebody */
	bool out;		/* handed out of the wrapper */
	bool outside;		/* handed to a caller of the outermost function */
	struct vnodes to, calls;
	struct vnodes unless;	/* versions it goes on in, unless the callee is entered and tells better */
};

static void deed_release(struct deed *d)
{
	vec_release(&d->to);
	vec_release(&d->calls);
	vec_release(&d->unless);
}

static void one_edge(const struct walker *w, const struct spot *at, const struct vedge *e, struct deed *d)
{
	const struct frame *fr = at->fr;

	if (e->way != VE_EITHER && e->way != w->way)
		return;
	switch ((enum vedge_kind)e->kind) {
	case VE_FREE:
	case VE_ESCAPE:
		d->freed = true;
		break;
	case VE_OUT:
		d->out |= fr->wraps;
		d->freed |= !fr->wraps;
		break;
	case VE_FLOW:
		vec_push(&d->to, e->to);
		break;
	case VE_CALL:
		vec_push(&d->calls, e->to);
		break;
	case VE_RET:
		if (!fr->parent)
			d->outside = true;
		else if (VNODE_FUNC(e->to) == fr->parent->func && e->site == fr->call)
			vec_push(&d->to, e->to);
		break;
	case VE_PHI:
		break;
	}
}

static void find_deed(struct walker *w, const struct spot *at, struct deed *d)
{
	bool into;

	memset(d, 0, sizeof(*d));
	if (at->obj == IR_NONE || !keyset_get(&w->touched, hash_join(at->fr->func, at->inst)))
		return;
	for (uint32_t i = 0; i < w->held.n; i++) {
		struct vedges e;

		if (VNODE_FUNC(w->held.v[i]) != at->fr->func)
			continue;
		e = edges_of(w, w->held.v[i], at->obj);
		into = false;
		for (uint32_t k = 0; k < e.n; k++)
			into |= VNODE_IS_DEF(w->held.v[i]) && e.v[k].kind == VE_CALL && e.v[k].inst == at->inst;
		for (uint32_t k = 0; k < e.n; k++) {
			if (e.v[k].kind == VE_PHI || e.v[k].inst != at->inst)
				continue;
			if (into && e.v[k].kind == VE_FLOW && VNODE_IS_DEF(e.v[k].to))
				vec_push(&d->unless, e.v[k].to);
			else
				one_edge(w, at, &e.v[k], d);
		}
	}
}

/* The instruction defines its nodes anew. */
static void define_anew(struct walker *w, const struct spot *at, const struct deed *d)
{
	const struct ir_inst *in = &func_of(w, at->fr)->insts[at->inst];
	const struct mssa_func *mf = mssa_func(w->g->s, at->fr->func);

	if (in->res != IR_NONE) {
		unhold(w, VNODE_VALUE(at->fr->func, in->res));
		unhold(w, VNODE_HELD(at->fr->func, in->res));
	}
	for (uint32_t k = mf->def_row[at->inst]; k < mf->def_row[at->inst + 1]; k++) {
		unhold(w, VNODE_DEF(at->fr->func, mf->def_of[k]));
		unhold(w, VNODE_DEF(at->fr->func, mf->defs[mf->def_of[k]].old));	/* no more */
	}
	for (uint32_t k = 0; k < d->to.n; k++)
		hold(w, d->to.v[k], at->obj);
}

/* ---- instructions ---------------------------------------------------- */

static void store_memory(struct walker *w, const struct frame *fr, ir_ref addr, struct sym a, struct sym v, bool written)
{
	ir_ref root = root_of(w, fr, addr);

	sym_mem_set(&w->s, a, eval(w, fr, root), fr->serial, root, v, written);
}

/* To go through a pointer is to know that it is not null. */
static bool go_through(struct walker *w, const struct frame *fr, ir_ref addr)
{
	struct sym p = eval(w, fr, root_of(w, fr, addr));

	return p.lo > 0 || sym_assume(&w->s, sym_cmp(&w->s, IR_P_NE, p, sym_const(0)), true);
}

/* False if there is no such path.  *other: what is loaded is known to be something
 * else than the object, whatever the graph says. */
static bool do_load(struct walker *w, const struct spot *at, const struct ir_inst *in, bool *other)
{
	const struct ssa *s = pta_ssa(w->g->p, at->fr->func);
	const struct sym_cell *known;
	struct sym a, v;

	if (s->rep[in->res] != IR_VREG(in->res))
		return true;		/* of a promoted variable */
	if (!go_through(w, at->fr, in->ops[0]))
		return false;
	a = eval(w, at->fr, in->ops[0]);
	known = in->flags & IR_F_VOLATILE ? NULL : sym_mem_get(&w->s, a);
	if (known) {
		*other = known->written && sym_tag(known->v) != SYM_T_OBJ;
		set(w, at->fr, in->res, known->v);
		return true;
	}
	v = unknown(w, at->fr, in->res, hash_join(a.id, 0x10ad));
	if (in->flags & IR_F_VOLATILE)
		v = unknown(w, at->fr, in->res,
			    hash_join(a.id, sym_visit(&w->s, at->fr->serial, 1u << 31 | at->inst, false)));
	else if (bits_test(&at->fr->live->asked, in->res))
		store_memory(w, at->fr, in->ops[0], a, v, false);
	set(w, at->fr, in->res, v);
	return true;
}

static bool same_root(const struct sym_cell *c, void *arg)
{
	return c->root == *(const uint64_t *)arg;
}

static void forget_root(struct walker *w, const struct spot *at, ir_ref addr)
{
	uint64_t root = eval(w, at->fr, root_of(w, at->fr, addr)).id;
	uint64_t salt = hash_join(hash_join(at->fr->serial, at->inst),
				  sym_visit(&w->s, at->fr->serial, 1u << 31 | at->inst, false));

	sym_mem_forget(&w->s, salt, same_root, &root);
}

/* Of what is copied, what it begins with is known: a string's first character. */
static void do_copy(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct sym_cell *c = sym_mem_get(&w->s, eval(w, at->fr, in->ops[1]));
	struct sym v = c ? c->v : sym_const(0);

	forget_root(w, at, in->ops[0]);
	if (c)
		store_memory(w, at->fr, in->ops[0], eval(w, at->fr, in->ops[0]), v, true);
}

/* A variable is assigned: is it the last that held the object? */
static bool is_lost(struct walker *w, const struct spot *at, uint32_t slot, ir_ref value)
{
	const struct ssa *s = pta_ssa(w->g->p, at->fr->func);
	bool is_object;

	value = ssa_ref(s, value);
	is_object = IR_KIND(value) == IR_R_VREG && holds(w, VNODE_VALUE(at->fr->func, IR_IDX(value)));
	for (uint32_t i = 0; i < w->holders.n; i++) {
		if (w->holders.v[i].frame != at->fr->serial || w->holders.v[i].slot != slot)
			continue;
		if (is_object)
			return false;
		w->holders.v[i] = vec_last(&w->holders);
		w->holders.n--;
		return !w->holders.n && !in_memory(w);
	}
	if (is_object)
		vec_push(&w->holders, ((struct holder){ at->fr->serial, slot }));
	return false;
}

static bool within_wrapper(const struct frame *fr)
{
	for (; fr; fr = fr->parent)
		if (fr->wraps)
			return true;
	return false;
}

/* Is the variable assigned by the very allocation that made the object? */
static bool is_next_round(const struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	ir_ref v = ssa_ref(pta_ssa(w->g->p, at->fr->func), in->ops[1]);

	return at->fr->func == w->src->func && at->back != IR_NONE && IR_KIND(v) == IR_R_VREG &&
	       IR_IDX(v) == func_of(w, at->fr)->insts[w->src->inst].res;
}

static enum go do_store(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct ssa *s = pta_ssa(w->g->p, at->fr->func);
	struct sym a;

	if (IR_KIND(in->ops[0]) == IR_R_SLOT && s->promoted[IR_IDX(in->ops[0])]) {
		if (at->obj == IR_NONE || !is_lost(w, at, IR_IDX(in->ops[0]), in->ops[1]) || within_wrapper(at->fr))
			return GO;
		note(w, WALK_OVER, at->fr->func, at->inst, is_next_round(w, at, in) ? at->back : IR_NONE);
		return YES;
	}
	if (!go_through(w, at->fr, in->ops[0]))
		return NO;
	a = eval(w, at->fr, in->ops[0]);
	if (sym_tag(a) == SYM_T_ANY)
		forget_root(w, at, in->ops[0]);		/* some element: others may be the same */
	store_memory(w, at->fr, in->ops[0], a, eval(w, at->fr, in->ops[1]), true);
	return GO;
}

/* ---- calls ----------------------------------------------------------- */

/* The one function with a body that a call reaches, or IR_NONE. */
static uint32_t only_callee(const struct walker *w, uint32_t func, uint32_t inst)
{
	struct pta_callees c;
	uint32_t first;

	pta_callees(w->g->p, func, inst, &c);
	first = sbits_next(c.set, 0);
	if (c.unknown || first == UINT32_MAX || sbits_next(c.set, first + 1) != UINT32_MAX)
		return IR_NONE;
	return ir_is_decl(&w->g->m->funcs.v[first]) ? IR_NONE : first;
}

static bool is_active(const struct frame *fr, uint32_t func)
{
	for (; fr; fr = fr->parent)
		if (fr->func == func)
			return true;
	return false;
}

static void include(struct retrange *out, int64_t lo, int64_t hi)
{
	out->lo = MIN(out->lo, lo);
	out->hi = MAX(out->hi, hi);
}

/* Widens the range by what a value may be; false if nothing is known of it.  What
 * one pointer is beyond another is taken not to be negative, and a counter not to
 * overflow. */
static bool value_range(const struct walker *w, const struct ssa *s, ir_ref r, ir_ref counter, struct retrange *out, int depth)
{
	const struct ir_inst *d;

	r = ssa_ref(s, r);
	if (IR_KIND(r) == IR_R_INT || r == IR_NULL) {
		int64_t v = r == IR_NULL ? 0 : ir_int_value(w->g->m, r);

		include(out, v, v);
		return true;
	}
	if (r == counter)
		return true;	/* not below what it began with */
	if (depth > 8)
		return false;
	if (ssa_is_phi(s, r)) {
		for (uint32_t k = 0; k < s->f->blocks[ssa_phi(s, r)->block].npred; k++)
			if (!value_range(w, s, ssa_phi(s, r)->args[k], r, out, depth + 1))
				return false;
		return true;
	}
	d = ssa_def(s, r);
	if (!d)
		return false;
	if (d->op == IR_CAST && d->sub != IR_CAST_PTRTOINT && d->sub != IR_CAST_INTTOPTR)
		return value_range(w, s, d->ops[0], counter, out, depth + 1);
	if (d->op == IR_CMP) {
		include(out, 0, 1);
		return true;
	}
	if (d->op == IR_BIN && d->sub == IR_B_ADD && IR_KIND(d->ops[1]) == IR_R_INT && ir_int_value(w->g->m, d->ops[1]) > 0 &&
	    counter != IR_UNDEF && ssa_ref(s, d->ops[0]) == counter) {
		out->hi = INT64_MAX;
		return true;
	}
	if (d->op == IR_BIN && d->sub == IR_B_SUB && is_pointer(s, d->ops[0]) && is_pointer(s, d->ops[1])) {
		include(out, 0, INT64_MAX);
		return true;
	}
	return false;
}

static const struct retrange *returns(struct walker *w, uint32_t func)
{
	struct retrange *r = &w->returns[func];
	const struct ir_func *f = &w->g->m->funcs.v[func];

	if (r->done)
		return r;
	*r = (struct retrange){ .done = true, .known = true, .lo = INT64_MAX, .hi = INT64_MIN };
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_RET)
			r->known &= f->insts[i].nops == 1 &&
				    value_range(w, pta_ssa(w->g->p, func), f->insts[i].ops[0], IR_UNDEF, r, 0);
	r->known &= r->lo <= r->hi;
	return r;
}

struct changed {		/* by a call */
	uint64_t roots[32];
	uint32_t n;
	const struct sbits *globals;
};

static bool is_changed(const struct sym_cell *c, void *arg)
{
	const struct changed *x = arg;

	for (uint32_t i = 0; i < x->n; i++)
		if (x->roots[i] == c->root)
			return true;
	return IR_KIND(c->value) == IR_R_GLOBAL && sbits_test(x->globals, IR_IDX(c->value));
}

/* May the callee write through its parameter k (from 0)? */
static bool may_write(const struct walker *w, const struct ir_func *callee, uint32_t k)
{
	const struct ir_type *t, *p;

	if (!callee || !callee->type)
		return true;
	t = &w->g->m->types.v[callee->type];
	if (t->kind != IR_T_FUNC || k >= t->nfields || callee->nparams != t->nfields)
		return true;
	p = &w->g->m->types.v[ir_type_strip(w->g->m, t->fields[k].type)];
	return p->kind != IR_T_PTR || !(p->flags & IR_TF_CONST);
}

/* A literal's text as a number, 0 if it is none or not known whole. */
static uint64_t text_of(const struct walker *w, const struct frame *fr, ir_ref r)
{
	const char *text;

	r = ssa_ref(pta_ssa(w->g->p, fr->func), r);
	text = IR_KIND(r) == IR_R_GLOBAL ? w->g->m->globals.v[IR_IDX(r)].text : NULL;
	return text && strlen(text) < 60 ? hash_str(text) | 1 : 0;
}

/* strcmp() with a literal: a string that equals one does not equal another.  (It
 * is taken not to change in between.) */
static struct sym compare_text(struct walker *w, const struct spot *at, const struct ir_inst *in, uint64_t which)
{
	uint64_t x = text_of(w, at->fr, in->ops[1]), y = text_of(w, at->fr, in->ops[2]);

	if (!x == !y)
		return unknown(w, at->fr, in->res, which);
	return sym_text(&w->s, eval(w, at->fr, in->ops[x ? 2 : 1]), x | y);
}

/* What a call that is not entered does to what we know. */
static void do_call(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	struct pta_callees c;
	struct changed x = {0};
	struct sbits globals = {0};
	const struct ir_func *callee = ir_callee(w->g->m, in);
	uint64_t salt, which;
	bool same = callee && (callee->flags & IR_FN_READONLY || w->g->by_arguments[callee - w->g->m->funcs.v]);

	pta_callees(w->g->p, at->fr->func, at->inst, &c);
	SBITS_FOREACH(h, c.set)
		sbits_or(&globals, &w->g->writes[h]);
	salt = hash_join(hash_join(at->fr->serial, at->inst), sym_visit(&w->s, at->fr->serial, 1u << 31 | at->inst, false));
	which = same ? hash_join(0xca11, in->ops[0]) : salt;
	for (uint32_t k = 1; k < in->nops; k++) {
		struct sym v = eval(w, at->fr, in->ops[k]);

		if (same)
			which = hash_join(which, v.id);
		else if (x.n < ARRAY_LEN(x.roots) && !sym_is_const(v) && may_write(w, callee, k - 1))
			x.roots[x.n++] = eval(w, at->fr, root_of(w, at->fr, in->ops[k])).id;
	}
	x.globals = &globals;
	if (!same)
		sym_mem_forget(&w->s, salt, is_changed, &x);
	sbits_release(&globals);
	if (in->res == IR_NONE)
		return;
	if (callee && ir_is_decl(callee) && in->nops == 3 && str_eq(callee->name, "strcmp")) {
		set(w, at->fr, in->res, compare_text(w, at, in, which));
		return;
	}
	if (callee && !ir_is_decl(callee) && in->cls == IR_C_INT) {
		const struct retrange *r = returns(w, (uint32_t)(callee - w->g->m->funcs.v));

		if (r->known) {
			set(w, at->fr, in->res, sym_between(which, r->lo, r->hi));
			return;
		}
	}
	set(w, at->fr, in->res, unknown(w, at->fr, in->res, which));
}

static struct live *live_of(struct walker *w, uint32_t func)
{
	if (!w->live[func]) {
		w->live[func] = xcalloc(1, sizeof(*w->live[func]));
		live_init(w->live[func], w->g, func);
	}
	return w->live[func];
}

/* Versions of one region: to leave a callee so is to be where it was before. */
static bool same_region(const struct walker *w, vnode a, vnode b)
{
	const struct mssa_func *mf = mssa_func(w->g->s, VNODE_FUNC(a));

	return VNODE_IS_DEF(a) && VNODE_IS_DEF(b) && VNODE_FUNC(a) == VNODE_FUNC(b) &&
	       mf->defs[VNODE_IDX(a)].region == mf->defs[VNODE_IDX(b)].region;
}

/* May the function overwrite all of the region? */
static bool is_overwritten(const struct walker *w, vnode n)
{
	const struct mssa_func *mf = mssa_func(w->g->s, VNODE_FUNC(n));

	for (uint32_t i = mf->nregions; i < mf->ndefs; i++)
		if (mf->defs[i].kind == MSSA_STORE && mf->defs[i].strong && mf->defs[i].region == mf->defs[VNODE_IDX(n)].region)
			return true;
	return false;
}

/* Can anything become of the object in a callee that gets it at node n: freed,
 * kept, overwritten, handed back by another way than it came?  Asked without regard to paths. */
static bool matters(struct walker *w, vnode n, uint32_t obj)
{
	bool is_new, *known = keyset_put(&w->matter, hash_join(n, obj), &is_new), r = false;
	struct vnodes todo = {0};
	struct keyset seen = {0}, below = {0};
	bool stays = false;

	if (!is_new)
		return *known;
	vec_push(&todo, n);
	keyset_put(&seen, n, NULL);
	keyset_put(&below, VNODE_FUNC(n), NULL);
	for (uint32_t i = 0; i < todo.n && !r; i++) {
		struct vedges e = edges_of(w, todo.v[i], obj);

		r = todo.n > MAX_SLICE;		/* too many to tell */
		for (uint32_t k = 0; k < e.n && !r; k++) {
			vnode to = e.v[k].to;

			switch ((enum vedge_kind)e.v[k].kind) {
			case VE_FREE:
			case VE_ESCAPE:
			case VE_OUT:
				r = true;
				continue;
			case VE_RET:
				/* out of the callee, or from further down back into it */
				if (VNODE_FUNC(todo.v[i]) == VNODE_FUNC(n) && same_region(w, n, todo.v[i]))
					stays = true;
				else if (VNODE_FUNC(todo.v[i]) == VNODE_FUNC(n))
					r = vfg__may_hold(w->g, to, obj);
				if (!keyset_get(&below, VNODE_FUNC(to)))
					continue;
				break;
			case VE_CALL:
				keyset_put(&below, VNODE_FUNC(to), NULL);
				break;
			default:
				break;
			}
			keyset_put(&seen, to, &is_new);
			if (is_new)
				vec_push(&todo, to);
		}
	}
	vec_release(&todo);
	keyset_release(&seen);
	keyset_release(&below);
	r |= VNODE_IS_DEF(n) && (!stays || is_overwritten(w, n));
	*keyset_get(&w->matter, hash_join(n, obj)) = r;
	return r;
}

/* A variable that may hold the object: to assign it is to lose the object, maybe. */
static void slot_deeds(struct walker *w, uint32_t func, uint32_t slot)
{
	const struct ir_func *f = &w->g->m->funcs.v[func];
	bool is_new;

	keyset_put(&w->deeds, hash_join(hash_join(func, 0x5107), slot), &is_new);
	for (uint32_t i = 0; is_new && i < f->ninsts; i++)
		if (f->insts[i].op == IR_STORE && f->insts[i].ops[0] == IR_SLOT(slot))
			keyset_put(&w->deeds, hash_join(func, i), NULL);
}

static void node_slots(struct walker *w, vnode n)
{
	uint32_t func = VNODE_FUNC(n), v = VNODE_IDX(n);
	const struct ir_func *f = &w->g->m->funcs.v[func];
	const struct ssa *s = pta_ssa(w->g->p, func);
	const struct vuses *u = &w->g->uses[func];

	if (VNODE_IS_DEF(n) || VNODE_IS_HELD(n))
		return;
	if (v >= f->nvregs)
		slot_deeds(w, func, s->phis[v - f->nvregs].slot);
	for (uint32_t k = u->row[v]; k < u->row[v + 1]; k++) {
		const struct ir_inst *in = &f->insts[u->inst[k]];

		if (in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT && s->promoted[IR_IDX(in->ops[0])] &&
		    ssa_ref(s, in->ops[1]) == IR_VREG(v))
			slot_deeds(w, func, IR_IDX(in->ops[0]));
	}
}

/* Where anything happens to the object, by the edges that it can go along. */
static void find_deeds(struct walker *w)
{
	struct vnodes todo = {0};
	struct keyset seen = {0};

	vfg__start(w->g, w->src, &todo);
	for (uint32_t i = 0; i < todo.n; i++)
		keyset_put(&seen, todo.v[i], NULL);
	for (uint32_t i = 0; i < todo.n && i < MAX_DEEDS; i++) {
		struct vedges e = edges_of(w, todo.v[i], w->src->obj);

		node_slots(w, todo.v[i]);
		for (uint32_t k = 0; k < e.n; k++) {
			const struct vedge *x = &e.v[k];
			bool is_new = false;

			if (x->kind == VE_CALL && !(vfg__fate(w->g, x->to) && matters(w, x->to, w->src->obj)))
				continue;
			if (x->kind != VE_FLOW && x->kind != VE_PHI)
				keyset_put(&w->deeds, hash_join(VNODE_FUNC(todo.v[i]), x->inst), NULL);
			if (x->kind <= VE_RET)
				keyset_put(&seen, x->to, &is_new);
			if (is_new)
				vec_push(&todo, x->to);
		}
	}
	w->all_deeds = todo.n <= MAX_DEEDS;
	vec_release(&todo);
	keyset_release(&seen);
}

/* Can an instruction do something to the object, by what its operands may point
 * to?  IR_NONE: to any. */
static bool something_happens(const struct walker *w, uint32_t func, uint32_t inst, uint32_t obj)
{
	const struct ir_inst *in = &w->g->m->funcs.v[func].insts[inst];
	const struct ssa *s = pta_ssa(w->g->p, func);
	const struct mssa_func *mf = mssa_func(w->g->s, func);

	if (w->all_deeds && obj != IR_NONE)
		return keyset_get(&w->deeds, hash_join(func, inst));
	if (in->op != IR_CALL && in->op != IR_STORE && in->op != IR_MEMCPY && in->op != IR_ASM)
		return false;
	if (in->op == IR_STORE && IR_KIND(in->ops[0]) == IR_R_SLOT && s->promoted[IR_IDX(in->ops[0])])
		return false;
	if (obj == IR_NONE)	/* inside an allocator */
		return in->op != IR_CALL || in->nops > 1;
	for (uint32_t k = in->op == IR_CALL; k < in->nops; k++) {
		ir_ref r = ssa_ref(s, in->ops[k]);

		if (IR_KIND(r) == IR_R_VREG && vfg__may_hold(w->g, VNODE_VALUE(func, IR_IDX(r)), obj))
			return true;
	}
	for (uint32_t k = mf->use_row[inst]; k < mf->use_row[inst + 1]; k++)
		if (vfg__may_hold(w->g, VNODE_DEF(func, mf->uses[k].def), obj))
			return true;
	return false;
}

/* What matters in a frame.  Where the object comes in is not known yet, so it is
 * asked of all nodes of the function that may hold it. */
static struct relevant *relevant_of(struct walker *w, const struct frame *fr)
{
	const struct ir_func *f = func_of(w, fr);
	uint32_t obj = fr->wraps ? IR_NONE : w->src->obj;
	bool is_new;
	struct relevant **r = relmap_put(&w->rels, hash_join(hash_join(fr->func, fr->goal), fr->wraps), &is_new);
	struct bits deeds;

	if (!is_new)
		return *r;
	bits_init(&deeds, f->nblocks);
	if (fr->goal != IR_NONE)
		bits_set(&deeds, f->insts[fr->goal].block);
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (something_happens(w, fr->func, i, obj))
			bits_set(&deeds, f->insts[i].block);
	*r = xcalloc(1, sizeof(**r));
	relevant_init(*r, w->g, fr->live, fr->func, &deeds, fr->parent != NULL);
	bits_release(&deeds);
	return *r;
}

static struct frame *new_frame(struct walker *w, struct frame *parent, uint32_t call, uint32_t func, uint32_t goal, bool wraps)
{
	struct frame *fr = arena_new(&w->frames, struct frame);

	fr->parent = parent;
	fr->func = func;
	fr->call = call;
	fr->depth = parent ? parent->depth + 1 : 0;
	fr->serial = hash_join(hash_join(parent ? parent->serial : 1, func), call);
	if (parent)
		fr->serial = hash_join(fr->serial, sym_visit(&w->s, parent->serial, 1u << 31 | call, false));
	fr->live = live_of(w, func);
	fr->goal = goal;
	fr->wraps = wraps;
	fr->rel = relevant_of(w, fr);
	return fr;
}

/* Into the callee, with the arguments of the call. */
static void enter(struct walker *w, struct spot *at, struct frame *fr)
{
	const struct ir_inst *in = &func_of(w, at->fr)->insts[at->inst];

	note(w, WALK_ENTER, at->fr->func, at->inst, 0);
	for (uint32_t k = 0; k < func_of(w, fr)->nparams && k + 1 < in->nops; k++)
		set(w, fr, k, eval(w, at->fr, in->ops[k + 1]));
	at->fr = fr;
	at->inst = func_of(w, fr)->blocks[0].first;
	at->last = at->back = IR_NONE;
}

/* The blocks of a function that have a way to an instruction. */
static struct bits *reach_of(struct walker *w, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &w->g->m->funcs.v[func];
	struct bits *b = arena_new(&w->frames, struct bits);
	VEC(uint32_t) todo = {0};

	bits_init(b, f->nblocks);
	bits_set(b, f->insts[inst].block);
	vec_push(&todo, f->insts[inst].block);
	while (todo.n) {
		const struct ir_block *x = &f->blocks[vec_pop(&todo)];

		for (uint32_t k = 0; k < x->npred; k++)
			if (bits_set(b, x->pred[k]))
				vec_push(&todo, x->pred[k]);
	}
	vec_release(&todo);
	vec_push(&w->reaches, *b);
	return b;
}

/* What the allocating call returns when it allocates, by its model. */
static void assume_model(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct model_effect *e = pta_obj(w->g->p, at->obj)->effect;
	static const enum ir_pred preds[] = {
		[MODEL_EQ] = IR_P_EQ, [MODEL_NE] = IR_P_NE, [MODEL_LT] = IR_P_SLT,
		[MODEL_LE] = IR_P_SLE, [MODEL_GT] = IR_P_SGT, [MODEL_GE] = IR_P_SGE,
	};

	for (unsigned i = 0; in->res != IR_NONE && i < e->nconds; i++) {
		const struct model_cond *c = &e->conds[i];

		if (c->place.base == MODEL_RETURN && !c->place.nsteps && (unsigned)c->cmp < ARRAY_LEN(preds))
			sym_assume(&w->s, sym_cmp(&w->s, preds[c->cmp], eval(w, at->fr, IR_VREG(in->res)), sym_const(c->value)),
				   true);
	}
}

/* The object that a call inside a wrapper makes, to be handed out; IR_NONE if
 * it makes none.  *passed: the callee stores it where our caller wants it: it is
 * out of our hands from the start, and has no other name than the caller's. */
static uint32_t inner_object(const struct walker *w, const struct frame *fr, uint32_t inst, uint32_t k, bool *passed)
{
	const struct pta_handout *h = fr->wraps ? fr->handout : NULL;

	*passed = false;
	for (uint32_t i = 0; h && i < h->n; i++) {
		uint32_t obj;

		if (h->made[i].inst != inst || k--)
			continue;
		obj = pta_heap_at(w->g->p, fr->func, inst, h->made[i].nth);
		*passed = h->param != IR_NONE && h->made[i].store == IR_NONE && h->made[i].arg;
		return *passed ? fr->outer : obj;
	}
	return IR_NONE;
}

/* A copied string begins with the same character. */
static void copy_text(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct ir_func *callee = ir_callee(w->g->m, in);
	const struct sym_cell *c;

	if (!callee || in->nops != 2 || in->res == IR_NONE || !str_eq(callee->name, "strdup"))
		return;
	c = sym_mem_get(&w->s, eval(w, at->fr, in->ops[1]));
	if (c)
		sym_mem_set(&w->s, sym_object(), sym_object(), at->fr->serial, IR_VREG(in->res), c->v, true);
}

/* The call `at` makes the object. */
static enum go make_object(struct walker *w, struct spot *at, uint32_t obj, bool passed)
{
	const struct ir_inst *in = &func_of(w, at->fr)->insts[at->inst];
	struct vsource src = { obj, at->fr->func, at->inst };
	uint32_t callee = only_callee(w, at->fr->func, at->inst), same;
	const struct pta_handout *h = vfg__handout(w->g, &src, &same);
	struct vnodes start = {0};
	struct deed none = {0};

	if (callee != IR_NONE && h && same == callee && at->fr->depth < MAX_FRAMES && !is_active(at->fr, callee)) {
		struct frame *fr = new_frame(w, at->fr, at->inst, callee, IR_NONE, true);

		fr->outer = obj;
		fr->handout = h;
		fr->passed = passed;
		enter(w, at, fr);
		return GO;
	}
	at->obj = obj;
	define_anew(w, at, &none);
	do_call(w, at, in);
	vfg__start(w->g, &src, &start);
	for (uint32_t i = 0; i < start.n; i++)
		hold(w, start.v[i], obj);
	vec_release(&start);
	at->out = passed;
	assume_model(w, at, in);
	copy_text(w, at, in);
	if (!within_wrapper(at->fr))
		note(w, WALK_MADE, at->fr->func, at->inst, 0);
	at->inst++;
	return GO;
}

/* The object goes into the callee: follow it there, if that can be done. */
static enum go into_callee(struct walker *w, struct spot *at, const struct deed *d)
{
	uint32_t callee = only_callee(w, at->fr->func, at->inst);
	bool any = false;

	for (uint32_t i = 0; i < d->calls.n; i++) {
		any |= vfg__fate(w->g, d->calls.v[i]) && matters(w, d->calls.v[i], at->obj);
		if (VNODE_FUNC(d->calls.v[i]) != callee)
			callee = IR_NONE;
	}
	if (!any)
		return YES;	/* nothing can become of it there */
	if (callee == IR_NONE || at->fr->depth >= MAX_FRAMES || is_active(at->fr, callee))
		return NO;	/* trusted */
	define_anew(w, at, d);
	enter(w, at, new_frame(w, at->fr, at->inst, callee, IR_NONE, false));
	for (uint32_t i = 0; i < d->calls.n; i++)
		hold(w, d->calls.v[i], at->obj);
	return GO;
}

struct saved {
	uint32_t mark, steps, nheld, nholders;
	vnode *held;
	struct holder *holders;
};

static struct saved save(const struct walker *w)
{
	struct saved s = { sym_mark(&w->s), w->steps.n, w->held.n, w->holders.n, NULL, NULL };

	s.held = xmalloc(MAX(s.nheld, 1) * sizeof(*s.held));
	s.holders = xmalloc(MAX(s.nholders, 1) * sizeof(*s.holders));
	if (s.nheld)
		memcpy(s.held, w->held.v, s.nheld * sizeof(*s.held));
	if (s.nholders)
		memcpy(s.holders, w->holders.v, s.nholders * sizeof(*s.holders));
	return s;
}

static void restore(struct walker *w, const struct saved *s)
{
	sym_undo(&w->s, s->mark);
	w->steps.n = s->steps;
	vec_reserve(&w->held, s->nheld);
	vec_reserve(&w->holders, s->nholders);
	w->held.n = s->nheld;
	w->holders.n = s->nholders;
	if (s->nheld)
		memcpy(w->held.v, s->held, s->nheld * sizeof(*s->held));
	if (s->nholders)
		memcpy(w->holders.v, s->holders, s->nholders * sizeof(*s->holders));
}

static void saved_release(struct saved *s)
{
	free(s->held);
	free(s->holders);
}

/* Inside a wrapper: this call may make the object that it hands out. */
static enum go try_inner(struct walker *w, const struct spot *at)
{
	for (unsigned k = 0;; k++) {
		bool passed;
		uint32_t obj = inner_object(w, at->fr, at->inst, k, &passed);
		struct spot next = *at;
		struct saved s;
		bool leak;

		if (obj == IR_NONE)
			return GO;
		if (!pta_obj(w->g->p, obj)->effect)
			continue;
		s = save(w);
		leak = make_object(w, &next, obj, passed) == GO && run(w, next);
		if (!leak)
			restore(w, &s);
		saved_release(&s);
		if (leak)
			return YES;
	}
}

/* In a loop the object may be that of this round or of a later one; what the
 * other rounds make are then other objects. */
static enum go this_or_later(struct walker *w, struct spot *at)
{
	const struct ir_func *f = func_of(w, at->fr);
	const struct ir_inst *in = &f->insts[at->inst];
	struct spot next = *at;
	struct saved s;
	bool again = false, leak;

	for (uint32_t k = 0; k < f->blocks[in->block].nsucc; k++)
		again |= bits_test(at->fr->reach, f->blocks[in->block].succ[k]);
	if (!again)
		return make_object(w, at, w->src->obj, false);
	s = save(w);
	leak = make_object(w, &next, w->src->obj, false) == GO && run(w, next);
	if (!leak)
		restore(w, &s);
	saved_release(&s);
	if (leak)
		return YES;
	do_call(w, at, in);
	if (in->res != IR_NONE && in->cls == IR_C_PTR)
		sym_assume(&w->s, eval(w, at->fr, IR_VREG(in->res)), true);
	at->inst++;
	return GO;
}

static enum go at_goal(struct walker *w, struct spot *at)
{
	struct frame *fr;
	uint32_t callee, next = at->fr->depth + 1;

	if (next == w->nchain) {
		w->reached = true;
		return this_or_later(w, at);
	}
	callee = w->chain[next].func;
	fr = new_frame(w, at->fr, at->inst, callee, w->chain[next].inst, false);
	fr->reach = reach_of(w, callee, fr->goal);
	enter(w, at, fr);
	return bits_test(fr->reach, 0) ? GO : NO;
}

static enum go call_step(struct walker *w, struct spot *at, const struct ir_inst *in)
{
	struct deed d;
	enum go r = GO;

	if (w->g->flow[at->fr->func].ends[in->block] == at->inst)
		return w->o->at_exit && at->obj != IR_NONE && !within_wrapper(at->fr) ? YES : NO;
	if (at->obj == IR_NONE) {
		if (at->inst == at->fr->goal)
			return at_goal(w, at);
		if (at->fr->wraps && (r = try_inner(w, at)) != GO)
			return r;
		do_call(w, at, in);
		at->inst++;
		return GO;
	}
	find_deed(w, at, &d);
	if (d.freed)
		r = NO;
	at->out |= d.out;
	if (r == GO && d.calls.n) {
		r = into_callee(w, at, &d);
		if (r == GO) {
			deed_release(&d);
			return GO;
		}
		r = r == YES ? GO : NO;
	}
	if (r == GO) {
		for (uint32_t i = 0; i < d.unless.n; i++)
			vec_push(&d.to, d.unless.v[i]);
		define_anew(w, at, &d);
		do_call(w, at, in);
		at->inst++;
	}
	deed_release(&d);
	return r;
}

/* ---- returns --------------------------------------------------------- */

/* The outermost function ends with the object in nobody's hands. */
static enum go at_end(struct walker *w, const struct spot *at)
{
	const struct ir_func *f = func_of(w, at->fr);
	bool is_main = str_eq(f->name, "main") && pta_is_entry(w->g->p, at->fr->func);

	if (is_main && !w->o->at_exit && (w->holders.n || in_memory(w)))
		return NO;
	return YES;
}

static void leave_frame(struct walker *w, struct spot *at, const struct deed *d)
{
	struct frame *fr = at->fr, *up = fr->parent;
	const struct ir_inst *ret = &func_of(w, fr)->insts[at->inst];
	const struct ir_inst *call = &func_of(w, up)->insts[fr->call];
	struct sym v = ret->nops == 1 ? eval(w, fr, ret->ops[0]) : sym_any(fr->serial, IR_C_OPAQUE, 0);
	struct deed none = {0};
	struct vnodes start = {0};

	unhold_func(w, fr->func);
	for (uint32_t i = w->holders.n; i-- > 0;)
		if (w->holders.v[i].frame == fr->serial) {
			w->holders.v[i] = vec_last(&w->holders);
			w->holders.n--;
		}
	sym_leave(&w->s, fr->serial);
	at->fr = up;
	at->last = at->back = IR_NONE;
	at->inst = fr->call;
	note(w, WALK_LEAVE, up->func, fr->call, 0);
	vec_last(&w->steps).matters = fr->goal != IR_NONE;
	if (fr->wraps) {
		struct vsource src = { fr->outer, up->func, fr->call };

		at->obj = fr->outer;
		at->out = fr->passed;
		define_anew(w, at, &none);
		vfg__start(w->g, &src, &start);
		for (uint32_t i = 0; i < start.n; i++)
			hold(w, start.v[i], at->obj);
		vec_release(&start);
		if (!within_wrapper(up))
			note(w, WALK_MADE, up->func, fr->call, 0);
	} else {
		for (uint32_t k = 0; k < d->to.n; k++)
			hold(w, d->to.v[k], at->obj);
	}
	if (call->res != IR_NONE && call->cls != IR_C_AGG)
		set(w, up, call->res, v);
	at->inst++;
}

static enum go return_step(struct walker *w, struct spot *at)
{
	struct deed d;
	enum go r = GO;

	if (at->obj == IR_NONE)
		return NO;
	find_deed(w, at, &d);
	at->out |= d.out;
	if (d.freed) {
		r = NO;
	} else if (!at->fr->parent) {
		w->returned |= d.outside;
		r = d.outside ? NO : at_end(w, at);
	} else if (at->fr->wraps && !(at->fr->handout->param == IR_NONE ? d.out : at->out || d.to.n)) {
		r = NO;		/* made, but not handed out: no object of this call */
	} else {
		leave_frame(w, at, &d);
	}
	deed_release(&d);
	return r;
}

/* ---- blocks ---------------------------------------------------------- */

struct alive {
	const struct walker *w;
	const struct spot *at;
	uint32_t block;
};

/* Does the operand that memory was reached by still have the same value? */
static bool is_still_there(const struct alive *a, const struct sym_cell *c)
{
	const struct frame *fr = a->at->fr;
	const struct sym *now;

	if (IR_KIND(c->value) != IR_R_VREG)
		return true;
	if (holds(a->w, VNODE_VALUE(fr->func, IR_IDX(c->value))))
		return c->root == sym_object().id;
	now = sym_env_get(&a->w->s, fr->serial, IR_IDX(c->value));
	return !now || now->id == c->root;
}

static bool is_live(const struct sym_cell *c, void *arg)
{
	const struct alive *a = arg;
	const struct frame *fr = a->at->fr;
	const struct live *l = fr->live;
	uint32_t *n;

	if (c->kind == SYM_VISITS && c->root >> 31)
		return false;		/* of a call: it only tells results apart */
	if (c->kind == SYM_MEM && (c->frame == fr->serial || IR_KIND(c->value) == IR_R_GLOBAL) && !l->too_large) {
		n = rootmap_get(&l->roots, c->value);
		if (n && bits_test(&l->loads[a->block], *n) && bits_test(&fr->rel->roots, *n) && is_still_there(a, c))
			return true;
	} else if (c->frame == fr->serial && c->kind == SYM_ENV) {
		return bits_test(&fr->rel->values, c->value) && (l->too_large || bits_test(&l->in[a->block], c->value));
	} else if (c->frame == fr->serial && c->kind == SYM_VISITS) {
		return bits_test(&a->w->g->flow[fr->func].loops[l->loop[c->root]].blocks, a->block);
	}
	for (fr = fr->parent; fr; fr = fr->parent)
		if (fr->serial == c->frame)
			return c->kind != SYM_ENV || bits_test(&fr->rel->values, c->value);
	return false;
}

/* Were we here before, with nothing different that matters? */
static bool was_here(struct walker *w, const struct spot *at, uint32_t block)
{
	struct alive a = { w, at, block };
	uint64_t h = hash_join(hash_join(at->fr->serial, block), hash_join(at->obj, at->out));
	bool is_new;

	for (uint32_t i = 0; i < w->held.n; i++)
		h += hash_mix(w->held.v[i]);
	for (uint32_t i = 0; i < w->holders.n; i++)
		h += hash_join(w->holders.v[i].frame, w->holders.v[i].slot);
	keyset_put(&w->seen, hash_join(h, sym_digest(&w->s, is_live, &a)), &is_new);
	return !is_new;
}

static uint32_t pred_number(const struct ir_func *f, uint32_t block, uint32_t from)
{
	for (uint32_t k = 0; k < f->blocks[block].npred; k++)
		if (f->blocks[block].pred[k] == from)
			return k;
	return IR_NONE;
}

/* Is the value computed from the phi itself, by arithmetic: a counter? */
static bool is_counter(const struct ssa *s, ir_ref phi, ir_ref r, bool counted, int depth)
{
	const struct ir_inst *d;

	r = ssa_ref(s, r);
	if (r == phi)
		return counted;
	if (depth > 6)
		return false;
	if (ssa_is_phi(s, r)) {
		const struct ssa_phi *x = ssa_phi(s, r);

		for (uint32_t k = 0; k < s->f->blocks[x->block].npred; k++)
			if (x->args[k] != r && is_counter(s, phi, x->args[k], counted, depth + 1))
				return true;
		return false;
	}
	d = ssa_def(s, r);
	if (!d || (d->op != IR_BIN && d->op != IR_CAST && d->op != IR_INDEX))
		return false;
	return is_counter(s, phi, d->ops[0], counted || d->op != IR_CAST, depth + 1) ||
	       (d->op == IR_BIN && is_counter(s, phi, d->ops[1], true, depth + 1));
}

/* A value after any number of rounds, of which two are known. */
static struct sym widened(struct walker *w, const struct frame *fr, uint32_t value, struct sym v, uint32_t visits)
{
	const struct sym *known = sym_env_get(&w->s, fr->serial, value);
	struct sym old, r;

	if (!known)
		return v;
	old = sym_refined(&w->s, *known);
	v = sym_refined(&w->s, v);
	if (old.id == v.id || sym_tag(v) == SYM_T_OBJ)
		return v;
	r = unknown(w, fr, value, hash_join(hash_join(fr->serial, value), visits));
	if (v.lo >= old.lo)
		r.lo = MAX(r.lo, v.hi <= old.hi ? old.lo : v.lo);	/* it rises */
	if (v.hi <= old.hi)
		r.hi = MIN(r.hi, v.lo >= old.lo ? old.hi : v.hi);
	return r.lo > r.hi ? v : r;
}

/* The phis of a block, all at once. */
static void do_phis(struct walker *w, const struct spot *at, uint32_t block, uint32_t pred, uint32_t visits)
{
	const struct ir_func *f = func_of(w, at->fr);
	const struct ssa *s = pta_ssa(w->g->p, at->fr->func);
	uint32_t from = f->blocks[block].pred[pred], n = 0, first = s->phi_row[block];
	VEC(struct sym_cell) news = {0};
	struct vnodes to = {0};

	for (uint32_t p = first; p < s->phi_row[block + 1]; p++) {
		struct sym_cell c = { .value = f->nvregs + p, .v = eval(w, at->fr, s->phis[p].args[pred]) };

		/* In a later round a counter is any later value, a flag what it was set to. */
		c.written = visits > w->o->loop + 1 ||
			    (visits > 1 && is_counter(s, IR_VREG(c.value), s->phis[p].args[pred], false, 0));
		vec_push(&news, c);
	}
	for (uint32_t i = f->blocks[block].first; f->insts[i].op == IR_PHI; i++)
		for (uint32_t k = 0; k < f->insts[i].nops; k++)
			if (f->insts[i].targets[k] == from)
				vec_push(&news, ((struct sym_cell){ .value = f->insts[i].res,
								    .v = eval(w, at->fr, f->insts[i].ops[k]) }));
	for (uint32_t i = 0; at->obj != IR_NONE && i < w->held.n; i++) {
		struct vedges e;

		if (VNODE_FUNC(w->held.v[i]) != at->fr->func)
			continue;
		e = edges_of(w, w->held.v[i], at->obj);
		for (uint32_t k = 0; k < e.n; k++)
			if (e.v[k].kind == VE_PHI && e.v[k].block == block && e.v[k].pred == pred)
				vec_push(&to, e.v[k].to);
	}
	for (uint32_t i = w->held.n; i-- > 0;) {
		vnode x = w->held.v[i];
		uint32_t b, inst;

		if (VNODE_FUNC(x) != at->fr->func || VNODE_IS_PUT(x))
			continue;
		vfg__where(w->g, x, &b, &inst);
		if (b != block)
			continue;
		if (VNODE_IS_DEF(x) ? mssa_func(w->g->s, at->fr->func)->defs[VNODE_IDX(x)].kind == MSSA_PHI
				    : VNODE_IDX(x) >= f->nvregs || (inst != IR_NONE && f->insts[inst].op == IR_PHI))
			unhold(w, x);
	}
	for (; n < news.n; n++)
		set(w, at->fr, news.v[n].value,
		    news.v[n].written ? widened(w, at->fr, news.v[n].value, news.v[n].v, visits) : news.v[n].v);
	for (uint32_t i = 0; i < to.n; i++)
		hold(w, to.v[i], at->obj);
	vec_release(&news);
	vec_release(&to);
}

static bool has_exit(const struct ir_func *f, const struct vloop *l, uint32_t block)
{
	for (uint32_t k = 0; k < f->blocks[block].nsucc; k++)
		if (!bits_test(&l->blocks, f->blocks[block].succ[k]))
			return true;
	return false;
}

/* On along the edge to a block.  False if there is nothing to be gained. */
static bool go_to(struct walker *w, struct spot *at, uint32_t block)
{
	struct frame *fr = at->fr;
	const struct ir_func *f = func_of(w, fr);
	uint32_t from = f->insts[at->inst].block, loop = fr->live->loop[block], visits = 1, rounds = w->o->loop + 1;
	uint32_t pred = pred_number(f, block, from);
	const struct vloop *l;

	if (at->obj == IR_NONE && fr->reach && !bits_test(fr->reach, block))
		return false;
	if (++w->blocks > MAX_BLOCKS) {
		w->gave_up = true;
		return false;
	}
	if (loop != IR_NONE) {
		l = &w->g->flow[fr->func].loops[loop];
		visits = sym_visit(&w->s, fr->serial, block, !bits_test(&l->blocks, from));
		if (visits > rounds + 1)
			return false;
	}
	/* the last visit of a loop that is left at its header: only to leave */
	for (uint32_t i = 0; i < w->g->flow[fr->func].nloops; i++) {
		l = &w->g->flow[fr->func].loops[i];
		if (l->header == from && block != from && bits_test(&l->blocks, block) && has_exit(f, l, from) &&
		    sym_visits(&w->s, fr->serial, from) > rounds)
			return false;
	}
	do_phis(w, at, block, pred, visits);
	at->last = at->inst;
	if (visits > 1)
		at->back = at->inst;
	at->inst = f->blocks[block].first;
	while (f->insts[at->inst].op == IR_PHI)
		at->inst++;
	/* where paths meet */
	return f->blocks[block].npred < 2 || !was_here(w, at, block);
}

/* ---- branches -------------------------------------------------------- */

/* Can the terminator be left by target t?  0 no, 1 yes, 2 it must. */
static bool may_take(struct walker *w, const struct spot *at, const struct ir_inst *in, uint32_t t)
{
	struct sym v;

	if (in->op == IR_CONDBR)
		return sym_assume(&w->s, eval(w, at->fr, in->ops[0]), t == 0);
	if (in->op != IR_SWITCH)
		return true;
	v = eval(w, at->fr, in->ops[0]);
	if (t)
		return sym_assume(&w->s, sym_cmp(&w->s, IR_P_EQ, v, eval(w, at->fr, in->ops[t])), true);
	for (uint32_t k = 1; k < in->nops; k++)
		if (!sym_assume(&w->s, sym_cmp(&w->s, IR_P_EQ, v, eval(w, at->fr, in->ops[k])), false))
			return false;
	return true;
}

/* The target that a decided branch takes, or IR_NONE. */
static uint32_t decided(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	struct sym v;
	int t;

	if (in->ntargets == 1)
		return 0;
	if (in->op == IR_CONDBR) {
		t = sym_truth(&w->s, eval(w, at->fr, in->ops[0]));
		return t < 0 ? IR_NONE : t ? 0 : 1;
	}
	if (in->op != IR_SWITCH)
		return IR_NONE;
	v = sym_refined(&w->s, eval(w, at->fr, in->ops[0]));
	if (!sym_is_const(v))
		return IR_NONE;
	for (uint32_t k = 1; k < in->nops; k++)
		if (ir_int_value(w->g->m, in->ops[k]) == v.lo)
			return k;
	return 0;
}

/* Targets, nearest to a return first. */
static void in_order(const struct spot *at, const struct ir_inst *in, uint32_t *order)
{
	const uint32_t *far = at->fr->live->far;

	for (uint32_t t = 0; t < in->ntargets; t++) {
		uint32_t k = t;

		while (k > 0 && far[in->targets[order[k - 1]]] > far[in->targets[t]]) {
			order[k] = order[k - 1];
			k--;
		}
		order[k] = t;
	}
}

static enum go fork_paths(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	uint32_t *order = xmalloc(MAX(in->ntargets, 1) * sizeof(*order));
	struct saved s = save(w);
	bool leak = false;

	if (w->forks >= MAX_FORKS)
		w->gave_up = true;
	in_order(at, in, order);
	w->forks++;
	for (uint32_t k = 0; k < in->ntargets && !leak && !w->gave_up; k++) {
		struct spot next = *at;

		if (may_take(w, at, in, order[k])) {
			note_branch(w, at, order[k], true);
			leak = go_to(w, &next, in->targets[order[k]]) && run(w, next);
		}
		if (!leak)
			restore(w, &s);
	}
	w->forks--;
	saved_release(&s);
	free(order);
	return leak ? YES : NO;
}

static enum go term_step(struct walker *w, struct spot *at, const struct ir_inst *in)
{
	uint32_t t;

	if (in->op == IR_RET)
		return return_step(w, at);
	if (!in->ntargets)
		return NO;
	t = decided(w, at, in);
	if (t == IR_NONE)
		return fork_paths(w, at, in);
	if (in->ntargets > 1)
		note_branch(w, at, t, false);
	return go_to(w, at, in->targets[t]) ? GO : NO;
}

static enum go plain_step(struct walker *w, struct spot *at, const struct ir_inst *in)
{
	struct deed d;
	enum go r = GO;
	bool other = false;

	find_deed(w, at, &d);
	at->out |= d.out;
	if (d.freed)
		r = NO;
	else if (in->op == IR_LOAD && !do_load(w, at, in, &other))
		r = NO;
	else if (in->op == IR_STORE)
		r = do_store(w, at, in);
	else if (in->op == IR_MEMCPY)
		do_copy(w, at, in);
	else if (in->op == IR_MEMSET || in->op == IR_VASTART || in->op == IR_VACOPY)
		forget_root(w, at, in->ops[0]);
	if (other)
		vec_clear(&d.to);
	if (r == GO)
		define_anew(w, at, &d);
	deed_release(&d);
	at->inst++;
	return r;
}

/* Follows the path until it ends or forks. */
static bool run(struct walker *w, struct spot at)
{
	for (;;) {
		const struct ir_func *f = func_of(w, at.fr);
		const struct ir_inst *in = &f->insts[at.inst];
		uint32_t func = at.fr->func, inst = at.inst;
		enum go r;

		if (ir_is_term(in))
			r = term_step(w, &at, in);
		else if (in->op == IR_CALL)
			r = call_step(w, &at, in);
		else
			r = plain_step(w, &at, in);
		if (r == YES && (in->op == IR_RET || (in->op == IR_CALL && w->g->flow[func].ends[in->block] == inst)))
			note(w, WALK_END, func, inst, in->op == IR_RET && f->blocks[in->block].npred > 1 ? at.last : IR_NONE);
		if (r != GO)
			return r == YES;
		if (w->gave_up)
			return false;
	}
}

/* ---- one source ------------------------------------------------------ */

struct walker *walker_new(const struct vfg *g, const struct vfg_options *o)
{
	struct walker *w = xcalloc(1, sizeof(*w));

	w->g = g;
	w->o = o;
	w->live = xcalloc(MAX(g->m->funcs.n, 1), sizeof(*w->live));
	w->returns = xcalloc(MAX(g->m->funcs.n, 1), sizeof(*w->returns));
	arena_init(&w->frames);
	return w;
}

static void forget_path(struct walker *w)
{
	sym_clear(&w->s);
	keyset_clear(&w->seen);
	vec_clear(&w->held);
	vec_clear(&w->holders);
	vec_clear(&w->steps);
	for (uint32_t i = 0; i < w->reaches.n; i++)
		bits_release(&w->reaches.v[i]);
	vec_clear(&w->reaches);
	arena_release(&w->frames);
	arena_init(&w->frames);
	w->returned = w->reached = false;
	w->forks = 0;
}

static void forget_source(struct walker *w)
{
	forget_path(w);
	for (uint32_t i = 0; i < w->edges.n; i++)
		vec_release(&w->edges.e[i].val.e);
	edgemap_clear(&w->edges);
	for (uint32_t i = 0; i < w->rels.n; i++) {
		relevant_release(w->rels.e[i].val);
		free(w->rels.e[i].val);
	}
	relmap_clear(&w->rels);
	keyset_clear(&w->touched);
	keyset_clear(&w->matter);
	keyset_clear(&w->deeds);
	w->blocks = 0;
	w->gave_up = false;
}

void walker_free(struct walker *w)
{
	forget_source(w);
	for (uint32_t i = 0; i < w->g->m->funcs.n; i++)
		if (w->live[i]) {
			live_release(w->live[i]);
			free(w->live[i]);
		}
	free(w->live);
	free(w->returns);
	sym_release(&w->s);
	edgemap_release(&w->edges);
	relmap_release(&w->rels);
	keyset_release(&w->touched);
	keyset_release(&w->matter);
	keyset_release(&w->deeds);
	keyset_release(&w->seen);
	vec_release(&w->held);
	vec_release(&w->holders);
	vec_release(&w->steps);
	vec_release(&w->reaches);
	arena_release(&w->frames);
	free(w);
}

struct chain {
	uint32_t n;
	struct vsite at[MAX_CHAIN];
};
VEC_TYPE(chains, struct chain);

/* Where the ways to the first call are too many: straight there, through the
 * blocks that every way goes through.  Less is known then than on a real path. */
static bool go_straight(struct walker *w, struct spot *at)
{
	const struct ir_func *f = func_of(w, at->fr);
	const struct dom *dom = &pta_ssa(w->g->p, at->fr->func)->dom;
	uint32_t goal = f->insts[at->fr->goal].block, n = 0;
	uint32_t *way = xmalloc(f->nblocks * sizeof(*way));
	bool ok = true;

	for (uint32_t b = goal;; b = dom->idom[b]) {
		way[n++] = b;
		if (dom->idom[b] == b)
			break;
	}
	while (n-- > 0 && ok) {
		const struct ir_block *b = &f->blocks[way[n]];
		const struct ir_inst *br = &f->insts[b->first + b->n - 1];

		for (uint32_t i = b->first; i < b->first + b->n && i != at->fr->goal && ok; i++) {
			at->inst = i;
			if (f->insts[i].op == IR_CALL)
				do_call(w, at, &f->insts[i]);
			else if (!ir_is_term(&f->insts[i]))
				ok = plain_step(w, at, &f->insts[i]) == GO;
		}
		at->inst = b->first + b->n - 1;
		for (uint32_t t = 0; n && ok && br->ntargets > 1 && t < br->ntargets; t++)
			if (br->targets[t] == way[n - 1] && f->blocks[way[n - 1]].npred == 1)
				ok = may_take(w, at, br, t);
	}
	free(way);
	at->inst = at->fr->goal;
	return ok;
}

static bool follow_chain(struct walker *w, const struct chain *c, bool straight)
{
	struct spot at = { .obj = IR_NONE, .last = IR_NONE, .back = IR_NONE };

	forget_path(w);
	w->chain = c->at;
	w->nchain = c->n;
	at.fr = new_frame(w, NULL, IR_NONE, c->at[0].func, c->at[0].inst, false);
	at.fr->reach = reach_of(w, c->at[0].func, at.fr->goal);
	at.inst = func_of(w, at.fr)->blocks[0].first;
	return bits_test(at.fr->reach, 0) && (!straight || go_straight(w, &at)) && run(w, at);
}

/* Did we give up before the object was there?  Then there is another way. */
static bool too_many(struct walker *w)
{
	if (!w->gave_up || w->reached)
		return false;
	w->gave_up = false;
	w->blocks = 0;
	return true;
}

/* The callers that get the object: each with its own way down to it. */
static void add_callers(const struct walker *w, const struct chain *c, struct chains *out)
{
	uint32_t func = c->at[0].func;

	for (uint32_t k = w->g->caller_row[func]; k < w->g->caller_row[func + 1] && out->n < MAX_CHAINS; k++) {
		struct chain longer = { .n = c->n + 1 };
		bool recursive = false;

		for (uint32_t i = 0; i < c->n; i++)
			recursive |= c->at[i].func == w->g->callers[k].func;
		if (recursive || c->n >= MAX_CHAIN)
			continue;
		longer.at[0] = w->g->callers[k];
		memcpy(longer.at + 1, c->at, c->n * sizeof(*c->at));
		vec_push(out, longer);
	}
}

enum walk_answer walker_search(struct walker *w, const struct vsource *src, uint8_t way, const struct walk_step **steps,
			       uint32_t *n)
{
	struct chains todo = {0};
	enum walk_answer r = WALK_SAFE;
	uint32_t first = 0;

	forget_source(w);
	w->src = src;
	w->way = way;
	find_deeds(w);
	vec_push(&todo, ((struct chain){ 1, { { src->func, src->inst } } }));
	for (uint32_t i = 0; i < todo.n && r == WALK_SAFE; i++) {
		struct chain c = todo.v[i];

		if (follow_chain(w, &c, false) || (too_many(w) && follow_chain(w, &c, true)))
			r = WALK_LEAK;
		else if (w->gave_up)
			r = WALK_GAVE_UP;
		else if (w->returned)
			add_callers(w, &c, &todo);
	}
	vec_release(&todo);
	while (first < w->steps.n && w->steps.v[first].kind != WALK_MADE)
		first++;
	*steps = w->steps.v + first;
	*n = w->steps.n - first;
	return r;
}
