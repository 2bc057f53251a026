// Another pointer to the object is read after the last use of p.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *s)
{
	char *p = strdup(s);
	char *q;

	p[0] = 'X';
	q = p;
	p = NULL;
	printf("%s\n", q);
	return q[0] + (p == NULL);
}

int main(void)
{
	int n = f("abc") + f("d");

	printf("%d\n", n);
	return 0;
}
