/*
 * cli.h - what the subcommands share.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "check/check.h"
#include "cli/opt.h"
#include "report/report.h"

/* Exit codes of the design. */
enum {
	EXIT_CLEAN = 0,		/* everything was analysed, no leak */
	EXIT_LEAKS = 1,
	EXIT_NOTHING = 2,	/* bad usage, nothing could be analysed */
	EXIT_PARTIAL = 3,	/* no leak in what was analysed, but that was not enough: is_partial() */
};

int cmd_check(int argc, char **argv);
int cmd_fix(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_cc(int argc, char **argv);
int cmd_train(int argc, char **argv);
int cmd_bounds(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_watch(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_scan(int argc, char **argv);

/* The options by which a program is named and loaded, shared by check, fix
 * and dump: put LOAD_OPTIONS(x) into the table, then load_program(). */
struct load_options {
	struct front_options front;
	struct opt_list models;
	bool verbose;
};

#define LOAD_OPTIONS(l) \
	{ "compdb", 'p', OPT_PATH, OPT_CLI_ONLY, &(l).front.compdb, "DIR", \
	  "the units of DIR/compile_commands.json" }, \
	{ "model", 0, OPT_LIST, 0, &(l).models, "FILE", \
	  "what library functions do (docs/models.md); may be repeated" }, \
	{ "jobs", 'j', OPT_UINT, 0, &(l).front.jobs, "N", \
	  "work on N units at a time (default: all cores)" }, \
	{ "no-cache", 0, OPT_FLAG, 0, &(l).front.no_cache, NULL, "neither read nor write the cache" }, \
	{ "cache-dir", 0, OPT_PATH, 0, &(l).front.cache_dir, "DIR", \
	  "where the cache is (default: ~/.cache/plumb)" }, \
	{ "cache-limit", 0, OPT_SIZE, 0, &(l).front.cache_limit, "SIZE", \
	  "how large it may grow (default: 1G)" }, \
	{ "memory-limit", 0, OPT_SIZE, 0, &(l).front.memory_limit, "SIZE", \
	  "what reading one unit may take (default: 4G)" }, \
	{ "clang", 0, OPT_STR, 0, &(l).front.clang, "PROG", \
	  "the clang that reads the source (default: that of plumb's own LLVM)" }, \
	{ "verbose", 'v', OPT_FLAG, 0, &(l).verbose, NULL, \
	  "say what is done, what was guessed and how long it took" }

#define EXCLUDE_OPTION(list) \
	{ "exclude", 0, OPT_GLOBS, 0, &(list), "GLOB", \
	  "report nothing of the files that fit; may be repeated" }

/* check_load() of what the command line names.  l and args outlive the program. */
int load_program(struct check_program *p, struct load_options *l, const struct opt_result *args);
/* One line on functions that look like allocators and have no model, with the models that they may want. */
void suggest_models(const struct check_program *p);
/* One line for each unit that failed, and for each library that is not at hand. */
void report_failures(const struct front_result *r);

/* output.c: the report, "-" for standard output; the command as the user gave it. */
struct sbuf;
int write_findings(struct findings *fs, enum report_format fmt, const char *output, bool show_suppressed,
		   const char *command_line);
/* With -p DIR FILE...: leaves what concerns these files, and says how much else there is, which
 * check_program() has given. */
void keep_named(struct findings *fs, int others, const char *compdb);
/* Were units left out, or too many allocations cut (strict: any not judged)?  Then one line says
 * which of these. */
bool is_partial(const struct coverage *c, bool strict);
void command_line(struct sbuf *out, int argc, char **argv);

#endif
