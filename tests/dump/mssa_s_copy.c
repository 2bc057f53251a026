// RUN: plumb dump mssa %s
// [S-COPY]: the copies on lines 10 and 11 have no mu and no chi; the load on line 12 has.
#include <stdlib.h>

void copy(int n)
{
	char *x = malloc(1), *y = NULL;
	char **p = &x, **q, *v;

	q = n ? p : &y;
	p = q;
	v = *p;
	free(v);
}
