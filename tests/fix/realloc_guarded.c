// realloc(p, 0) frees p and returns null, too: the old block is freed only where the size says that it is still there.
// LEAKS: 3
// PATCH: ^\+.*if \(n\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int assigned_back(size_t n)
{
	char *p = malloc(8);

	if (!p)
		return -1;
	strcpy(p, "abc");
	p = realloc(p, n);
	if (!p)
		return -2;
	printf("%s\n", p);
	free(p);
	return 0;
}

static int old_one(size_t n)
{
	char *p = malloc(8), *q;

	if (!p)
		return -1;
	strcpy(p, "abc");
	q = realloc(p, n);
	if (!q)
		return -2;
	printf("%s\n", q);
	free(q);
	return 0;
}

static int grown(int n, size_t each)
{
	char *v = NULL;

	for (int i = 0; i < n; i++) {
		char *w = realloc(v, (i + 1) * sizeof(*v));

		if (!w)
			return -1;
		v = w;
		v[i] = 'a';
		if (each && i == 2)
			return 2;
	}
	if (v)
		putchar(v[0]);
	free(v);
	return 0;
}

int main(void)
{
	volatile size_t huge = (size_t)-1 / 4;

	printf("%d %d\n", assigned_back(100), assigned_back(huge));
	printf("%d %d %d\n", old_one(100), old_one(huge), old_one(0));
	printf("%d\n", assigned_back(0));
	printf("%d %d\n", grown(2, 1), grown(4, 1));
	return 0;
}
