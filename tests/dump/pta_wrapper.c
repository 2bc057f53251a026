// RUN: plumb dump pta %s
// RUN: plumb dump callgraph %s
// Allocation wrappers, nested, and one that hands out through a parameter: each call makes an object of its own.
#include <stdlib.h>

static void *one(size_t n)
{
	void *p = malloc(n);

	if (!p)
		exit(1);
	return p;
}

static void *two(size_t n)
{
	return one(n + 8);
}

static int out(void **p, size_t n)
{
	*p = two(n);
	return 0;
}

void calls(void)
{
	char *a = two(1), *b = two(2);
	void *c;

	out(&c, 3);
	free(a);
	free(b);
	free(c);
}
