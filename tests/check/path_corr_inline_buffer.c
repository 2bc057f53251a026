// A buffer on the stack for short names, on the heap for long ones; the length decides
// again when it comes to freeing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int greet_ok(const char *name)
{
	char small[32], *buf = small;
	size_t n = strlen(name) + 8;

	if (n > sizeof(small) && !(buf = malloc(n)))
		return -1;
	snprintf(buf, n, "hello %s", name);
	puts(buf);
	if (n > sizeof(small))
		free(buf);
	return 0;
}

int greet_bad(const char *name)
{
	char small[32], *buf = small;
	size_t n = strlen(name) + 8;

	if (n > sizeof(small) && !(buf = malloc(n))) // LEAK(conditional,high) via 0 +4 +6
		return -1;
	snprintf(buf, n, "hello %s", name);
	puts(buf);
	if (n > 2 * sizeof(small))
		free(buf);
	return 0;
}
