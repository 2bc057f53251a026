// RUN: plumb dump pta %s
// Arrays are one cell; the members of their elements are still told apart.
#include <stdlib.h>

struct el { char *k, *v; };

void array(int i)
{
	char *a[4];
	struct el e[4];

	a[0] = malloc(1);
	a[i] = malloc(2);
	e[1].k = malloc(3);
	e[i].v = malloc(4);
	free(a[3]);
	free(e[2].k);
	free(e[2].v);
}
