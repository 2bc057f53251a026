/*
 * mem.h - allocation that cannot fail, and the few macros everybody wants.
 *
 * Out of memory ends the analyser with one line and exit code 2; no caller
 * checks for NULL.  (The run-time library in runtime/ does not use this.)
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
void *xreallocarray(void *p, size_t n, size_t size);	/* n * size may overflow: that ends it too */
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Says that n bytes could not be had, and exits with 2. */
_Noreturn void mem_exhausted(size_t n);

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define UNUSED(x) ((void)(x))

static inline bool str_eq(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static inline bool str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static inline bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	return n >= k && memcmp(s + n - k, suffix, k) == 0;
}

/* The ends of lines in a text; where a line, from 0, begins in it, SIZE_MAX if there is no such line. */
size_t text_lines(const char *text, size_t n);
size_t text_line_start(const char *text, size_t n, int64_t line);

#endif
