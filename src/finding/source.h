/*
 * source.h - the source files that findings name, read once, by line.
 *
 * A file may be missing, a device, huge, binary, in any encoding, with any line
 * ends, or another text than the one that was analysed: a caller that asks for a
 * line must be able to do without.
 */
#ifndef FINDING_SOURCE_H
#define FINDING_SOURCE_H

#include "finding/finding.h"

#include <stddef.h>
#include <stdint.h>

enum {
	SOURCE_MAX = 64 << 20,		/* bytes; a bigger file counts as missing */
	SOURCE_LINE_MAX = 1 << 16,	/* bytes; the rest of a longer line is not seen */
};

struct source {
	const char *path;		/* absolute, in normal form */
	char *text;			/* NULL: there is nothing to show */
	size_t n;
	VEC(uint32_t) lines;		/* where each line begins in text */
};

struct source_cache *source_cache_new(void);
void source_cache_free(struct source_cache *c);

/* The file as a finding names it (a relative name is relative to the current
 * directory).  NULL if it cannot be shown, or if file is NULL. */
const struct source *source_get(struct findings *fs, const char *file);

/* Line number `line`, from 1, without its end (LF or CR LF); *n is its length.
 * Not NUL-terminated and may contain anything.  NULL: no such line, or s is NULL. */
const char *source_line(const struct source *s, unsigned line, size_t *n);

/* The result of finding_path(), and the absolute path in normal form.  The file is not read.
 * Both live as long as fs. */
const char *source_shown(struct findings *fs, const char *file);
const char *source_absolute(struct findings *fs, const char *file);

#endif
