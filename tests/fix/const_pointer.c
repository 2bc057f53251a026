// The pointer is to const: a free without a cast would be a warning.
// LEAKS: 2
// PATCH: ^\+.*free\(\((void|char) ?\*\) ?s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *t)
{
	const char *s = strdup(t);
	int n = 0;

	for (const char *c = s; *c; c++)
		n += *c == 'a';
	return n;
}

int main(void)
{
	printf("%d %d\n", f("banana"), f(""));
	return 0;
}
