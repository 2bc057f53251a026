// RUN: plumb dump mssa %s
// [S-ADD]: the address statement q = &b.p has no mu and no chi; only the store through q and the load have.
#include <stdlib.h>

struct box { long n; char *p; };

void add(void)
{
	struct box b;
	char **q = &b.p;

	*q = malloc(1);
	free(b.p);
}
