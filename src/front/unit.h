/*
 * unit.h - one translation unit on its way to the IR.
 */
#ifndef FRONT_UNIT_H
#define FRONT_UNIT_H

#include "front/args.h"

#include <stdint.h>

struct cache;
struct ir_module;
struct sbuf;

/* What a worker may take: a damaged file can make LLVM ask for memory without
 * end.  sqlite3.c, 9 MB of source, needs a quarter of 1 GiB. */
#define UNIT_MEMORY_LIMIT (4ull << 30)

/* A file that is to be read as this text, not as what the disk has. */
struct unit_text {
	const char *path;	/* absolute, in normal form */
	const char *text;
	size_t n;
};

struct unit {
	char *file;		/* for messages: as the user would write it */
	char *path;		/* as clang gets it: absolute, or relative to dir */
	char *dir;		/* where it is compiled; absolute */
	bool preprocessed;	/* a .i */
	struct args flags;	/* for clang; see flags.h */
	const struct unit_text *texts;	/* borrowed; such a unit is never put into the cache */
	uint32_t ntexts;
};

void unit_copy(struct unit *to, const struct unit *u);	/* all but the texts */
void unit_release(struct unit *u);
/* The invariants: it has names, and each flag is one word that begins with a dash (flags.c). */
void unit_check(const struct unit *u);

/* CPU seconds. */
struct unit_times {
	double compile, lower;
};

/*
 * What made a unit's IR besides its flags: the files that were read, as absolute
 * paths, the source itself among them.
 */
struct unit_made {
	struct ir_module *module;
	struct args files;
	struct unit_times times;
};

/* Compiles and lowers (compile.c), with the given clang.  0: *made is the
 * caller's, for unit_made_release().  Negative: one line. */
int unit_make(struct unit_made *made, const struct unit *u, const char *clang);
void unit_made_release(struct unit_made *made);

/* The unit's text as clang -E -dD gives it: with line markers and macros. */
int unit_preprocess(struct sbuf *out, const struct unit *u, const char *clang);

/* Makes the unit and adds its IR record to out; cache may be NULL.  The files that were read are added
 * to files, unless that is NULL.  Meant for a worker process: the source may crash clang or us. */
int unit_record(struct sbuf *out, struct unit_times *times, const struct unit *u, const char *clang,
		struct cache *cache, struct args *files);

/* Says in the module how the unit was compiled (struct ir_unit.flags), and reads that back into a
 * zeroed unit, which is the caller's.  False: that is not known, and the unit stays zeroed. */
void unit_note_flags(struct ir_module *m, const struct unit *u);
bool unit_from_flags(struct unit *u, const struct ir_module *m);
struct ir_unit;
bool unit_read_flags(struct unit *u, const struct ir_unit *iu);	/* the same of one unit in a program */

/* How a worker that makes units died, in one line, the caller's.  limit: the
 * memory that it was allowed. */
char *unit_crash_text(int status, uint64_t limit);

/* The clang to use, as an absolute path (the caller's): name, $PLUMB_CLANG, the
 * one plumb was built with, clang-VERSION.  Negative if it is not there. */
int clang_find(char **path, const char *name);

/* A program in PATH (or at a path) as an absolute path, the caller's; NULL if
 * there is none.  not_self passes over the running program under other names. */
char *program_find(const char *name, bool not_self);

#endif
