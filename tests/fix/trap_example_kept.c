// The function that was given the names keeps one of them: they must not be released as on the other way out.
// LEAKS: 3
// HELD: 1
// EXPECT: either
// NEVER: ^\+.*names_free
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void text(char **out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(out, fmt, ap) < 0)
		abort();
	va_end(ap);
}

static void *grown(void *p, size_t n, size_t size)
{
	p = realloc(p, n * size);
	if (!p)
		abort();
	return p;
}

static int names_read(const char *s, char ***names, unsigned *count)
{
	if (!s[0])
		return -1;
	for (; *s; s++) {
		*names = grown(*names, *count + 1, sizeof(**names));
		text(&(*names)[*count], "<%c>", *s);
		(*count)++;
	}
	return 0;
}

static void names_free(char **names, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

static void send(const char *s)
{
	char *line;

	text(&line, "send %s", s);
	puts(line);
	free(line);
}

static char *kept;

static void keep_first(char **names)
{
	send(names[0]);
	kept = names[0];
}

static int shared(const char *s, int fail)
{
	char **names = NULL;
	unsigned count = 0;

	if (names_read(s, &names, &count) != 0)
		return 1;
	keep_first(names);
	if (fail)
		return 2;
	kept = NULL;
	names_free(names, count);
	return 0;
}

int main(void)
{
	printf("%d ", shared("ab", 0));
	printf("%d ", shared("abc", 1));
	puts(kept);
	return 0;
}
