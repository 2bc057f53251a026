// RUN: plumb dump vfg %s
// [V-MU]: the version that the load reads flows to its result.
#include <stdlib.h>

struct box { long n; char *p; };

void load(void)
{
	struct box box, *b = &box;

	b->p = malloc(1);
	free(b->p);
}
