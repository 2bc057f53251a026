/*
 * front.h - from what the user names to one linked program in the leak IR.
 *
 *   inputs (.c .i .bc .ll .o .a, ELF with .plumb, text of the IR, -p DIR)
 *     -> units to make            input.c, compdb.c, flags.c, args.c
 *     -> records of ELF files     elf.c, archive.c
 *     -> clang -O0 -g -> bitcode  compile.c, in worker processes (base/proc.h)
 *     -> leak IR                  lower*.c, the only files that know LLVM-C
 *     -> cache                    cache.c
 *     -> ir_link                  load.c
 *
 * A unit that fails (does not compile, crashes its worker, is damaged) is
 * reported in struct front_result and the rest goes on.
 */
#ifndef FRONT_FRONT_H
#define FRONT_FRONT_H

#include "base/vec.h"
#include "ir/ir.h"

struct front_options {
	char **inputs;		/* as the user gave them */
	unsigned ninputs;
	const char *compdb;	/* -p DIR: folder of (or path to) compile_commands.json; or NULL */
	char **cflags;		/* after "--"; added for every source, those of compdb too */
	unsigned ncflags;
	unsigned jobs;		/* 0: all cores */
	bool no_cache;
	const char *cache_dir;	/* NULL: $PLUMB_CACHE_DIR (empty: no cache), else
				 * $XDG_CACHE_HOME/plumb, else ~/.cache/plumb */
	uint64_t cache_limit;	/* bytes; 0: default, 1 GiB */
	uint64_t memory_limit;	/* bytes that one worker may take; 0: default, 4 GiB */
	const char *clang;	/* NULL: $PLUMB_CLANG, else the one of the build, else clang-19 */
};

struct front_failure {
	char *file;
	char *error;		/* one line */
};

struct front_result {
	struct ir_module *program;	/* linked; NULL if nothing could be analysed */
	unsigned analysed;		/* units in it */
	unsigned cached;		/* of these, taken from the cache */
	unsigned duplicate_symbols;
	VEC(struct front_failure) failed;
	double seconds_compile, seconds_lower, seconds_link;	/* clang / reading and lowering / linking; CPU for the first two */
};

/* 0, also if some or all units failed (see r->failed, r->program).  Negative:
 * nothing could be tried (bad usage, unreadable database): error_last(). */
int front_load(struct front_result *r, const struct front_options *o);
void front_result_release(struct front_result *r);

/* plumb cc: argv[0] is "cc"; returns the exit status to leave with. */
int front_cc(int argc, char **argv);

#endif
