// RUN: plumb dump mssa %s
// [S-ST]: a chi for every region that the store may modify.  Line 11 may modify x or y: weak updates;
// line 12 names one concrete place: a strong one, which drops the old version.
#include <stdlib.h>

void st(int n)
{
	char *x = NULL, *y = NULL;
	char **p = n ? &x : &y, **q = &x;

	*p = malloc(1);
	*q = malloc(2);
	free(*p);
	free(*q);
}
