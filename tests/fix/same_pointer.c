// A callee frees its own copy only: what it compares are two pointers to the one object.
// LEAKS: 1
// ONCE: ^\+.*free\(s\);
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *upper(const char *s)
{
	char *t = strdup(s);

	if (!t)
		abort();
	for (char *p = t; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return t;
}

static int show(char *value, int loud)
{
	char *t = loud ? upper(value) : value;
	int n = printf("%s\n", t);

	if (t != value)
		free(t);
	return n;
}

static int f(const char *x, int loud)
{
	char *s = strdup(x);

	if (!s)
		return -1;
	if (show(s, loud) > 4)
		return 1;
	free(s);
	return 0;
}

int main(void)
{
	printf("%d %d\n", f("abc", 0), f("abcd", 1));
	return 0;
}
