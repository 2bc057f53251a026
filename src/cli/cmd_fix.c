/*
 * cmd_fix.c - plumb fix: where can a free be inserted so that nothing can break?
 *
 * Options and output; the way there is fix_program() (prove/fix.c).  What is left is a diff, or edited
 * files, or a report with the fixes in it; and a line for each leak that stays, with the reason.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/near.h"
#include "base/sbuf.h"
#include "prove/fix.h"
#include "report/story.h"

#include <stdio.h>

struct fix_args {
	struct load_options load;
	const char *format, *output, *baseline, *finding;
	struct opt_list exclude;
	bool in_place, dry_run, at_exit;
	unsigned slice_limit, loop;
	bool as_diff;
	enum report_format fmt;		/* unless as_diff */
};

/* A diff, or a report. */
static const char *format_name(unsigned i)
{
	return i ? report_format_name(i - 1) : "diff";
}

static int check_args(struct fix_args *c)
{
	int format = near_choice("format", c->format, format_name);

	if (format < 0)
		return -1;
	c->as_diff = format == 0;
	if (format)
		c->fmt = (enum report_format)(format - 1);
	if (c->dry_run && c->in_place)
		return error_set("--dry-run and --in-place exclude each other: a dry run changes no file");
	if (c->dry_run && !str_eq(c->output, "-"))
		return error_set("--dry-run and -o FILE exclude each other: a dry run writes no file");
	if (c->dry_run && !c->as_diff)
		return error_set("--dry-run and --format %s exclude each other: "
				 "a dry run prints its own summary", c->format);
	if (c->in_place && !str_eq(c->output, "-") && c->as_diff)
		return error_set("--in-place and -o FILE exclude each other: the diff would be "
				 "of what is no longer there");
	return 0;
}

static struct fix_options options_of(const struct fix_args *c)
{
	return (struct fix_options){
		.check = {
			.values = true,
			.paths = true,
			.at_exit = c->at_exit,
			.slice_limit = c->slice_limit,
			.loop = c->loop,
			.jobs = c->load.front.jobs,
			.baseline = c->baseline,
			.exclude = c->exclude.v,
			.nexclude = c->exclude.n,
		},
		.finding = c->finding,
		.in_place = c->in_place,
	};
}

/* ---- output ---- */

static const char *shown(void *ctx, const char *path)
{
	return finding_path(ctx, path);
}

/* What a run without --dry-run would change. */
static void add_summary(struct sbuf *b, struct fix *x)
{
	for (uint32_t i = 0; i < x->fs.v.n; i++) {
		const struct finding *f = x->fs.v.v[i];

		if (f->fix != FINDING_FIX_AVAILABLE)
			continue;
		sbuf_printf(b, "%s:%u:%u: would be fixed: ",
			    finding_path(&x->fs, f->alloc.file), f->alloc.line, f->alloc.column);
		report_edits(b, &x->fs, f);
		sbuf_printf(b, " (%s)\n", f->id);
	}
	fix_stat(b, &x->files, shown, &x->fs);
}

/* In a diff all names are from one folder, or one run of patch does not find them all: the root of the
 * project, or / if a file lies elsewhere (patch refuses names with ..). */
static const char *named_from_slash(void *ctx, const char *path)
{
	UNUSED(ctx);
	return path;
}

static bool all_below_root(struct fix *x)
{
	for (uint32_t i = 0; i < x->files.n; i++)
		if (finding_path(&x->fs, x->files.v[i].path)[0] == '/')
			return false;
	return true;
}

static void add_diff(struct sbuf *b, struct fix *x)
{
	bool below = all_below_root(x), here = str_eq(finding_path(&x->fs, "."), ".");

	fix_diff(b, &x->files, below ? shown : named_from_slash, &x->fs);
	if (b->n && below && !here)
		diag_note("the diff names files from %s: git apply, or patch -p1 -d %s",
			  x->fs.root, x->fs.root);
	else if (b->n && !below)
		diag_note("the diff names files from /, as some are not below %s: patch -p1 -d /",
			  x->fs.root);
}

/* The diff, or with --dry-run what it would do. */
static int write_changes(const struct fix_args *c, struct fix *x)
{
	struct fileout out = {0};
	struct sbuf b = {0};
	int ret;

	if (c->dry_run)
		add_summary(&b, x);
	else
		add_diff(&b, x);
	if ((ret = fileout_open(&out, c->output)) == 0) {
		fwrite(sbuf_str(&b), 1, b.n, out.f);
		ret = fileout_commit(&out);
	}
	fileout_abort(&out);
	sbuf_release(&b);
	return ret;
}

static int write_output(const struct fix_args *c, struct fix *x, const char *command)
{
	int ret = 0;

	findings_drop_elsewhere(&x->fs);
	if (!c->as_diff)
		ret = write_findings(&x->fs, c->fmt, c->output, false, command);
	else if (!c->in_place)
		ret = write_changes(c, x);
	if (ret == 0 && c->in_place)
		ret = fix_files_write(&x->files);
	return ret;
}

static void say_nothing_to_fix(const struct fix *x)
{
	struct sbuf b = {0};

	story_coverage(&b, &x->fs);
	diag_note("nothing to fix: no leak found: %s", sbuf_str(&b));
	sbuf_release(&b);
}

/* One line for each leak that stays, and one for all. */
static void say_rest(const struct fix_args *c, struct fix *x)
{
	for (uint32_t i = 0; i < x->fs.v.n; i++) {
		const struct finding *f = x->fs.v.v[i];

		if (!fix_is_asked(x, f) || f->fix == FINDING_FIX_AVAILABLE)
			continue;
		diag_at(DIAG_WARNING, finding_path(&x->fs, f->alloc.file), f->alloc.line, f->alloc.column,
			"not fixed: %s%s%s (%s)", f->variable, f->variable[0] ? ": " : "",
			f->fix_reason, f->id);
	}
	if (!x->asked)
		say_nothing_to_fix(x);
	else
		diag_note("%u of %u leak%s %sfixed, in %u file%s%s",
			  x->fixed, x->asked, x->asked == 1 ? "" : "s",
			  c->dry_run ? "would be " : "", x->files.n, x->files.n == 1 ? "" : "s",
			  c->dry_run ? " (dry run: nothing was written)" :
			  c->in_place && x->files.n ? " (changed in place)" : "");
}

static const char usage[] =
	"usage: plumb fix [INPUT...] [-p DIR] [--in-place | -o FILE | --dry-run] [-- CFLAGS...]\n\n"
	"Finds memory leaks as plumb check does and makes patches that end them: a unified\n"
	"diff for `git apply` or `patch -p1` on standard output.  Each patch was compiled and\n"
	"the patched program analysed again: its leak is gone and nothing new is found.  For\n"
	"each leak that is not fixed there is one line with the reason on standard error.\n"
	"With -p DIR, sources, headers and folders that are named say which leaks are fixed.\n"
	"Exit status: 0 every leak found is fixed, 1 some stay, 2 nothing could be analysed,\n"
	"3 no leak stays, but a unit was left out, or more than one allocation in twenty was cut.";

int cmd_fix(int argc, char **argv)
{
	struct fix_args c = { .format = "diff", .output = "-" };
	const struct opt table[] = {
		{ "in-place", 0, OPT_FLAG, OPT_CLI_ONLY, &c.in_place, NULL,
		  "change the sources instead of printing a diff" },
		{ "dry-run", 0, OPT_FLAG, OPT_CLI_ONLY, &c.dry_run, NULL,
		  "plan and prove, say what would be fixed, write nothing" },
		{ "output", 'o', OPT_PATH, 0, &c.output, "FILE", "write the diff or report to FILE" },
		{ "finding", 0, OPT_STR, OPT_CLI_ONLY, &c.finding, "ID", "fix only this one" },
		{ "format", 0, OPT_STR, OPT_CLI_ONLY, &c.format, "F",
		  "diff (default), text, json, sarif or html" },
		{ "baseline", 0, OPT_PATH, 0, &c.baseline, "FILE",
		  "leave findings alone that FILE (json or sarif) has" },
		EXCLUDE_OPTION(c.exclude),
		{ "at-exit", 0, OPT_FLAG, 0, &c.at_exit, NULL,
		  "fix what is still held when the program ends, too" },
		{ "slice-limit", 0, OPT_UINT, 0, &c.slice_limit, "N",
		  "give up on allocations that flow to more than N places (1000)" },
		{ "loop", 0, OPT_UINT, 0, &c.loop, "N", "follow loops for N rounds (1)" },
		LOAD_OPTIONS(c.load),
		{ 0 },
	};
	struct check_program p = {0};
	struct fix_options o;
	struct fix x;
	struct opt_result args;
	struct sbuf cmd = {0};
	int ret = EXIT_NOTHING;

	fix_init(&x, &p, &o);
	command_line(&cmd, argc, argv);
	if (opt_parse(&args, table, "fix", usage, argc, argv) < 0)
		goto fail;
	if (args.help) {
		ret = 0;
		goto done;
	}
	if (!c.dry_run)
		fix_files_recover();
	c.load.front.keep_parts = c.load.front.whole = true;
	if (check_args(&c) < 0 || fix_ready() < 0 || load_program(&p, &c.load, &args) < 0)
		goto fail;
	report_failures(&p.r);
	if (!p.r.program)
		goto done;
	suggest_models(&p);
	o = options_of(&c);
	if (fix_program(&x) < 0 || write_output(&c, &x, sbuf_str(&cmd)) < 0)
		goto fail;
	say_rest(&c, &x);
	ret = x.fixed < x.asked ? EXIT_LEAKS :
	      is_partial(&x.fs.coverage, false) ? EXIT_PARTIAL : EXIT_CLEAN;
	goto done;
fail:
	diag_error("%s", error_last());
done:
	fix_release(&x);
	check_release(&p);
	sbuf_release(&cmd);
	vec_release(&c.load.models);
	vec_release(&c.exclude);
	opt_result_release(&args);
	return ret;
}
