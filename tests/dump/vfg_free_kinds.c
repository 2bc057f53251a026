// RUN: plumb dump vfg %s
// Sinks by free: directly, through a callee, through a pointer to free, by realloc, in a callback.
#include <stdlib.h>

static void drop(void *p)
{
	free(p);
}

void frees(void)
{
	char *a = malloc(1), *b = malloc(2), *c = malloc(3), *d = malloc(4);
	void (*f)(void *) = free;

	free(a);
	drop(b);
	f(c);
	d = realloc(d, 8);
	free(d);
}
