/*
 * cmd_scan.c - plumb scan LIST: many programs, each fetched, built, checked and patched.
 */
#include "cli/cli.h"

#include "base/diag.h"
#include "base/error.h"
#include "base/file.h"
#include "scan/scan.h"

#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
	"usage: plumb scan [-o FOLDER] LIST [-- OPTIONS OF CHECK...]\n"
	"       plumb scan [-o FOLDER] --job LINE [-- OPTIONS OF CHECK...]\n"
	"       plumb scan [-o FOLDER] --table\n\n"
	"Fetches, builds, checks and patches what LIST names, one a line: a source package of\n"
	"Debian, a repository (URL [REVISION]) or a folder.  Results are in FOLDER/results, one\n"
	"JSON file each, and in FOLDER/scan.db (SQLite); logs in FOLDER/logs.  A scan that was\n"
	"ended at any moment continues when the same command is given again.  --job does one\n"
	"line, for make, GNU parallel or a job array.  A build runs the code that it builds.\n"
	"Exit status: 0 all was analysed, 1 something was not, 2 nothing could be done.";

/* The table, from the database alone. */
static int print_table(const struct scan_options *o)
{
	char *path = path_join(o->folder, "scan.db");
	struct scan_store *s = NULL;
	int ret = -1;

	if (!file_exists(path))
		error_set("%s: no scan is there", path);
	else if (scan_store_open(&s, path) == 0)
		ret = scan_store_print(s, stdout);
	scan_store_close(s);
	free(path);
	return ret;
}

static int one_job(const struct scan_options *o, const char *line)
{
	struct scan_entry e;
	int ret = scan_entry_parse(&e, line);

	if (ret == 0)
		return error_set("--job: the line is empty");
	if (ret < 0)
		return error_prefix("--job: ");
	ret = scan_job(&e, o);
	scan_entry_release(&e);
	return ret;
}

static int all_jobs(const struct scan_options *o, const char *path)
{
	struct scan_list l = {0};
	int ret = scan_list_read(&l, path);

	if (ret == 0)
		ret = scan_drive(&l, o);
	scan_list_release(&l);
	return ret;
}

int cmd_scan(int argc, char **argv)
{
	struct scan_options o = { .folder = "plumb-scan", .time_limit = 1800,
				  .memory_limit = 4ull << 30, .programs = 8 };
	const char *job = NULL;
	bool table_only = false;
	const struct opt table[] = {
		{ "output", 'o', OPT_PATH, OPT_CLI_ONLY, &o.folder, "FOLDER",
		  "where results, logs and builds are (plumb-scan)" },
		{ "job", 0, OPT_STR, OPT_CLI_ONLY, &job, "LINE",
		  "do this entry alone, and write FOLDER/results/NAME.json" },
		{ "table", 0, OPT_FLAG, OPT_CLI_ONLY, &table_only, NULL,
		  "print what is known, a line for each entry" },
		{ "jobs", 'j', OPT_UINT, 0, &o.jobs, "N",
		  "work on N entries at a time (default: all cores)" },
		{ "build-jobs", 0, OPT_UINT, OPT_CLI_ONLY, &o.build_jobs, "N",
		  "so many processes for one build (1)" },
		{ "time-limit", 0, OPT_UINT, OPT_CLI_ONLY, &o.time_limit, "S",
		  "seconds that each step may take (1800); 0: no limit" },
		{ "memory-limit", 0, OPT_SIZE, OPT_CLI_ONLY, &o.memory_limit, "SIZE",
		  "what all processes of a step may take together (4G)" },
		{ "programs", 0, OPT_UINT, OPT_CLI_ONLY, &o.programs, "N",
		  "analyse at most N programs and libraries of an entry (8)" },
		{ "cost-units", 0, OPT_UINT, OPT_CLI_ONLY, &o.cost_units, "N",
		  "compile some N units with clang -O2, for comparison (0)" },
		{ "build-deps", 0, OPT_FLAG, OPT_CLI_ONLY, &o.build_deps, NULL,
		  "install what packages need to be built (as root)" },
		{ "no-fix", 0, OPT_FLAG, OPT_CLI_ONLY, &o.no_fix, NULL, "only check" },
		{ "again", 0, OPT_FLAG, OPT_CLI_ONLY, &o.again, NULL, "also what has a result" },
		{ "keep", 0, OPT_FLAG, OPT_CLI_ONLY, &o.keep, NULL,
		  "leave sources and builds in FOLDER/work" },
		{ 0 },
	};
	struct opt_result args;
	char *folder = NULL;
	int ret = EXIT_NOTHING, done = -1;

	if (opt_parse(&args, table, "scan", usage, argc, argv) < 0)
		goto fail;
	if (args.help) {
		ret = 0;
		goto out;
	}
	o.folder = folder = path_absolute(o.folder);
	o.check_args = args.rest;
	o.ncheck_args = args.nrest;
	if (args.ninputs != (job || table_only ? 0 : 1) || (job && table_only)) {
		error_set("plumb scan: a LIST, or --job LINE, or --table is wanted (see plumb scan --help)");
		goto fail;
	}
	done = job ? one_job(&o, job) :
	       table_only ? print_table(&o) : all_jobs(&o, args.inputs[0]);
	if (done < 0)
		goto fail;
	ret = done > 0 ? EXIT_LEAKS : EXIT_CLEAN;
	goto out;
fail:
	diag_error("%s", error_last());
out:
	free(folder);
	opt_result_release(&args);
	return ret;
}
