// RUN: plumb dump mssa %s
// [I-LD]: a load reads what its pointer may point to: ref of load() is {user.x, user.y}; user() itself has
// nothing, since both are its own.
#include <stdlib.h>

static char *load(char **q)
{
	return *q;
}

void user(int n)
{
	char *x = malloc(1), *y = malloc(2);

	free(load(n ? &x : &y));
}
