// RUN: plumb dump mssa %s
// Figure 5.  p may point to v, x or y, q to w, x or z.  The paper's regions R(x,y) and R(x,z) overlap; ours
// are the classes {v}, {w}, {x}, {y}, {z}.  The load through p has a mu for v, x, y; the store through q a
// chi for w, x, z; the return a mu for x and z, and y too once bar() is called, which reads v and modifies y.
#include <stdlib.h>

static void bar(char **v, char **y)
{
	*y = *v;
}

static void foo(char **x, char **y, char **z, int a, int b, int c)
{
	char *v = malloc(1), *w = NULL;
	char **p = a == 1 ? &v : a == 2 ? x : y;
	char **q = b == 1 ? &w : b == 2 ? x : z;

	*q = malloc(8);
	free(*p);
	if (c)
		bar(&v, y);
	free(w);
}

void caller(int a, int b, int c)
{
	char *x = NULL, *y = NULL, *z = NULL;

	foo(&x, &y, &z, a, b, c);
	free(x);
	free(y);
	free(z);
}
