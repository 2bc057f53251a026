// RUN: plumb dump pta %s
// Table 3, Copy: p = q.  In SSA form copies are gone: r and q are one value, and only the phi has both targets.
#include <stdlib.h>

void copy(int n)
{
	char *q = malloc(1);
	char *r = q;
	char *p = malloc(2);

	if (n)
		p = r;
	*p = 0;
}
