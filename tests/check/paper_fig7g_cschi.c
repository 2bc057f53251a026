// Figure 7, [V-CSCHI]: a callee stores, the caller takes it up.
#include <stdlib.h>

static void make_it(char **q)
{
	*q = malloc(1);
}

void stored_by_callee_ok(void)
{
	char *x;

	make_it(&x);
	free(x);
}

void stored_by_callee_bad(void)
{
	char *x;

	make_it(&x); // LEAK(never-freed)
	*x = 0;
}
