// RUN: plumb dump mssa %s
// [I-ST]: a store modifies what its pointer may point to: mod of put() is {user.x, user.y}, ref is {}.
#include <stdlib.h>

static void put(char **p, char *q)
{
	*p = q;
}

void user(int n)
{
	char *x = NULL, *y = NULL;

	put(n ? &x : &y, malloc(1));
	free(x);
	free(y);
}
