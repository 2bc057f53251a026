// die() does not come back, nor does what always calls it.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	exit(1);
}

static void bad_char(int c)
{
	die("bad character %d\n", c);
}

static void warn_char(int c)
{
	fprintf(stderr, "bad character %d\n", c);
}

int parse_ok(const char *s)
{
	char *p = strdup(s);
	int n = 0;

	if (!p)
		die("no memory\n");
	while (p[n]) {
		if (p[n] < ' ') {
			bad_char(p[n]);
			return -1;	/* never */
		}
		n++;
	}
	free(p);
	return n;
}

int parse_bad(const char *s)
{
	char *p = strdup(s); // LEAK(conditional)
	int n = 0;

	if (!p)
		die("no memory\n");
	while (p[n]) {
		if (p[n] < ' ') {
			warn_char(p[n]);
			return -1;
		}
		n++;
	}
	free(p);
	return n;
}
