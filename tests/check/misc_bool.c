// _Bool, !! and comparisons of comparisons.
#include <stdbool.h>
#include <stdlib.h>

void bool_ok(int n)
{
	bool big = n > 100;
	char *p = NULL;

	if (big)
		p = malloc(n);
	if (big)
		free(p);
}

void not_not_ok(int n)
{
	char *p = malloc(8);
	bool have = !!p;

	(void)n;
	if (have)
		free(p);
}

void bool_bad(int n, bool keep)
{
	char *p = malloc(n); // LEAK(conditional)

	if (!keep)
		free(p);
}

void xor_ok(bool a, bool b)
{
	char *p = malloc(8);

	if (a != b)
		free(p);
	else if (a == b)
		free(p);
}

bool returned_bool_bad(void)
{
	char *p = malloc(8); // LEAK(never-freed)

	return p != NULL;
}
