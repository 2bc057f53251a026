// One of the variable arguments is kept, or freed, or put into another one of them.
// LEAKS: 0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *last;

static void vkeep(const char *fmt, va_list ap)
{
	const char *s = va_arg(ap, const char *);

	printf(fmt, s);
	if (s[0] != 'x')
		last = s;
}

static void keep(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vkeep(fmt, ap);
	va_end(ap);
}

static int finish(int n, ...)
{
	va_list ap;
	int sum = 0;

	va_start(ap, n);
	for (; n > 0; n--) {
		char *s = va_arg(ap, char *);

		sum += s[0];
		free(s);
	}
	va_end(ap);
	return sum;
}

static void copy_to(int n, ...)
{
	va_list ap;
	const char **to;

	va_start(ap, n);
	to = va_arg(ap, const char **);
	*to = va_arg(ap, const char *);
	va_end(ap);
}

static int run(const char *s, const char **out)
{
	char *one = strdup(s), *two = strdup(s), *three = strdup(s);

	if (!one || !two || !three)
		exit(1);
	keep("%s\n", one);
	copy_to(2, out, two);
	return finish(1, three);
}

int main(void)
{
	const char *out;
	int n = run("abc", &out);

	printf("%d %s %s\n", n, last, out);
	free((char *)last);
	free((char *)out);
	return 0;
}
