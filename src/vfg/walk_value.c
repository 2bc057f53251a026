/*
 * walk_value.c - what values are on a path, and what is in memory.
 *
 * A value is computed where it is asked for, from the leaves (live.h) that the
 * path has set: phis, loads, results of calls, parameters.  Memory is known by the
 * value of the address that names it.  See walk.c for which way this errs.
 */
#include "vfg/walker.h"

#include "sym/text.h"

#include <assert.h>
#include <limits.h>

static struct sym any_value(const struct walker *w, const struct frame *fr, uint32_t v, uint64_t which)
{
	const struct ir_func *f = func_of(w, fr);
	const struct ir_type *t;
	uint16_t bits = 0;
	enum ir_class cls;
	uint32_t slot;

	if (v < f->nvregs) {
		cls = ir_vreg_class(f, v, &bits);
		return sym_any(which, cls, bits);
	}
	assert(v < pta_ssa(w->g->p, fr->func)->nvalues);
	slot = pta_ssa(w->g->p, fr->func)->phis[v - f->nvregs].slot;
	t = &w->g->m->types.v[ir_type_strip(w->g->m, f->slots[slot].type)];
	if (t->kind == IR_T_PTR)
		return sym_any(which, IR_C_PTR, 64);
	return sym_any(which, t->kind == IR_T_INT || t->kind == IR_T_ENUM ? IR_C_INT : IR_C_OPAQUE,
		       (unsigned)t->size * 8);
}

/* Some value of what the declaration allows. */
struct sym walk__unknown(const struct walker *w, const struct frame *fr, uint32_t v, uint64_t which)
{
	struct sym r = any_value(w, fr, v, which);
	int64_t lo, hi;

	if (r.lo < r.hi && enums_range(&w->g->enums, fr->func, v, &lo, &hi) && lo <= r.hi && hi >= r.lo) {
		r.lo = MAX(r.lo, lo);
		r.hi = MIN(r.hi, hi);
	}
	return r;
}

static struct sym eval_at(struct walker *w, const struct frame *fr, ir_ref r, int depth);

/* An expression is a graph, not a tree: where each of 40 levels uses the one before it twice, as in
 * the rounds of a cipher, there would be 2^40 things to compute.  So in one with many instructions
 * each is computed once per depth, which gives what it would give anyhow; and what is larger than
 * anything that a branch could be understood by is not known. */
struct sym walk__eval(struct walker *w, const struct frame *fr, ir_ref r)
{
	w->evals = 0;
	if (w->evaluated.n)
		evalmap_clear(&w->evaluated);
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
		r = (in->flags & IR_F_NSW ? sym_bin_fits : sym_bin)(&w->s, (enum ir_bin)in->sub, in->bits, a,
								     eval_at(w, fr, in->ops[1], depth + 1));
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
		return walk__unknown(w, fr, in->res,
				    hash_join(hash_join(a.id, eval_at(w, fr, in->ops[1], depth + 1).id),
					      eval_at(w, fr, in->ops[2], depth + 1).id));
	default:
		return walk__unknown(w, fr, in->res, hash_join(fr->serial, in->res));
	}
}

/* One of many. */
static struct sym eval_once(struct walker *w, const struct frame *fr, const struct ir_inst *in,
			    uint32_t value, int depth)
{
	uint64_t key = (uint64_t)value << 8 | (uint64_t)depth;
	const struct sym *known = evalmap_get(&w->evaluated, key);
	struct sym v;

	if (known)
		return *known;
	w->evals++;
	v = eval_inst(w, fr, in, depth);
	evalmap_set(&w->evaluated, key, v);
	return v;
}

static struct sym eval_at(struct walker *w, const struct frame *fr, ir_ref r, int depth)
{
	const struct ssa *s = pta_ssa(w->g->p, fr->func);
	const struct sym *known;
	struct sym v;

	r = ssa_ref(s, r);
	switch (IR_KIND(r)) {
	case IR_R_INT:
		return sym_const(ir_int_value(w->g->m, r));
	case IR_R_SLOT:
		return sym_addr(hash_join(fr->serial, r));
	case IR_R_GLOBAL:
	case IR_R_FUNC:
		return sym_addr(ident_ref(&w->g->ids, r));
	case IR_R_ADDR:
		return sym_index(&w->s, sym_addr(ident_ref(&w->g->ids, w->g->m->addrs.v[IR_IDX(r)].base)),
				 sym_const(1), w->g->m->addrs.v[IR_IDX(r)].offset);
	case IR_R_SPECIAL:
		return r == IR_NULL ? sym_const(0) : sym_any(hash_join(fr->serial, r), IR_C_OPAQUE, 0);
	case IR_R_VREG:
		break;
	}
	if (!live_is_leaf(s, r) && depth < MAX_EVAL && w->evals < MAX_EVALS) {
		if (w->evals >= FEW_EVALS)
			return eval_once(w, fr, ssa_def(s, r), IR_IDX(r), depth);
		w->evals++;
		return eval_inst(w, fr, ssa_def(s, r), depth);
	}
	if (walk__holds(w, VNODE_VALUE(fr->func, IR_IDX(r))))
		return sym_object();
	known = sym_env_get(&w->s, fr->serial, IR_IDX(r));
	if (known)
		return sym_refined(&w->s, *known);
	v = walk__unknown(w, fr, IR_IDX(r), hash_join(fr->serial, IR_IDX(r)));
	walk__set(w, fr, IR_IDX(r), v);		/* what is assumed of it counts where paths meet */
	return sym_refined(&w->s, v);
}

static ir_ref root_of(const struct walker *w, const struct frame *fr, ir_ref r)
{
	return live_root(w->g->m, pta_ssa(w->g->p, fr->func), r);
}

void walk__set(struct walker *w, const struct frame *fr, uint32_t value, struct sym v)
{
	if (bits_test(&fr->live->asked, value))
		sym_env_set(&w->s, fr->serial, value, v);
}

struct span {			/* of addresses, in bytes from their root */
	int64_t from, to;
};

static const struct span anywhere = { INT64_MIN, INT64_MAX };

static int64_t sum(int64_t a, int64_t b)
{
	int64_t r;

	if (a == INT64_MIN || a == INT64_MAX)
		return a;
	if (!__builtin_add_overflow(a, b, &r))
		return r;
	return b < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t product(int64_t a, int64_t b)
{
	int64_t r;

	if (!__builtin_mul_overflow(a, b, &r))
		return r;
	return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

/* How far from its root can the address be? */
static struct span span_of(struct walker *w, const struct frame *fr, ir_ref r)
{
	const struct ssa *s = pta_ssa(w->g->p, fr->func);
	struct span x = { 0, 0 };

	for (int depth = 0; depth < MAX_EVAL; depth++) {
		const struct ir_inst *d;
		struct sym i = sym_const(1);

		r = ssa_ref(s, r);
		d = ssa_def(s, r);
		if (IR_KIND(r) == IR_R_ADDR)
			return (struct span){ sum(x.from, w->g->m->addrs.v[IR_IDX(r)].offset),
					      sum(x.to, w->g->m->addrs.v[IR_IDX(r)].offset) };
		if (!d || (d->op != IR_FIELD && d->op != IR_ELEM && d->op != IR_INDEX && d->op != IR_CAST))
			return x;
		if (d->op == IR_ELEM || d->op == IR_INDEX)
			i = walk__eval(w, fr, d->ops[1]);
		if (d->op != IR_CAST) {
			int64_t lo = product(i.lo, d->imm), hi = product(i.hi, d->imm);

			x.from = sum(x.from, MIN(lo, hi));
			x.to = sum(x.to, MAX(lo, hi));
		}
		r = d->ops[0];
	}
	return anywhere;
}

static bool overlap(const struct sym_cell *c, const struct span *x)
{
	return c->from <= x->to && c->to >= x->from;
}

void walk__store_memory(struct walker *w, const struct frame *fr, ir_ref addr, struct sym a, struct sym v,
			bool written)
{
	ir_ref root = root_of(w, fr, addr);
	struct span x = span_of(w, fr, addr);
	struct sym_cell *c = sym_mem_set(&w->s, a, walk__eval(w, fr, root), fr->serial, root, v, written);

	c->from = x.from;
	c->to = x.to;
}

/* To go through a pointer is to know that it is not null. */
bool walk__go_through(struct walker *w, const struct frame *fr, ir_ref addr)
{
	struct sym p = walk__eval(w, fr, root_of(w, fr, addr));

	return p.lo > 0 || sym_assume(&w->s, sym_cmp(&w->s, IR_P_NE, p, sym_const(0)), true);
}

/* All of the memory behind the pointer is zero, but for what is stored there later.  This is a
 * cell, too, so that it is forgotten like others that are reached by the pointer. */
static struct sym zeros_at(struct sym root)
{
	return sym_between(hash_join(root.id, 0x2e205), INT64_MIN, INT64_MAX);
}

void walk__clear(struct walker *w, const struct frame *fr, ir_ref root)
{
	struct sym r = walk__eval(w, fr, root);

	sym_mem_set(&w->s, zeros_at(r), r, fr->serial, root, sym_const(0), true)->all = true;
}

static bool is_cleared(struct walker *w, const struct frame *fr, ir_ref addr)
{
	const struct sym_cell *c = sym_mem_get(&w->s, zeros_at(walk__eval(w, fr, root_of(w, fr, addr))));
	struct span x = span_of(w, fr, addr);

	return c && sym_is_const(c->v) && x.from == x.to;
}

/* What is loaded is known not to be the object; it may still be what holds it. */
static void not_the_object(struct walker *w, struct deed *d)
{
	if (d->to.n)
		w->guesses |= WALK_GUESS_STORED;
	for (uint32_t k = d->to.n; k-- > 0;)
		if (!VNODE_IS_DEF(d->to.v[k]) && !VNODE_IS_HELD(d->to.v[k])) {
			d->to.v[k] = vec_last(&d->to);
			d->to.n--;
		}
}

/* What a constant holds at a constant address: IR_UNDEF if we cannot tell. */
static ir_ref constant_at(const struct walker *w, const struct frame *fr, ir_ref addr)
{
	const struct ir_module *m = w->g->m;
	const struct ir_global *g;
	int64_t off = 0;

	addr = ssa_ref(pta_ssa(w->g->p, fr->func), addr);
	if (IR_KIND(addr) == IR_R_ADDR) {
		off = m->addrs.v[IR_IDX(addr)].offset;
		addr = m->addrs.v[IR_IDX(addr)].base;
	}
	if (IR_KIND(addr) != IR_R_GLOBAL || off < 0)
		return IR_UNDEF;
	g = &m->globals.v[IR_IDX(addr)];
	trace_note(FACT_GLOBAL, IR_IDX(addr), 0);
	return g->flags & IR_G_CONST ? ir_init_at(g, (uint64_t)off) : IR_UNDEF;
}

static uint64_t note_of_latch(uint32_t latch)
{
	return hash_join(0x1a7c4, latch);
}

/* The note has what was found when it was last asked: if the path goes by that being zero, it is. */
static bool may_be_set(const struct walker *w, uint32_t latch)
{
	const struct sym_cell *c = sym_note_get(&w->s, note_of_latch(latch));
	struct sym v = c ? sym_refined(&w->s, c->v) : sym_const(0);

	return !sym_is_const(v) || v.lo;
}

static void set_latch(struct walker *w, uint32_t latch, struct sym v)
{
	sym_note_set(&w->s, note_of_latch(latch), 0, v, 0);
}

/* A flag that was zero when the path began, or the function was entered, and that nothing has set since. */
static bool is_unset(const struct walker *w, const struct frame *fr, const struct ir_inst *load)
{
	uint32_t n = w->latches ? latches_at(w->latches, fr->func, load) : IR_NONE;

	for (; n != IR_NONE && fr; fr = fr->parent)
		if (latches_is_zero(w->latches, n, fr->func))
			return !may_be_set(w, n);
	return false;
}

/* A flag is loaded, or stored to: it has this value. */
void walk__see_latch(struct walker *w, const struct frame *fr, const struct ir_inst *in, struct sym v)
{
	uint32_t n = w->latches ? latches_at(w->latches, fr->func, in) : IR_NONE;

	if (n != IR_NONE)
		set_latch(w, n, v);
}

/* A call that is not entered may have set them. */
static void note_latches(struct walker *w, const struct pta_callees *c)
{
	for (uint32_t i = 0; w->latches && i < latches_count(w->latches); i++)
		SBITS_FOREACH(h, c->set)
			if ((w->gives ? latches_may_give : latches_may_set)(w->latches, i, h) &&
			    !may_be_set(w, i))
				set_latch(w, i, sym_const(1));
}

void walk__enter_latches(struct walker *w, const struct frame *fr)
{
	for (uint32_t i = 0; w->latches && i < latches_count(w->latches); i++)
		if (may_be_set(w, i) && latches_is_zero(w->latches, i, fr->func) &&
		    !latches_is_zero(w->latches, i, fr->parent->func))
			set_latch(w, i, sym_const(0));
}

/* False if there is no such path.  Where memory is known, it knows better than the
 * graph whether what is loaded is the object. */
bool walk__do_load(struct walker *w, const struct spot *at, const struct ir_inst *in, struct deed *d)
{
	const struct ssa *s = pta_ssa(w->g->p, at->fr->func);
	const struct sym_cell *known;
	struct sym a, v, any;

	if (s->rep[in->res] != IR_VREG(in->res))
		return true;		/* of a promoted variable */
	if (!walk__go_through(w, at->fr, in->ops[0]))
		return false;
	if (is_unset(w, at->fr, in)) {
		walk__set(w, at->fr, in->res, sym_const(0));
		return true;
	}
	a = walk__eval(w, at->fr, in->ops[0]);
	known = in->flags & IR_F_VOLATILE ? NULL : sym_mem_get(&w->s, a);
	if (known) {
		v = known->v;
		walk__see_latch(w, at->fr, in, v);
		if (known->written && sym_tag(v) != SYM_T_OBJ)
			not_the_object(w, d);
		else if (sym_tag(v) == SYM_T_OBJ && in->cls == IR_C_PTR)
			vec_push(&d->to, VNODE_VALUE(at->fr->func, in->res));
		any = walk__unknown(w, at->fr, in->res, 0);
		if (sym_tag(v) == SYM_T_ANY && any.lo <= v.hi && any.hi >= v.lo) {
			v.lo = MAX(v.lo, any.lo);
			v.hi = MIN(v.hi, any.hi);
		}
		if (known->written && IR_KIND(root_of(w, at->fr, in->ops[0])) != IR_R_SLOT &&
		    bits_test(&at->fr->rel->values, in->res))
			w->guesses |= WALK_GUESS_STORED;
		walk__set(w, at->fr, in->res, v);
		return true;
	}
	v = walk__unknown(w, at->fr, in->res, hash_join(a.id, 0x10ad));
	walk__see_latch(w, at->fr, in, v);
	if (in->cls == IR_C_PTR && constant_at(w, at->fr, in->ops[0]) != IR_UNDEF) {
		v = walk__eval(w, at->fr, constant_at(w, at->fr, in->ops[0]));
	} else if (is_cleared(w, at->fr, in->ops[0])) {
		v = sym_const(0);
		not_the_object(w, d);
	}
	if (in->flags & IR_F_VOLATILE)
		v = walk__unknown(w, at->fr, in->res,
			    hash_join(a.id, sym_visit(&w->s, at->fr->serial, 1u << 31 | at->inst, false)));
	walk__set_origin(w, v, WALK_GUESS_INIT);
	if (!(in->flags & IR_F_VOLATILE) && bits_test(&at->fr->live->asked, in->res))
		walk__store_memory(w, at->fr, in->ops[0], a, v, false);
	walk__set(w, at->fr, in->res, v);
	return true;
}

struct changed {		/* memory that may have been written: what pointers lead to, and globals */
	struct {
		uint64_t root;
		struct span at;
	} to[32];
	uint32_t n;
	bool store;		/* of a single value: what has no cell
				 * is changed only if nobody knows where */
	const struct sbits *globals;
};

static bool is_changed(const struct sym_cell *c, void *arg)
{
	const struct changed *x = arg;

	for (uint32_t i = 0; i < x->n; i++)
		if (x->to[i].root == c->root &&
		    (c->all ? !x->store || x->to[i].at.from != x->to[i].at.to : overlap(c, &x->to[i].at)))
			return true;
	return x->globals && IR_KIND(c->value) == IR_R_GLOBAL && sbits_test(x->globals, IR_IDX(c->value));
}

static void add_changed(struct walker *w, const struct frame *fr, struct changed *x,
			ir_ref addr, struct span at)
{
	if (x->n < ARRAY_LEN(x->to)) {
		x->to[x->n].root = walk__eval(w, fr, root_of(w, fr, addr)).id;
		x->to[x->n++].at = at;
	}
}

static uint64_t occasion(struct walker *w, const struct spot *at)
{
	return hash_join(hash_join(at->fr->serial, at->inst),
			 sym_visit(&w->s, at->fr->serial, 1u << 31 | at->inst, false));
}

static void forget(struct walker *w, const struct spot *at, ir_ref addr, bool store)
{
	struct changed x = { .store = store };

	add_changed(w, at->fr, &x, addr, store ? span_of(w, at->fr, addr) : anywhere);
	sym_mem_forget(&w->s, occasion(w, at), is_changed, &x);
}

void walk__forget_root(struct walker *w, const struct spot *at, ir_ref addr)
{
	forget(w, at, addr, false);
}

/* Before a store: which other memory may it be?  One member is not another, but
 * some element of an array may be any that the index allows. */
void walk__forget_others(struct walker *w, const struct spot *at, ir_ref addr)
{
	forget(w, at, addr, true);
}

/* The frame is left: memory that was reached in it is the caller's to know, by what
 * the caller reaches it by; IR_NONE if by nothing that it has at hand. */
void walk__take_over(struct walker *w, const struct frame *fr)
{
	const struct ir_inst *call = &func_of(w, fr->parent)->insts[fr->call];

	for (uint32_t i = 0; i < w->s.cells.n; i++) {
		struct sym_cell *c = &w->s.cells.e[i].val;
		ir_ref op = c->value;

		if (c->kind != SYM_MEM || c->frame != fr->serial || IR_KIND(op) == IR_R_SLOT)
			continue;
		if (IR_KIND(op) != IR_R_GLOBAL) {
			op = IR_NONE;
			for (uint32_t k = 1; k < call->nops && op == IR_NONE; k++) {
				ir_ref root = root_of(w, fr->parent, call->ops[k]);

				if (walk__eval(w, fr->parent, root).id == c->root)
					op = root;
			}
		}
		sym_mem_rename(&w->s, w->s.cells.e[i].key, fr->parent->serial, op);
	}
}

/* Of what is copied, what it begins with is known: a string's first character. */
void walk__do_copy(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct sym_cell *c = sym_mem_get(&w->s, walk__eval(w, at->fr, in->ops[1]));
	struct sym v = c ? c->v : sym_const(0);

	walk__forget_root(w, at, in->ops[0]);
	if (c)
		walk__store_memory(w, at->fr, in->ops[0], walk__eval(w, at->fr, in->ops[0]), v, true);
}

static bool is_of_root(const struct sym_cell *c, void *arg)
{
	return !c->all && c->root == *(const uint64_t *)arg;
}

/* memset() of a whole variable or of what a pointer points to. */
void walk__do_fill(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	ir_ref base = ssa_ref(pta_ssa(w->g->p, at->fr->func), in->ops[0]);
	struct sym root = walk__eval(w, at->fr, root_of(w, at->fr, in->ops[0]));
	struct sym v = walk__eval(w, at->fr, in->ops[1]), n = walk__eval(w, at->fr, in->ops[2]);
	const struct ir_func *f = func_of(w, at->fr);
	const struct ir_slot *slot = IR_KIND(base) == IR_R_SLOT ? &f->slots[IR_IDX(base)] : NULL;
	bool whole = sym_is_const(n) && base == root_of(w, at->fr, in->ops[0]) &&
		     (slot ? n.lo == (int64_t)slot->size : IR_KIND(base) == IR_R_VREG && n.lo >= 8);

	walk__forget_root(w, at, in->ops[0]);
	if (!whole || !sym_is_const(v) || v.lo != 0)
		return;
	sym_mem_fill(&w->s, sym_const(0), is_of_root, &root.id);
	walk__clear(w, at->fr, base);
}

static void include(struct retrange *out, int64_t lo, int64_t hi)
{
	out->lo = MIN(out->lo, lo);
	out->hi = MAX(out->hi, hi);
}

/* Widens the range by what a value may be; false if nothing is known of it.  What
 * one pointer is beyond another is taken not to be negative, and a counter not to
 * overflow. */
static bool value_range(const struct vfg *vg, const struct ssa *s, ir_ref r,
			ir_ref counter, struct retrange *out, int depth)
{
	const struct ir_inst *d;
	bool counts_up;

	r = ssa_ref(s, r);
	if (IR_KIND(r) == IR_R_INT || r == IR_NULL) {
		int64_t v = r == IR_NULL ? 0 : ir_int_value(vg->m, r);

		include(out, v, v);
		return true;
	}
	if (r == counter)
		return true;	/* not below what it began with */
	if (depth > 8)
		return false;
	if (ssa_is_phi(s, r)) {
		for (uint32_t k = 0; k < s->f->blocks[ssa_phi(s, r)->block].npred; k++)
			if (!value_range(vg, s, ssa_phi(s, r)->args[k], r, out, depth + 1))
				return false;
		return true;
	}
	d = ssa_def(s, r);
	if (!d)
		return false;
	if (d->op == IR_CAST && d->sub != IR_CAST_PTRTOINT && d->sub != IR_CAST_INTTOPTR)
		return value_range(vg, s, d->ops[0], counter, out, depth + 1);
	if (d->op == IR_CMP) {
		include(out, 0, 1);
		return true;
	}
	counts_up = d->op == IR_BIN && d->sub == IR_B_ADD && IR_KIND(d->ops[1]) == IR_R_INT &&
		    ir_int_value(vg->m, d->ops[1]) > 0;
	if (counts_up && counter != IR_UNDEF && ssa_ref(s, d->ops[0]) == counter) {
		out->hi = INT64_MAX;
		return true;
	}
	if (d->op == IR_BIN && d->sub == IR_B_SUB && is_pointer(s, d->ops[0]) && is_pointer(s, d->ops[1])) {
		include(out, 0, INT64_MAX);
		return true;
	}
	return false;
}

static const struct retrange *returns(const struct vfg *vg, uint32_t func);

/* Does the branch at the end of block `from` lead to block `to` only if the value is
 * not null? */
static bool is_tested(const struct ssa *s, ir_ref r, uint32_t from, uint32_t to)
{
	const struct ir_inst *br = &s->f->insts[s->f->blocks[from].first + s->f->blocks[from].n - 1], *c;

	if (br->op != IR_CONDBR || br->targets[0] == br->targets[1])
		return false;
	c = ssa_def(s, ssa_ref(s, br->ops[0]));
	return vfg__is_equality(c) && ssa_ref(s, c->ops[1]) == IR_NULL &&
	       ssa_ref(s, c->ops[0]) == r && br->targets[c->sub == IR_P_EQ] == to;
}

/* Is the value not null wherever control comes to the block from?  Ways on which
 * the program ends do not count: xmalloc() does not return null. */
static bool never_null(const struct vfg *vg, uint32_t func, ir_ref r, uint32_t block, int depth)
{
	const struct ssa *s = pta_ssa(vg->p, func);
	const struct ir_block *b = &s->f->blocks[block];
	const struct ir_inst *d;

	r = ssa_ref(s, r);
	if (IR_KIND(r) == IR_R_SLOT || IR_KIND(r) == IR_R_GLOBAL ||
	    IR_KIND(r) == IR_R_FUNC || IR_KIND(r) == IR_R_ADDR)
		return true;
	if (IR_KIND(r) != IR_R_VREG || depth > 8)
		return false;
	d = ssa_def(s, r);
	if (d && d->op == IR_CALL) {
		const struct ir_func *g = ir_callee(vg->m, d);
		const struct retrange *x = g && !ir_is_decl(g) ? returns(vg, (uint32_t)(g - vg->m->funcs.v))
					   : NULL;

		if (x && x->done && x->known && x->lo > 0)
			return true;
	}
	if (d && d->op == IR_FIELD && d->imm > 0)
		return true;	/* a member of something */
	if (!b->npred)
		return false;
	for (uint32_t k = 0; k < b->npred; k++) {
		uint32_t from = b->pred[k];
		ir_ref v = ssa_is_phi(s, r) && ssa_phi(s, r)->block == block ? ssa_phi(s, r)->args[k] : r;

		if (vg->flow[func].ends[from] != IR_NONE || is_tested(s, ssa_ref(s, v), from, block))
			continue;
		if (d && d->block == block)
			return false;	/* made here, not tested */
		if (!never_null(vg, func, v, from, depth + 1))
			return false;
	}
	return true;
}

static const struct retrange *returns(const struct vfg *vg, uint32_t func)
{
	struct retrange *r = &vg->returns[func];
	const struct ir_func *f = &vg->m->funcs.v[func];

	if (r->done)
		return r;
	/* not known, if asked meanwhile */
	*r = (struct retrange){ .done = true, .lo = INT64_MAX, .hi = INT64_MIN };
	if (f->ret_cls == IR_C_PTR && f->nblocks > 0) {
		bool all = true, any = false;

		for (uint32_t i = 0; i < f->ninsts && all; i++)
			if (f->insts[i].op == IR_RET && vg->flow[func].ends[f->insts[i].block] == IR_NONE) {
				any = true;
				all = f->insts[i].nops == 1 &&
				      never_null(vg, func, f->insts[i].ops[0], f->insts[i].block, 0);
			}
		*r = (struct retrange){ true, all && any, 1, INT64_MAX };
		return r;
	}
	r->known = true;
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].op == IR_RET)
			r->known &= f->insts[i].nops == 1 &&
				    value_range(vg, pta_ssa(vg->p, func), f->insts[i].ops[0], IR_UNDEF, r, 0);
	r->known &= r->lo <= r->hi;
	return r;
}

static bool returns_some(const void *arg, uint32_t func)
{
	const struct retrange *r = returns(arg, func);

	return r->known && r->lo > 0;
}

void walker_find_returns(struct vfg *g)
{
	uint32_t n;
	const uint32_t *order = pta_bottom_up(g->p, &n);

	g->returns = arena_array(&g->arena, struct retrange, g->m->funcs.n);
	for (uint32_t i = 0; i < n; i++)
		if (!ir_is_decl(&g->m->funcs.v[order[i]]))
			returns(g, order[i]);
	nulls_init(&g->nulls, g->p, returns_some, g);
}

/* May the callee write through its parameter k (from 0)? */
static bool may_write(const struct walker *w, const struct ir_func *callee, uint32_t k)
{
	const struct ir_type *t, *p;
	bool is_decl = callee && ir_is_decl(callee);
	const struct model *md = is_decl ? pta_model(w->g->p, (uint32_t)(callee - w->g->m->funcs.v)) : NULL;

	if (md)
		return model_writes(md, k + 1);
	if (!callee || !callee->type)
		return true;
	t = &w->g->m->types.v[callee->type];
	if (t->kind != IR_T_FUNC || k >= t->nfields || callee->nparams != t->nfields)
		return true;
	p = &w->g->m->types.v[ir_type_strip(w->g->m, t->fields[k].type)];
	return p->kind != IR_T_PTR || !(p->flags & IR_TF_CONST);
}

static void find_literals(struct walker *w)
{
	const struct ir_module *m = w->g->m;

	for (uint32_t i = 0; i < m->globals.n; i++)
		if (m->globals.v[i].text && strlen(m->globals.v[i].text) < TEXT_MAX)
			literals_set(&w->literals,
				     sym_addr(ident_ref(&w->g->ids, IR_REF(IR_R_GLOBAL, i))).id, i);
}

/* The literal that a value points to, by way of variables and arguments, or NULL
 * if it is none or not known whole. */
static const char *literal_of(struct walker *w, const struct frame *fr, ir_ref r)
{
	struct sym v = walk__eval(w, fr, r);
	uint32_t *n;

	if (sym_tag(v) != SYM_T_ADDR)
		return NULL;
	if (!w->literals.n)
		find_literals(w);
	n = literals_get(&w->literals, v.id);
	if (n)
		trace_note(FACT_GLOBAL, *n, 0);
	return n ? w->g->m->globals.v[*n].text : NULL;
}

/* What a callee may write that is given an address: of a member but the first, which may
 * stand for the whole, only that.  (A callee that finds the way back from a member to
 * the struct around it is overlooked.) */
static struct span given_span(struct walker *w, const struct frame *fr, ir_ref addr)
{
	const struct ir_module *m = w->g->m;
	const struct ir_inst *d = ssa_def(pta_ssa(w->g->p, fr->func),
					  ssa_ref(pta_ssa(w->g->p, fr->func), addr));
	struct span x = span_of(w, fr, addr);
	const struct ir_type *t;
	uint64_t size;

	if (!d || d->op != IR_FIELD || d->imm <= 0 || x.from != x.to)
		return anywhere;
	t = &m->types.v[ir_type_strip(m, d->type)];
	size = d->member < t->nfields ? m->types.v[ir_type_strip(m, t->fields[d->member].type)].size : 0;
	if (!size || size > INT32_MAX)
		return anywhere;
	x.to = sum(x.to, (int64_t)size - 1);
	return x;
}

/* strcmp() and its kin, if one of the texts is a literal.  (The other is taken not to change
 * from one such comparison to the next.) */
static bool compare_text(struct walker *w, const struct spot *at, const struct ir_inst *in, struct sym *out)
{
	const struct ir_func *callee = ir_callee(w->g->m, in);
	struct sym n = in->nops == 4 ? walk__eval(w, at->fr, in->ops[3]) : sym_const(-1);
	const char *x, *y;
	struct text_way way;

	if (!callee || !ir_is_decl(callee) ||
	    !text_compares(callee->name, in->nops - 1, sym_is_const(n) ? n.lo : -1, &way))
		return false;
	x = literal_of(w, at->fr, in->ops[1]);
	y = literal_of(w, at->fr, in->ops[2]);
	if (!x && !y)
		return false;
	if (x && y)
		*out = sym_const(text_order(x, y, way));
	else
		*out = sym_text(&w->s, walk__eval(w, at->fr, in->ops[x ? 2 : 1]),
				text_number(x ? x : y, way));
	return true;
}

/* setjmp() returns a second time after the first return has led somewhere.  If the
 * object may have been taken there the second is not followed: it was given to
 * us by a caller, or we give it to a function of the program. */
static bool is_handed_on(const struct walker *w, const struct frame *fr)
{
	const struct ir_func *f = func_of(w, fr);

	if (fr->func != w->src->func || !w->all_deeds)
		return true;
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_func *g = f->insts[i].op == IR_CALL ? ir_callee(w->g->m, &f->insts[i]) : NULL;

		if (f->insts[i].op == IR_CALL && (!g || !ir_is_decl(g)) &&
		    keyset_get(&w->deeds, hash_join(fr->func, i)))
			return true;
	}
	return false;
}

/* Does it return a character, as unsigned char, or EOF? */
static bool is_getc(const char *name)
{
	static const char *const names[] = { "fgetc", "getc", "getchar",
					     "getc_unlocked", "fgetc_unlocked", "_IO_getc" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_eq(name, names[i]))
			return true;
	return false;
}

static struct sym result_of(struct walker *w, const struct spot *at, const struct ir_inst *in, uint64_t which)
{
	const struct ir_func *callee = ir_callee(w->g->m, in);
	struct sym r;

	if (compare_text(w, at, in, &r))
		return r;
	if (in->flags & IR_F_TWICE)
		w->guesses |= WALK_GUESS_OTHER;
	if (in->flags & IR_F_TWICE && is_handed_on(w, at->fr))
		return sym_const(0);
	if (callee && ir_is_decl(callee) && is_getc(callee->name))
		return sym_between(which, -1, UCHAR_MAX);
	if (callee && !ir_is_decl(callee) && (in->cls == IR_C_INT || in->cls == IR_C_PTR)) {
		const struct retrange *range = &w->g->returns[callee - w->g->m->funcs.v];

		if (range->known)
			return sym_between(which, range->lo, range->hi);
	}
	return walk__unknown(w, at->fr, in->res, which);
}

/* Is the object, or what holds it, compared with something else of its kind, as a
 * tree does to find its place?  The new one is taken to differ: trees are asked
 * before whether they have such a one.  (Where they are not, a leak is missed.) */
static bool is_comparison(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct ir_func *callee = ir_callee(w->g->m, in);
	bool ours = false;

	if (at->obj == IR_NONE || in->nops != 3 || in->cls != IR_C_INT)
		return false;
	if (!callee || ir_is_decl(callee) || callee->nparams != 2 ||
	    callee->params[0].cls != IR_C_PTR || callee->params[1].cls != IR_C_PTR)
		return false;
	for (uint32_t k = 1; k < 3; k++) {
		ir_ref r = ssa_ref(pta_ssa(w->g->p, at->fr->func), in->ops[k]);

		if (IR_KIND(r) == IR_R_VREG)
			ours |= walk__holds(w, VNODE_VALUE(at->fr->func, IR_IDX(r))) ||
				walk__holds(w, VNODE_HELD(at->fr->func, IR_IDX(r))) ||
				walk__holds(w, VNODE_DEEP | VNODE_HELD(at->fr->func, IR_IDX(r))) ||
				walk__is_holder(w, at->fr, r);
	}
	return ours;
}

/* Does the call return new memory that is full of zeros? */
static bool makes_zeros(const struct walker *w, uint32_t func, uint32_t inst)
{
	uint32_t obj = pta_heap_at(w->g->p, func, inst, 0), callee;
	const struct model_effect *e = obj == IR_NONE ? NULL : pta_obj(w->g->p, obj)->effect;
	const struct pta_handout *h;

	if (!e || e->kind != MODEL_E_SET || !e->value.zeroed || e->place.base != MODEL_RETURN)
		return false;
	h = vfg__nth_handout(w->g, func, inst, 0, &callee);
	return !h || (h->param == IR_NONE && !h->filled);
}

/* A copied string begins with the same character. */
void walk__copy_text(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	const struct ir_func *callee = ir_callee(w->g->m, in);
	const struct sym_cell *c;

	if (!callee || !ir_is_decl(callee) || in->res == IR_NONE || in->nops < 2)
		return;
	if (!str_eq(callee->name, "strdup") && !str_eq(callee->name, "realloc"))
		return;
	c = sym_mem_get(&w->s, walk__eval(w, at->fr, in->ops[1]));
	if (c)
		walk__store_memory(w, at->fr, IR_VREG(in->res),
				   walk__eval(w, at->fr, IR_VREG(in->res)), c->v, c->written);
}

/* What a call that is not entered does to what we know. */
void walk__do_call(struct walker *w, const struct spot *at, const struct ir_inst *in)
{
	struct pta_callees c;
	struct changed x = {0};
	struct sbits globals = {0};
	const struct ir_func *callee = ir_callee(w->g->m, in);
	uint64_t salt, which;
	bool same = callee && (callee->flags & IR_FN_READONLY ||
			       w->g->by_arguments[callee - w->g->m->funcs.v]);
	bool outside = !same && walk__is_environment(w, callee);
	struct walk_told told;
	struct sym r;

	walk__ask_second(w, at, in, &told);
	pta_callees(w->g->p, at->fr->func, at->inst, &c);
	note_latches(w, &c);
	SBITS_FOREACH(h, c.set)
		sbits_or(&globals, &w->g->writes[h]);
	for (uint32_t i = 0; trace_now && i < w->s.cells.n; i++)
		if (w->s.cells.e[i].val.kind == SYM_MEM && IR_KIND(w->s.cells.e[i].val.value) == IR_R_GLOBAL)
			SBITS_FOREACH(h, c.set)
				trace_note(FACT_WRITES, h, IR_IDX(w->s.cells.e[i].val.value));
	salt = occasion(w, at);
	which = same ? hash_join(0xca11, ident_ref(&w->g->ids, in->ops[0])) : salt;
	for (uint32_t k = 1; k < in->nops; k++) {
		struct sym v = walk__eval(w, at->fr, in->ops[k]);

		if (same)
			which = hash_join(which, v.id);
		else if (!sym_is_const(v) && may_write(w, callee, k - 1))
			add_changed(w, at->fr, &x, in->ops[k], given_span(w, at->fr, in->ops[k]));
	}
	x.globals = &globals;
	if (!same) {
		sym_mem_forget(&w->s, salt, is_changed, &x);
		for (uint32_t i = 0; i < w->s.cells.n; i++)
			if (w->s.cells.e[i].val.kind == SYM_MEM && is_changed(&w->s.cells.e[i].val, &x))
				walk__set_origin(w, w->s.cells.e[i].val.v, outside ? 0 : WALK_GUESS_WRITTEN);
	}
	sbits_release(&globals);
	walk__believe_second(w, at, in, salt, &told);
	if (in->res == IR_NONE)
		return;
	r = result_of(w, at, in, which);
	walk__set_origin(w, r, outside ? 0 :
			 callee && ir_is_decl(callee) ? WALK_GUESS_LIBRARY : WALK_GUESS_RESULT);
	walk__set(w, at->fr, in->res, r);
	if (makes_zeros(w, at->fr->func, at->inst))
		walk__clear(w, at->fr, IR_VREG(in->res));
	walk__copy_text(w, at, in);
	if (is_comparison(w, at, in)) {
		sym_assume(&w->s, walk__eval(w, at->fr, IR_VREG(in->res)), true);
		w->guesses |= WALK_GUESS_OTHER;
	}
}

/* May the value point to what holds the object, or to what holds that? */
bool walk__is_holder(struct walker *w, const struct frame *fr, ir_ref r)
{
	const struct mssa_func *mf = mssa_func(w->g->s, fr->func);

	for (uint32_t i = 0; i < w->held.n; i++) {
		vnode n = w->held.v[i];
		uint32_t region;
		bool is_new, *known;

		if (!VNODE_IS_DEF(n) || VNODE_FUNC(n) != fr->func)
			continue;
		region = mf->defs[VNODE_IDX(n)].region;
		trace_note(FACT_HOLDER_LOCS, fr->func, region);
		pta_points_to(w->g->p, fr->func, r);	/* notes it, though the answer may be known already */
		known = keyset_put(&w->holds, hash_join(hash_join(fr->func, region), r), &is_new);
		if (is_new) {
			struct sbits locs = {0};

			vfg__holder_locs(w->g, fr->func, region, &locs);
			*known = sbits_intersects(pta_points_to(w->g->p, fr->func, r), &locs);
			sbits_release(&locs);
		}
		if (*known)
			return true;
	}
	return false;
}
