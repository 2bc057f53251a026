/*
 * asked.h - with -p DIR: the files that the user asks about.
 */
#ifndef FRONT_ASKED_H
#define FRONT_ASKED_H

#include "base/fileset.h"
#include "front/args.h"

struct compdb;
struct ir_module;

struct asked {
	struct args given;	/* as the user wrote them */
	struct fileset files;	/* the same, found */
	VEC(bool) met;		/* for each of them: does it belong to what is analysed? */
	char *db;		/* the database */
};

/* Can the user ask about this input, because it is a source, a header or a folder, and not an object, a
 * program or bitcode? */
bool asked_is_source(const char *path);
/* Finds the file: in the current folder, in that of the database, in the one that -p named.  Negative:
 * there is no such file in any of them. */
int asked_add(struct asked *a, const char *given, const struct compdb *db, const char *named_dir);
/* A file that was read, relative to dir or absolute. */
void asked_meet(struct asked *a, const char *path, const char *dir);
/* The files that a linked program is made of. */
void asked_meet_program(struct asked *a, const struct ir_module *m);
/* Negative: no unit reads one of them; the message says which.  `lenient`: headers may be unknown,
 * since some unit that may include them could not be read. */
int asked_check(const struct asked *a, bool lenient);
void asked_release(struct asked *a);

#endif
