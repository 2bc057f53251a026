// RUN: plumb dump mssa %s
// [I-RET]: returning a pointer adds nothing of its own: give() has ref {} mod {}.
#include <stdlib.h>

static char **give(char **q)
{
	return q;
}

void user(void)
{
	char *x;

	*give(&x) = malloc(1);
	free(x);
}
