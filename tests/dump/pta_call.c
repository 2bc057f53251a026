// RUN: plumb dump pta %s
// RUN: plumb dump callgraph %s
// Table 3, Call and Return: arguments into parameters, what is returned into the result; the analysis
// does not tell calls apart, so both results may be both objects.
#include <stdlib.h>

static char *same(char *q)
{
	return q;
}

void call(void)
{
	char *a = same(malloc(1));
	char *b = same(malloc(2));

	*a = *b;
}
