// Two objects at one return; the one allocated later may be missing.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same(const char *a, const char *b)
{
	char *x = strdup(a), *y = strdup(b);

	if (!x || !y)
		abort();
	x[0] = y[0] = '_';
	return strcmp(x, y) == 0;
}

int main(void)
{
	printf("%d %d\n", same("hat", "cat"), same("hat", "cut"));
	return 0;
}
