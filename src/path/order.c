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
 * What is left of circles is walked again, each on its own before those who call
 * into it (engine.c).  A circle is one of calls whose summaries are looked at: that
 * of a call through a pointer only if it can mean a single function (exec_call.c).
 * Others have their place in the order all the same, in case a path knows better.
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
static bool gets_back(const struct engine *e, const struct ir_func *f, const struct bits *ends,
		      struct bits *seen)
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

static void find_ends(struct engine *e)
{
	const struct ir_module *m = e->m;
	struct bits *ends = &e->ends;
	bool changed = true;

	bits_init(ends, m->funcs.n + 1);
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
	struct bits seen;
	VEC(struct visit) stack;
	struct funcs callees;	/* of one call */
	bool sole;		/* it can call nobody else */
	struct funcs order;
};

static void find_callees(struct walk *w, uint32_t func, uint32_t inst)
{
	const struct ir_module *m = w->e->m;
	const struct ir_func *g = ir_callee(m, &m->funcs.v[func].insts[inst]);
	struct pta_callees c;

	vec_clear(&w->callees);
	w->sole = true;
	if (g) {
		vec_push(&w->callees, (uint32_t)(g - m->funcs.v));
	} else if (w->e->pta) {
		pta_callees(w->e->pta, func, inst, &c);
		SBITS_FOREACH(f, c.set)
			vec_push(&w->callees, f);
		w->sole = !c.unknown && w->callees.n == 1;
	}
}

/* Does the walk of its callers wait for this one? */
static bool comes_before(const struct engine *e, uint32_t callee)
{
	return !ir_is_decl(&e->m->funcs.v[callee]) && !bits_test(&e->ends, callee);
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
			vec_push(&w->order, v->func);
			w->stack.n--;
			continue;
		}
		find_callees(w, v->func, v->inst);
		while (v->from < w->callees.n && next == IR_NONE) {
			uint32_t g = w->callees.v[v->from++];

			if (comes_before(w->e, g) && bits_set(&w->seen, g))
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

/* ---- circles --------------------------------------------------------- */

/* Calls between functions, by their places in the order. */
static void make_rows(struct walk *w, uint32_t *row, struct funcs *to)
{
	const struct ir_module *m = w->e->m;
	uint32_t *place = xcalloc((size_t)m->funcs.n + 1, sizeof(*place));

	for (uint32_t i = 0; i < w->order.n; i++)
		place[w->order.v[i]] = i;
	for (uint32_t i = 0; i < w->order.n; i++) {
		const struct ir_func *f = &m->funcs.v[w->order.v[i]];

		for (uint32_t k = 0; k < f->ninsts; k++) {
			if (f->insts[k].op != IR_CALL)
				continue;
			find_callees(w, w->order.v[i], k);
			if (w->sole && w->callees.n && comes_before(w->e, w->callees.v[0]))
				vec_push(to, place[w->callees.v[0]]);
		}
		row[i + 1] = to->n;
	}
	vec_push(to, 0);	/* never NULL */
	free(place);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Puts each circle's functions together, in the order that they have; a function in none is
 * one for itself. */
static void find_circles(struct walk *w, struct order *out)
{
	uint32_t n = w->order.n;
	uint32_t *row = xcalloc((size_t)n + 1, sizeof(*row)), *comp = xcalloc((size_t)n + 1, sizeof(*comp));
	uint32_t *seq = xcalloc((size_t)n + 1, sizeof(*seq));
	struct funcs to = {0};

	make_rows(w, row, &to);
	pta_components(n, row, to.v, comp, seq);
	for (uint32_t first = 0, end; first < n; first = end) {
		for (end = first; end < n && comp[seq[end]] == comp[seq[first]];)
			end++;
		qsort(&seq[first], end - first, sizeof(*seq), by_number);
		for (uint32_t i = first; i < end; i++)
			vec_push(&out->funcs, w->order.v[seq[i]]);
		vec_push(&out->ends, out->funcs.n);
	}
	vec_release(&to);
	free(row);
	free(comp);
	free(seq);
}

void order_find(struct engine *e, struct order *order)
{
	const struct ir_module *m = e->m;
	struct walk w = { .e = e };

	bits_init(&w.seen, m->funcs.n + 1);
	find_ends(e);
	for (uint32_t i = 0; i < m->funcs.n; i++) {
		if (!bits_test(&e->ends, i))
			visit_from(&w, i);
	}
	for (uint32_t i = bits_next(&e->ends, 0); i != UINT32_MAX; i = bits_next(&e->ends, i + 1)) {
		struct scase c = { .noreturn = true };

		summary_add(&e->sums[i], &c);
		summary_finish(&e->sums[i]);
		visit_from(&w, i);
	}
	find_circles(&w, order);
	vec_release(&w.stack);
	vec_release(&w.callees);
	vec_release(&w.order);
	bits_release(&w.seen);
}

void order_release(struct order *order)
{
	vec_release(&order->funcs);
	vec_release(&order->ends);
}
