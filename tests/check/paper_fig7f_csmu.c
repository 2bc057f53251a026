// Figure 7, [V-CSMU]: a callee reads what the caller stored.
#include <stdlib.h>

static void free_it(char **q)
{
	char *p = *q;

	free(p);
}

void read_by_callee_ok(void)
{
	char *x = malloc(1);

	free_it(&x);
}

void read_by_callee_bad(void)
{
	char *x = malloc(1); // LEAK(never-freed)
	char *y = malloc(2);

	*x = 0;
	free_it(&y);
}
