/*
 * exec.c - the paths of one function.
 *
 * Section 5.3 and 5.4 of Xu and Zhang (QSIC 2008) generate all paths first and
 * ask for each whether it is feasible; here a path is executed while it is
 * generated, and left at the first branch that contradicts what was decided
 * before.  Depth first, with one state that is undone on the way back.  Paths
 * that meet in a block with equal states go on as one.
 *
 * Loops: a block is entered at most twice on a path.  When control comes back
 * to the head of a loop, what the rounds count with (flow.c) is replaced by a
 * value that later rounds might have, so that a loop of ten rounds can be
 * left after one.  A path that needs more rounds in other ways is not found.
 *
 * A pointer that is used is not null from then on: a program that goes through
 * null has other worries than leaks.
 */
#include "path/exec.h"

enum {
	MAX_BLOCKS = 3000,	/* entered in one function */
	MAX_QUIET = 30000,	/* ... that does nothing to the heap: quick to walk, and its counters may
				 * decide elsewhere */
	MAX_FROM = 1000,	/* ... from one of its calls on */
	MAX_VISITS = 2,		/* of one block on one path */
	MAX_WALKS = 4,		/* from one block in one state */
	MAX_DEPTH = 6000,	/* blocks on one path */
};

/* ---- values ---------------------------------------------------------- */

struct sym exec__eval(struct exec *x, ir_ref r)
{
	const struct sym *v;

	switch (IR_KIND(r)) {
	case IR_R_VREG:
		if (!bits_test(&x->flow.far, IR_IDX(r)))
			return x->env[IR_IDX(r)];
		v = sym_env_get(&x->st.s, 0, IR_IDX(r));
		return v ? *v : sym_any(hash_join(0xe0f, r), IR_C_OPAQUE, 0);
	case IR_R_SLOT:
		return state_slot(&x->st, IR_IDX(r), 1);
	case IR_R_GLOBAL:
	case IR_R_FUNC:
	case IR_R_ADDR:
		return state_symbol(&x->st, r);
	case IR_R_INT:
		return sym_const(ir_int_value(x->m, r));
	case IR_R_SPECIAL:
		break;
	}
	return r == IR_NULL ? sym_const(0) : sym_any(hash_join(0xe10, r), IR_C_OPAQUE, 0);
}

void exec__set(struct exec *x, uint32_t vreg, struct sym v)
{
	if (vreg == IR_NONE)
		return;
	if (bits_test(&x->flow.far, vreg))
		sym_env_set(&x->st.s, 0, vreg, v);
	else
		x->env[vreg] = v;
}

void exec__set_part(struct exec *x, uint32_t vreg, uint32_t k, struct sym v)
{
	assert(k);
	sym_env_set(&x->st.s, k, vreg, v);
}

static struct sym part(struct exec *x, const struct ir_inst *in)
{
	const struct sym *v = NULL;

	if (in->imm > 0)
		v = sym_env_get(&x->st.s, (uint64_t)in->imm, IR_IDX(in->ops[0]));
	if (in->imm == 0 && sym_env_get(&x->st.s, 1, IR_IDX(in->ops[0])))
		return exec__eval(x, in->ops[0]);
	return v ? *v : state_fresh(&x->st, in->cls, in->bits);
}

/* From here on, values that nobody knows are called after this instruction. */
static void salt(struct exec *x, uint32_t inst)
{
	x->st.salt = hash_join(inst, x->visits[x->f->insts[inst].block]);
}

bool exec__assume(struct exec *x, struct sym cond, bool truth)
{
	return sym_assume(&x->st.s, cond, truth);
}

bool exec__may_go_on(struct exec *x)
{
	if (++x->r->blocks > x->limit)
		x->r->cut = true;
	return !x->r->cut;
}

struct exec_mark exec__mark(const struct exec *x)
{
	return (struct exec_mark){ sym_mark(&x->st.s), x->steps.n };
}

void exec__undo(struct exec *x, struct exec_mark mark)
{
	sym_undo(&x->st.s, mark.cells);
	x->steps.n = mark.steps;
}

bool exec__deref(struct exec *x, struct sym p, uint32_t inst)
{
	struct where w;

	if (sym_is_const(sym_refined(&x->st.s, p)))
		return sym_refined(&x->st.s, p).lo != 0;	/* a device register, perhaps */
	w = state_where(&x->st, p);
	if (!state_is_nonnull(&x->st, p) && !sym_assume(&x->st.s, p, true))
		return false;
	if (w.base != p.id) {
		struct sym base = state_obj(&x->st, w.base)->addr;

		if (!w.any && !state_is_nonnull(&x->st, base) && !sym_assume(&x->st.s, base, true))
			return false;
	}
	if (state_of(&x->st, w.base) == O_FREED && exec__is_certain(x, p, inst) &&
	    !state_is_vague(&x->st, w.base)) {
		exec__wrong(x, WRONG_USE_AFTER_FREE, state_obj(&x->st, w.base), state_at(&x->st, w.base),
			    inst);
		return false;
	}
	return true;
}

/* ---- instructions ---------------------------------------------------- */

static bool is_pointer(struct exec *x, struct sym v)
{
	return wheres_get(&x->st.wheres, v.id) || mobjs_get(&x->st.objs, v.id);
}

/* `end - start`: what has moved on from start, it has not moved back.  Nothing is longer than
 * an int can tell. */
static struct sym distance(struct exec *x, struct sym a, struct sym b, unsigned bits)
{
	struct where to = state_where(&x->st, a), from = state_where(&x->st, b);
	struct sym d = sym_bin(&x->st.s, IR_B_SUB, bits, a, b);

	if (to.base != from.base || from.any || to.off < from.off)
		return d;
	return to.any ? sym_between(d.id, 0, INT32_MAX) : sym_const(to.off - from.off);
}

/* The bits that an aligned address has not: a mark may be there. */
static struct sym low_bits(struct exec *x, struct sym p, int64_t mask)
{
	struct where w = state_where(&x->st, p);

	if (w.any)
		return sym_between(state_fresh(&x->st, IR_C_INT, 64).id, 0, mask);
	return sym_const(w.off & mask);
}

static struct sym binary(struct exec *x, const struct ir_inst *in)
{
	struct sym a = exec__eval(x, in->ops[0]), b = exec__eval(x, in->ops[1]);

	for (uint32_t k = 0; k < 2; k++) {
		struct sym p = k ? b : a;
		struct sym o = k ? a : b;

		if (is_pointer(x, p) && in->sub == IR_B_AND && sym_is_const(o) && o.lo > 0 && o.lo < 8)
			return low_bits(x, p, o.lo);
		if (!is_pointer(x, p) || !ir_bin_carries(x->f, in, k))
			continue;
		if (in->sub == IR_B_ADD && sym_is_const(o))
			return state_offset(&x->st, p, o.lo);
		if (in->sub == IR_B_SUB && !k && sym_is_const(o))
			return state_offset(&x->st, p, -o.lo);
		return state_into(&x->st, p, false);
	}
	if (in->sub == IR_B_SUB && is_pointer(x, a) && is_pointer(x, b))
		return distance(x, a, b, in->bits);
	return (in->flags & IR_F_NSW ? sym_bin_fits : sym_bin)(&x->st.s, (enum ir_bin)in->sub, in->bits, a,
							       b);
}

/* An element that has a name of its own; in a loop, others stand for those of all rounds.  The first
 * character of a text that somebody else made has one, too: callers may know whether it is empty. */
static bool is_named_element(struct exec *x, const struct ir_inst *in)
{
	struct sym p = exec__eval(x, in->ops[0]), i = sym_refined(&x->st.s, exec__eval(x, in->ops[1]));

	if (IR_KIND(in->ops[1]) == IR_R_INT)
		return true;
	return in->imm == 1 && sym_is_const(i) && i.lo == 0 && !sym_is_const(sym_refined(&x->st.s, p)) &&
	       state_obj(&x->st, state_where(&x->st, p).base)->kind == M_INPUT;
}

/* Memory of this activation, or made by it, has an address that nobody had before. */
static bool is_ours_itself(struct exec *x, struct sym p)
{
	const struct where *w = wheres_get(&x->st.wheres, p.id);
	const struct mobj *o = mobjs_get(&x->st.objs, w ? w->base : p.id);

	return o && (o->kind == M_HEAP || o->kind == M_SLOT);
}

struct ours_asked {
	struct exec *x;
	bool no;
};

static void look_for_others(const struct state_cell *c, void *arg)
{
	struct ours_asked *a = arg;

	a->no |= c->written && !sym_is_const(sym_refined(&a->x->st.s, c->v)) && !is_ours_itself(a->x, c->v);
}

/* ... and so has what an array of ours holds, if it holds nothing else. */
static bool is_ours(struct exec *x, struct sym p)
{
	const struct where *w = wheres_get(&x->st.elems, p.id);
	const struct mobj *o = w ? mobjs_get(&x->st.objs, w->base) : NULL;
	struct ours_asked a = { .x = x };

	if (!o || o->kind != M_HEAP)
		return is_ours_itself(x, p);
	state_cells(&x->st, w->base, look_for_others, &a);
	return !a.no;
}

static bool is_callers(struct exec *x, struct sym p)
{
	const struct where *w = wheres_get(&x->st.wheres, p.id);
	const struct mobj *o = mobjs_get(&x->st.objs, w ? w->base : p.id);

	return placemap_get(&x->st.places, p.id) || (o && (o->kind == M_INPUT || o->kind == M_GLOBAL));
}

struct sym exec__compare(struct exec *x, enum ir_pred p, struct sym a, struct sym b)
{
	if (p != IR_P_EQ && p != IR_P_NE)
		return sym_cmp(&x->st.s, p, a, b);
	if ((is_ours(x, a) && is_callers(x, b)) || (is_ours(x, b) && is_callers(x, a)))
		/* equal only if both are null */
		return sym_cmp(&x->st.s, p, is_ours(x, a) ? a : b, sym_const(0));
	return sym_cmp(&x->st.s, p, a, b);
}

static struct sym in_this_round(struct exec *x, struct sym p, uint32_t i)
{
	if (!bits_test(&x->flow.moving, i) || sym_is_const(sym_refined(&x->st.s, p)))
		return p;
	return state_round(&x->st, p, x->flow.inner[x->f->insts[i].block] + 1);
}

/* A value of an enumeration is one of its enumerators (pta/enums.c). */
static struct sym as_enum(const struct exec *x, uint32_t vreg, struct sym v)
{
	int64_t lo, hi;

	if (!x->e->pta || sym_is_const(v) || sym_tag(v) != SYM_T_ANY)
		return v;
	if (!enums_range(&x->e->enums, x->func, vreg, &lo, &hi) || lo > v.hi || hi < v.lo)
		return v;
	v.lo = MAX(v.lo, lo);
	v.hi = MIN(v.hi, hi);
	return v;
}

static bool do_load(struct exec *x, const struct ir_inst *in, uint32_t i)
{
	struct sym p = exec__eval(x, in->ops[0]), v;
	bool is_volatile = in->flags & IR_F_VOLATILE && IR_KIND(in->ops[0]) != IR_R_SLOT;

	if (!exec__deref(x, p, i))
		return false;
	p = in_this_round(x, p, i);
	if (sym_is_const(sym_refined(&x->st.s, p)) || is_volatile)
		v = state_fresh(&x->st, in->cls, in->bits);
	else
		v = as_enum(x, in->res, state_load(&x->st, p, in->cls, in->bits, x->flow.cls[i]));
	exec__set(x, in->res, v);
	return true;
}

static bool do_store(struct exec *x, const struct ir_inst *in, uint32_t i)
{
	struct sym p = exec__eval(x, in->ops[0]), v = exec__eval(x, in->ops[1]);

	if (!exec__deref(x, p, i))
		return false;
	if (sym_is_const(sym_refined(&x->st.s, p)) || in->flags & IR_F_MAYBE) {
		exec__give(x, v, i);
		return true;
	}
	if (state_obj(&x->st, state_where(&x->st, p).base)->kind != M_SLOT)
		state_set_stamp(&x->st, i);
	state_store(&x->st, in_this_round(x, p, i), v, x->flow.cls[i], i);
	return true;
}

static int64_t size_of(struct exec *x, ir_ref r)
{
	struct sym n = sym_refined(&x->st.s, exec__eval(x, r));

	return sym_is_const(n) && n.lo >= 0 ? n.lo : -1;
}

static bool do_block_move(struct exec *x, const struct ir_inst *in, uint32_t i)
{
	struct sym to = exec__eval(x, in->ops[0]), v = exec__eval(x, in->ops[1]);
	int64_t size = size_of(x, in->ops[2]);

	if (size == 0)
		return true;
	if (!exec__deref(x, to, i) || (in->op == IR_MEMCPY && !exec__deref(x, v, i)))
		return false;
	if (sym_is_const(sym_refined(&x->st.s, to)))
		return true;
	if (in->op == IR_MEMCPY && sym_is_const(sym_refined(&x->st.s, v)))
		state_forget(&x->st, state_where(&x->st, to).base, false);
	else if (in->op == IR_MEMCPY)
		state_copy(&x->st, to, v, size, i);
	else if (sym_is_const(sym_refined(&x->st.s, v)) && sym_refined(&x->st.s, v).lo == 0)
		state_zero(&x->st, to, size, i);
	else
		state_forget(&x->st, state_where(&x->st, to).base, false);
	return true;
}

static void give_all(struct exec *x, const struct ir_inst *in, uint32_t i)
{
	for (uint32_t k = 0; k < in->nops; k++)
		exec__give(x, exec__eval(x, in->ops[k]), i);
}

/* A va_list holds offsets and pointers to where the arguments are; which member is which
 * depends on the machine, so each pointer in it may be one to them. */
static void do_va_start(struct exec *x, const struct ir_inst *in, uint32_t i)
{
	struct sym ap = exec__eval(x, in->ops[0]), args = state_varargs(&x->st, x->f->nparams);

	if (sym_is_const(sym_refined(&x->st.s, ap)))
		return;
	for (int64_t off = 0; off < 24; off += 8)
		state_store(&x->st, state_offset(&x->st, ap, off),
			    off ? args : state_fresh(&x->st, IR_C_OPAQUE, 0), IR_NONE, i);
	state_store(&x->st, state_offset(&x->st, ap, 4), state_fresh(&x->st, IR_C_OPAQUE, 0), IR_NONE, i);
}

/* `c ? a : b` without a branch: two paths all the same. */
static bool do_select(struct exec *x, const struct ir_inst *in, uint32_t i)
{
	struct sym c = exec__eval(x, in->ops[0]);
	struct sym v[2] = { exec__eval(x, in->ops[1]), exec__eval(x, in->ops[2]) };
	int t = sym_truth(&x->st.s, c);
	struct exec_mark mark = exec__mark(x);

	if (t >= 0) {
		exec__set(x, in->res, v[t ? 0 : 1]);
		return true;
	}
	for (int k = 0; k < 2 && !x->r->cut; k++) {
		if (exec__assume(x, c, k == 0) && exec__may_go_on(x)) {
			exec__set(x, in->res, v[k]);
			exec__go_on(x, i);
		}
		exec__undo(x, mark);
	}
	return false;
}

/* False: the path ends here. */
static bool step(struct exec *x, uint32_t i)
{
	const struct ir_inst *in = &x->f->insts[i];

	switch ((enum ir_opcode)in->op) {
	case IR_LOAD:
		salt(x, i);
		return do_load(x, in, i);
	case IR_STORE:
		return do_store(x, in, i);
	case IR_MEMCPY:
	case IR_MEMSET:
		salt(x, i);
		return do_block_move(x, in, i);
	case IR_ALLOCA:
		exec__set(x, in->res, state_slot(&x->st, (uint32_t)in->imm, x->visits[in->block]));
		return true;
	case IR_FIELD:
		exec__set(x, in->res, state_offset(&x->st, exec__eval(x, in->ops[0]), in->imm));
		return true;
	case IR_ELEM:
	case IR_INDEX:
		salt(x, i);
		exec__set(x, in->res,
			  state_element(&x->st, exec__eval(x, in->ops[0]), exec__eval(x, in->ops[1]), in->imm,
					is_named_element(x, in) ? 0 : x->flow.inner[in->block] + 1));
		return true;
	case IR_COPY:
		exec__set(x, in->res, exec__eval(x, in->ops[0]));
		return true;
	case IR_CAST:
		exec__set(x, in->res, sym_cast(&x->st.s, (enum ir_cast)in->sub, in->from, in->bits,
					       exec__eval(x, in->ops[0])));
		return true;
	case IR_BIN:
		salt(x, i);
		exec__set(x, in->res, binary(x, in));
		return true;
	case IR_CMP:
		exec__set(x, in->res, exec__compare(x, (enum ir_pred)in->sub, exec__eval(x, in->ops[0]),
						    exec__eval(x, in->ops[1])));
		return true;
	case IR_SELECT:
		return do_select(x, in, i);
	case IR_CALL:
		salt(x, i);
		return exec__call(x, i);
	case IR_EXTRACT:
		salt(x, i);
		exec__set(x, in->res, part(x, in));
		return true;
	case IR_VASTART:
		do_va_start(x, in, i);
		return true;
	case IR_VACOPY:
		if (!sym_is_const(sym_refined(&x->st.s, exec__eval(x, in->ops[0]))) &&
		    !sym_is_const(sym_refined(&x->st.s, exec__eval(x, in->ops[1]))))
			state_copy(&x->st, exec__eval(x, in->ops[0]), exec__eval(x, in->ops[1]), -1, i);
		return true;
	case IR_ASM:
	case IR_OPAQUE:
		salt(x, i);
		give_all(x, in, i);
		/* fallthrough */
	case IR_VAARG:
		salt(x, i);
		exec__set(x, in->res, state_fresh(&x->st, in->cls, in->bits));
		return true;
	default:
		return true;	/* PHIs were done on the edge */
	}
}

/* ---- branches -------------------------------------------------------- */

static void enter(struct exec *x, uint32_t from, uint32_t to);

/* Does a switch over an enumeration have a default of its own, and is nothing known of the
 * value but its type?  Then somebody expects other values than the enumerators. */
static bool expects_others(struct exec *x, const struct ir_inst *in, struct sym v)
{
	ir_ref r = in->ops[0];
	int64_t lo, hi;

	for (const struct ir_inst *d = ir_def(x->f, r); d && d->op == IR_CAST; d = ir_def(x->f, r))
		r = d->ops[0];
	v = sym_refined(&x->st.s, v);
	if (!x->e->pta || IR_KIND(r) != IR_R_VREG || x->f->blocks[in->targets[0]].npred != 1)
		return false;
	return enums_range(&x->e->enums, x->func, IR_IDX(r), &lo, &hi) && v.lo <= lo && v.hi >= hi;
}

/* Does a constant table say so, of an index that is not known?  Which of its numbers come after which
 * is in the table: the actions of a parser. */
static bool is_from_table(struct exec *x, struct sym v)
{
	const struct sym_expr *e;
	const struct place *p;

	while ((e = symexprs_get(&x->st.s.exprs, v.id)) && e->op == IR_CAST)
		v = e->a;
	p = placemap_get(&x->st.places, v.id);
	return p && p->base == PLACE_GLOBAL && place_is_any(p) &&
	       x->m->globals.v[p->index].flags & IR_G_CONST;
}

static bool assume_case(struct exec *x, const struct ir_inst *in, struct sym v, uint32_t target)
{
	int64_t lo, hi;

	if (is_from_table(x, v))
		state_doubt(&x->st);

	if (target && !ir_case_range(x->m, in, target, &lo, &hi))
		return false;
	if (target && lo < hi)
		return exec__assume(x, sym_cmp(&x->st.s, IR_P_SGE, v, sym_const(lo)), true) &&
		       exec__assume(x, sym_cmp(&x->st.s, IR_P_SLE, v, sym_const(hi)), true);
	if (target)
		return exec__assume(x, sym_cmp(&x->st.s, IR_P_EQ, v, exec__eval(x, in->ops[target])), true);
	if (expects_others(x, in, v)) {
		state_made_up(&x->st);
		return true;
	}
	for (uint32_t k = 1; k < in->nops; k++)
		if (!exec__assume(x, sym_cmp(&x->st.s, IR_P_EQ, v, exec__eval(x, in->ops[k])), false))
			return false;
	return true;
}

static bool assume_target(struct exec *x, const struct ir_inst *in, struct sym v, uint32_t target)
{
	if (in->op == IR_CONDBR)
		return exec__assume(x, v, target == 0);
	return in->op != IR_SWITCH || assume_case(x, in, v, target);
}

static bool is_decided(struct exec *x, const struct ir_inst *in, struct sym v)
{
	return in->ntargets < 2 || (in->op == IR_CONDBR && sym_truth(&x->st.s, v) >= 0) ||
	       (in->op == IR_SWITCH && sym_is_const(sym_refined(&x->st.s, v)));
}

static void leave_block(struct exec *x, uint32_t i)
{
	const struct ir_inst *in = &x->f->insts[i];
	struct exec_mark mark = exec__mark(x);
	uint32_t jump = x->last_jump;
	/* before the first path is walked: a second round would compute the value anew */
	struct sym v = in->nops ? exec__eval(x, in->ops[0]) : sym_const(0);
	bool open = !is_decided(x, in, v);

	if (open && x->skip[in->block] != IR_NONE) {
		enter(x, in->block, x->skip[in->block]);
		exec__undo(x, mark);
		return;
	}

	for (uint32_t t = 0; t < in->ntargets && !x->r->cut; t++) {
		if (assume_target(x, in, v, t)) {
			if (in->ntargets > 1)
				vec_push(&x->steps, ((struct step){ .kind = STEP_BRANCH, .open = open,
								    .inst = i, .target = t }));
			x->last_jump = i;
			enter(x, in->block, in->targets[t]);
		}
		exec__undo(x, mark);
	}
	x->last_jump = jump;
}

void exec__go_on(struct exec *x, uint32_t inst)
{
	for (uint32_t i = inst + 1;; i++) {
		const struct ir_inst *in = &x->f->insts[i];

		if (in->op == IR_RET) {
			exec__end(x, i);
			return;
		}
		if (in->op == IR_UNREACHABLE) {
			exec__no_return(x);
			return;
		}
		if (ir_is_term(in)) {
			leave_block(x, i);
			return;
		}
		if (!step(x, i))
			return;
	}
}

/* ---- blocks ---------------------------------------------------------- */

static void do_phis(struct exec *x, uint32_t from, uint32_t to)
{
	const struct ir_func *f = x->f;
	uint32_t first = f->blocks[to].first, n = 0;
	struct sym v[16], *all = v;

	while (f->insts[first + n].op == IR_PHI)
		n++;
	if (n > ARRAY_LEN(v))
		all = xmalloc(n * sizeof(*all));
	for (uint32_t p = 0; p < n; p++) {
		const struct ir_inst *in = &f->insts[first + p];

		for (uint32_t k = 0; k < in->nops; k++)
			if (in->targets[k] == from)
				all[p] = exec__eval(x, in->ops[k]);
	}
	for (uint32_t p = 0; p < n; p++)
		exec__set(x, f->insts[first + p].res, all[p]);
	if (all != v)
		free(all);
}

static struct sym widened(struct exec *x, const struct flow_widen *w, struct sym old, uint64_t id)
{
	struct sym now = sym_refined(&x->st.s, old), all = sym_any(id, IR_C_INT, w->bits);

	if (w->how == WIDEN_POINTER)
		return sym_is_const(now) ? sym_any(id, IR_C_PTR, 64) : state_into(&x->st, old, false);
	if (w->how == WIDEN_UP && now.lo > all.lo)
		all = sym_between(id, now.lo, all.hi);
	return all;
}

static bool is_callers_pointer(const struct exec *x, struct sym v)
{
	const struct place *p = placemap_get(&x->st.places, v.id);

	return p && !p->bits;
}

static void widen(struct exec *x, const struct flow_loop *l)
{
	VEC(struct sym) addrs = {0};

	for (uint32_t k = 0; k < l->widen.n; k++) {
		const struct flow_widen *w = &l->widen.v[k];

		vec_clear(&addrs);
		/* rounds in which it did not change leave it what it is: `if (kept) n++` */
		if (!x->visits[w->block])
			continue;
		for (uint32_t i = 0; i < x->st.s.cells.n; i++) {
			const struct sym_cell *c = &x->st.s.cells.e[i].val;

			if (c->kind == SYM_MEM && c->value == w->cls && c->written)
				vec_push(&addrs, ((struct sym){ c->root, 1, INT64_MAX }));
		}
		for (uint32_t i = 0; i < addrs.n; i++) {
			struct sym old = sym_mem_get(&x->st.s, addrs.v[i])->v;
			uint64_t id = hash_join(hash_join(0x10f, l->header), addrs.v[i].id);

			/* a class may have both numbers and pointers in it: *n and *list */
			if (w->how != WIDEN_POINTER && (is_pointer(x, old) || is_callers_pointer(x, old)))
				continue;
			x->st.salt = id;
			state_made_up(&x->st);
			digests_put(&x->st.rounds, id, NULL);
			state_change(&x->st, addrs.v[i], w->cls, widened(x, w, old, id));
		}
	}
	vec_release(&addrs);
}

struct asked {
	const struct exec *x;
	uint32_t block;
};

/* Can the cell still matter, from this block on?  What was written to memory that callers
 * see does; so do the arguments, which the conditions of cases are about. */
static bool is_live(const struct sym_cell *c, void *arg)
{
	const struct asked *a = arg;
	const struct mobj *o;

	switch ((enum sym_kind)c->kind) {
	case SYM_ENV:
		return c->value < a->x->f->nparams || flow_is_live_vreg(&a->x->flow, a->block, c->value);
	case SYM_MEM:
		if (c->value < a->x->f->nslots || !c->written)
			return c->value != IR_NONE && flow_is_live(&a->x->flow, a->block, c->value);
		o = mobjs_get(&a->x->st.objs, c->frame);
		return !o || o->kind != M_SLOT || flow_is_live(&a->x->flow, a->block, o->index);
	default:
		return true;
	}
}

/* Only objects, and who points to them. */
static uint64_t heap_digest(struct exec *x)
{
	const struct syms *s = &x->st.s;
	uint64_t h = 0;

	for (uint32_t i = 0; i < s->cells.n; i++) {
		const struct sym_cell *c = &s->cells.e[i].val;

		if (c->kind == SYM_NOTE)
			h += hash_join(s->cells.e[i].key, c->value);
		else if (c->kind == SYM_MEM && state_heap(&x->st, c->v))
			h += hash_join(s->cells.e[i].key, c->v.id);
	}
	return h;
}

static uint64_t digest(struct exec *x, uint32_t block)
{
	struct asked a = { x, block };

	if (x->coarse)
		return hash_join(heap_digest(x), block);
	return hash_join(hash_join(sym_digest(&x->st.s, is_live, &a), block), x->visits[block]);
}

/* The values that a block begins with. */
static void begin(struct exec *x, uint32_t from, uint32_t to)
{
	uint32_t loop = x->flow.loop_of[to];

	do_phis(x, from, to);
	if (loop != IR_NONE && from != IR_NONE && bits_test(&x->flow.loops.v[loop].body, from))
		widen(x, &x->flow.loops.v[loop]);
}

/* One round too many.  If it would begin as an earlier one did, nothing is missed by leaving here. */
static void leave_rounds(struct exec *x, uint32_t from, uint32_t to)
{
	x->dropped = true;
	exec__give_up(x);
	begin(x, from, to);
	if (x->coarse || !mets_get(&x->seen, digest(x, to)))
		exec__left(x);
}

/* Walking from one call on: is there nothing left of what it made?  Then that is the end of the path. */
static bool is_settled(struct exec *x)
{
	return x->from != IR_NONE && !exec__holds(x);
}

static void enter(struct exec *x, uint32_t from, uint32_t to)
{
	uint64_t key;
	struct met *m;
	bool is_new;

	if (is_settled(x))
		return;
	if (x->from != IR_NONE && exec__is_lost(x))
		x->r->cut = true;	/* it is not safe, whatever happens on other paths */
	if (x->visits[to] >= MAX_VISITS) {
		leave_rounds(x, from, to);
		return;
	}
	if (!exec__may_go_on(x) || x->depth > MAX_DEPTH) {
		x->r->cut = true;
		return;
	}
	begin(x, from, to);
	x->visits[to]++;
	x->depth++;
	key = digest(x, to);
	m = mets_put(&x->seen, key, &is_new);
	if (is_new || (m->refuted && m->walks < MAX_WALKS)) {
		uint32_t refuted = x->e->refuted;

		*m = (struct met){ x->log.n, x->log.n, x->st.s.assumed.n, is_new ? 1 : m->walks + 1, false };
		exec__go_on(x, x->f->blocks[to].first - 1);
		m = mets_get(&x->seen, key);
		assert(m && m->first <= x->log.n);
		m->last = x->log.n;
		m->refuted = x->e->refuted > refuted;
	} else if (!x->coarse) {
		exec__log_again(x, m);
	}
	assert(x->depth && x->visits[to]);
	x->depth--;
	x->visits[to]--;
}

/* ---- a function ------------------------------------------------------ */

static void forget_all(struct exec *x)
{
	state_clear(&x->st);
	mets_clear(&x->seen);
	exec__log_clear(x);
	x->r->blocks = 0;
	x->r->cut = false;
	for (uint32_t k = 0; k < x->f->nparams; k++) {
		bits_set(&x->flow.far, k);
		sym_env_set(&x->st.s, 0, k,
			    state_param(&x->st, k, x->f->params[k].cls, x->f->params[k].bits));
	}
}

static void walk(struct exec *x)
{
	forget_all(x);
	enter(x, IR_NONE, 0);
}

/* Too many paths.  Of a function that does nothing to memory but write it, that is all that
 * callers need to know.  Another is walked once more, each of its blocks only once for each
 * state of the heap: what is found so is on a feasible path all the same, but the walk is not
 * complete, so that nothing is said to callers and nothing is called safe. */
static void walk_coarsely(struct exec *x, bool quiet)
{
	struct scase any = { .returns = x->f->ret_cls != IR_C_VOID,
			     .ret = { .lo = INT64_MIN, .hi = INT64_MAX } };
	struct summary *sum = x->sum;

	summary_release(sum);
	if (quiet) {
		sum->wild = true;
		if (x->f->ret_cls == IR_C_PTR)
			passed_add_cases(x);
		else
			summary_add(sum, &any);
		return;
	}
	sum->cut = true;
	x->coarse = true;
	walk(x);
	x->r->cut = true;
}

static void exec_init(struct exec *x, struct engine *e, uint32_t func, struct summary *sum, struct result *r)
{
	const struct ir_func *f = &e->m->funcs.v[func];

	assert(func < e->m->funcs.n && f->nblocks);
	*x = (struct exec){ .e = e, .m = e->m, .func = func, .f = f, .sum = sum, .r = r,
			    .last_jump = IR_NONE, .from = IR_NONE };
	flow_init(&x->flow, e->m, f);
	skip_find(x);
	state_init(&x->st, e->m, &e->fixed, &e->ids);
	x->env = xcalloc((size_t)f->nvregs + 1, sizeof(*x->env));
	x->visits = xcalloc((size_t)f->nblocks + 1, 1);
}

static void exec_release(struct exec *x)
{
	exec__log_clear(x);
	flow_release(&x->flow);
	state_release(&x->st);
	free(x->env);
	free(x->visits);
	free(x->skip);
	mets_release(&x->seen);
	trusts_free(x->trusts);
	vec_release(&x->steps);
}

void exec_run(struct engine *e, uint32_t func, struct summary *sum, struct result *r)
{
	bool quiet = !touch_find(e, func);
	struct exec x;

	if (quiet)
		bits_set(&e->quiet, func);
	exec_init(&x, e, func, sum, r);
	x.limit = quiet ? MAX_QUIET : MAX_BLOCKS;
	walk(&x);
	if (r->cut)
		walk_coarsely(&x, quiet);
	else
		exec__sum_up(&x);
	/* Nothing got to a return although there is one: too little was tried. */
	for (uint32_t i = 0; i < sum->cases.n; i++)
		x.dropped &= sum->cases.v[i].noreturn;
	if (!quiet && x.dropped && x.flow.nrets)
		sum->cut = true;
	r->cut &= !quiet;
	summary_finish(sum);
	exec_release(&x);
}

/* All that comes before the call is taken for possible: memory and variables hold anything.  So
 * no path is missed, and those that cannot be, because of what was decided before the call,
 * are found as well. */
bool exec_run_from(struct engine *e, uint32_t func, uint32_t inst, const struct model_effect *made,
		   struct result *r)
{
	const struct ir_func *f = &e->m->funcs.v[func];
	uint32_t block = f->insts[inst].block, i = f->blocks[block].first;
	struct summary none = {0};
	struct exec x;
	bool makes = false;

	exec_init(&x, e, func, &none, r);
	x.limit = MAX_FROM;
	forget_all(&x);
	for (; f->insts[i].op == IR_PHI; i++)
		exec__set(&x, f->insts[i].res,
			  sym_any(hash_join(0xe0f, IR_VREG(f->insts[i].res)), IR_C_OPAQUE, 0));
	x.from = inst;
	x.made = made;
	x.visits[block] = 1;
	x.depth = 1;
	exec__go_on(&x, i - 1);
	for (uint32_t k = 0; k < r->sites.n; k++)
		makes |= r->sites.v[k].call == inst && r->sites.v[k].made.effect == made;
	makes |= !x.refused || x.guessed;
	exec_release(&x);
	return makes;
}
