// Failed assertions end the program; those that hold go on.
#include <assert.h>
#include <stdlib.h>

void asserted_ok(int n)
{
	char *p = malloc(8);

	assert(p);
	assert(n > 0);
	p[0] = (char)n;
	free(p);
}

void asserted_bad(int n)
{
	char *p = malloc(8); // LEAK(never-freed)

	assert(p != NULL);
	p[0] = (char)n;
}

void unreachable_ok(int n)
{
	char *p = malloc(8);

	switch (n) {
	case 0:
		free(p);
		break;
	case 1:
		free(p);
		break;
	default:
		__builtin_unreachable();
	}
}

void assert_zero_ok(int n)
{
	char *p = malloc(8);

	if (n == 0) {
		free(p);
		return;
	}
	assert(!"cannot happen");
}
