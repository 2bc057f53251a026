// A message that a callee stores through its address, on some ways only; functions of other messages are called in between.
// LEAKS: 1
// CFLAGS: -D_GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void format(char **out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(out, fmt, ap) < 0)
		abort();
	va_end(ap);
}

static void report(const char *s)
{
	char *line;

	format(&line, "error: %s", s);
	puts(line);
	free(line);
}

static int scope(const char *s, char **cause)
{
	int scope = 0;

	switch (s[0]) {
	case 'a':
		scope = 1;
		break;
	case 'b':
		format(cause, "no such %s", s);
		break;
	}
	return scope;
}

static int show(const char *s, int quiet)
{
	char *arg = strdup(s), *cause;
	int ret = 0;

	if (!arg)
		return -1;
	if (scope(arg, &cause) == 0) {
		if (quiet)
			goto out;
		report(cause);
		free(cause);
		ret = -1;
		goto out;
	}
	report(arg);
out:
	free(arg);
	return ret;
}

int main(void)
{
	printf("%d\n", show("a", 0) + show("b", 0) + show("b", 1));
	return 0;
}
