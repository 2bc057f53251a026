// What asprintf() sets it does not look at: a variable may hold what was freed when its address is given to it.
// LEAKS: 2
// PATCH: ^\+.*free\(new\);
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print(char **to, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(to, fmt, ap);
	va_end(ap);
	if (n < 0)
		abort();
	return n;
}

static char *pad(const char *s, int n)
{
	char *p;

	print(&p, "%*s", n, s);
	return p;
}

static void show(const char *s, int limit, const char *marker, int count)
{
	char *new, *value = strdup(s);

	if (!value)
		abort();
	if (limit > 0) {
		new = pad(value, limit);
		if (marker && strcmp(new, value) != 0) {
			free(value);
			print(&value, "%s%s", new, marker);
		} else {
			free(value);
			value = new;
		}
	}
	if (count) {
		print(&new, "%zu", strlen(value));
		free(value);
		value = new;
	}
	puts(value);
	free(value);
}

int main(void)
{
	show("a", 0, NULL, 0);
	show("a", 0, NULL, 1);
	show("a", 1, "...", 0);
	show("a", 3, NULL, 1);
	show("a", 3, "...", 0);
	show("a", 3, "...", 1);
	return 0;
}
