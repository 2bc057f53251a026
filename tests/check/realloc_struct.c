// Growing an array inside a struct.
#include <stdlib.h>
#include <string.h>

struct vec { int *v; int n, max; };

static int vec_push(struct vec *a, int x)
{
	if (a->n == a->max) {
		int max = a->max ? 2 * a->max : 8;
		int *v = realloc(a->v, max * sizeof(*v));

		if (!v)
			return -1;
		a->v = v;
		a->max = max;
	}
	a->v[a->n++] = x;
	return 0;
}

int sum_ok(int n)
{
	struct vec a = {0};
	int sum = 0;

	for (int i = 0; i < n; i++)
		if (vec_push(&a, i) < 0)
			break;
	for (int i = 0; i < a.n; i++)
		sum += a.v[i];
	free(a.v);
	return sum;
}

struct vec *outlives_ok(struct vec *a, int n)
{
	return vec_push(a, n) < 0 ? NULL : a;
}
