// The only pointer gets another value.
#include <stdlib.h>
#include <string.h>

void twice_bad(void)
{
	char *p = malloc(8); // LEAK(overwritten)

	p = malloc(16);
	free(p);
}

void null_bad(void)
{
	char *p = malloc(8); // LEAK(overwritten)

	p[0] = 0;
	p = NULL;
	free(p);
}

void literal_bad(int n)
{
	char *p = malloc(8); // LEAK(overwritten)

	if (n)
		p = "none";
	if (!n)
		free(p);
}

void saved_first_ok(void)
{
	char *p = malloc(8), *old;

	old = p;
	p = malloc(16);
	free(old);
	free(p);
}

void freed_first_ok(void)
{
	char *p = malloc(8);

	free(p);
	p = malloc(16);
	free(p);
}

void swapped_ok(void)
{
	char *a = malloc(8), *b = malloc(16), *t;

	t = a;
	a = b;
	b = t;
	free(a);
	free(b);
}
