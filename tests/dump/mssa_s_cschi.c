// RUN: plumb dump mssa %s
// [S-CSCHI]: a chi at the call for what the callee may modify: user.x on line 18, not b.p.
#include <stdlib.h>

struct box { long n; char *p; };

static void make(char **q)
{
	*q = malloc(1);
}

void user(void)
{
	char *x = NULL;
	struct box box, *b = &box;

	b->p = malloc(2);
	make(&x);
	free(x);
	free(b->p);
}
