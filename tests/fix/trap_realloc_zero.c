// realloc(p, 0) frees p: a product of sizes may be zero where none of them is, and a size may change afterwards.
// LEAKS: 0
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int product(size_t n)
{
	int *p = malloc(8), *q;

	if (!p)
		return -1;
	p[0] = 1;
	q = realloc(p, n * sizeof(*p));
	if (!q)
		return -2;
	q[0] = 2;
	free(q);
	return 0;
}

static int changed(size_t n)
{
	char *p = malloc(8), *q;

	if (!p)
		return -1;
	q = realloc(p, n);
	n = 7;
	if (!q)
		return (int)n;
	free(q);
	return 0;
}

static size_t pages;

static int global(void)
{
	char *p = malloc(8);

	p = realloc(p, pages);
	pages++;
	if (!p)
		return -2;
	free(p);
	return 0;
}

int main(void)
{
	volatile size_t wraps = (size_t)1 << 62;

	printf("%d %d %d\n", product(1), product(0), product(wraps));
	printf("%d %d\n", changed(0), changed(10));
	printf("%d %d\n", global(), global());
	return 0;
}
