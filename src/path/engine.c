/*
 * engine.c - the whole program, bottom up.
 *
 * Callees first, so that a summary is there when it is needed (order.c).  Where
 * functions call each other in a circle the first round takes what is not known
 * yet for unknown; the next rounds know the summaries of the one before, until
 * none changes or there were enough of them.  Who calls into the circle waits for
 * the last of these, and so is walked only once.  More rounds would tell more of deeper
 * levels of recursive data; what lies below is kept by somebody, which errs on the
 * side of silence.
 */
#include "path/keep.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/progress.h"

enum { MAX_ROUNDS = 3 };

#define MAP_NAME fates
#define MAP_KEY uint64_t
#define MAP_VAL unsigned
#define MAP_HASH(k) hash_mix(k)
#define MAP_EQ(a, b) ((a) == (b))
#include "base/map.h"

struct path {
	struct engine e;
	struct path_options o;
	struct path_stats stats;
	struct order order;
	uint32_t clock;
	uint32_t *runs;			/* by function: how often it was walked */
	uint32_t *ran, *changed;	/* ... when it was last, when its summary became what it is */
	struct funcs *asks;		/* ... whose summaries the walk looked at */
	struct bits asked;		/* ... so far */
	struct fates fates;		/* by function and instruction; made when asked for */
	bool has_fates;
};

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
		if (m->globals.v[i].linkage == IR_L_STATIC ||
		    (e->whole && m->globals.v[i].linkage < IR_L_DECL))
			bits_set(&e->fixed, i);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		for (uint32_t k = 0; k < m->funcs.v[i].ninsts; k++) {
			const struct ir_inst *in = &m->funcs.v[i].insts[k];

			for (uint32_t o = 0; o < in->nops; o++)
				if (!is_read(in, o) || in->flags & IR_F_VOLATILE)
					not_fixed(e, in->ops[o]);
		}
	for (uint32_t i = 0; i < m->globals.n; i++)
		for (uint32_t k = 0; k < m->globals.v[i].ninits; k++)
			not_fixed(e, m->globals.v[i].inits[k].value);
	for (uint32_t i = 0; i < m->aliases.n; i++)
		not_fixed(e, m->aliases.v[i].target);
}

static void not_left(struct engine *e, ir_ref r)
{
	if (IR_KIND(r) == IR_R_ADDR)
		r = e->m->addrs.v[IR_IDX(r)].base;
	if (IR_KIND(r) == IR_R_GLOBAL)
		bits_unset(&e->left, IR_IDX(r));
}

/* The functions that run when nobody called them by name, at the end of the program for all we know
 * (destructors, what atexit() is given), and those that they call. */
static void find_uncalled(struct engine *e, struct bits *funcs)
{
	const struct ir_module *m = e->m;
	struct bits named;
	VEC(uint32_t) todo = {0};

	bits_init(funcs, m->funcs.n + 1);
	ir_called_by_name(m, &named);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		if (!str_eq(m->funcs.v[i].name, "main") &&
		    (!bits_test(&named, i) || m->funcs.v[i].flags & IR_FN_DTOR) && bits_set(funcs, i))
			vec_push(&todo, i);
	while (todo.n) {
		const struct ir_func *f = &m->funcs.v[vec_pop(&todo)], *g;

		for (uint32_t k = 0; k < f->ninsts; k++) {
			g = f->insts[k].op == IR_CALL ? ir_callee(m, &f->insts[k]) : NULL;
			if (g && bits_set(funcs, (uint32_t)(g - m->funcs.v)))
				vec_push(&todo, (uint32_t)(g - m->funcs.v));
		}
	}
	bits_release(&named);
	vec_release(&todo);
}

/* What such a function looks at, and what code that is not at hand was given the address of, may be released
 * yet. */
static void find_left(struct engine *e)
{
	const struct ir_module *m = e->m;
	struct bits uncalled;

	bits_init(&e->left, m->globals.n + 1);
	if (!e->o->at_exit || !e->whole)
		return;
	find_uncalled(e, &uncalled);
	for (uint32_t i = 0; i < m->globals.n; i++)
		if (!ir_is_declared(m->globals.v[i].linkage))
			bits_set(&e->left, i);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		for (uint32_t k = 0; k < m->funcs.v[i].ninsts; k++) {
			const struct ir_inst *in = &m->funcs.v[i].insts[k];
			const struct ir_func *g = in->op == IR_CALL ? ir_callee(m, in) : NULL;
			bool foreign = !g || (ir_is_decl(g) && !model_find(e->models, g->name));
			bool leaves = in->op == IR_ASM || (in->op == IR_CALL && foreign);

			for (uint32_t o = 0; (leaves || bits_test(&uncalled, i)) && o < in->nops; o++)
				not_left(e, in->ops[o]);
		}
	bits_release(&uncalled);
}

static void find_edited(struct engine *e)
{
	bits_init(&e->edited, e->m->funcs.n + 1);
	for (uint32_t i = 0; i < e->m->funcs.n; i++)
		for (uint32_t k = 0; k < e->m->funcs.v[i].ninsts; k++)
			if (e->m->funcs.v[i].insts[k].flags & IR_F_ADDED)
				bits_set(&e->edited, i);
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
	vec_release(&r->given);
	memset(r, 0, sizeof(*r));
}

static void run(struct path *p, uint32_t func)
{
	struct summary now = {0};
	uint64_t was = summary_digest(&p->e.sums[func]);

	result_release(&p->e.results[func]);
	bits_zero(&p->asked);
	if (!keep_take(p->e.keep, func, &now, &p->e.results[func])) {
		solver_reset(p->e.solver);
		bits_zero(&p->asked);
		keep_begin(p->e.keep, func);
		exec_run(&p->e, func, &now, &p->e.results[func]);
		keep_end(p->e.keep, func, &now, &p->e.results[func]);
	}
	vec_clear(&p->asks[func]);
	for (uint32_t i = bits_next(&p->asked, 0); i != UINT32_MAX; i = bits_next(&p->asked, i + 1))
		vec_push(&p->asks[func], i);
	p->runs[func]++;
	p->ran[func] = ++p->clock;
	if (bits_test(&p->e.ends, func)) {	/* that it never returns is all there is to know */
		summary_release(&now);
		return;
	}
	summary_release(&p->e.sums[func]);
	p->e.sums[func] = now;
	keep_set(p->e.keep, func, &now);
	if (summary_digest(&now) != was)
		p->changed[func] = p->clock;
}

/* Has a function whose summary it has looked at got another one since? */
static bool is_due(const struct path *p, uint32_t func)
{
	for (uint32_t i = 0; i < p->asks[func].n; i++)
		if (p->changed[p->asks[func].v[i]] > p->ran[func])
			return true;
	return false;
}

static void run_again(struct path *p, uint32_t first, uint32_t end)
{
	for (uint32_t round = 1; round < MAX_ROUNDS; round++)
		for (uint32_t i = first; i < end; i++)
			if (p->runs[p->order.funcs.v[i]] < MAX_ROUNDS && is_due(p, p->order.funcs.v[i]))
				run(p, p->order.funcs.v[i]);
}

static void run_all(struct path *p)
{
	progress_start("paths", p->order.funcs.n);
	for (uint32_t c = 0, i = 0; c < p->order.ends.n; c++) {
		uint32_t first = i, end = p->order.ends.v[c];

		for (; i < end; i++) {
			progress_step(i, p->e.m->funcs.v[p->order.funcs.v[i]].src);
			run(p, p->order.funcs.v[i]);
		}
		run_again(p, first, end);
	}
	/* where a path knew the only function that a pointer can mean, and it came later */
	run_again(p, 0, p->order.funcs.n);
	progress_end();
}

static void count(struct path *p)
{
	for (uint32_t i = 0; i < p->order.funcs.n; i++) {
		uint32_t func = p->order.funcs.v[i];
		const struct result *r = &p->e.results[func];
		const struct ir_func *f = &p->e.m->funcs.v[func];

		p->stats.functions++;
		p->stats.cut += r->cut;
		p->stats.blocks += r->blocks;
		p->stats.paths += r->paths;
		p->stats.cases += p->e.sums[func].cases.n;
		if (r->cut)
			diag_verbose("%s:%u: %s() has too many paths: not all were looked at",
				     f->pos.file == IR_NONE ? "?" : p->e.m->files.v[f->pos.file],
				     f->pos.line, f->src);
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
	p->asks = xcalloc((size_t)m->funcs.n + 1, sizeof(*p->asks));
	p->runs = xcalloc((size_t)m->funcs.n + 1, sizeof(*p->runs));
	p->ran = xcalloc((size_t)m->funcs.n + 1, sizeof(*p->ran));
	p->changed = xcalloc((size_t)m->funcs.n + 1, sizeof(*p->changed));
	if (pta) {
		enums_init(&p->e.enums, pta);
		nulls_init(&p->e.nulls, pta, NULL, NULL);
	}
	p->e.solver = solver_new();
	bits_init(&p->e.quiet, m->funcs.n + 1);
	bits_init(&p->asked, m->funcs.n + 1);
	p->e.asked = &p->asked;
	idents_init(&p->e.ids, m);
	find_fixed(&p->e);
	find_left(&p->e);
	find_edited(&p->e);
	order_find(&p->e, &p->order);
	if (o->store)
		p->e.keep = keep_new(&p->e, o->store);
	run_all(p);
	p->e.never_null = xcalloc((size_t)m->funcs.n + 1, sizeof(*p->e.never_null));
	nulls_find(&p->e);
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
		vec_release(&p->asks[i]);
	}
	free(p->e.sums);
	free(p->e.results);
	free(p->e.never_null);
	free(p->asks);
	free(p->runs);
	free(p->ran);
	free(p->changed);
	if (p->e.pta) {
		enums_release(&p->e.enums);
		nulls_release(&p->e.nulls);
	}
	solver_free(p->e.solver);
	keep_free(p->e.keep);
	idents_release(&p->e.ids);
	bits_release(&p->e.fixed);
	bits_release(&p->e.left);
	bits_release(&p->e.edited);
	bits_release(&p->e.quiet);
	bits_release(&p->e.ends);
	bits_release(&p->asked);
	fates_release(&p->fates);
	order_release(&p->order);
	free(p);
}

void path_get_stats(const struct path *p, struct path_stats *s)
{
	*s = p->stats;
}

static bool is_leak(const struct wrong *w)
{
	return w->kind == WRONG_LEAK || w->kind == WRONG_OVERWRITTEN;
}

void path_check(const struct path *p, struct findings *fs,
		bool (*believe)(void *arg, const struct path_claim *c), void *arg)
{
	for (uint32_t i = 0; i < p->e.m->funcs.n; i++)
		for (uint32_t k = 0; k < p->e.results[i].wrongs.n; k++) {
			const struct wrong *w = &p->e.results[i].wrongs.v[k];
			struct path_claim c = { is_leak(w), w->sure, w->inside, w->inside && w->made.part,
						p->e.results[i].cut, w->made.func, w->made.inst };

			if (!(w->nulls & p->e.never_null[i]) && (is_leak(w) || w->sure) &&
			    (!believe || believe(arg, &c)))
				path__tell(&p->e, i, w, fs);
		}
}

void path_doubts(const struct path *p, struct findings *fs)
{
	for (uint32_t i = 0; i < p->e.m->funcs.n; i++)
		for (uint32_t k = 0; k < p->e.results[i].wrongs.n; k++) {
			const struct wrong *w = &p->e.results[i].wrongs.v[k];

			if (!(w->nulls & p->e.never_null[i]) && !is_leak(w) && !w->sure)
				path__tell(&p->e, i, w, fs);
		}
}

/* any: was what the call makes seen at all? */
static enum path_verdict verdict(const struct path *p, const struct result *r, uint32_t func, uint32_t inst,
				 const struct model_effect *made, bool *any)
{
	*any = false;

	for (uint32_t i = 0; i < r->sites.n; i++) {
		const struct site *s = &r->sites.v[i];
		bool never = s->leaked && s->nulls & p->e.never_null[func];	/* on no path that there is */

		if (s->call != inst || s->made.func != func || s->made.inst != inst || s->made.effect != made)
			continue;
		*any = true;
		if (s->leaked && !never)
			return PATH_LEAKS;
		if (s->escaped || s->ended || s->open || (!s->freed && !never))
			return PATH_UNKNOWN;
	}
	return *any && !r->cut ? PATH_SAFE : PATH_UNKNOWN;
}

enum path_verdict path_verdict(struct path *p, uint32_t func, uint32_t inst, const struct model_effect *made)
{
	struct result from = {0};
	bool any;
	enum path_verdict v = verdict(p, &p->e.results[func], func, inst, made, &any);

	if (any && !p->e.results[func].cut)
		return v;
	/* not all of its paths were walked: those behind the call may be few */
	solver_reset(p->e.solver);
	v = PATH_SAFE;
	if (exec_run_from(&p->e, func, inst, made, &from) || from.cut)
		v = verdict(p, &from, func, inst, made, &any);
	result_release(&from);
	return v;
}

/* Does somebody in the program call it, so that what it returns is asked for there? */
static void find_called(const struct path *p, struct bits *called)
{
	const struct ir_module *m = p->e.m;
	struct pta_callees c;

	bits_init(called, m->funcs.n + 1);
	for (uint32_t f = 0; f < m->funcs.n; f++)
		for (uint32_t i = 0; i < m->funcs.v[f].ninsts; i++) {
			const struct ir_func *g;

			if (m->funcs.v[f].insts[i].op != IR_CALL)
				continue;
			if ((g = ir_callee(m, &m->funcs.v[f].insts[i])))
				bits_set(called, (uint32_t)(g - m->funcs.v));
			if (g || !p->e.pta)
				continue;
			pta_callees(p->e.pta, f, i, &c);
			SBITS_FOREACH(callee, c.set)
				bits_set(called, callee);
		}
}

static unsigned fate_of(const struct site *s, bool cut, bool called)
{
	bool known = s->freed || s->leaked || s->ended || (s->returned && !called);
	unsigned fate = known ? PATH_FATE_KNOWN : 0;

	if (s->escaped > s->returned)
		fate |= PATH_FATE_STORED;
	return cut || s->open ? fate | PATH_FATE_CUT : fate;
}

unsigned path_fate(struct path *p, uint32_t func, uint32_t inst)
{
	struct bits called;
	const unsigned *at;

	if (!p->has_fates) {
		p->has_fates = true;
		find_called(p, &called);
		for (uint32_t i = 0; i < p->e.m->funcs.n; i++)
			for (uint32_t k = 0; k < p->e.results[i].sites.n; k++) {
				const struct site *s = &p->e.results[i].sites.v[k];

				*fates_put(&p->fates, (uint64_t)s->made.func << 32 | s->made.inst, NULL) |=
					fate_of(s, p->e.results[i].cut, bits_test(&called, i));
			}
		bits_release(&called);
	}
	at = fates_get(&p->fates, (uint64_t)func << 32 | inst);
	return at ? *at : 0;
}

bool path_is_incomplete(const struct path *p, uint32_t func)
{
	return p->e.results[func].cut || p->e.sums[func].cut;
}

void path_dump_summaries(const struct path *p, FILE *f)
{
	for (uint32_t i = 0; i < p->e.m->funcs.n; i++)
		if (!ir_is_decl(&p->e.m->funcs.v[i]))
			summary_print(&p->e.sums[i], p->e.m, &p->e.m->funcs.v[i], f);
}

bool path_leaves(const struct path *p, uint32_t func, uint32_t param, sym_at_fn *at, void *arg,
		 struct sym_range *out)
{
	return summary_leaves(&p->e.sums[func], param, at, arg, out);
}
