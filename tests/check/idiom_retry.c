// Doubling a buffer until the text fits.
#include <stdio.h>
#include <stdlib.h>

char *format_ok(double x)
{
	size_t n = 8;

	for (;;) {
		char *buf = malloc(n);
		int r;

		if (!buf)
			return NULL;
		r = snprintf(buf, n, "%f", x);
		if (r >= 0 && (size_t)r < n)
			return buf;
		free(buf);
		n *= 2;
	}
}

char *format_bad(double x)
{
	size_t n = 8;

	for (;;) {
		char *buf = malloc(n); // LEAK(conditional)
		int r;

		if (!buf)
			return NULL;
		r = snprintf(buf, n, "%f", x);
		if (r >= 0 && (size_t)r < n)
			return buf;
		n *= 2;
	}
}

char *format_realloc_ok(double x)
{
	size_t n = 8;
	char *buf = malloc(n);

	while (buf) {
		int r = snprintf(buf, n, "%f", x);
		char *bigger;

		if (r >= 0 && (size_t)r < n)
			return buf;
		n *= 2;
		bigger = realloc(buf, n);
		if (!bigger)
			free(buf);
		buf = bigger;
	}
	return NULL;
}
