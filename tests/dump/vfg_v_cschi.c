// RUN: plumb dump vfg %s
// [V-CSCHI]: the callee's last version flows back into the version that the call makes.
#include <stdlib.h>

struct box { long n; char *p; };

static void fill(struct box *b, int n, char *p, char *q)
{
	if (n)
		b->p = p;
	else
		b->p = q;
}

void user(int n)
{
	struct box b;

	fill(&b, n, malloc(1), malloc(2));
	free(b.p);
}
