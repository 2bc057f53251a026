/*
 * cmd_bounds.c - plumb bounds: what training has learned, as a table or JSON, and
 * whether a validation run agrees.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/near.h"
#include "run/bounds.h"

static const char usage[] =
	"usage: plumb bounds [OPTIONS] FILE\n\n"
	"Prints the allocation sites of a bounds file (plumb train): how many objects each\n"
	"run allocated and freed there, the bound m that it observed, whether the bounds\n"
	"agree, and whether the site leaks.  With --validate the exit code is 1 if a bound\n"
	"of FILE is too small for the runs in RUN.\n";

#define SHOWN 40		/* sites in the table, unless --all */

struct bounds_options {
	const char *format, *output, *validate;
	bool all;
};

static const char *format_name(unsigned i)
{
	static const char *const names[] = { "text", "json", NULL };

	return names[i];
}

/* Prints b, judged by another file's runs if one is named. */
static int print_bounds(struct bounds *b, const struct bounds_options *o)
{
	struct bounds_summary sum = {0};
	struct bounds run;
	bool *invalid = NULL;
	struct fileout out = {0};
	int ret = 0;

	bounds_init(&run);
	if (o->validate) {
		if ((ret = bounds_read(&run, o->validate)) < 0)
			goto done;
		invalid = xcalloc(b->sites.n + 1, sizeof(*invalid));
		bounds_validate(invalid, &sum, b, &run);
	}
	if ((ret = fileout_open(&out, o->output)) < 0)
		goto done;
	if (str_eq(o->format, "json"))
		bounds_print_json(b, out.f);
	else
		bounds_print_text(b, invalid, o->all || o->validate ? 0 : SHOWN, out.f);
	if ((ret = fileout_commit(&out)) == 0)
		ret = sum.invalidated ? EXIT_LEAKS : EXIT_CLEAN;
done:
	fileout_abort(&out);
	free(invalid);
	bounds_release(&run);
	return ret;
}

int cmd_bounds(int argc, char **argv)
{
	struct bounds_options o = { .format = "text", .output = "-" };
	const struct opt table[] = {
		{ "format", 0, OPT_STR, OPT_CLI_ONLY, &o.format, "FORMAT", "text or json" },
		{ "output", 'o', OPT_PATH, 0, &o.output, "FILE", "write there" },
		{ "validate", 0, OPT_PATH, OPT_CLI_ONLY, &o.validate, "RUN",
		  "name the sites whose bound the runs in the bounds file RUN show to be too small" },
		{ "all", 'a', OPT_FLAG, OPT_CLI_ONLY, &o.all, NULL, "all sites, not only the largest" },
		{ 0 },
	};
	struct opt_result args = {0};
	struct bounds b;
	int ret;

	bounds_init(&b);
	if ((ret = opt_parse(&args, table, "bounds", usage, argc, argv)) < 0 || args.help)
		goto done;
	if (args.ninputs != 1)
		ret = error_set("one bounds file is wanted (see plumb bounds --help)");
	else if ((ret = near_choice("format", o.format, format_name)) >= 0 &&
		 (ret = bounds_read(&b, args.inputs[0])) == 0)
		ret = print_bounds(&b, &o);
done:
	if (ret < 0)
		diag_error("%s", error_last());
	bounds_release(&b);
	opt_result_release(&args);
	return ret < 0 ? EXIT_NOTHING : ret;
}
