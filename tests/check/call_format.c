// RUN: plumb check --model tests/check/call_format.model %s
// Conversions in formats that do something to their arguments: %F frees, %K keeps.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *text(const char *format, ...);
void say(int level, const char *format, ...);
void vsay(int level, const char *format, va_list ap);

void freed_ok(const char *s)
{
	char *p = strdup(s);

	say(1, "%F", p);
}

void other_conversion_bad(const char *s)
{
	char *p = strdup(s); // LEAK(never-freed)

	say(1, "%s", p);
}

void right_argument_ok(const char *s, int n, long l)
{
	char *p = strdup(s);

	say(1, "%%F %-5d %*.*f %ld %F.", n, n, n, 1.5, l, p);
}

void wrong_argument_bad(const char *s, int n)
{
	char *p = strdup(s), *q = strdup(s); // LEAK(never-freed)

	say(1, "%d %s %F", n, p, q);
}

void kept_ok(const char *s)
{
	say(1, "%s %K", "x", strdup(s));
}

char *grown_ok(char **v, int n)
{
	char *s = text("");

	for (int i = 0; i < n; i++)
		s = text("%F, %s", s, v[i]);
	return s;
}

size_t grown(char **v, int n)
{
	char *s = grown_ok(v, n);
	size_t len = s ? strlen(s) : 0;

	free(s);
	return len;
}

/* hands its format on */
static void complain(int level, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsay(level + 1, format, ap);
	va_end(ap);
}

void handed_on_ok(const char *s)
{
	complain(1, "%s: %F", "x", strdup(s));
}

void handed_on_bad(const char *s)
{
	char *p = strdup(s); // LEAK(never-freed)

	complain(1, "%s: %s", "x", p);
}

void not_constant(const char *format, const char *s)
{
	char *p = strdup(s); // LEAK(never-freed)

	say(1, format, p);
}

void too_few(const char *s)
{
	char *p = strdup(s);

	say(1, "%F %F %F", p);
	say(1, "%");
	say(1, "%*");
	say(1, "");
}
