// RUN: plumb dump mssa %s
// [S-RET]: a mu at the return for what the function modified and its caller can see: user.x in both(), but
// not its own local; and nothing in reads(), which modifies nothing.
#include <stdlib.h>

struct box { long n; char *p; };

static void both(char **q)
{
	struct box own, *b = &own;

	b->p = malloc(1);
	*q = malloc(2);
	free(b->p);
}

static void reads(char **q)
{
	free(*q);
}

void user(void)
{
	char *x;

	both(&x);
	reads(&x);
}
