/*
 * judge.c - the solver, as the value-flow engine asks for it (see vfg.h).
 */
#include "path/judge.h"

#include "path/solver.h"

static void *begin(void)
{
	return solver_new();
}

static void end(void *arg)
{
	solver_free(arg);
}

static void source(void *arg)
{
	solver_reset(arg);
}

static enum vfg_opinion ask(void *arg, const struct syms *s, const struct sym_term *t, uint32_t n)
{
	static const enum vfg_opinion opinions[] = {
		[SOLVER_SAT] = VFG_POSSIBLE, [SOLVER_UNSAT] = VFG_IMPOSSIBLE,
		[SOLVER_UNKNOWN] = VFG_NOT_KNOWN,
	};

	return opinions[solver_check(arg, s, t, n)];
}

const struct vfg_judge *judge_by_solver(void)
{
	static const struct vfg_judge judge = { solver_name, begin, end, source, ask };

	return solver_name() ? &judge : NULL;
}
