// RUN: plumb dump vfg %s
// [V-CSPAR]: arguments flow into parameters, returned values back to the results of all calls; which return
// belongs to which call is a matter of the slice.
#include <stdlib.h>

static char *pass(char *q)
{
	return q;
}

void user(void)
{
	char *a = pass(malloc(1));
	char *b = pass(malloc(2));

	free(a);
	free(b);
}
