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

/*
 * Arrays that grow move, and a pointer into one that was kept across an insertion is wrong from
 * then on; most of the time it works, since there was room.  With PLUMB_DEBUG that is no matter of
 * luck: arrays have next to no room to spare, xrealloc() moves always, and what is cleared
 * gives its memory back, so that AddressSanitizer sees the next use of such a pointer.
 */
#ifdef PLUMB_DEBUG
enum { MEM_MOVES = 1 };
#else
enum { MEM_MOVES = 0 };
#endif

/* How many elements an array has room for that needs `need` of them and would usually grow to
 * `usual`, which is at least as many. */
static inline uint64_t mem_room(uint64_t need, uint64_t usual)
{
	uint64_t step = 1;

	if (!MEM_MOVES)
		return usual;
	while (need >> 6 >= step)	/* large arrays not each time: moving them shall not take all day */
		step *= 2;
	return (need + step - 1) / step * step;
}

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
