/*
 * front.h - from what the user names to one linked program in the leak IR.
 *
 *   inputs (.c .i .bc .ll .o .a, ELF with .plumb, text of the IR, -p DIR)
 *     -> units to make            input.c, compdb.c, flags.c, args.c; asked.c
 *     -> records of ELF files     elf.c, archive.c; of the libraries that they need: needed.c
 *     -> clang -O0 -g -> bitcode  compile.c, in worker processes (base/proc.h)
 *     -> leak IR                  lower*.c, the only files that know LLVM-C
 *     -> cache                    cache.c
 *     -> ir_link                  load.c
 *
 * A unit that fails (does not compile, crashes its worker, is damaged) is
 * reported in struct front_result; the others are analysed.
 */
#ifndef FRONT_FRONT_H
#define FRONT_FRONT_H

#include "base/fileset.h"
#include "base/vec.h"
#include "front/lean.h"
#include "front/unit.h"
#include "ir/io.h"

struct front_options {
	char **inputs;		/* as the user gave them */
	unsigned ninputs;
	const char *compdb;	/* -p DIR: folder of (or path to) compile_commands.json; or NULL */
	bool whole;		/* with compdb: all of it is read, and sources, headers and folders among
				 * the inputs are only looked up (front_result.named) */
	char **cflags;		/* after "--"; added for every source, those of compdb too */
	unsigned ncflags;
	unsigned jobs;		/* 0: all cores */
	bool no_cache;
	const char *cache_dir;	/* NULL: $PLUMB_CACHE_DIR (empty: no cache), else
				 * $XDG_CACHE_HOME/plumb, else ~/.cache/plumb */
	uint64_t cache_limit;	/* bytes; 0: default, 1 GiB */
	uint64_t memory_limit;	/* bytes that one worker may take; 0: default, 4 GiB */
	const char *clang;	/* NULL: $PLUMB_CLANG, else the one of the build, else clang-VERSION of it */
	bool keep_parts;	/* the units are wanted one by one, too */
};

struct front_failure {
	char *file;
	char *error;		/* one line */
};

/* A shared library of the program's own that is not analysed with it. */
struct front_library {
	char *name;
	char *why;			/* one line: the reason and what helps */
	struct ir_exports exports;	/* what it defines; .all: not known */
	bool part;			/* it is analysed, and `exports` lists the functions that it has: some
					 * may have code, but no record */
};

struct front_part {
	struct ir_module *module;	/* as it was before it was linked */
	struct unit unit;		/* how it was compiled; path is NULL if that is not known (bitcode,
					 * text of the IR, a record of an older plumb) */
	uint32_t scope;			/* see front_result.exports */
};

struct front_result {
	struct ir_module *program;	/* linked; NULL if nothing could be analysed */
	unsigned analysed;		/* units in it */
	unsigned cached;		/* of these, taken from the cache */
	unsigned duplicate_symbols;
	struct fileset named;		/* what the user asked about, if not all (front_options.whole) */
	VEC(struct front_failure) failed;
	struct args not_c;		/* of other languages: entries of the database, members of archives */
	VEC(struct front_part) parts;	/* with keep_parts, in the order in which they were linked */
	VEC(struct ir_exports) exports;	/* by scope: the program, then shared libraries; empty without any */
	VEC(struct front_library) libraries;	/* those that are not, or not wholly, in the program */
	double seconds_compile;		/* CPU seconds of clang */
	double seconds_lower;		/* CPU seconds of reading and lowering */
	double seconds_link;
};

/* 0, also if some or all units failed (see r->failed, r->program).  Negative:
 * nothing could be tried (bad usage, unreadable database): error_last(). */
int front_load(struct front_result *r, const struct front_options *o);
void front_result_release(struct front_result *r);
void front_library_release(struct front_library *l);

/* A unit that will be compiled many times. */
struct front_lean {
	const struct unit *unit;
	const char *words;		/* identifiers that its later texts may have, besides its own */
	struct lean *lean;		/* the result (lean.h), the caller's; NULL: there is none */
};

/* Makes their lean units in worker processes. */
void front_lean(struct front_lean *v, unsigned n, const struct front_options *o);

/* One unit to be compiled again, from text that is not on the disk. */
struct front_again {
	struct unit unit;		/* with its texts; borrowed */
	const struct lean *lean;	/* of the unit, or NULL; NULL afterwards if the beginning changed */
	struct ir_module *module;	/* the result, the caller's */
	char *error;			/* or why there is none: one line, the caller's */
};

/* Compiles them in worker processes, past the cache.  Negative: no clang, no worker. */
int front_again(struct front_again *v, unsigned n, const struct front_options *o);

/* plumb cc: argv[0] is "cc"; returns the exit status to leave with. */
int front_cc(int argc, char **argv);

#endif
