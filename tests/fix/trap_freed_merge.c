// Freed on one of two paths, not set to null, and the paths meet again.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *s, int how)
{
	char *p = strdup(s);
	int n = (int)strlen(p);

	if (how & 1)
		free(p);
	n *= 2;
	printf("%d\n", n);
	return n;
}

int main(void)
{
	f("abc", 1);
	f("ab", 0);
	return 0;
}
