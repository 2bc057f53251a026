// A wrapper that only checks; the program frees its objects with free.
// LEAKS: 1
// ONCE: ^\+\s*free\(s\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *xstrdup(const char *t)
{
	char *s = strdup(t);

	if (!s)
		abort();
	return s;
}

static int f(const char *t)
{
	char *s = xstrdup(t);

	if (s[0] == '#') {
		puts("comment");
		return 0;
	}
	free(s);
	return 1;
}

int main(void)
{
	printf("%d\n", f("a"));
	printf("%d\n", f("#"));
	return 0;
}
