// A temporary that nobody keeps: the result of a call as an argument of another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *lower(const char *s)
{
	char *t = strdup(s), *p;

	for (p = t; p && *p; p++)
		*p |= 0x20;
	return t;
}

int compare_bad(const char *a, const char *b)
{
	char *y = lower(b);
	int r;

	if (!y)
		return -1;
	r = strcmp(lower(a), y); // LEAK(never-freed)
	free(y);
	return r;
}

int compare_ok(const char *a, const char *b)
{
	char *x = lower(a), *y = lower(b);
	int r = x && y ? strcmp(x, y) : -1;

	free(x);
	free(y);
	return r;
}
