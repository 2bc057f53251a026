// RUN: plumb dump guards %s
// A variable is a condition, not a branch: two tests of one condition share it, negated or not.
#include <stdlib.h>

void twice(int n)
{
	char *p = malloc(1);

	if (n > 3)
		free(p);
	if (!(n > 3))
		free(p);
}

void different(int n)
{
	char *p = malloc(1);

	if (n > 3)
		free(p);
	else if (n > 4)
		free(p);
}
