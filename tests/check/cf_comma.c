// Comma expressions and assignments inside conditions.
#include <stdlib.h>
#include <string.h>

void comma_ok(int n)
{
	char *p, *q;

	p = malloc(8), q = malloc(n);
	free(p), free(q);
}

void comma_drops_value_bad(int n)
{
	char *p = (malloc(8), NULL); // LEAK(never-freed)

	if (n)
		free(p);
}

void in_the_for_header_ok(int n)
{
	char *p;

	for (p = malloc(64); p && n > 0; n--)
		p[0] = (char)n;
	free(p);
}

void in_the_for_step_bad(int n)
{
	char *p;

	for (p = NULL; n > 0; n--, p = malloc(8)) // LEAK
		;
	free(p);
}
