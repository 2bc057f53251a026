// RUN: plumb dump vfg %s
// [V-CSCHI]: the callee's last version flows back into the version that the call makes.
#include <stdlib.h>

struct box { long n; char *p; };

static void fill(struct box *b, int n)
{
	if (n)
		b->p = malloc(1);
	else
		b->p = malloc(2);
}

void user(int n)
{
	struct box b;

	fill(&b, n);
	free(b.p);
}
