/*
 * latch.c - flags that are set once, and asked about right behind the call that may have done it.
 *
 *	while (next(s)) {
 *		buf = s->codec->process(s);	// s->error = 1; return NULL;
 *		if (s->error)
 *			return NULL;		// loses buf, if there were one
 *		...
 *
 * A path begins somewhere, with memory that may hold anything: also a flag that was set long ago.
 * Here that cannot be.  A member of a struct is a latch if
 *
 *   - the program stores nothing to it but numbers other than zero, and never takes its address, so
 *     that it is zero until it is set, and set from then on;
 *   - all functions that set it, or call one that may, are called from one function only, in the
 *     end: the gate;
 *   - in these functions and in the gate, behind each call or store that may set it, no such call
 *     is reached before the flag has been asked about.
 *
 * So it is zero whenever one of these functions is entered, as long as nobody enters the gate again
 * that has failed once.  That is what we believe of callers, which need not know the flag: who was
 * knows that all is over does not continue.  A leak in what they do if they continue is missed.
 *
 * Asked only of leaks that are about to be reported, whose path asks about such a flag: the walker then
 * looks for another one.
 */
#include "vfg/latch.h"

#include "base/hash.h"

#include <assert.h>

#define MAP_NAME members
#define MAP_KEY uint64_t
#define MAP_VAL uint32_t
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct latch {
	uint64_t member;
	bool no;		/* something speaks against it */
	bool known;		/* ... and that was found out */
	struct bits sets;	/* functions that store to it */
	struct bits asks;	/* functions with a branch on it */
	struct bits may_set;	/* functions that store to it, or call one that may */
	struct bits zero;	/* functions that are entered with it at zero */
};

struct latches {
	const struct vfg *g;
	struct members numbers;
	VEC(struct latch) all;
};

/* ---- members --------------------------------------------------------- */

/* The member that an address is one of, by the name of its struct and the offset; 0. */
static uint64_t member_of(const struct ir_module *m, const struct ir_func *f, ir_ref addr)
{
	const struct ir_inst *d = ir_def(f, addr);
	const struct ir_type *t;

	if (!d || d->op != IR_FIELD || d->member == IR_NONE || d->imm < 0)
		return 0;
	t = &m->types.v[ir_type_strip(m, d->type)];
	return t->kind == IR_T_STRUCT && *t->name ? hash_join(hash_str(t->name), (uint64_t)d->imm) | 1 : 0;
}

static struct latch *latch_of(struct latches *l, uint64_t member, bool make)
{
	uint32_t *n = members_get(&l->numbers, member);
	uint32_t nfuncs = l->g->m->funcs.n + 1;

	if (!n && make) {
		struct latch *x = vec_add(&l->all, 1);

		members_set(&l->numbers, member, l->all.n - 1);
		*x = (struct latch){ .member = member };
		bits_init(&x->sets, nfuncs);
		bits_init(&x->asks, nfuncs);
		bits_init(&x->may_set, nfuncs);
		bits_init(&x->zero, nfuncs);
		return x;
	}
	return n ? &l->all.v[*n] : NULL;
}

/* Members to which a constant other than zero is stored. */
static void find_set(struct latches *l, uint32_t func)
{
	const struct ir_module *m = l->g->m;
	const struct ir_func *f = &m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		uint64_t member = in->op == IR_STORE && IR_KIND(in->ops[1]) == IR_R_INT &&
				  ir_int_value(m, in->ops[1])
					  ? member_of(m, f, in->ops[0])
					  : 0;

		if (member)
			bits_set(&latch_of(l, member, true)->sets, func);
	}
}

/* What else is done to them. */
static void find_others(struct latches *l, uint32_t func)
{
	const struct ir_module *m = l->g->m;
	const struct ir_func *f = &m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];

		for (uint32_t k = 0; k < in->nops; k++) {
			uint64_t member = member_of(m, f, in->ops[k]);
			struct latch *x = member ? latch_of(l, member, false) : NULL;

			if (!x || (in->op == IR_LOAD && k == 0))
				continue;
			x->no |= in->op != IR_STORE || k != 0 ||
				IR_KIND(in->ops[1]) != IR_R_INT || !ir_int_value(m, in->ops[1]);
		}
	}
}

/* The member that a branch asks to be zero or not; 0. */
static uint64_t asked_by(const struct ir_module *m, const struct ir_func *f, const struct ir_inst *br)
{
	const struct ir_inst *c = br->op == IR_CONDBR ? ir_def(f, br->ops[0]) : NULL;

	if (vfg__is_equality(c) && IR_KIND(c->ops[1]) == IR_R_INT &&
	    ir_int_value(m, c->ops[1]) == 0)
		c = ir_def(f, c->ops[0]);
	return c && c->op == IR_LOAD ? member_of(m, f, c->ops[0]) : 0;
}

static void find_asked(struct latches *l, uint32_t func)
{
	const struct ir_func *f = &l->g->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++) {
		uint64_t member = asked_by(l->g->m, f, &f->insts[i]);
		struct latch *x = member ? latch_of(l, member, false) : NULL;

		if (x)
			bits_set(&x->asks, func);
	}
}

/* ---- gates ----------------------------------------------------------- */

/* All functions from which those in `from` are reached, but not by way of the gate; false if the
 * program begins in one of them.  The gate is none of them. */
static bool find_above(const struct vfg *g, const struct bits *from, uint32_t gate, struct bits *out)
{
	VEC(uint32_t) todo = {0};
	bool ok = true, program = ir_is_program(g->m);

	for (uint32_t i = bits_next(from, 0); i != UINT32_MAX; i = bits_next(from, i + 1))
		if (i != gate && bits_set(out, i))
			vec_push(&todo, i);
	while (todo.n) {
		uint32_t f = vec_pop(&todo);

		ok &= g->caller_row[f] != g->caller_row[f + 1] &&
		      (program || g->m->funcs.v[f].linkage == IR_L_STATIC);
		for (uint32_t k = g->caller_row[f]; k < g->caller_row[f + 1]; k++)
			if (g->callers[k].func != gate && bits_set(out, g->callers[k].func))
				vec_push(&todo, g->callers[k].func);
	}
	vec_release(&todo);
	return ok;
}

static bool may_set(const struct latches *l, const struct latch *x, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &l->g->m->funcs.v[func].insts[inst];
	struct pta_callees c;

	if (in->op == IR_STORE)
		return member_of(l->g->m, &l->g->m->funcs.v[func], in->ops[0]) == x->member;
	if (in->op != IR_CALL)
		return false;
	pta_callees(l->g->p, func, inst, &c);
	SBITS_FOREACH(h, c.set)
		if (bits_test(&x->may_set, h))
			return true;
	return false;
}

/* Goes on in a block behind an instruction that may have set the flag: is there a call that may set it,
 * too?  *on: no, and the branch at the end does not ask. */
static bool meets_another(const struct latches *l, const struct latch *x, uint32_t func,
			  uint32_t first, bool *on)
{
	const struct ir_func *f = &l->g->m->funcs.v[func];
	uint32_t i = first;

	for (; !ir_is_term(&f->insts[i]); i++)
		if (f->insts[i].op == IR_CALL && may_set(l, x, func, i))
			return true;
	*on = asked_by(l->g->m, f, &f->insts[i]) != x->member;
	return false;
}

/* Is there a way from the instruction to a call that may set the flag, without a question? */
static bool goes_on(const struct latches *l, const struct latch *x, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &l->g->m->funcs.v[func];
	VEC(uint32_t) todo = {0};
	struct bits seen;
	bool on, bad = meets_another(l, x, func, inst + 1, &on);

	bits_init(&seen, f->nblocks + 1);
	if (!bad && on)
		vec_push(&todo, f->insts[inst].block);
	while (todo.n && !bad) {
		const struct ir_block *b = &f->blocks[vec_pop(&todo)];
		const struct ir_inst *end = &f->insts[b->first + b->n - 1];

		for (uint32_t k = 0; k < end->ntargets && !bad; k++) {
			if (!bits_set(&seen, end->targets[k]))
				continue;
			bad = meets_another(l, x, func, f->blocks[end->targets[k]].first, &on);
			if (!bad && on)
				vec_push(&todo, end->targets[k]);
		}
	}
	bits_release(&seen);
	vec_release(&todo);
	return bad;
}

static bool asks_in_time(const struct latches *l, const struct latch *x, uint32_t func)
{
	const struct ir_func *f = &l->g->m->funcs.v[func];

	for (uint32_t i = 0; i < f->ninsts; i++)
		if (may_set(l, x, func, i) && goes_on(l, x, func, i))
			return false;
	return true;
}

static bool is_gate(const struct latches *l, struct latch *x, uint32_t gate)
{
	bool ok = bits_test(&x->may_set, gate);

	bits_zero(&x->zero);
	ok = ok && find_above(l->g, &x->sets, gate, &x->zero);
	bits_set(&x->zero, gate);
	for (uint32_t i = bits_next(&x->zero, 0); ok && i != UINT32_MAX; i = bits_next(&x->zero, i + 1))
		ok = asks_in_time(l, x, i);
	return ok;
}

static void find_gate(const struct latches *l, struct latch *x)
{
	x->known = true;
	if (!x->no)
		find_above(l->g, &x->sets, IR_NONE, &x->may_set);
	for (uint32_t i = bits_next(&x->asks, 0); !x->no && i != UINT32_MAX; i = bits_next(&x->asks, i + 1))
		if (is_gate(l, x, i))
			return;
	x->no = true;
}

/* ---- all of them ----------------------------------------------------- */

struct latches *latches_new(const struct vfg *g)
{
	struct latches *l = xcalloc(1, sizeof(*l));

	l->g = g;
	for (uint32_t i = 0; i < g->m->funcs.n; i++)
		find_set(l, i);
	for (uint32_t i = 0; i < g->m->funcs.n; i++) {
		find_others(l, i);
		find_asked(l, i);
	}
	return l;
}

void latches_free(struct latches *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; i < l->all.n; i++) {
		bits_release(&l->all.v[i].sets);
		bits_release(&l->all.v[i].asks);
		bits_release(&l->all.v[i].may_set);
		bits_release(&l->all.v[i].zero);
	}
	vec_release(&l->all);
	members_release(&l->numbers);
	free(l);
}

static bool is_latch(const struct latch *x)
{
	return x->known && !x->no;
}

static uint32_t number_of(const struct latches *l, uint64_t member)
{
	const uint32_t *n = member ? members_get(&l->numbers, member) : NULL;

	return n && is_latch(&l->all.v[*n]) ? *n : IR_NONE;
}

bool latches_asked(struct latches *l, uint32_t func, uint32_t inst)
{
	const struct ir_func *f = &l->g->m->funcs.v[func];
	uint64_t member = asked_by(l->g->m, f, &f->insts[inst]);
	struct latch *x = member ? latch_of(l, member, false) : NULL;

	if (x && !x->known)
		find_gate(l, x);
	return x && is_latch(x);
}

uint32_t latches_at(const struct latches *l, uint32_t func, const struct ir_inst *in)
{
	return number_of(l, member_of(l->g->m, &l->g->m->funcs.v[func], in->ops[0]));
}

bool latches_is_zero(const struct latches *l, uint32_t latch, uint32_t func)
{
	assert(latch < l->all.n);
	return is_latch(&l->all.v[latch]) && bits_test(&l->all.v[latch].zero, func);
}

/* Is what is returned at the end of a block null, if control comes there from block `from`? */
static bool returns_null(const struct ssa *s, uint32_t block, uint32_t from)
{
	const struct ir_block *b = &s->f->blocks[block];
	const struct ir_inst *ret = &s->f->insts[b->first + b->n - 1];
	ir_ref r = ret->nops == 1 ? ssa_ref(s, ret->ops[0]) : IR_UNDEF;

	for (uint32_t k = 0; ssa_is_phi(s, r) && ssa_phi(s, r)->block == block && k < b->npred; k++)
		if (b->pred[k] == from)
			return ssa_ref(s, ssa_phi(s, r)->args[k]) == IR_NULL;
	return r == IR_NULL;
}

/* Is null returned on every way from the block to the end of the function? */
static bool fails_from(const struct ssa *s, uint32_t block)
{
	const struct ir_func *f = s->f;
	VEC(uint32_t) todo = {0};
	struct bits seen;
	bool ok = f->insts[f->blocks[block].first + f->blocks[block].n - 1].op != IR_RET ||
		  returns_null(s, block, IR_NONE);

	bits_init(&seen, f->nblocks + 1);
	vec_push(&todo, block);
	while (todo.n && ok) {
		uint32_t from = vec_pop(&todo);
		const struct ir_inst *end = &f->insts[f->blocks[from].first + f->blocks[from].n - 1];

		for (uint32_t k = 0; k < end->ntargets && ok; k++) {
			const struct ir_block *b = &f->blocks[end->targets[k]];

			if (f->insts[b->first + b->n - 1].op == IR_RET)
				ok = returns_null(s, end->targets[k], from);
			else if (bits_set(&seen, end->targets[k]))
				vec_push(&todo, end->targets[k]);
		}
	}
	bits_release(&seen);
	vec_release(&todo);
	return ok;
}

bool latches_may_give(const struct latches *l, uint32_t latch, uint32_t func)
{
	const struct ir_func *f = &l->g->m->funcs.v[func];

	if (!latches_may_set(l, latch, func))
		return false;
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (may_set(l, &l->all.v[latch], func, i) &&
		    !fails_from(pta_ssa(l->g->p, func), f->insts[i].block))
			return true;
	return false;
}

uint32_t latches_count(const struct latches *l)
{
	return l->all.n;
}

bool latches_may_set(const struct latches *l, uint32_t latch, uint32_t func)
{
	assert(latch < l->all.n);
	return is_latch(&l->all.v[latch]) && bits_test(&l->all.v[latch].may_set, func);
}
