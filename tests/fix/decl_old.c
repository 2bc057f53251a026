/*
// Compiled as C89: no declaration behind a statement, and none in the head of a loop.
// CFLAGS: -std=c89 -pedantic
// LEAKS: 9
// PATCH: ^\+	int plumb_i;$
// PATCH: ^\+.*for \(plumb_i = 0;
*/
#include <stdio.h>
#include <stdlib.h>

static int put(char *p, int n)
{
	p[0] = (char)('a' + n);
	return n + p[0];
}

static int saved(int n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	put(p, 1);
	return put(p, n);
}

static int rows(int n)
{
	char **v = malloc((size_t)n * sizeof(*v));
	int i, sum = 0;

	if (!v)
		return -1;
	for (i = 0; i < n; i++) {
		v[i] = malloc(4);
		if (!v[i])
			exit(1);
		put(v[i], i);
	}
	for (i = 0; i < n; i++)
		sum += v[i][0];
	return sum;
}

int main(void)
{
	printf("%d %d\n", saved(1), saved(2));
	printf("%d %d\n", rows(2), rows(3));
	return 0;
}
