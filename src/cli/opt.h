/*
 * opt.h - one option table for a subcommand, four places to set it.
 *
 * An option `--cache-dir DIR` is also the line `cache-dir = DIR` in a file of settings and the variable
 * PLUMB_CACHE_DIR: the project's file first (conf.h), then the user's own, then the environment, then the
 * command line, each overriding the one before.  Lists (--model) grow instead.  What names a program to run
 * or a place to write is not taken from a project's file (opt.c has the list).
 */
#ifndef CLI_OPT_H
#define CLI_OPT_H

#include "base/vec.h"

enum opt_kind {
	OPT_FLAG,		/* bool */
	OPT_STR,		/* const char * */
	OPT_PATH,		/* const char *; in a file of settings relative to that file */
	OPT_LIST,		/* struct opt_list; of paths */
	OPT_GLOBS,		/* struct opt_list; of patterns, relative to the project's file if they are
				 * from there, else as they are */
	OPT_UINT,		/* unsigned */
	OPT_SIZE,		/* uint64_t: 500M, 2G */
};

enum {	/* flags of an option */
	OPT_CLI_ONLY = 1,	/* not in files of settings nor the environment */
};

VEC_TYPE(opt_list, const char *);

struct opt {
	const char *name;	/* long name without dashes */
	char letter;		/* -j; 0 if none */
	enum opt_kind kind;
	int flags;
	void *dst;
	const char *arg;	/* "N" in the help; NULL for flags */
	const char *help;
};

struct opt_result {
	char **inputs;		/* what is no option */
	unsigned ninputs;
	char **rest;		/* after "--" */
	unsigned nrest;
	bool help;		/* --help was given; it has been printed */
};

/* Ends of the table: a row with name NULL.  usage is the text above the list of
 * options in the help.  Strings live until exit.  Negative: bad usage, one line
 * in error_last() that names the option. */
int opt_parse(struct opt_result *r, const struct opt *table, const char *command,
	      const char *usage, int argc, char **argv);
void opt_result_release(struct opt_result *r);

/* Does the user trust this folder (a real path), though others own it or can replace it: safe-directory, from
 * the user's own settings (once options were parsed), the environment, the command line. */
bool opt_is_safe(const char *dir);

#endif
