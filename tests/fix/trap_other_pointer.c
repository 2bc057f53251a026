// A callee frees what it was given unless that is another object: it may be this one.
// LEAKS: 1
// ONCE: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *last;

static int show(char *value)
{
	char *t = value;
	int n = printf("%s\n", t);

	if (t != last)
		free(t);
	return n;
}

static int f(const char *x)
{
	char *s = strdup(x);

	if (!s)
		return -1;
	if (x[0] == '!')
		return 2;
	if (show(s) > 4)
		return 1;
	return 0;
}

int main(void)
{
	printf("%d %d\n", f("abcd"), f("!"));
	return 0;
}
