// asprintf: there is a string exactly if the result is not negative.
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>

int plain_ok(int n)
{
	char *s;

	if (asprintf(&s, "%d", n) < 0)
		return -1;
	puts(s);
	free(s);
	return 0;
}

int compared_with_minus_one_ok(int n)
{
	char *s;

	if (asprintf(&s, "%d", n) == -1)
		return -1;
	free(s);
	return 0;
}

int plain_bad(int n)
{
	char *s;

	if (asprintf(&s, "%d", n) < 0) // LEAK(never-freed)
		return -1;
	return puts(s);
}

static char *format(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int r;

	va_start(ap, fmt);
	r = vasprintf(&s, fmt, ap);
	va_end(ap);
	return r < 0 ? NULL : s;
}

int wrapped_ok(int n)
{
	char *s = format("%d", n);
	int r = s ? s[0] : 0;

	free(s);
	return r;
}

int wrapped_bad(int n)
{
	char *s = format("%d", n); // LEAK(never-freed)

	return s ? s[0] : 0;
}
