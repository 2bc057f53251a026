// RUN: plumb dump vfg %s
// [V-CSMU]: the caller's version flows into the callee's version at entry, and out of it by the load.
#include <stdlib.h>

static void drop(char **q)
{
	free(*q);
}

void user(void)
{
	char *x = malloc(1);

	drop(&x);
}
