/*
 * sbuf.h - a growing string.  A zeroed struct is the empty string; s is always
 * NUL-terminated once anything was added (sbuf_str gives "" before that).
 */
#ifndef BASE_SBUF_H
#define BASE_SBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct sbuf {
	char *s;
	size_t n, cap;
};

void sbuf_release(struct sbuf *b);
void sbuf_clear(struct sbuf *b);
const char *sbuf_str(const struct sbuf *b);
char *sbuf_detach(struct sbuf *b);	/* the caller's, for free(); b is empty after */
void sbuf_addc(struct sbuf *b, char c);
void sbuf_add(struct sbuf *b, const void *p, size_t n);
void sbuf_adds(struct sbuf *b, const char *s);
void sbuf_printf(struct sbuf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void sbuf_vprintf(struct sbuf *b, const char *fmt, va_list ap);
bool sbuf__check(const struct sbuf *b);	/* are its invariants true? for asserts */

#endif
