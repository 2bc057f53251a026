// RUN: plumb dump pta %s
// Table 3, Address: p = &v.  An address is a constant, seen where it joins another pointer: the result is g or
// the new object, and nothing else.
#include <stdlib.h>

int *address(int n)
{
	static int g;
	int *p = &g;
	int *h = malloc(sizeof(*h));

	return n ? p : h;
}
