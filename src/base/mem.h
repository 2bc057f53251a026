/*
 * mem.h - allocation that cannot fail, and the few macros everybody wants.
 *
 * Out of memory ends the analyser with one line and exit code 2; no caller
 * checks for NULL.  (The run-time library in runtime/ does not use this.)
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
void *xreallocarray(void *p, size_t n, size_t size);	/* n * size may overflow: out of memory */
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * An array that grows moves: a pointer into it is not valid after an insertion, although such a
 * pointer mostly works, since there was room.  With PLUMB_DEBUG it hardly ever does: arrays have next
 * to no room to spare, xrealloc() always moves, and a cleared array frees its memory, so that
 * AddressSanitizer sees the next use of such a pointer.
 */
#ifdef PLUMB_DEBUG
enum { MEM_MOVES = 1 };
#else
enum { MEM_MOVES = 0 };
#endif

/* The capacity for an array of `need` elements that would usually grow to `usual`, which is at least
 * as many. */
static inline uint64_t mem_room(uint64_t need, uint64_t usual)
{
	uint64_t step = 1;

	assert(need <= usual);
	if (!MEM_MOVES)
		return usual;
	while (need >> 6 >= step)	/* a large array is not moved each time: that would be too slow */
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

/* The number of newlines in a text. */
size_t text_lines(const char *text, size_t n);
/* Where a line, counted from 0, begins; SIZE_MAX if there is no such line. */
size_t text_line_start(const char *text, size_t n, int64_t line);

#endif
