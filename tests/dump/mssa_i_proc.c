// RUN: plumb dump mssa %s
// [I-PROC]: a function's own locals drop out of its sets: plain() has no ref or mod although its callee has.
// In a recursion they stay, since a local is then several: see deep.x.
#include <stdlib.h>

static void put(char **q)
{
	*q = malloc(1);
}

void plain(void)
{
	char *x;

	put(&x);
	free(x);
}

void deep(char **up, int n)
{
	char *x = NULL;

	if (n == 0) {
		*up = malloc(2);
		return;
	}
	deep(&x, n - 1);
	free(x);
}
