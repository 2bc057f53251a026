/*
 * engines.c - two engines as one.
 *
 * The value-flow engine sees the whole program, follows one object through it,
 * and enters callees where it matters; the path engine executes each function
 * with all its objects at once, and knows callees by their summaries.  With
 * --engine all both are asked about each allocation:
 *
 *   - what the value-flow engine reports and the path engine has seen freed on
 *     every feasible path of the function that allocates it, is dropped; of a
 *     function with too many paths, on every path from that call on;
 *   - what is left of that is looked for once more, now with the numbers that calls
 *     leave behind according to their summaries (path/told.c): a path that asks for
 *     others is none;
 *   - what both report is one finding (finding/unite.c), as sure as the surer;
 *   - what only the path engine reports is added if nothing on its path was
 *     guessed, or if the value-flow engine could not judge the allocation and the
 *     function is none of which the path engine has seen a part only.  If
 *     that one looked at it and calls it safe, a path with a guess in it (which
 *     element of an array, a case of a callee whose conditions cannot be told)
 *     is not believed: such paths are where a summary says less than the callee's
 *     code.  Which of a callee's cases it is, if their conditions are told, and
 *     what number a later round of a loop has, are no guesses.  Nor is it believed of
 *     a part of something that a callee made and another freed: whether that part is
 *     there and whose it is are questions to all of the program;
 *   - what the value-flow engine holds for lost together with another object, and
 *     so does not tell, is no support for a path that frees that other one.
 *
 * --verbose lists what was dropped.  What became of each allocation is counted at the end (cover.c).
 */
#include "check/engines.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/progress.h"
#include "check/cover.h"
#include "check/verbose.h"
#include "path/judge.h"
#include "path/path.h"
#include "path/solver.h"
#include "vfg/vfg.h"

struct engines {
	struct findings *fs;
	const struct engines_options *o;
	const struct ir_module *m;
	struct pta *all, *pta;		/* all there is; NULL if its sets are incomplete */
	const struct model_set *models;
	struct path *path;
	struct mssa *mssa;
	struct vfg *vfg;
	struct phase_times t;
};

static bool is_safe(void *arg, uint32_t func, uint32_t inst, const struct model_effect *made)
{
	const struct engines *e = arg;

	return path_verdict(e->path, func, inst, made) == PATH_SAFE;
}

static bool leaves(void *arg, uint32_t func, uint32_t param, sym_at_fn *at,
		   void *at_arg, struct sym_range *out)
{
	const struct engines *e = arg;

	return path_leaves(e->path, func, param, at, at_arg, out);
}

static bool is_believed(void *arg, const struct path_claim *c)
{
	struct engines *e = arg;
	bool ok = true;

	if (c->leak)
		switch (vfg_said(e->vfg, c->func, c->inst)) {
		case VFG_SAYS_SAFE:
			ok = c->sure && !c->part;
			break;
		case VFG_SAYS_PART:
			ok = c->sure || !c->inside;
			break;
		case VFG_NOT_JUDGED:
			ok = c->sure || !c->cut;
			break;
		case VFG_SAYS_NOTHING:
		case VFG_SAYS_LEAK:
			break;
		}
	if (!ok) {
		const struct ir_pos *p = &e->m->funcs.v[c->func].insts[c->inst].pos;

		diag_verbose("%s:%u: allocation in %s(): lost on a path, not reported: something "
			     "on it is guessed, and values flow to a free",
			     p->file == IR_NONE ? "?" : e->m->files.v[p->file], p->line,
			     e->m->funcs.v[c->func].src);
	}
	return ok;
}

static uint32_t slice_limit(const struct engines *e)
{
	return e->o->slice_limit ? e->o->slice_limit : VFG_SLICE_LIMIT;
}

/* Counts what was judged; not needed when the proof analyses a program with patches. */
static void count(struct engines *e)
{
	const struct cover_from from = { e->all, !e->pta, e->vfg, e->path, slice_limit(e), e->o->list };
	double start = clock_now();

	progress_stage("coverage");
	cover_program(e->fs, &from);
	diag_verbose("coverage: %.3f s", clock_now() - start);
}

/* Phases 2 to 4 of the value-flow engine, and what they cost. */
static void follow_values(struct engines *e)
{
	const struct vfg_second second = { e, is_safe, leaves };
	struct vfg_options o = { .slice_limit = slice_limit(e), .jobs = e->o->jobs,
				 .loop = e->o->loop, .at_exit = e->o->at_exit, .judge = judge_by_solver(),
				 .second = e->path ? &second : NULL, .store = e->o->store,
				 .before = e->o->before };
	double start;
	struct mssa_stats ms;
	struct vfg_stats vs;

	progress_stage("memory SSA");
	e->mssa = mssa_new(e->pta);
	start = clock_now();
	e->vfg = vfg_new(e->mssa);
	e->t.seconds[PHASE_GRAPH] = clock_now() - start;
	vfg_check(e->vfg, e->fs, &o, &vs);
	mssa_get_stats(e->mssa, &ms);
	e->t.seconds[PHASE_MSSA] = ms.seconds_modref + ms.seconds_ssa;
	e->t.seconds[PHASE_DETECT] = vs.seconds_detect;
	diag_verbose("memory SSA: %.3f s for mod-ref, %.3f s for SSA; "
		     "%u tracked locations, %u regions, %u versions",
		     ms.seconds_modref, ms.seconds_ssa, ms.tracked, ms.regions, ms.defs);
	verbose_counts(&vs);
	if (o.store)
		diag_verbose("value flow: %u allocations as in an earlier run", vs.kept);
}

static void follow_paths(struct engines *e)
{
	struct path_options o = { .at_exit = e->o->at_exit, .store = e->o->store };
	struct path_stats s;

	e->path = path_new(e->m, e->models, e->pta, &o);
	path_get_stats(e->path, &s);
	e->t.seconds[PHASE_PATHS] = s.seconds;
	diag_verbose("paths: %.3f s for %u functions, %u paths, %u blocks, "
		     "%u cases in summaries; %u functions not to the end",
		     s.seconds, s.functions, s.paths, s.blocks, s.cases, s.cut);
	if (e->o->store)
		diag_verbose("paths: %u functions as in an earlier run", s.kept);
	diag_verbose("solver (%s): %u queries in %.3f s, %u paths found impossible",
		     solver_name() ? solver_name() : "none", s.queries, s.seconds_solver, s.refuted);
}

uint64_t engines_salt(const struct engines_options *o)
{
	const char *engine = !o->paths ? "vfg" :
			     !o->values ? "path" : "all";

	return hash_join(hash_join(hash_str(engine), o->at_exit), (uint64_t)o->slice_limit << 32 | o->loop);
}

static void find_pointers(struct engines *e)
{
	double start = clock_now();
	struct pta_stats s;

	progress_stage("points-to");
	e->all = pta_new(e->m, e->models);
	e->t.seconds[PHASE_PTA] = clock_now() - start;
	pta_get_stats(e->all, &s);
	diag_verbose("points-to: %.3f s for SSA, %.3f s for %u nodes, "
		     "%u objects, %u locations, %u edges, %u rounds",
		     s.seconds_ssa, s.seconds_solve, s.nodes, s.objects, s.locs, s.copy_edges, s.rounds);
	diag_verbose("%u allocation wrappers; %u of the calls may reach unknown code, "
		     "which is taken to keep its arguments",
		     s.wrappers, s.unknown_calls);
	verbose_unknown(e->m, e->models);
	if (s.gave_up && !e->o->quiet)
		diag_warn("the points-to sets of this program grow beyond the budget: "
			  "values are not followed, and calls through pointers are taken for unknown");
	e->pta = s.gave_up ? NULL : e->all;
}

static void release(struct engines *e)
{
	vfg_free(e->vfg);
	mssa_free(e->mssa);
	path_free(e->path);
	if (e->o->pta)
		*e->o->pta = e->all;
	else
		pta_free(e->all);
}

bool engines_run(struct findings *fs, const struct ir_module *program, const struct model_set *models,
		 const struct engines_options *o)
{
	struct engines e = { .fs = fs, .o = o, .m = program, .models = models };
	bool whole;

	assert(o->values || o->paths);

	find_pointers(&e);
	if (o->paths || !e.pta)
		follow_paths(&e);
	if (o->values && e.pta)
		follow_values(&e);
	if (e.path)
		path_check(e.path, fs, e.vfg ? is_believed : NULL, &e);
	if (!o->quiet)
		count(&e);
	if (e.path && o->doubts)
		path_doubts(e.path, o->doubts);
	whole = e.pta;
	release(&e);
	progress_end();
	verbose_phases(&e.t);
	findings_unite(fs);
	return whole;
}
