// Figure 7, [V-MU]: a load takes the value out of memory.
#include <stdlib.h>

void load_ok(void)
{
	char *x = malloc(1);
	char **q = &x;
	char *p = *q;

	free(p);
}

void load_bad(void)
{
	char *x = malloc(1); // LEAK(never-freed)
	char **q = &x;
	char *p = *q;

	*p = 0;
}
