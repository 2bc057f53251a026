/*
 * bounds.h - the bounds file: the results of training a program.
 *
 * After Nguyen and Rinard, "Using Cyclic Memory Allocation to Eliminate Memory
 * Leaks".  The file is the JSON of the design's schema plumb-bounds/1 with frames
 * that are not symbolised; `plumb bounds` prints the same with names and lines.
 *
 * vocabulary
 *	site		the innermost frames of an allocating call stack, at most
 *			`depth` of them; the first is the caller of malloc
 *	offset		of the return address, as the module's ELF file counts
 *	run		one `plumb train`, children included
 *	executed	a site has allocated something in a run
 *	bound		m of section 3.1 in one run; 0 where nothing was accessed
 *	stable		the same bound in all runs that executed the site
 *	leaking		allocated - freed > m in some run (section 3.2)
 *
 * The paper calls a site m-bounded if its bounds are equal in all training runs.
 * We want two runs that have executed the site.  If there is only one run in all,
 * a site counts as stable if it allocated at least twice as many objects as the
 * bound.
 */
#ifndef RUN_BOUNDS_H
#define RUN_BOUNDS_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdio.h>

#define BOUNDS_SCHEMA "plumb-bounds/1"
#define BOUNDS_NO_MODULE UINT32_MAX
#define BOUNDS_MAX_DEPTH 16
#define BOUNDS_MAX_RUNS 100000

struct bounds_module {
	const char *path;
	const char *build_id;		/* "" if it has none */
};

struct bounds_frame {
	uint32_t module;		/* BOUNDS_NO_MODULE: code in no file */
	uint64_t offset;
};

struct bounds_count {			/* a site in one run */
	uint64_t allocated, freed, bound;
};

struct bounds_site {
	const struct bounds_frame *frames;
	uint32_t nframes;
	VEC(struct bounds_count) runs;	/* one for each run of the file */
	uint64_t max_size, bytes;
	uint64_t raised;		/* by a run that found m too small; 0: never */
};

struct bounds_run {
	const char **command;
	uint32_t ncommand;
	const char *ended;		/* "exit 0", "signal 9" */
};

struct bounds {
	struct arena arena;		/* strings and frames */
	const char *program, *build_id;
	unsigned depth;			/* 0: nothing trained yet */
	VEC(struct bounds_module) modules;
	VEC(struct bounds_run) runs;
	VEC(struct bounds_site) sites;
	struct bounds_index *index;	/* sites by their frames */
};

void bounds_init(struct bounds *b);
void bounds_release(struct bounds *b);
void bounds_check(const struct bounds *b);	/* asserts all invariants */

/* Negative: error_last() names the file and what is wrong in it; b is empty. */
int bounds_read(struct bounds *b, const char *path);
int bounds_parse(struct bounds *b, const char *text, size_t n, const char *name);
int bounds_write(const struct bounds *b, const char *path);

/* The module with this build-id or, without one, this path; made if need be. */
uint32_t bounds_module(struct bounds *b, const char *path, const char *build_id);
/* The site of these frames, made if need be.  Pointers to sites move then. */
uint32_t bounds_site(struct bounds *b, const struct bounds_frame *frames, uint32_t n);
/* Begins another run: every site gets a count of zeros. */
void bounds_begin_run(struct bounds *b, char *const *command, uint32_t n);

/* Adds all training files of a folder to the last run.  Files that are damaged
 * are named in a warning and left out.  Negative: the folder cannot be read, or
 * nothing was in it. */
int bounds_add_training(struct bounds *b, const char *dir);

/* What follows from the counts. */
bool bounds_is_stable(const struct bounds_site *s);
uint64_t bounds_m(const struct bounds_site *s);		/* the largest; raised included */
bool bounds_is_leaking(const struct bounds_site *s);
bool bounds_is_executed(const struct bounds_site *s);
void bounds_site_id(char out[17], const struct bounds *b, const struct bounds_site *s);

/* Table 1 of the paper, for one program. */
struct bounds_summary {
	uint32_t executed, bounded, leaking;
	uint64_t bytes, bounded_bytes;
	uint32_t invalidated;		/* only after bounds_validate */
};
void bounds_summarise(struct bounds_summary *sum, const struct bounds *b);

/* For each site of b whether `run` shows its m to be too small: a stable site
 * with a larger bound there.  invalid has room for all sites of b. */
void bounds_validate(bool *invalid, struct bounds_summary *sum, struct bounds *b,
		     struct bounds *run);

/* For bounds_print.c and trained.c: members of the JSON that both forms have. */
struct json_writer;
struct json_t;
void bounds__write_head(struct json_writer *w, const struct bounds *b);
void bounds__write_site(struct json_writer *w, const struct bounds_site *s);
/* A number that is not negative; false if it is something else. */
bool bounds__get_count(const struct json_t *v, uint64_t *out);
int bounds__read_run(struct bounds *b, const struct json_t *v);
/* Into a site that has a place for each run. */
int bounds__read_counts(struct bounds_site *s, const struct json_t *v);

/* Printing (bounds_print.c), symbolised.  invalid may be NULL; limit is how many
 * sites the table shows, 0 for all. */
void bounds_print_json(const struct bounds *b, FILE *f);
void bounds_print_text(const struct bounds *b, const bool *invalid, unsigned limit, FILE *f);

#endif
