// danmar/cppcheck 2422: the result of realloc() goes into a copy of the pointer; if it fails, the
// caller's variable still has the old block.
#include <stdlib.h>

int grow_copy_ok(char **at, size_t n)
{
	char *p = *at;

	p = realloc(p, n);
	if (!p)
		return -1;
	*at = p;
	return 0;
}

int grow_own_bad(size_t n)
{
	char *p = malloc(8); // LEAK(overwritten)
	int c;

	if (!p)
		return -1;
	p = realloc(p, n);
	if (!p)
		return -1;
	c = p[0];
	free(p);
	return c;
}

int grow_own_ok(size_t n)
{
	char *old = malloc(8), *p = old;
	int c;

	if (!p)
		return -1;
	p = realloc(p, n);
	if (!p) {
		free(old);
		return -1;
	}
	c = p[0];
	free(p);
	return c;
}
