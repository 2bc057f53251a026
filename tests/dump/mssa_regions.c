// RUN: plumb dump mssa %s
// Memory is divided by what accesses tell apart: a and b are only read and written together, so they are one
// region in regions(); c is read alone, so it is its own.  No region is part of another.
#include <stdlib.h>

void regions(int n, int m)
{
	char *a, *b, *c, **p = n ? &a : &b, **q = m ? p : &c;

	*p = malloc(1);
	*q = malloc(2);
	free(*q);
	free(c);
}
