/*
 * compdb.h - compile_commands.json.
 */
#ifndef FRONT_COMPDB_H
#define FRONT_COMPDB_H

#include "front/args.h"
#include "front/unit.h"

struct compdb_bad {
	char *file;
	char *error;
};

struct compdb {
	VEC(struct unit) units;		/* in the order of the database, duplicates removed */
	VEC(struct compdb_bad) bad;	/* entries without a command */
	struct args not_c;		/* sources of other languages: C++, assembler, Fortran */
	unsigned skipped;		/* entries of other languages, or that only preprocess */
	unsigned cxx;			/* of these, C++ */
	unsigned duplicates;
};

/* Finds the database that -p names: the file itself, or in the folder, or in a
 * folder `build` below it, or in a folder above it.  *path is the caller's. */
int compdb_find(char **path, const char *name);

/* Reads a database.  Negative: not JSON, not an array of objects. */
int compdb_read(struct compdb *db, const char *path);
/* The same from memory; dir is what a relative `directory` is relative to. */
int compdb_parse(struct compdb *db, const char *text, size_t n, const char *name, const char *dir);
/* The first entry for a source, given as an absolute path in normal form; or NULL. */
const struct unit *compdb_unit(const struct compdb *db, const char *path);
void compdb_release(struct compdb *db);

#endif
