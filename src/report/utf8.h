/*
 * utf8.h - text of unknown origin, one character at a time.
 */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include "base/sbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_BAD = 0xfffd };	/* stands for what cannot be shown */

/* The character at p (n > 0 bytes are there) and how many bytes it takes.  A
 * byte that begins none is UTF8_BAD, and takes one. */
size_t utf8_next(const char *p, size_t n, uint32_t *cp);
void utf8_put(struct sbuf *b, uint32_t cp);

/* May the character be sent to a terminal or a page as it is?  No control characters,
 * nor those that change the direction of text, which can make code look like other
 * code. */
bool utf8_is_plain(uint32_t cp);

/* Columns that the character takes on a terminal: 0, 1 or 2.  Right for the text of
 * sources; emoji of several characters come out too wide. */
unsigned utf8_width(uint32_t cp);

/* Adds s with UTF8_BAD for each character that is not plain. */
void utf8_clean(struct sbuf *b, const char *s, size_t n);
size_t utf8_columns(const char *s, size_t n);	/* of such text; a tab is one */

#endif
