/*
 * check.c - plumb check, all of it on one page: check_program().
 */
#include "check/check.h"

#include "base/diag.h"
#include "check/engines.h"
#include "check/prepare.h"
#include "path/solver.h"
#include "vfg/vfg.h"

/* What there is no code of, as findings know it. */
static void note_left_out(struct findings *fs, const struct front_result *r)
{
	fs->units_analysed = r->analysed;
	for (uint32_t i = 0; i < r->failed.n; i++) {
		struct finding_failure f = {
			arena_strdup(&fs->arena, r->failed.v[i].file),
			arena_strdup(&fs->arena, r->failed.v[i].error),
		};

		vec_push(&fs->failed, f);
		coverage_name(fs, &fs->coverage.units_left_out, finding_path(fs, f.file));
	}
	for (uint32_t i = 0; i < r->libraries.n; i++)
		coverage_name(fs, &fs->coverage.libraries_not_given,
			      finding_path(fs, r->libraries.v[i].name));
	for (uint32_t i = 0; i < r->not_c.n; i++) {
		coverage_name(fs, &fs->coverage.not_c, r->not_c.v[i]);
		diag_verbose("%s is not C, and is left out", r->not_c.v[i]);
	}
}

static struct engines_options engines_of(const struct check_options *o)
{
	return (struct engines_options){
		.values = o->values,
		.paths = o->paths,
		.at_exit = o->at_exit,
		.slice_limit = o->slice_limit,
		.loop = o->loop,
		.jobs = o->jobs,
	};
}

/* What earlier runs have found out is taken again, and what this one finds out is kept for the next
 * one; if somebody asks on in this run, more of it. */
static void keep(struct check_kept *k, bool more, const struct front_options *o, struct engines_options *e)
{
	front_results_open(&k->results, o, engines_salt(e));
	k->store = k->results.store;
	if (more) {
		if (!k->store)
			k->store = store_new();
		k->before = e->before = vfg_before_new();
		e->pta = &k->pta;
		e->doubts = &k->doubts;
	}
	e->store = k->store;
}

void check_kept_init(struct check_kept *k)
{
	*k = (struct check_kept){0};
	findings_init(&k->doubts);
}

void check_kept_release(struct check_kept *k)
{
	if (k->store != k->results.store)
		store_free(k->store);
	vfg_before_free(k->before);
	front_results_close(&k->results);
	pta_free(k->pta);
	findings_release(&k->doubts);
}

int check_program(struct findings *fs, const struct check_program *p, const struct check_options *o,
		  struct check_kept *kept)
{
	struct engines_options e = engines_of(o);
	struct check_kept ours;
	int ret = 0;

	check_kept_init(&ours);
	note_left_out(fs, &p->r);
	findings_exclude(fs, o->exclude, o->nexclude);
	keep(kept ? kept : &ours, kept, p->o, &e);
	engines_run(fs, p->r.program, p->models, &e);
	check_kept_release(&ours);
	findings_sites(fs, p->r.program);
	findings_finish(fs);
	if (kept)
		findings_finish(&kept->doubts);
	if (o->baseline && (ret = findings_baseline(fs, o->baseline)) < 0)
		return ret;
	findings_mark_excluded(fs);
	return (int)findings_focus(fs, &p->r.named);
}

void check_find(struct findings *fs, const struct check_program *p, const struct check_options *o)
{
	const struct engines_options e = engines_of(o);

	engines_run(fs, p->r.program, p->models, &e);
	findings_sites(fs, p->r.program);
	findings_finish(fs);
}

bool check_again(struct findings *fs, struct ir_module *changed, const struct check_program *p,
		 const struct check_options *o, const struct check_kept *kept)
{
	struct engines_options e = engines_of(o);
	bool whole;

	prepare_program(changed, p->models);
	e.quiet = true;
	e.store = kept->store;
	e.before = kept->before;
	e.doubts = fs;
	whole = engines_run(fs, changed, p->models, &e);
	findings_finish(fs);
	return whole;
}

const char *check_solver(void)
{
	return solver_name();
}
