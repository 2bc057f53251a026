// RUN: plumb dump guards %s
// What a callee does under a condition is a condition of the call; out of a function every caller must free.
#include <stdlib.h>

static void maybe(char *p, int n)
{
	if (n)
		free(p);
}

void down(int n)
{
	maybe(malloc(1), n);
}

static void *kept;

static char *make(int n)
{
	char *p = malloc(n);

	if (n > 8)
		kept = p;
	return p;
}

void up_one(void)
{
	free(make(1));
}

void up_two(void)
{
	make(2);
}
