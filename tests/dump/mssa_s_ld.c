// RUN: plumb dump mssa %s
// [S-LD]: a mu for every region that the load may read.  Line 14 may read x or y, line 15 only x, so they are
// two regions; box.p is read on line 16 alone.
#include <stdlib.h>

struct box { long n; char *p; };

void ld(int n)
{
	char *x = malloc(1), *y = malloc(2), **p = n ? &x : &y;
	struct box box, *b = &box;

	b->p = malloc(3);
	free(*p);
	free(x);
	free(b->p);
}
