// Figure 5: p may point to v, x or y, q to w, x or z; a store through q, a load through p.
// What is stored through q reaches a free through p only if both mean x.
#include <stdlib.h>

static void foo(char **x, char **y, char **z, int a, int b)
{
	char *v = NULL, *w = NULL;
	char **p = a == 1 ? &v : a == 2 ? x : y;
	char **q = b == 1 ? &w : b == 2 ? x : z;

	*q = malloc(8); // FN(vfg,all): LEAK(conditional)
	free(*p);
}

void caller(int a, int b)
{
	char *x = NULL, *y = NULL, *z = NULL;

	foo(&x, &y, &z, a, b);
}
