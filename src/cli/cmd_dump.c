/*
 * cmd_dump.c - plumb dump STAGE: what a stage of the analysis made, as text
 * that is the same in every run.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sbuf.h"
#include "base/near.h"
#include "cli/engines.h"
#include "ir/io.h"
#include "path/path.h"
#include "plan/plan.h"
#include "vfg/vfg.h"

#include <stdio.h>
#include <stdlib.h>

struct dump {
	const struct ir_module *m;
	const struct model_set *models;
	FILE *f;
};

static void dump_ir(const struct dump *d)
{
	ir_print(d->m, d->f, IR_PRINT_ALL);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The defined functions, one a line, sorted: "src/a.c:41: load". */
static void dump_functions(const struct dump *d)
{
	VEC(char *) lines = {0};
	char *here = path_absolute(".");
	struct sbuf b = {0};

	for (uint32_t i = 0; i < d->m->funcs.n; i++) {
		const struct ir_func *f = &d->m->funcs.v[i];
		char *path;

		if (ir_is_decl(f))
			continue;
		path = f->pos.file == IR_NONE ? xstrdup("?") : path_relative(d->m->files.v[f->pos.file], here);
		vec_push(&lines, xasprintf("%s:%u: %s", path, f->pos.line, f->src));
		free(path);
	}
	if (lines.n)
		qsort(lines.v, lines.n, sizeof(*lines.v), by_text);
	for (uint32_t i = 0; i < lines.n; i++) {
		diag_harmless(&b, lines.v[i]);
		sbuf_addc(&b, '\n');
		free(lines.v[i]);
	}
	fwrite(b.s, 1, b.n, d->f);
	sbuf_release(&b);
	vec_release(&lines);
	free(here);
}

/* The units and the files with code in them, as JSON: for who wants to compile them again. */
static void dump_units(const struct dump *d)
{
	struct json_writer w;

	jw_begin(&w, d->f);
	jw_object(&w);
	jw_key(&w, "units");
	jw_array(&w);
	for (uint32_t i = 0; i < d->m->units.n; i++) {
		const struct ir_unit *u = &d->m->units.v[i];
		struct unit unit = {0};

		jw_object(&w);
		jw_kstr(&w, "unit", u->path);
		jw_kstr(&w, "dir", u->dir);
		jw_key(&w, "flags");
		jw_array(&w);
		unit_read_flags(&unit, u);
		for (uint32_t k = 0; k < unit.flags.n; k++)
			jw_str(&w, unit.flags.v[k]);
		unit_release(&unit);
		jw_array_close(&w);
		jw_object_close(&w);
	}
	jw_array_close(&w);
	jw_key(&w, "files");
	jw_array(&w);
	for (uint32_t i = 0; i < d->m->files.n; i++)
		jw_str(&w, d->m->files.v[i]);
	jw_array_close(&w);
	jw_object_close(&w);
	jw_end(&w);
}

/* The models in force, of the functions that the program calls. */
static void dump_models(const struct dump *d)
{
	for (unsigned i = 0; i < model_count(d->models); i++) {
		const struct model *md = model_at(d->models, i);

		if (model_find(d->models, md->name) == md && ir_find_func(d->m, md->name) != IR_NONE)
			model_print(md, d->f);
	}
}

static void dump_pta(const struct dump *d)
{
	struct pta *p = pta_new(d->m, d->models);

	pta_dump(p, d->f);
	pta_free(p);
}

static void dump_callgraph(const struct dump *d)
{
	struct pta *p = pta_new(d->m, d->models);

	pta_dump_callgraph(p, d->f);
	pta_free(p);
}

static void dump_mssa(const struct dump *d)
{
	struct pta *p = pta_new(d->m, d->models);
	struct mssa *s = mssa_new(p);

	mssa_dump(s, d->f);
	mssa_free(s);
	pta_free(p);
}

static void dump_graph(const struct dump *d, void (*dump)(struct vfg *, FILE *))
{
	struct pta *p = pta_new(d->m, d->models);
	struct mssa *s = mssa_new(p);
	struct vfg *g = vfg_new(s);

	dump(g, d->f);
	vfg_free(g);
	mssa_free(s);
	pta_free(p);
}

static void dump_vfg(const struct dump *d)
{
	dump_graph(d, vfg_dump);
}

static void dump_guards(const struct dump *d)
{
	dump_graph(d, vfg_dump_guards);
}

static void dump_summaries(const struct dump *d)
{
	struct pta *p = pta_new(d->m, d->models);
	struct path_options o = {0};
	struct path *path = path_new(d->m, d->models, p, &o);

	path_dump_summaries(path, d->f);
	path_free(path);
	pta_free(p);
}

/* The leaks that both engines find, and where they would be mended. */
static void dump_fix(const struct dump *d)
{
	const struct engines_options o = { .values = true, .paths = true, .jobs = 1 };
	struct findings fs;
	struct fix_planner *pl;
	struct pta *p;

	findings_init(&fs);
	engines_run(&fs, d->m, d->models, &o);
	findings_sites(&fs, d->m);
	findings_finish(&fs);
	p = pta_new(d->m, d->models);
	pl = fix_planner_new(d->m, d->models, p);
	for (uint32_t i = 0; i < fs.v.n; i++) {
		struct fix_plan plan;

		if (!finding_kind_is_leak(fs.v.v[i]->kind))
			continue;
		fix_plan_make(pl, fs.v.v[i], &fs.arena, &plan);
		fix_plan_print(&plan, d->m, d->f);
		fix_plan_release(&plan);
	}
	fix_planner_free(pl);
	pta_free(p);
	findings_release(&fs);
}

static void dump_coverage(const struct dump *d)
{
	const struct engines_options o = { .values = true, .paths = true, .list = d->f };
	struct findings fs;

	findings_init(&fs);
	engines_run(&fs, d->m, d->models, &o);
	findings_release(&fs);
}

static const struct stage {
	const char *name;
	void (*run)(const struct dump *d);
	const char *help;
} stages[] = {
	{ "ir", dump_ir, "the linked program in the leak IR" },
	{ "units", dump_units, "the units in it, how each is compiled, and the files with code, as JSON" },
	{ "functions", dump_functions, "the functions defined in it, one a line" },
	{ "callgraph", dump_callgraph, "who calls whom, and which functions allocate for their callers" },
	{ "pta", dump_pta, "what pointers may point to" },
	{ "mssa", dump_mssa, "memory regions, their uses and definitions" },
	{ "vfg", dump_vfg, "where the objects of each allocation flow" },
	{ "guards", dump_guards, "under which conditions each allocation is freed" },
	{ "summaries", dump_summaries, "what each function does to memory, in the model language" },
	{ "coverage", dump_coverage, "each allocation: judged, only stored (where), or cut (why)" },
	{ "fix", dump_fix, "where each leak would be mended" },
	{ "models", dump_models, "what is known of the library functions it uses" },
};

static const struct stage *find_stage(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(stages); i++)
		if (str_eq(stages[i].name, name))
			return &stages[i];
	return NULL;
}

static void say_no_stage(const char *name)
{
	struct near near = near_to(name ? name : "");

	for (size_t i = 0; i < ARRAY_LEN(stages); i++)
		near_try(&near, stages[i].name);
	if (name)
		diag_error("plumb dump: unknown stage '%s'%s", name, near_hint(&near));
	else
		diag_error("plumb dump: which stage?");
	for (size_t i = 0; i < ARRAY_LEN(stages); i++)
		fprintf(stderr, "  %-10s %s\n", stages[i].name, stages[i].help);
}

int cmd_dump(int argc, char **argv)
{
	struct load_options l = {0};
	struct fileout out = {0};
	const char *path = "-";
	const struct opt table[] = {
		{ "output", 'o', OPT_PATH, 0, &path, "FILE", "write to FILE instead of standard output" },
		LOAD_OPTIONS(l),
		{ 0 },
	};
	struct front_result r = {0};
	struct model_set *models = NULL;
	struct opt_result args;
	const struct stage *stage;
	int ret = EXIT_NOTHING;

	if (opt_parse(&args, table, "dump", "usage: plumb dump STAGE [INPUT...] [-p DIR] [-- CFLAGS...]\n\n"
		      "Prints a stage of the analysis: ir, functions, callgraph, pta, mssa, vfg, guards, summaries, "
		      "coverage, fix, models.",
		     argc, argv) < 0)
		goto fail;
	if (args.help) {
		ret = 0;
		goto done;
	}
	stage = args.ninputs ? find_stage(args.inputs[0]) : NULL;
	if (!stage) {
		say_no_stage(args.ninputs ? args.inputs[0] : NULL);
		goto done;
	}
	memmove(args.inputs, args.inputs + 1, args.ninputs * sizeof(*args.inputs));
	args.ninputs--;
	if (load_program(&r, &models, &l, &args) < 0)
		goto fail;
	report_failures(&r);
	if (!r.program)
		goto done;
	if (fileout_open(&out, path) < 0)
		goto fail;
	stage->run(&(struct dump){ r.program, models, out.f });
	if (fileout_commit(&out) < 0)
		goto fail;
	ret = r.failed.n ? EXIT_PARTIAL : EXIT_CLEAN;
	goto done;
fail:
	diag_error("%s", error_last());
done:
	fileout_abort(&out);
	front_result_release(&r);
	model_set_free(models);
	vec_release(&l.models);
	opt_result_release(&args);
	return ret;
}
