// Several returns, each needs its own.
// LEAKS: 4
// PATCH: ^\+.*free\(t\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int classify(const char *s)
{
	char *t = strdup(s);

	if (t[0] == 0)
		return 0;
	if (t[1] == 0)
		return 1;
	if (t[0] == t[1])
		return 2;
	return 3;
}

int main(void)
{
	printf("%d %d %d %d\n", classify(""), classify("a"), classify("aa"), classify("ab"));
	return 0;
}
