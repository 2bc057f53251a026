// The message comes through three functions, each of which hands on the address it was given.
// LEAKS: 2
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int vformat(char **to, const char *fmt, va_list ap)
{
	int n = vasprintf(to, fmt, ap);

	if (n == -1)
		abort();
	return n;
}

static int format(char **to, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vformat(to, fmt, ap);
	va_end(ap);
	return n;
}

static int find_level(const char *name, int *level, char **cause)
{
	if (name[0] == '-') {
		format(cause, "negative level: %s", name);
		return -1;
	}
	if (name[0] < '0' || name[0] > '9') {
		format(cause, "no level: %s", name);
		return -1;
	}
	*level = name[0] - '0';
	return 0;
}

static int set_level(const char *name, int quiet)
{
	char *cause;
	int n;

	if (find_level(name, &n, &cause) == -1) {
		if (quiet)
			return 0;
		puts(cause);
		free(cause);
		return -1;
	}
	return n;
}

int main(void)
{
	printf("%d %d", set_level("4", 0), set_level("-4", 1));
	printf(" %d %d\n", set_level("x", 1), set_level("y", 0));
	return 0;
}
