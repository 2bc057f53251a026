// A loop without braces in an else without braces.
// LEAKS: 1
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *t, int skip)
{
	char *s = strdup(t);

	if (skip)
		puts("skipped");
	else
		for (int i = 0; s[i]; i++)
			if (s[i] == ':')
				return i;
	free(s);
	return -1;
}

int main(void)
{
	printf("%d\n", f("a:b", 0));
	printf("%d\n", f("a:b", 1));
	printf("%d\n", f("ab", 0));
	return 0;
}
