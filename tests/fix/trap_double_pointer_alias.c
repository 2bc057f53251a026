// The object is freed through another name of its variable.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reset(char **p)
{
	free(*p);
	*p = NULL;
}

static int f(const char *s)
{
	char *p = strdup(s), **pp = &p;
	int n = (int)strlen(*pp);

	if (n > 2) {
		reset(pp);
		return n;
	}
	free(*pp);
	return -n;
}

int main(void)
{
	printf("%d %d\n", f("abc"), f("a"));
	return 0;
}
