/*
 * order.c - in which order functions are walked: callees first.
 *
 * Section 2 of Xu and Zhang (QSIC 2008) needs the summary of a function before
 * those of its callers.  Functions that call each other in a circle have no such
 * order, and in real programs one circle is large: a wrapper of malloc() that
 * ends the program when memory is out calls what the program does at its end, and
 * that may be anything (bash runs a trap there).  Of a function that never
 * returns callers need to know nothing else, and that much can be seen without
 * walking it.  So calls of such functions do not count here, and the circle falls
 * apart into small ones.
 *
 * What is left of circles is walked again (engine.c).
 */
#include "path/exec.h"

#include "pta/pta.h"

/* ---- functions that never return ------------------------------------- */

static bool call_ends(const struct engine *e, const struct bits *ends, const struct ir_inst *in)
{
	const struct ir_func *g = ir_callee(e->m, in);
	const struct model *md;

	if (in->flags & IR_F_NORETURN || (g && g->flags & IR_FN_NORETURN))
		return true;
	if (!g)
		return false;
	if (!ir_is_decl(g))
		return bits_test(ends, (uint32_t)(g - e->m->funcs.v));
	md = model_find(e->models, g->name);
	return md && md->noreturn;
}

/* Marks blocks that control can get to; stops at calls that do not return.  Is a return among
 * them? */
static bool gets_back(const struct engine *e, const struct ir_func *f, const struct bits *ends, struct bits *seen)
{
	VEC(uint32_t) todo = {0};
	bool back = false;

	bits_set(seen, 0);
	vec_push(&todo, 0);
	while (todo.n && !back) {
		uint32_t b = vec_pop(&todo), i = f->blocks[b].first, end = i + f->blocks[b].n;
		const struct ir_inst *in = NULL;

		for (; i < end; i++) {
			in = &f->insts[i];
			if (in->op == IR_CALL && call_ends(e, ends, in))
				break;
		}
		if (i < end)
			continue;
		back = in->op == IR_RET;
		for (uint32_t t = 0; t < in->ntargets; t++)
			if (bits_set(seen, in->targets[t]))
				vec_push(&todo, in->targets[t]);
	}
	vec_release(&todo);
	return back;
}

static void find_ends(const struct engine *e, struct bits *ends)
{
	const struct ir_module *m = e->m;
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < m->funcs.n; i++) {
			struct bits seen;

			if (ir_is_decl(&m->funcs.v[i]) || bits_test(ends, i))
				continue;
			bits_init(&seen, m->funcs.v[i].nblocks + 1);
			if (!gets_back(e, &m->funcs.v[i], ends, &seen)) {
				bits_set(ends, i);
				changed = true;
			}
			bits_release(&seen);
		}
	}
}

/* ---- callees first --------------------------------------------------- */

struct visit {
	uint32_t func, inst;
	uint32_t from;		/* of its callees by the call at inst: how many are done */
};

struct walk {
	const struct engine *e;
	struct bits ends, seen;
	VEC(struct visit) stack;
	VEC(uint32_t) callees;	/* of one call */
	struct funcs *order;
};

static void find_callees(struct walk *w, uint32_t func, uint32_t inst)
{
	const struct ir_module *m = w->e->m;
	const struct ir_func *g = ir_callee(m, &m->funcs.v[func].insts[inst]);
	struct pta_callees c;

	vec_clear(&w->callees);
	if (g) {
		vec_push(&w->callees, (uint32_t)(g - m->funcs.v));
	} else if (w->e->pta) {
		pta_callees(w->e->pta, func, inst, &c);
		SBITS_FOREACH(f, c.set)
			vec_push(&w->callees, f);
	}
}

/* Post-order of the calls, without recursion of ours. */
static void visit_from(struct walk *w, uint32_t root)
{
	const struct ir_module *m = w->e->m;

	if (ir_is_decl(&m->funcs.v[root]) || !bits_set(&w->seen, root))
		return;
	vec_push(&w->stack, ((struct visit){ root, 0, 0 }));
	while (w->stack.n) {
		struct visit *v = &vec_last(&w->stack);
		const struct ir_func *f = &m->funcs.v[v->func];
		uint32_t next = IR_NONE;

		while (v->inst < f->ninsts && f->insts[v->inst].op != IR_CALL)
			v->inst++;
		if (v->inst == f->ninsts) {
			vec_push(w->order, v->func);
			w->stack.n--;
			continue;
		}
		find_callees(w, v->func, v->inst);
		while (v->from < w->callees.n && next == IR_NONE) {
			uint32_t g = w->callees.v[v->from++];

			if (!ir_is_decl(&m->funcs.v[g]) && !bits_test(&w->ends, g) && bits_set(&w->seen, g))
				next = g;
		}
		if (next != IR_NONE) {
			vec_push(&w->stack, ((struct visit){ next, 0, 0 }));
		} else {
			v->inst++;
			v->from = 0;
		}
	}
}

void order_find(struct engine *e, struct funcs *order)
{
	const struct ir_module *m = e->m;
	struct walk w = { .e = e, .order = order };

	bits_init(&w.ends, m->funcs.n + 1);
	bits_init(&w.seen, m->funcs.n + 1);
	find_ends(e, &w.ends);
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		if (!bits_test(&w.ends, i))
			visit_from(&w, i);
	}
	for (uint32_t i = bits_next(&w.ends, 0); i != UINT32_MAX; i = bits_next(&w.ends, i + 1)) {
		struct scase c = { .noreturn = true };

		summary_add(&e->sums[i], &c);
		summary_finish(&e->sums[i]);
		visit_from(&w, i);
	}
	vec_release(&w.stack);
	vec_release(&w.callees);
	bits_release(&w.ends);
	bits_release(&w.seen);
}
