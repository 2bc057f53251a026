/*
 * before.c - what was said of the allocations of a program, for one that has a few statements more.
 *
 * plumb fix judges a program twice, the second time with the releases that it has added.  keep.c
 * finds the verdicts that can be taken over from the first time: those whose facts are all the same.  But a
 * function that was edited is another fact, and where it is one that all goes through, a shell's
 * table of commands, hundreds of allocations would be judged again that none of the added
 * statements can come by.
 *
 * What such a statement does to an object it does through a pointer to it, or to something that
 * leads to it: it is given that pointer, finds it in a variable that it or a function that it calls
 * names, or writes to where it was.  An object that none of them leads to, by the points-to sets,
 * is neither freed, lost nor kept by it.  The ways through the program are the same: what is added
 * asks only for itself.  So what was said to be no leak before is none now.
 *
 * That is asked of all that is added; and where one statement can come by too much, of what is
 * added to the edited functions that the verdict hangs on, if no other of its facts has changed:
 * whatever else was edited, it would not be looked at.
 *
 * Which way this errs: if the release of one object hangs on a number in another that a destructor,
 * added for that, changes, and which does not lead to the first, we do not see it; a number in a
 * variable of the program is another matter, then all are judged again.  Points-to sets are too
 * large, and what they are too small for (copies that are taken for text) the engine would not have
 * seen the second time, either.
 *
 * What was reported as a leak is reported again if nothing that was added has a pointer to it, and what was
 * added to functions of its path cannot come by it, either.  If it is gone all the same, since
 * something that leads to it is released elsewhere, a patch is lost and no harm done.
 */
#include "vfg/before.h"

#include <assert.h>

enum { MAX_CALLEES = 200 };

struct said_before {
	struct vkept kept;
	enum verdict verdict;
	enum walk_answer answer;
	uint32_t guesses;
	bool in_memory, sliced;
	struct vend end;
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

void before_put(struct vfg_before *b, uint64_t key, const struct judged *j, const struct vkept *kept)
{
	assert(!b->full);
	saidmap_set(&b->said, key, (struct said_before){ *kept, j->verdict, j->answer,
							 j->guesses, j->in_memory, j->sliced, j->end });
}

void before_end(struct vfg_before *b)
{
	b->full = true;
}

bool before_is_full(const struct vfg_before *b)
{
	return b->full;
}

static bool matters_to(const struct added_in *x, uint32_t obj)
{
	return x->all || bits_test(&x->objs, obj);
}

static const struct added_in *find_added(const struct added *a, uint32_t func)
{
	for (uint32_t i = 0; i < a->funcs.n; i++)
		if (a->funcs.v[i].func == func)
			return &a->funcs.v[i];
	return NULL;
}

/* Are edited functions all that is not as it was, of what the verdict hangs on, and does nothing
 * that was added to them matter? */
static bool holds_still(const struct said_before *s, const struct added *a, struct vkeep *k, uint32_t obj)
{
	struct sbits funcs = {0};
	bool ok = s->kept.p && vkeep_changed(k, &s->kept, &funcs);

	SBITS_FOREACH(f, &funcs) {
		const struct added_in *x = find_added(a, f);

		ok &= x && !matters_to(x, obj);
	}
	sbits_release(&funcs);
	return ok;
}

/* A leak that nothing which was added has a pointer to;
 * nor, in a function of its path, to what leads to it. */
static bool take_leak(const struct said_before *s, const struct added *a, const struct vkeep *k,
		      const struct vsource *src, struct judged *j)
{
	bool ok = !bits_test(&a->given, src->obj) && !find_added(a, src->func) &&
		  s->kept.p && vkeep_read(k, src, &s->kept, j);

	for (uint32_t i = 0; i < j->nsteps && ok; i++) {
		const struct added_in *x = find_added(a, j->steps[i].func);

		if (x && matters_to(x, src->obj)) {
			free(j->steps);
			memset(j, 0, sizeof(*j));
			ok = false;
		}
	}
	return ok;
}

bool before_take(const struct vfg_before *b, const struct added *a, struct vkeep *k,
		 const struct vsource *src, struct judged *j)
{
	const struct said_before *s = b->full ? saidmap_get(&b->said, vkeep_key(k, src)) : NULL;

	if (!s || !(s->verdict == VERDICT_SAFE || s->verdict == VERDICT_TOO_BIG || verdict_leaks(s->verdict)))
		return false;
	if (verdict_leaks(s->verdict) && s->answer == WALK_LEAK)
		return take_leak(s, a, k, src, j);
	if (matters_to(&a->whole, src->obj) && !holds_still(s, a, k, src->obj))
		return false;
	*j = (struct judged){ .verdict = s->verdict, .answer = s->answer,
			      .guesses = s->guesses, .in_memory = s->in_memory,
			      .sliced = s->sliced, .end = s->end };
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
	bool writes = in->op == IR_STORE || in->op == IR_MEMCPY || in->op == IR_MEMSET;

	return in->op == IR_ASM || (writes && writes_global(x, func, in->ops[0]));
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

/* What a function that is called finds by itself: variables that it names, and what
 * others are called by it. */
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

static bool is_edited(const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].flags & IR_F_ADDED)
			return true;
	return false;
}

static struct added_in added_to(const struct pta *p, uint32_t func, struct bits *given)
{
	struct adding x = { .p = p, .m = pta_module(p) };
	const struct ir_func *f = &x.m->funcs.v[func];
	struct added_in a = { .func = func };
	unsigned n = 0;

	bits_init(&x.seen, x.m->funcs.n);
	bits_init(&a.objs, pta_nobjs(p));
	for (uint32_t i = 0; i < f->ninsts; i++)
		if (f->insts[i].flags & IR_F_ADDED)
			add_inst(&x, func, i);
	while (x.todo.n && !x.all) {
		add_body(&x, vec_pop(&x.todo));
		x.all |= ++n > MAX_CALLEES;
	}
	SBITS_FOREACH(l, &x.locs)
		bits_set(given, pta_loc(p, l)->obj);
	a.all = x.all;
	if (!x.all)
		pta_reach(p, &x.locs, &a.objs);
	sbits_release(&x.locs);
	bits_release(&x.seen);
	vec_release(&x.todo);
	return a;
}

void added_init(struct added *a, const struct pta *p)
{
	memset(a, 0, sizeof(*a));
	bits_init(&a->whole.objs, pta_nobjs(p));
	bits_init(&a->given, pta_nobjs(p));
	for (uint32_t f = 0; f < pta_module(p)->funcs.n; f++)
		if (is_edited(&pta_module(p)->funcs.v[f])) {
			struct added_in x = added_to(p, f, &a->given);

			a->whole.all |= x.all;
			bits_or(&a->whole.objs, &x.objs);
			vec_push(&a->funcs, x);
		}
}

void added_release(struct added *a)
{
	for (uint32_t i = 0; i < a->funcs.n; i++)
		bits_release(&a->funcs.v[i].objs);
	vec_release(&a->funcs);
	bits_release(&a->whole.objs);
	bits_release(&a->given);
}
