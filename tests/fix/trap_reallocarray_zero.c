// reallocarray() of nothing frees what it is given, as realloc() does, whichever of the two numbers is zero.
// LEAKS: 1
// EXPECT: either
// LEFT: 1
// NEVER: ^\+\t*\tfree\(r\);
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

static int one(size_t n)
{
	long *p = malloc(8), *q;

	if (!p)
		return -1;
	q = reallocarray(p, n, sizeof(*p));
	if (!q)
		return -2;
	free(q);
	return 0;
}

static int both(size_t n, size_t size)
{
	char *r = malloc(8), *q;

	if (!r)
		return -1;
	q = reallocarray(r, n, size);
	if (!q)
		return -2;
	free(q);
	return 0;
}

static void *more(void *p, size_t n, size_t size)
{
	void *q = reallocarray(p, n, size);

	if (!q && (!p || (n && size)))
		exit(1);
	return q;
}

static int wrapped(size_t n)
{
	long *p = malloc(8);

	p = more(p, n, sizeof(*p));
	printf("%d\n", p != NULL);
	free(p);
	return 0;
}

int main(void)
{
	printf("%d %d\n", one(0), one(2));
	printf("%d %d %d\n", both(0, 2), both(2, 0), both(2, 2));
	printf("%d %d\n", wrapped(0), wrapped(2));
	printf("%d\n", one(SIZE_MAX / 2));
	return 0;
}
