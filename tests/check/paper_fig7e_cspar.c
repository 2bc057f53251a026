// Figure 7, [V-CSPAR]: arguments and results, each by its own call.
#include <stdlib.h>

static char *pass(char *q)
{
	return q;
}

void both_calls_ok(void)
{
	char *a = pass(malloc(1));
	char *b = pass(malloc(2));

	free(a);
	free(b);
}

void contexts_bad(void)
{
	char *a = pass(malloc(1)); // LEAK(never-freed)
	char *b = pass(malloc(2));

	*a = 0;
	free(b);
}
