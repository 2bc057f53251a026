/*
 * span.h - the part of a source line that begins at a position.
 */
#ifndef REPORT_SPAN_H
#define REPORT_SPAN_H

#include <stddef.h>

struct span {
	size_t start, end;	/* byte offsets in the line, end exclusive */
};

/* The text that begins at the column (bytes, from 1) of a line of n bytes: a call with
 * its arguments, `ctx->name`, a keyword, a literal, else one character.  Without a
 * column (0), or with one beyond the line, all of the line without the white space
 * around it.  start < end unless the line is blank. */
struct span span_at(const char *line, size_t n, unsigned column);

#endif
