// Objects of one site on several ways through one function.
#include <stdlib.h>

static char *get(int n)
{
	return malloc(n);
}

void two_of_one_wrapper_bad(int n)
{
	char *a = get(n);
	char *b = get(n); // LEAK(never-freed)

	b[0] = a[0];
	free(a);
}

void two_of_one_wrapper_ok(int n)
{
	char *a = get(n);
	char *b = get(n);

	free(b);
	free(a);
}

void one_line_two_calls_bad(int n)
{
	char *a = get(n), *b = get(n); // LEAK(never-freed) only one of them

	free(a);
	b[0] = 0;
}
