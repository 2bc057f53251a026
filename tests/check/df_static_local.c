// Function statics.
#include <stdlib.h>
#include <string.h>

/* Allocated once, kept: no leak. */
char *scratch_ok(void)
{
	static char *buf;

	if (!buf)
		buf = malloc(256);
	return buf;
}

void uses_scratch_ok(const char *s)
{
	char *b = scratch_ok();

	if (b)
		strncpy(b, s, 255);
}

void grows_ok(size_t n)
{
	static char *buf;
	static size_t size;

	if (size < n) {
		free(buf);
		buf = malloc(n);
		size = n;
	}
}

int counter_ok(void)
{
	static int *n;

	if (n == NULL)
		n = calloc(1, sizeof(*n));
	return n ? ++*n : 0;
}
