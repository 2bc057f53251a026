/*
 * cmd_report.c - plumb report: findings, runs and bounds on one page, by allocation site.
 *
 * What a file is, its "schema" says, not its name.  All files are read before anything is
 * written; one that is damaged ends the command with one line.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "report/site.h"

static const char usage[] =
	"usage: plumb report [FINDINGS.json | RUN.json | BOUNDS]... -o FILE.html\n\n"
	"Puts together what plumb check or fix (--format json), plumb watch (BASE.json) and\n"
	"plumb train (the bounds file, or plumb bounds --format json) know of a program, by\n"
	"allocation site, as one HTML page that needs no other file.\n"
	"Exit status: 0 the page was written, 2 it was not.";

struct report_args {
	const char *output, *root;
	struct opt_list models;
};

struct report_data {
	struct findings fs;
	struct model_set *models;
	struct sites sites;
};

/* ---- input ---- */

/* Does the text begin as JSON does?  What does not is something that a report can be made of first. */
static int check_report(const char *text, size_t n, const char *path)
{
	size_t blank = 0;

	while (blank < n && strchr(" \t\r\n", text[blank]) && text[blank])
		blank++;
	if (blank == n || text[blank] == '{' || text[blank] == '[')
		return 0;
	return error_set("%s: not a report: "
			 "`plumb check --format json -o FILE.json %s` or `plumb watch -- PROGRAM` makes one, "
			 "and plumb report puts them together", path, path);
}

/* One file, parsed, to where it belongs. */
static int add_json(struct report_data *d, const json_t *top, const char *path)
{
	const char *schema = jr_get_str(top, "schema");
	struct watch_run *run;
	struct trained *t;

	if (schema && str_eq(schema, "plumb-findings/1")) {
		if (findings_read_json(&d->fs, top) < 0)
			return error_prefix("%s: ", path);
	} else if (schema && str_eq(schema, "plumb-run/1")) {
		if (watch_read_json(&run, top, d->fs.root) < 0)
			return error_prefix("%s: ", path);
		sites_add_run(&d->sites, run);
	} else if (schema && str_eq(schema, BOUNDS_SCHEMA)) {
		/* plumb-ignore: sites_release() goes through all of them */
		if (trained_read(&t, top, d->fs.root) < 0)
			return error_prefix("%s: ", path);
		trained_mark_wrappers(t, d->models);
		/* what plumb bounds printed is nothing for plumb run */
		sites_add_trained(&d->sites, t, json_object_get(top, "modules") ? path : NULL);
	} else {
		return error_set("%s: neither findings "
				 "(plumb check --format json) nor a run (plumb watch) nor bounds "
				 "(plumb train)", path);
	}
	return 0;
}

static int add_input(struct report_data *d, const char *path)
{
	json_t *top = NULL;
	char *text = NULL;
	size_t n;
	int ret;

	if ((ret = file_read_named(&text, &n, path)) < 0)
		return ret;
	if (n >= 8 && memcmp(text, "plumbrun", 8) == 0)
		ret = error_set("%s: the data of a watched process; "
				"`plumb watch --from %s` makes the JSON that is wanted "
				"here", path, path);
	else if ((ret = check_report(text, n, path)) == 0 && (ret = jr_parse(&top, text, n, path)) == 0)
		ret = add_json(d, top, path);
	json_decref(top);
	free(text);
	return ret;
}

static int load_models(struct report_data *d, const struct opt_list *more)
{
	d->models = model_set_new();
	if (model_load_shipped(d->models) < 0)
		return -1;
	for (uint32_t i = 0; i < more->n; i++)
		if (model_parse_file(d->models, more->v[i]) < 0)
			return -1;
	return 0;
}

static int set_root(struct report_data *d, const char *root)
{
	char *path;

	if (!root)
		return 0;
	if (!is_dir(root))
		return error_set("%s: there is no such folder", root);
	path = path_absolute(root);
	d->fs.root = arena_strdup(&d->fs.arena, path);
	free(path);
	return 0;
}

/* ---- the command ---- */

static int write_page(struct report_data *d, const char *output)
{
	struct fileout out = {0};
	int ret;

	if ((ret = fileout_open(&out, output)) < 0)
		return ret;
	if ((ret = sites_write_html(&d->sites, out.f)) == 0)
		ret = fileout_commit(&out);
	fileout_abort(&out);
	return ret;
}

static int make_report(struct report_data *d, const struct report_args *o, const struct opt_result *args)
{
	if (!args->ninputs)
		return error_set("no file is named (see plumb report --help)");
	if (args->nrest)
		return error_set("nothing is wanted after `--`");
	if (set_root(d, o->root) < 0 || load_models(d, &o->models) < 0)
		return -1;
	for (unsigned i = 0; i < args->ninputs; i++)
		if (add_input(d, args->inputs[i]) < 0)
			return -1;
	sites_merge(&d->sites);
	return write_page(d, o->output);
}

int cmd_report(int argc, char **argv)
{
	struct report_args o = { .output = "-" };
	const struct opt table[] = {
		{ "output", 'o', OPT_PATH, 0, &o.output, "FILE", "write the page to FILE" },
		{ "root", 0, OPT_PATH, OPT_CLI_ONLY, &o.root, "DIR",
		  "where the sources are (default: the git work tree around this folder)" },
		{ "model", 0, OPT_LIST, 0, &o.models, "FILE",
		  "more functions that allocate for their callers" },
		{ 0 },
	};
	struct report_data d = {0};
	struct opt_result args = {0};
	int ret;

	findings_init(&d.fs);
	sites_init(&d.sites, &d.fs);
	if ((ret = opt_parse(&args, table, "report", usage, argc, argv)) == 0 && !args.help)
		ret = make_report(&d, &o, &args);
	if (ret < 0)
		diag_error("%s", error_last());
	sites_release(&d.sites);
	model_set_free(d.models);
	findings_release(&d.fs);
	vec_release(&o.models);
	opt_result_release(&args);
	return ret < 0 ? EXIT_NOTHING : EXIT_CLEAN;
}
