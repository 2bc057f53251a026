/*
 * diag.h - what plumb says to its user on standard error, in one shape:
 *
 *	plumb: error: x.bc: not LLVM bitcode: bad magic
 *	src/a.c:41:12: warning: ...
 *
 * Colour as diag_color() says.  Safe in worker processes: each message is one write().
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>

struct sbuf;

enum diag_level { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

/* file may be NULL, line and col 0. */
void diag_at(enum diag_level level, const char *file, unsigned line, unsigned col,
	     const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#define diag_error(...) diag_at(DIAG_ERROR, NULL, 0, 0, __VA_ARGS__)
#define diag_warn(...) diag_at(DIAG_WARNING, NULL, 0, 0, __VA_ARGS__)
#define diag_note(...) diag_at(DIAG_NOTE, NULL, 0, 0, __VA_ARGS__)

/* Printed only with --verbose, prefixed "plumb: ". */
void diag_verbose(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void diag_set_verbose(bool on);
bool diag_is_verbose(void);

/* Adds a text from outside as one line, without any byte that controls a terminal. */
void diag_harmless(struct sbuf *b, const char *s);

/* May colour be used on this file descriptor?  With AUTO: on a terminal, unless NO_COLOR is set or TERM is
 * dumb. */
enum diag_color { DIAG_COLOR_AUTO, DIAG_COLOR_ALWAYS, DIAG_COLOR_NEVER };
void diag_set_color(enum diag_color when);
bool diag_color(int fd);

#endif
