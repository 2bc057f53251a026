/*
 * verbose.c - what plumb check --verbose reports: how long each phase took (the paper's
 * Fig. 11), what was judged, and what had to be guessed.
 */
#include "check/verbose.h"

#include "base/diag.h"
#include "base/sbuf.h"
#include "path/solver.h"

#include <stdlib.h>

void verbose_phases(const struct phase_times *t)
{
	static const char *const names[PHASES] = {
		"points-to", "paths", "memory SSA", "value-flow graph", "detection"
	};
	struct sbuf b = {0};
	double all = 0;

	for (int i = 0; i < PHASES; i++)
		all += t->seconds[i];
	for (int i = 0; i < PHASES; i++)
		sbuf_printf(&b, "%s%s %.3f s (%.1f %%)", i ? ", " : "", names[i], t->seconds[i],
			    all > 0 ? 100 * t->seconds[i] / all : 0.0);
	diag_verbose("phases: %s; %.3f s in all", sbuf_str(&b), all);
	sbuf_release(&b);
}

void verbose_counts(const struct vfg_stats *s)
{
	diag_verbose("%u allocations: %u judged, %u skipped (%u of them for too many paths); %u reported",
		     s->sources, s->sources - s->too_big, s->too_big, s->too_many, s->reported);
	if (!solver_name())
		diag_verbose("no SMT solver: no finding is of high confidence");
	else
		diag_verbose("%s: asked about %u paths: %u impossible, %u without an answer; %.3f s",
			     solver_name(), s->asked, s->impossible, s->not_known, s->seconds_asked);
}

/* ---- unknown functions ---- */

struct unknown {
	const char *name;
	uint32_t calls;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct unknown *)a)->name, ((const struct unknown *)b)->name);
}

/* Is an argument among the operands that may be or hold a pointer to an object? */
static bool takes_pointer(const struct ir_module *m, const struct ir_func *f, const struct ir_inst *call)
{
	for (uint32_t k = 1; k < call->nops; k++) {
		ir_ref r = call->ops[k];
		uint16_t bits;

		if (IR_KIND(r) == IR_R_SLOT)
			return true;
		if (IR_KIND(r) == IR_R_GLOBAL && !(m->globals.v[IR_IDX(r)].flags & IR_G_STRING))
			return true;
		if (IR_KIND(r) == IR_R_VREG && ir_vreg_class(f, IR_IDX(r), &bits) == IR_C_PTR)
			return true;
	}
	return false;
}

static void count_calls(struct unknown *u, const struct ir_module *m, const struct model_set *models,
			const struct ir_func *f)
{
	for (uint32_t i = 0; i < f->ninsts; i++) {
		const struct ir_inst *in = &f->insts[i];
		const struct ir_func *g = in->op == IR_CALL ? ir_callee(m, in) : NULL;
		struct unknown *x = g ? &u[g - m->funcs.v] : NULL;

		if (!g || !ir_is_decl(g) || !takes_pointer(m, f, in))
			continue;
		if (!x->name && model_find(models, g->name))
			continue;
		x->name = g->src;
		x->calls++;
	}
}

void verbose_unknown(const struct ir_module *m, const struct model_set *models)
{
	struct unknown *u;
	uint32_t n = 0;

	if (!diag_is_verbose())
		return;
	u = xcalloc(MAX(m->funcs.n, 1), sizeof(*u));
	for (uint32_t i = 0; i < m->funcs.n; i++)
		count_calls(u, m, models, &m->funcs.v[i]);
	for (uint32_t i = 0; i < m->funcs.n; i++)
		if (u[i].name)
			u[n++] = u[i];
	if (n)
		qsort(u, n, sizeof(*u), by_name);
	diag_verbose("%u functions without code and model are taken to keep "
		     "the pointers that they are given%s", n, n ? ":" : "");
	for (uint32_t i = 0; i < n; i++)
		diag_verbose("  %s (%u %s)", u[i].name, u[i].calls, u[i].calls == 1 ? "call" : "calls");
	free(u);
}
