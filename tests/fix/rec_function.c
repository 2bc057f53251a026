// A recursive function: each level has its own object.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int depth(const char *s)
{
	char *rest;
	int d;

	if (*s != '(')
		return 0;
	rest = strdup(s + 1);
	d = depth(rest);
	return d + 1;
}

int main(void)
{
	printf("%d %d\n", depth("(((x"), depth("x"));
	return 0;
}
