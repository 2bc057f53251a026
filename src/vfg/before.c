/*
 * before.c - what was said of the allocations of a program, for one that has a few statements more.
 *
 * plumb fix judges a program twice, the second time with the releases that it has added.  keep.c finds what can be taken over from
 * the first time: all of whose facts are the same.  But a function that was edited is another fact, and where it is one
 * that all goes through, a shell's table of commands, hundreds of allocations would be judged again that
 * none of the added statements can come by.
 *
 * What such a statement does to an object it does through a pointer to it, or to something that leads to it: it is given that
 * pointer, finds it in a variable that it or a function that it calls names, or writes to where it was.  An object that none of them leads
 * to, by the points-to sets, is neither freed, lost nor kept by it.  The ways through the program are the same: what
 * is added asks only for itself.  So what was said to be no leak before is none now.
 *
 * Which way this errs: if the release of one object hangs on a number in another that a destructor, added for that, changes, and
 * which does not lead to the first, we do not see it; a number in a variable of the program is another matter, then all
 * are judged again.  Points-to sets are too large, and what they are too small for (copies that are taken for text) the engine
 * would not have seen the second time, either.  What was told as a leak is judged again in any case, since its path has
 * other numbers now.
 */
#include "vfg/before.h"

enum { MAX_CALLEES = 200 };

struct said_before {
	enum verdict verdict;
	enum walk_answer answer;
	uint32_t guesses;
	bool in_memory;
};

#define MAP_NAME saidmap
#define MAP_KEY uint64_t
#define MAP_VAL struct said_before
#define MAP_HASH(k) (k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct vfg_before {
	struct saidmap said;
	bool full;
};

struct vfg_before *vfg_before_new(void)
{
	return xcalloc(1, sizeof(struct vfg_before));
}

void vfg_before_free(struct vfg_before *b)
{
	if (b)
		saidmap_release(&b->said);
	free(b);
}

void before_put(struct vfg_before *b, uint64_t key, const struct judged *j)
{
	*saidmap_put(&b->said, key, NULL) = (struct said_before){ j->verdict, j->answer, j->guesses, j->in_memory };
}

void before_end(struct vfg_before *b)
{
	b->full = true;
}

bool before_is_full(const struct vfg_before *b)
{
	return b->full;
}

bool before_take(const struct vfg_before *b, const struct added *a, uint64_t key, const struct vsource *src, struct judged *j)
{
	const struct said_before *s = !b->full || a->all || bits_test(&a->objs, src->obj) ? NULL : saidmap_get(&b->said, key);

	if (!s || !(s->verdict == VERDICT_SAFE || (verdict_leaks(s->verdict) && s->answer != WALK_LEAK)))
		return false;
	*j = (struct judged){ .verdict = s->verdict, .answer = s->answer, .guesses = s->guesses, .in_memory = s->in_memory };
	return true;
}

/* ---- what is added ---- */

struct adding {
	const struct pta *p;
	const struct ir_module *m;
	struct sbits locs;
	struct bits seen;		/* functions that are called */
	VEC(uint32_t) todo;
	bool all;
};

static void add_callee(struct adding *x, uint32_t func)
{
	if (ir_is_decl(&x->m->funcs.v[func]))
		x->all |= !pta_model(x->p, func);
	else if (bits_set(&x->seen, func))
		vec_push(&x->todo, func);
}

static void add_callees(struct adding *x, uint32_t func, uint32_t inst)
{
	struct pta_callees c;

	pta_callees(x->p, func, inst, &c);
	x->all |= c.unknown;
	SBITS_FOREACH(g, c.set)
		add_callee(x, g);
}

static void add_pointer(struct adding *x, uint32_t func, ir_ref r)
{
	sbits_or(&x->locs, pta_points_to(x->p, func, r));
}

/* What may have been where it writes to. */
static void add_overwritten(struct adding *x, uint32_t func, ir_ref to)
{
	const struct ir_func *f = &x->m->funcs.v[func];

	SBITS_FOREACH(l, pta_points_to(x->p, func, to))
		sbits_or(&x->locs, pta_cell(x->p, l));
	for (uint32_t i = 0; i < f->ninsts; i++)	/* variables that are in SSA form have no cell */
		if (f->insts[i].op == IR_STORE && f->insts[i].ops[0] == to)
			add_pointer(x, func, f->insts[i].ops[1]);
}

/* What others ask for may be another now.  Also if it is not known where that is. */
static bool writes_global(const struct adding *x, uint32_t func, ir_ref to)
{
	const struct sbits *locs = pta_points_to(x->p, func, to);

	if (IR_KIND(to) == IR_R_SLOT)
		return false;
	SBITS_FOREACH(l, locs)
		if (pta_obj(x->p, pta_loc(x->p, l)->obj)->kind == PTA_GLOBAL)
			return true;
	return IR_KIND(to) != IR_R_VREG || !sbits_count(locs);
}

static bool is_beyond(const struct adding *x, uint32_t func, const struct ir_inst *in)
{
	return in->op == IR_ASM || ((in->op == IR_STORE || in->op == IR_MEMCPY || in->op == IR_MEMSET) && writes_global(x, func, in->ops[0]));
}

static void add_inst(struct adding *x, uint32_t func, uint32_t inst)
{
	const struct ir_inst *in = &x->m->funcs.v[func].insts[inst];

	x->all |= is_beyond(x, func, in);
	switch (in->op) {
	case IR_CALL:
		for (uint32_t k = 1; k < in->nops; k++)
			add_pointer(x, func, in->ops[k]);
		add_callees(x, func, inst);
		break;
	case IR_STORE:
		add_pointer(x, func, in->ops[1]);
		add_overwritten(x, func, in->ops[0]);
		break;
	case IR_MEMCPY: case IR_MEMSET:
		for (uint32_t k = 0; k < in->nops; k++) {
			add_pointer(x, func, in->ops[k]);
			SBITS_FOREACH(l, pta_points_to(x->p, func, in->ops[k]))
				sbits_or(&x->locs, pta_cell(x->p, l));
		}
		break;
	default:
		break;
	}
}

/* What a function that is called finds by itself: variables that it names, and what others are called by it. */
static void add_body(struct adding *x, uint32_t func)
{
	const struct ir_func *f = &x->m->funcs.v[func];
	const struct pta_callback *cb;

	x->all |= pta_callbacks(x->p, func, &cb) > 0;
	for (uint32_t i = 0; i < f->ninsts && !x->all; i++) {
		const struct ir_inst *in = &f->insts[i];

		x->all |= is_beyond(x, func, in);
		for (uint32_t k = 0; k < in->nops; k++)
			if (IR_KIND(in->ops[k]) == IR_R_GLOBAL || IR_KIND(in->ops[k]) == IR_R_ADDR)
				add_pointer(x, func, in->ops[k]);
		if (in->op == IR_CALL)
			add_callees(x, func, i);
	}
}

void added_init(struct added *a, const struct pta *p)
{
	struct adding x = { .p = p, .m = pta_module(p) };
	unsigned n = 0;

	bits_init(&x.seen, x.m->funcs.n);
	bits_init(&a->objs, pta_nobjs(p));
	for (uint32_t f = 0; f < x.m->funcs.n; f++)
		for (uint32_t i = 0; i < x.m->funcs.v[f].ninsts; i++)
			if (x.m->funcs.v[f].insts[i].flags & IR_F_ADDED)
				add_inst(&x, f, i);
	while (x.todo.n && !x.all) {
		add_body(&x, vec_pop(&x.todo));
		x.all |= ++n > MAX_CALLEES;
	}
	a->all = x.all;
	if (!x.all)
		pta_reach(p, &x.locs, &a->objs);
	sbits_release(&x.locs);
	bits_release(&x.seen);
	vec_release(&x.todo);
}

void added_release(struct added *a)
{
	bits_release(&a->objs);
}
