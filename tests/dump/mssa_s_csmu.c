// RUN: plumb dump mssa %s
// [S-CSMU]: a mu at the call for what the callee may read: user.x on line 18, not b.p.
#include <stdlib.h>

struct box { long n; char *p; };

static void drop(char **q)
{
	free(*q);
}

void user(void)
{
	char *x = malloc(1);
	struct box box, *b = &box;

	b->p = malloc(2);
	drop(&x);
	free(b->p);
}
