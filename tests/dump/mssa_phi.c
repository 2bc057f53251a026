// RUN: plumb dump mssa %s
// Versions meet in phis: at the join of the if, and at the head of the loop.
#include <stdlib.h>

struct box { char *p; };

void phi(int n)
{
	struct box b = { NULL };
	struct box *q = &b;

	if (n)
		q->p = malloc(1);
	while (n-- > 0) {
		free(q->p);
		q->p = malloc(2);
	}
	free(q->p);
}
