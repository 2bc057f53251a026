// A function of the library stores a pointer into the object: that is used as well.
// LEAKS: 1
// HELD: 1
// PATCH: ^\+.*free\(p\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *rest = "";

static int digit_behind(const char *s)
{
	char *p = strdup(s), *end;
	long n;

	if (!p)
		return -1;
	n = strtol(p, &end, 10);
	if (n > 5)
		return *end;
	free(p);
	return (int)n;
}

static long number(const char *s)
{
	char *q = strdup(s), *end;
	long n;

	if (!q)
		return -1;
	n = strtol(q, &end, 10);
	if (*end) {
		rest = end;
		return -2;
	}
	free(q);
	return n;
}

int main(void)
{
	printf("%d %d\n", digit_behind("3a"), digit_behind("7b"));
	printf("%ld %ld\n", number("3"), number("4c"));
	printf("%s\n", rest);
	return 0;
}
