// danmar/cppcheck 3036: when realloc() fails the old block is freed, else the new one is: neither
// twice.
#include <stdlib.h>

int either_ok(size_t n)
{
	char *a = malloc(10), *b;

	if (!a)
		return -1;
	b = realloc(a, n);
	if (!b) {
		free(a);
		return -1;
	}
	free(b);
	return 0;
}

int both_bad(size_t n)
{
	char *a = malloc(10), *b;

	if (!a)
		return -1;
	b = realloc(a, n);
	if (b) {
		free(b);
		free(a); // FN(vfg): DOUBLE-FREE
		return 0;
	}
	free(a);
	return -1;
}

int old_bad(size_t n)
{
	char *a = malloc(10), *b; // LEAK(conditional)

	if (!a)
		return -1;
	b = realloc(a, n);
	if (!b)
		return -1;
	free(b);
	return 0;
}
