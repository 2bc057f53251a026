/*
 * cmd_check.c - plumb check: where can memory leak, and along which path?
 *
 * Options and output; the analysis is check_program() (check/check.c).
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/near.h"
#include "base/sbuf.h"

#include <sys/resource.h>

struct check_args {
	struct load_options load;
	const char *engine, *format, *output, *baseline;
	struct opt_list exclude;
	bool show_suppressed, at_exit, strict;
	unsigned slice_limit, loop;
	enum report_format fmt;
};

static const char *engine_name(unsigned i)
{
	static const char *const names[] = { "vfg", "path", "all", NULL };

	return names[i];
}

static int check_args(struct check_args *c)
{
	if (report_format_parse(&c->fmt, c->format) < 0 || near_choice("engine", c->engine, engine_name) < 0)
		return -1;
	return 0;
}

static struct check_options options_of(const struct check_args *c)
{
	return (struct check_options){
		.values = !str_eq(c->engine, "path"),
		.paths = !str_eq(c->engine, "vfg"),
		.at_exit = c->at_exit,
		.slice_limit = c->slice_limit,
		.loop = c->loop,
		.jobs = c->load.front.jobs,
		.baseline = c->baseline,
		.exclude = c->exclude.v,
		.nexclude = c->exclude.n,
	};
}

static void say_phases(const struct front_result *r)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	diag_verbose("%u units (%u from the cache), %u functions, %zu bytes of IR in memory", r->analysed,
		     r->cached, r->program->funcs.n, r->program->arena.used);
	diag_verbose("clang: %.3f s, lowering: %.3f s, linking: %.3f s, peak memory: %ld MiB",
		     r->seconds_compile, r->seconds_lower, r->seconds_link, ru.ru_maxrss / 1024);
	if (r->duplicate_symbols)
		diag_verbose("%u symbols have more than one definition: several programs in one database?",
			     r->duplicate_symbols);
}

static const char usage[] =
	"usage: plumb check [INPUT...] [-p DIR] [-- CFLAGS...]\n\n"
	"Finds memory leaks.  INPUT is any mixture of .c, .i, .bc, .ll and .o files,\n"
	"programs and libraries built with `plumb cc`, which together are one program;\n"
	"or nothing with -p DIR, a folder with compile_commands.json.  Sources, headers and\n"
	"folders named with -p say what is reported; all of the database is analysed.\n"
	"Exit status: 0 no leak, 1 leaks, 2 nothing could be analysed, 3 no leak, but a unit was\n"
	"left out, or more than one allocation in twenty was cut (--strict: any was not judged).";

int cmd_check(int argc, char **argv)
{
	struct check_args c = { .engine = "all", .format = "text", .output = "-" };
	const struct opt table[] = {
		{ "engine", 0, OPT_STR, 0, &c.engine, "E", "vfg, path or all (default)" },
		{ "format", 0, OPT_STR, 0, &c.format, "F", "text (default), json, sarif or html" },
		{ "output", 'o', OPT_PATH, 0, &c.output, "FILE", "write the report to FILE" },
		{ "baseline", 0, OPT_PATH, 0, &c.baseline, "FILE",
		  "count only findings that FILE (json or sarif) has not" },
		EXCLUDE_OPTION(c.exclude),
		{ "at-exit", 0, OPT_FLAG, 0, &c.at_exit, NULL,
		  "report what is still held when the program ends, too" },
		{ "strict", 0, OPT_FLAG, 0, &c.strict, NULL,
		  "exit status 3 if any allocation was not judged" },
		{ "slice-limit", 0, OPT_UINT, 0, &c.slice_limit, "N",
		  "give up on allocations that flow to more than N places (1000)" },
		{ "loop", 0, OPT_UINT, 0, &c.loop, "N", "follow loops for N rounds (1)" },
		{ "show-suppressed", 0, OPT_FLAG, OPT_CLI_ONLY, &c.show_suppressed, NULL,
		  "list suppressed findings too" },
		LOAD_OPTIONS(c.load),
		{ 0 },
	};
	struct check_program p = {0};
	struct check_options o;
	struct opt_result args;
	struct findings fs;
	struct sbuf cmd = {0};
	int ret = EXIT_NOTHING, others;

	findings_init(&fs);
	command_line(&cmd, argc, argv);
	if (opt_parse(&args, table, "check", usage, argc, argv) < 0)
		goto fail;
	if (args.help) {
		ret = 0;
		goto done;
	}
	c.load.front.whole = true;
	if (check_args(&c) < 0 || load_program(&p, &c.load, &args) < 0)
		goto fail;
	report_failures(&p.r);
	if (!p.r.program)
		goto done;
	say_phases(&p.r);
	suggest_models(&p);
	o = options_of(&c);
	if ((others = check_program(&fs, &p, &o, NULL)) < 0)
		goto fail;
	keep_named(&fs, others, c.load.front.compdb);
	if (write_findings(&fs, c.fmt, c.output, c.show_suppressed, sbuf_str(&cmd)) < 0)
		goto fail;
	ret = findings_count(&fs) ? EXIT_LEAKS :
	      is_partial(&fs.coverage, c.strict) ? EXIT_PARTIAL : EXIT_CLEAN;
	goto done;
fail:
	diag_error("%s", error_last());
done:
	findings_release(&fs);
	sbuf_release(&cmd);
	check_release(&p);
	vec_release(&c.load.models);
	vec_release(&c.exclude);
	opt_result_release(&args);
	return ret;
}
