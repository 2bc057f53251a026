// Gao et al., II-C1: at the end p may be uninitialised; it is only safe to free it
// where it was set.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count(const char *s, int copy)
{
	char *p;
	int n = 0;

	if (copy)
		p = strdup(s);
	for (const char *c = s; *c; c++)
		n += *c == 'a';
	if (copy) {
		p[0] = 'x';
		n += (int)strlen(p);
	}
	return n;
}

int main(void)
{
	printf("%d\n", count("banana", 0));
	printf("%d\n", count("banana", 1));
	printf("%d\n", count("papaya", 1));
	return 0;
}
