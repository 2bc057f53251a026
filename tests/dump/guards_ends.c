// RUN: plumb dump guards %s
// Where the program ends, nothing is lost.
#include <stdlib.h>

static void die(void)
{
	exit(1);
}

void ends(int n)
{
	char *p = malloc(1);

	if (n < 0)
		die();
	if (n == 0)
		abort();
	free(p);
}
