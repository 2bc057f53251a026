/*
 * files.h - edited texts: in memory (apply.c), as a diff (diff.c), on the disk (inplace.c).
 */
#ifndef EDIT_FILES_H
#define EDIT_FILES_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct sbuf;

struct fix_shift {			/* one replacement */
	uint32_t at, n;			/* in the new text */
	uint32_t old, nold;		/* in the old one */
};

/* Where the lines of a text begin: the first at 0, the last may be empty. */
VEC_TYPE(fix_starts, uint32_t);
void fix_line_starts(struct fix_starts *out, const char *text, uint32_t n);

struct fix_file {
	const char *path;		/* absolute */
	const char *shown, *origin;	/* generated from another file: as #line calls it, and where that is;
					 * or NULL */
	int64_t delta;			/* the number of a line there, less that here */
	const char *old, *text;		/* each followed by a NUL */
	uint32_t nold, n;
	VEC(struct fix_shift) shifts;	/* ascending */
	struct fix_starts lines, old_lines;	/* for fix_file_back(); empty at first */
};

VEC_TYPE(fix_files, struct fix_file);

void fix_files_release(struct fix_files *fs);
/* Joins inserted lines to those that follow, where that does not change what the text means: the others keep
 * their numbers. */
void fix_files_keep_lines(struct fix_files *fs);
/* In the place of files that are generated those that they are made from, with the same replacements.
 * Negative: one of them has changed meanwhile. */
int fix_files_to_origins(struct fix_files *fs, struct arena *arena);
/* Where something stood before; what was inserted stands where it was put.  True: it was. */
bool fix_file_back(struct fix_file *f, uint32_t *line, uint32_t *column);

/* Writes the files where they are: all or, if one has changed meanwhile or cannot be written, none.
 * Negative: error_last(). */
int fix_files_write(const struct fix_files *fs);
/* Finishes or undoes what a fix_files_write() that was killed has left, and says so. */
void fix_files_recover(void);

/* The number, from 0, of the last line that begins at an offset or before it; there is one. */
uint32_t fix_line_at(const uint32_t *starts, uint32_t n, uint32_t offset);

/* How many lines come and go in each file, as git diff --stat has it; paths as `shown` gives them. */
void fix_stat(struct sbuf *out, const struct fix_files *fs,
	      const char *(*shown)(void *ctx, const char *path), void *ctx);
/* A unified diff. */
void fix_diff(struct sbuf *out, const struct fix_files *fs,
	      const char *(*shown)(void *ctx, const char *path), void *ctx);

#endif
