// RUN: plumb dump vfg %s
// [V-CSPAR]: arguments flow into parameters, returned values back to the result, both labelled by the call.
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
