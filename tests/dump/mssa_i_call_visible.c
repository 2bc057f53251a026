// RUN: plumb dump mssa %s
// [I-CALL], N: put() modifies the local of whoever calls it, but a call of it concerns only the caller's
// own, and those of functions further up: outer()'s x is there while inner() runs, other()'s y is not.
#include <stdlib.h>

static void put(char **q)
{
	*q = malloc(1);
}

static void inner(char **q)
{
	put(q);
}

void outer(void)
{
	char *x = NULL;

	inner(&x);
	free(x);
}

void other(void)
{
	char *y = NULL;

	put(&y);
	free(y);
}
