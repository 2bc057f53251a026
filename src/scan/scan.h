/*
 * scan.h - many programs: fetched, built, checked and patched, each by a job of its own.
 *
 *   entry	a line of a list: a source package of Debian, a repository, or a folder		list.c
 *   step	one program that a job runs, with limits, and how that ended			step.c
 *   job	all that is done for one entry; a job ends with a result file			job.c
 *     fetch	the source in the job's work folder						fetch.c
 *     build	by its own build system, with `plumb cc` as the compiler			build.c
 *     target	a program or library of that build, to be analysed				target.c
 *   result	what is known after a job: one JSON text ("plumb-scan/1")			result.c
 *   driver	runs the jobs of a list on this machine; may be killed and started again	driver.c
 *   store	the results in a database, for questions					store.c
 *
 * A job is a plain command (`plumb scan --job LINE`), which make, GNU parallel or a cluster's job array can
 * run as well.  Everything lies in one folder:
 *
 *   FOLDER/results/NAME.json	appears whole, when the job is done
 *   FOLDER/logs/NAME.log	what the steps printed
 *   FOLDER/work/NAME/		source and build, removed at the end of the job
 *   FOLDER/fetched/NAME/	what was loaded from elsewhere, kept for the next time
 *   FOLDER/scan.db		made of results/, and made again when it is removed
 *
 * Building a package runs its code, and a scan does not isolate that code: scan untrusted packages in a
 * container, or as a user without any files.
 */
#ifndef SCAN_SCAN_H
#define SCAN_SCAN_H

#include "base/json.h"
#include "base/vec.h"

#include <stdint.h>

#define SCAN_SCHEMA "plumb-scan/1"

/* ---- list.c ---- */

enum scan_kind { SCAN_DEBIAN, SCAN_GIT, SCAN_FOLDER };

struct scan_entry {
	enum scan_kind kind;
	char *name;		/* of its files and its row; letters, digits, "+-._", not '.' or '-' first */
	char *source;		/* package, URL, or absolute path */
	char *version;		/* that is wanted; NULL: any */
	unsigned line;		/* in the list; 0: there is none */
};

struct scan_list {
	VEC(struct scan_entry) v;
};

const char *scan_kind_name(enum scan_kind k);
/* One line: [debian|git|folder] SOURCE [VERSION] [name=NAME].  Without the first word the kind follows from
 * the form of the source.  1: *e is the caller's; 0: a comment or nothing; negative: error_last(). */
int scan_entry_parse(struct scan_entry *e, const char *line);
void scan_entry_release(struct scan_entry *e);
/* The entry as a line that scan_entry_parse() takes, the caller's. */
char *scan_entry_text(const struct scan_entry *e);
/* Relative paths are relative to the current folder.  Negative: a line is wrong, or a name stands twice. */
int scan_list_read(struct scan_list *l, const char *path);
/* Asserts the invariants of a list that was read: its entries are well formed, in the order of their lines,
 * and no two have the same name. */
void scan_list_check(const struct scan_list *l);
void scan_list_release(struct scan_list *l);

/* ---- options ---- */

struct scan_options {
	const char *folder;
	unsigned jobs;			/* side by side; 0: all cores */
	unsigned build_jobs;		/* of make in one job; 0: 1 */
	unsigned time_limit;		/* seconds, for each step */
	uint64_t memory_limit;		/* bytes, for all processes of a step together */
	unsigned programs;		/* so many programs of one entry are analysed, the largest first */
	unsigned cost_units;		/* so many units are compiled by clang -O2, for comparison; 0: none */
	bool no_fix, keep, again, build_deps;
	char **check_args;		/* handed on to plumb check and plumb fix */
	unsigned ncheck_args;
};

/* Where things lie; the caller's. */
char *scan_path(const struct scan_options *o, const char *kind, const char *name, const char *ext);

/* ---- step.c ---- */

enum step_end { STEP_OK, STEP_FAILED, STEP_CRASHED, STEP_TIMEOUT, STEP_MEMORY, STEP_NOT_STARTED };

struct scan_step {
	const char *name;		/* fetch, unpack, configure, build, units, check, fix, compile, ... */
	char *what;			/* the program that is analysed; NULL: the whole entry */
	enum step_end end;
	int code;			/* exit code, or signal if it crashed */
	double seconds, cpu;		/* cpu: user + system, of all of its processes */
	uint64_t memory;		/* bytes, the most that its processes had together */
	char *said;			/* the last line that it printed; only if it did not end well */
};

struct scan_command {
	const char *name, *what;	/* of the step */
	char *const *argv;
	const char *dir;		/* NULL: the current one */
	const char *out;		/* standard output goes to this file; NULL: to the log */
	char *const *env;		/* NAME=VALUE, on top of ours; NULL: none */
	unsigned max_code;		/* exit codes up to this one are success */
};

/* Makes orphans of the programs that we start children of this process from now on: they can be ended.  A
 * signal that asks for an end is remembered for scan_step_stopped().  With a name (of a job) the processes
 * of its steps are marked for scan_end_leftovers(). */
void scan_step_setup(const char *folder, const char *name);
/* Runs the command to its end, or to a limit, then ends all processes that it has started.  *s is the
 * caller's.  Returns whether the command ended well. */
bool scan_step_run(struct scan_step *s, const struct scan_command *c, const struct scan_options *o, int log);
void scan_step_release(struct scan_step *s);
const char *scan_step_end_name(enum step_end e);
/* Was this process told to end?  Then no further step is begun. */
bool scan_step_stopped(void);
/* SIGKILL for all descendants of this process but those in keep[] and their descendants. */
void scan_end_descendants(const int *keep, unsigned nkeep);
/* SIGKILL for the processes of jobs in this folder that were killed themselves. */
void scan_end_leftovers(const char *folder);

/* ---- job.c ---- */

/* Does all for one entry, and writes its result file.  0, also if the entry could not be built; negative:
 * no result file was written. */
int scan_job(const struct scan_entry *e, const struct scan_options *o);

struct scan_job {
	const struct scan_entry *entry;
	const struct scan_options *options;
	char *work, *fetched, *source;	/* folders; source: where the unpacked source is */
	char *plumb;			/* ourselves */
	char *version;			/* of the source, if that is known */
	int log;
	VEC(struct scan_step) steps;
	VEC(char *) env;		/* for steps of a build */
};

/* For sh -c: removes a folder; some builds leave such as cannot be written to. */
#define SCAN_REMOVE "chmod -R u+rwX \"$1\" 2>/dev/null; rm -rf --one-file-system \"$1\""

/* Runs a step of the job and keeps how it went. */
bool scan_job_step(struct scan_job *j, const struct scan_command *c);

/* fetch.c: j->source and, where it is known, j->version.  Negative: error_last(). */
int scan_fetch(struct scan_job *j);
/* The source as it was, after a build that has changed it. */
int scan_fetch_again(struct scan_job *j);
/* A source package as apt-get wants it, with its version where one is wanted; the caller's. */
char *scan_debian_name(const struct scan_entry *e);

/* build.c: builds what it can.  Negative: nothing was built; error_last().  *system: a word for how. */
int scan_build(struct scan_job *j, const char **system);

/* ---- target.c ---- */

struct scan_target {
	char *path;
	uint64_t bytes;			/* of its section .plumb */
	uint32_t units;
	bool is_library;
};

struct scan_targets {
	VEC(struct scan_target) v;	/* those to analyse, the largest first */
	VEC(char *) library_dirs;	/* where shared libraries were built, each once */
	bool objects;			/* nothing was linked: all of v together are one program */
	unsigned same;			/* programs left out because all of their units are in others, */
	unsigned left_out;		/* and because there were more than the maximum */
};

/* Looks below the folder for programs and libraries with IR or, where there are none, objects. */
void scan_targets_find(struct scan_targets *t, const char *folder, unsigned max);
/* Asserts that targets are whole, and ordered by size. */
void scan_targets_check(const struct scan_targets *t);
void scan_targets_release(struct scan_targets *t);

/* ---- result.c ---- */

/* A result of which only the entry is known, the caller's, for json_decref().  The job adds the rest. */
json_t *scan_result_new(const struct scan_entry *e);
void scan_result_step(json_t *r, const struct scan_step *s);
/* A JSON report of plumb check or plumb fix on one of the entry's programs: findings are united by id. */
void scan_result_report(json_t *r, const json_t *report, bool is_fix);
int scan_result_write(const json_t *r, const char *path);
/* 0: *r is the caller's, for json_decref(). */
int scan_result_read(json_t **r, const char *path);

/* ---- store.c ---- */

struct scan_store;
/* Negative: error_last(); also if plumb was built without SQLite. */
int scan_store_open(struct scan_store **s, const char *path);
void scan_store_close(struct scan_store *s);
bool scan_store_has(struct scan_store *s, const char *name, const char *entry);
int scan_store_put(struct scan_store *s, const json_t *result);
/* One line for each entry and a sum, as text. */
int scan_store_print(struct scan_store *s, FILE *f);

/* ---- driver.c ---- */

/* Runs the jobs of the list that have no result yet.  Returns how many jobs failed; negative:
 * error_last(). */
int scan_drive(const struct scan_list *l, const struct scan_options *o);

#endif
