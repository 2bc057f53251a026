/*
 * cmd_dump.c - plumb dump STAGE: what a stage of the analysis made, as text
 * that is the same in every run.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/near.h"
#include "check/dump.h"
#include "prove/dump.h"

#include <stdio.h>

static const struct stage {
	const char *name;
	void (*run)(const struct check_program *p, FILE *f);
	const char *help;
} stages[] = {
	{ "ir", check_dump_ir, "the linked program in the leak IR" },
	{ "units", check_dump_units,
	  "the units in it, how each is compiled, and the files with code, as JSON" },
	{ "functions", check_dump_functions, "the functions defined in it, one a line" },
	{ "callgraph", check_dump_callgraph,
	  "who calls whom, and which functions allocate for their callers" },
	{ "pta", check_dump_pta, "what pointers may point to" },
	{ "mssa", check_dump_mssa, "memory regions, their uses and definitions" },
	{ "vfg", check_dump_vfg, "where the objects of each allocation flow" },
	{ "guards", check_dump_guards, "under which conditions each allocation is freed" },
	{ "summaries", check_dump_summaries, "what each function does to memory, in the model language" },
	{ "coverage", check_dump_coverage, "each allocation: judged, only stored (where), or cut (why)" },
	{ "fix", prove_dump, "where each leak would be mended" },
	{ "models", check_dump_models, "what is known of the library functions it uses" },
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
	struct check_program p = {0};
	struct opt_result args;
	const struct stage *stage;
	int ret = EXIT_NOTHING;

	if (opt_parse(&args, table, "dump", "usage: plumb dump STAGE [INPUT...] [-p DIR] [-- CFLAGS...]\n\n"
		      "Prints a stage of the analysis: ir, functions, callgraph, pta, mssa, vfg, "
		      "guards, summaries, "
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
	if (load_program(&p, &l, &args) < 0)
		goto fail;
	report_failures(&p.r);
	if (!p.r.program)
		goto done;
	if (fileout_open(&out, path) < 0)
		goto fail;
	stage->run(&p, out.f);
	if (fileout_commit(&out) < 0)
		goto fail;
	ret = p.r.failed.n ? EXIT_PARTIAL : EXIT_CLEAN;
	goto done;
fail:
	diag_error("%s", error_last());
done:
	fileout_abort(&out);
	check_release(&p);
	vec_release(&l.models);
	opt_result_release(&args);
	return ret;
}
