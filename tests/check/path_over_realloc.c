// p = realloc(p, n): when it fails, the old block is lost.
#include <stdlib.h>
#include <string.h>

struct vec { int *v; unsigned n, cap; };

int push_ok(struct vec *a, int x)
{
	if (a->n == a->cap) {
		unsigned cap = a->cap ? 2 * a->cap : 8;
		int *v = realloc(a->v, cap * sizeof(*v));

		if (!v)
			return -1;
		a->v = v;
		a->cap = cap;
	}
	a->v[a->n++] = x;
	return 0;
}

int collect_bad(int n)
{
	int *v = malloc(8 * sizeof(*v)), i, sum = 0; // LEAK(overwritten)

	if (!v)
		return -1;
	v[0] = 0;
	if (n > 8) {
		v = realloc(v, n * sizeof(*v));
		if (!v)
			return -1;
	}
	for (i = 0; i < n; i++)
		v[i] = i;
	for (i = 0; i < n; i++)
		sum += v[i];
	free(v);
	return sum;
}
