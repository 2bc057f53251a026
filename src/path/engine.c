/*
 * engine.c - the whole program, bottom up.
 *
 * Callees first, so that a summary is there when it is needed (section 2 of Xu
 * and Zhang).  Where functions call each other in a circle the first round
 * takes what is not known yet for unknown; a second round knows the first's
 * summaries.  More rounds would tell more of deeper levels of recursive data;
 * what lies below is kept by somebody, which errs on the side of silence.
 */
#include "path/keep.h"

#include "base/clock.h"
#include "base/diag.h"

struct path {
	struct engine e;
	struct path_options o;
	struct path_stats stats;
	VEC(uint32_t) order;
};

/* ---- order ----------------------------------------------------------- */

struct visit {
	uint32_t func, inst;
};

/* Post-order of the calls, without recursion of ours. */
static void visit_from(struct path *p, uint32_t root, struct bits *seen)
{
	const struct ir_module *m = p->e.m;
	VEC(struct visit) stack = {0};

	if (ir_is_decl(&m->funcs.v[root]) || !bits_set(seen, root))
		return;
	vec_push(&stack, ((struct visit){ root, 0 }));
	while (stack.n) {
		struct visit *v = &vec_last(&stack);
		const struct ir_func *f = &m->funcs.v[v->func], *g;

		while (v->inst < f->ninsts && f->insts[v->inst].op != IR_CALL)
			v->inst++;
		if (v->inst == f->ninsts) {
			vec_push(&p->order, v->func);
			stack.n--;
			continue;
		}
		g = ir_callee(m, &f->insts[v->inst++]);
		if (g && !ir_is_decl(g) && bits_set(seen, (uint32_t)(g - m->funcs.v)))
			vec_push(&stack, ((struct visit){ (uint32_t)(g - m->funcs.v), 0 }));
	}
	vec_release(&stack);
}

static void find_order(struct path *p)
{
	const struct ir_module *m = p->e.m;
	struct bits seen;
	const uint32_t *up;
	uint32_t n;

	if (p->e.pta) {		/* knows calls through pointers as well */
		up = pta_bottom_up(p->e.pta, &n);
		for (uint32_t i = 0; i < n; i++)
			if (!ir_is_decl(&m->funcs.v[up[i]]))
				vec_push(&p->order, up[i]);
		return;
	}
	bits_init(&seen, m->funcs.n + 1);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		visit_from(p, i, &seen);
	bits_release(&seen);
}

/* ---- globals that never change --------------------------------------- */

/* Is the operand only loaded from, here? */
static bool is_read(const struct ir_inst *in, uint32_t k)
{
	return in->op == IR_LOAD && k == 0;
}

static void not_fixed(struct engine *e, ir_ref r)
{
	if (IR_KIND(r) == IR_R_ADDR)
		r = e->m->addrs.v[IR_IDX(r)].base;
	if (IR_KIND(r) == IR_R_GLOBAL)
		bits_unset(&e->fixed, IR_IDX(r));
}

/* Conditions on flags that nothing sets decide paths.  Globals that others may see count only
 * in a whole program. */
static void find_fixed(struct engine *e)
{
	const struct ir_module *m = e->m;

	bits_init(&e->fixed, m->globals.n + 1);
	for (uint32_t i = 0; i < m->globals.n; i++)
		if (m->globals.v[i].linkage == IR_L_STATIC || (e->whole && m->globals.v[i].linkage < IR_L_DECL))
			bits_set(&e->fixed, i);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		for (uint32_t k = 0; k < m->funcs.v[i].ninsts; k++)
			for (uint32_t o = 0; o < m->funcs.v[i].insts[k].nops; o++)
				if (!is_read(&m->funcs.v[i].insts[k], o) || m->funcs.v[i].insts[k].flags & IR_F_VOLATILE)
					not_fixed(e, m->funcs.v[i].insts[k].ops[o]);
	for (uint32_t i = 0; i < m->globals.n; i++)
		for (uint32_t k = 0; k < m->globals.v[i].ninits; k++)
			not_fixed(e, m->globals.v[i].inits[k].value);
	for (uint32_t i = 0; i < m->aliases.n; i++)
		not_fixed(e, m->aliases.v[i].target);
}

/* ---- all functions --------------------------------------------------- */

void result_release(struct result *r)
{
	for (uint32_t i = 0; i < r->wrongs.n; i++)
		vec_release(&r->wrongs.v[i].steps);
	for (uint32_t i = 0; i < r->sites.n; i++)
		bits_release(&r->sites.v[i].settled);
	vec_release(&r->wrongs);
	vec_release(&r->sites);
	memset(r, 0, sizeof(*r));
}

static void run(struct path *p, uint32_t func)
{
	struct summary now = {0};

	result_release(&p->e.results[func]);
	if (!keep_take(p->e.keep, func, &now, &p->e.results[func])) {
		solver_reset(p->e.solver);
		keep_begin(p->e.keep, func);
		exec_run(&p->e, func, &now, &p->e.results[func]);
		keep_end(p->e.keep, func, &now, &p->e.results[func]);
	}
	summary_release(&p->e.sums[func]);
	p->e.sums[func] = now;
	keep_set(p->e.keep, func, &now);
}

static void run_all(struct path *p)
{
	VEC(uint32_t) again = {0};

	for (uint32_t i = 0; i < p->order.n; i++) {
		p->e.unfinished = 0;
		run(p, p->order.v[i]);
		if (p->e.unfinished)
			vec_push(&again, p->order.v[i]);
	}
	for (uint32_t i = 0; i < again.n; i++)
		run(p, again.v[i]);
	vec_release(&again);
}

static void count(struct path *p)
{
	for (uint32_t i = 0; i < p->order.n; i++) {
		const struct result *r = &p->e.results[p->order.v[i]];
		const struct ir_func *f = &p->e.m->funcs.v[p->order.v[i]];

		p->stats.functions++;
		p->stats.cut += r->cut;
		p->stats.blocks += r->blocks;
		p->stats.paths += r->paths;
		p->stats.cases += p->e.sums[p->order.v[i]].cases.n;
		if (r->cut)
			diag_verbose("%s:%u: %s() has too many paths: not all were looked at",
				     f->pos.file == IR_NONE ? "?" : p->e.m->files.v[f->pos.file], f->pos.line, f->src);
	}
}

struct path *path_new(const struct ir_module *m, const struct model_set *models, const struct pta *pta,
		      const struct path_options *o)
{
	struct path *p = xcalloc(1, sizeof(*p));
	double start = clock_now();

	p->o = *o;
	p->e = (struct engine){ .m = m, .whole = ir_is_program(m), .models = models, .pta = pta, .o = &p->o };
	p->e.sums = xcalloc((size_t)m->funcs.n + 1, sizeof(*p->e.sums));
	p->e.results = xcalloc((size_t)m->funcs.n + 1, sizeof(*p->e.results));
	if (pta)
		enums_init(&p->e.enums, pta);
	p->e.solver = solver_new();
	bits_init(&p->e.quiet, m->funcs.n + 1);
	idents_init(&p->e.ids, m);
	find_fixed(&p->e);
	if (o->store)
		p->e.keep = keep_new(&p->e, o->store);
	find_order(p);
	run_all(p);
	count(p);
	p->stats.refuted = p->e.refuted;
	p->stats.kept = p->e.keep ? keep_taken(p->e.keep) : 0;
	p->stats.queries = solver_stats(p->e.solver)->queries;
	p->stats.seconds_solver = solver_stats(p->e.solver)->seconds;
	p->stats.seconds = clock_now() - start;
	return p;
}

void path_free(struct path *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->e.m->funcs.n; i++) {
		summary_release(&p->e.sums[i]);
		result_release(&p->e.results[i]);
	}
	free(p->e.sums);
	free(p->e.results);
	if (p->e.pta)
		enums_release(&p->e.enums);
	solver_free(p->e.solver);
	keep_free(p->e.keep);
	idents_release(&p->e.ids);
	bits_release(&p->e.fixed);
	bits_release(&p->e.quiet);
	vec_release(&p->order);
	free(p);
}

void path_get_stats(const struct path *p, struct path_stats *s)
{
	*s = p->stats;
}

void path_check(const struct path *p, struct findings *fs, bool (*believe)(void *arg, const struct path_claim *c), void *arg)
{
	for (uint32_t i = 0; i < p->e.m->funcs.n; i++)
		for (uint32_t k = 0; k < p->e.results[i].wrongs.n; k++) {
			const struct wrong *w = &p->e.results[i].wrongs.v[k];
			struct path_claim c = { w->kind == WRONG_LEAK || w->kind == WRONG_OVERWRITTEN, w->exact, w->made.func, w->made.inst };

			if (!believe || believe(arg, &c))
				path__tell(&p->e, i, w, fs);
		}
}

enum path_verdict path_verdict(const struct path *p, uint32_t func, uint32_t inst)
{
	const struct result *r = &p->e.results[func];
	bool any = false;

	for (uint32_t i = 0; i < r->sites.n; i++) {
		const struct site *s = &r->sites.v[i];

		if (s->call != inst || s->made.func != func || s->made.inst != inst)
			continue;
		if (s->leaked)
			return PATH_LEAKS;
		if (s->escaped || s->ended || s->open || !s->freed)
			return PATH_UNKNOWN;
		any = true;
	}
	return any && !r->cut ? PATH_SAFE : PATH_UNKNOWN;
}

void path_dump_summaries(const struct path *p, FILE *f)
{
	for (uint32_t i = 0; i < p->e.m->funcs.n; i++)
		if (!ir_is_decl(&p->e.m->funcs.v[i]))
			summary_print(&p->e.sums[i], p->e.m, &p->e.m->funcs.v[i], f);
}
