/*
 * mem.c - allocation that cannot fail.
 *
 * An analyser cannot do anything about a lack of memory: it prints one line with
 * write() (stdio might want memory) and exits with 2, the code for "nothing could
 * be analysed".  This is exit() and not _exit(), so that temporary files are
 * removed (file.c); of a worker process the parent sees a failed job, and continues
 * with the others (proc.c).
 */
#include "base/mem.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void mem_exhausted(size_t n)
{
	char line[80];
	int k = snprintf(line, sizeof(line), "plumb: error: out of memory (%zu bytes wanted)\n", n);

	if (write(STDERR_FILENO, line, (size_t)k) < 0) {
		/* Nowhere left to say it. */
	}
	exit(2);
}

void *xmalloc(size_t n)
{
	void *p = malloc(n ? n : 1);

	if (!p)
		mem_exhausted(n);
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = n && size ? calloc(n, size) : calloc(1, 1);

	if (!p)
		mem_exhausted(size && n > SIZE_MAX / size ? SIZE_MAX : n * size);
	return p;
}

/* realloc() that always moves, and overwrites the old memory before it is freed. */
static void *move(void *p, size_t n)
{
	size_t old = p ? malloc_usable_size(p) : 0;
	void *q = malloc(n);

	if (!q || !p)
		return q;
	memcpy(q, p, MIN(old, n));
	memset(p, 0xdb, old);
	free(p);
	return q;
}

/* As realloc, but xrealloc(p, 0) keeps a piece of memory instead of freeing it. */
void *xrealloc(void *p, size_t n)
{
	void *q = MEM_MOVES ? move(p, MAX(n, 1)) : realloc(p, MAX(n, 1));

	if (!q)
		mem_exhausted(n);
	return q;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		mem_exhausted(SIZE_MAX);
	return xrealloc(p, bytes);
}

char *xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}

char *xstrndup(const char *s, size_t n)
{
	size_t k = strnlen(s, n);
	char *p = xmalloc(k + 1);

	memcpy(p, s, k);
	p[k] = '\0';
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int k;

	va_start(ap, fmt);
	k = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (k < 0)	/* no memory, or text of more than INT_MAX bytes */
		mem_exhausted(INT32_MAX);
	return s;
}

size_t text_lines(const char *text, size_t n)
{
	size_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	return lines;
}

size_t text_line_start(const char *text, size_t n, int64_t line)
{
	const char *p = text, *end = text + n;

	for (; line > 0 && p; line--)
		p = (p = memchr(p, '\n', (size_t)(end - p))) ? p + 1 : NULL;
	return p ? (size_t)(p - text) : SIZE_MAX;
}
