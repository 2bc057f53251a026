// volatile, restrict, register and const change nothing about who owns what.
#include <stdlib.h>

void volatile_ok(void)
{
	char *volatile p = malloc(8);

	free(p);
}

void volatile_bad(void)
{
	char *volatile p = malloc(8); // LEAK(never-freed)

	if (p)
		p[0] = 1;
}

void register_ok(void)
{
	register char *restrict p = malloc(8);

	free(p);
}

void const_ok(void)
{
	const char *const p = malloc(8);

	free((void *)p);
}

void const_bad(int n)
{
	const char *const p = malloc(8); // LEAK(conditional)

	if (n)
		free((void *)p);
}
