// danmar/cppcheck 2882: the test for null is negated twice.
#include <stdlib.h>

int *twice_not_ok(void)
{
	int *p = realloc(NULL, 10);

	if (!!(!p))
		return NULL;
	return p;
}

int *not_null_ok(void)
{
	int *p = malloc(10);

	if (!(p != NULL))
		return NULL;
	return p;
}

int *twice_not_bad(void)
{
	int *p = realloc(NULL, 10); // LEAK(conditional)

	if (!!p && *p > 3)
		return NULL;
	return p;
}
