// facebook/infer 1563: a buffer that is only passed to something that prints is still lost; any call
// was taken for a free.
#include <stdio.h>
#include <stdlib.h>

static void print(const char *s)
{
	if (s)
		puts(s);
}

void printed_bad(size_t n)
{
	char *buf = malloc(n); // LEAK(never-freed)

	if (buf) {
		buf[0] = '\0';
		print(buf);
	}
}

void printed_ok(size_t n)
{
	char *buf = malloc(n);

	if (buf) {
		buf[0] = '\0';
		print(buf);
	}
	free(buf);
}
