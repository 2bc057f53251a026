// The grown array of a local struct is forgotten.
#include <stdlib.h>

struct vec { int *v; int n, max; };

static int vec_push(struct vec *a, int x)
{
	if (a->n == a->max) {
		int max = a->max ? 2 * a->max : 8;
		int *v = realloc(a->v, max * sizeof(*v)); // FN(path): LEAK

		if (!v)
			return -1;
		a->v = v;
		a->max = max;
	}
	a->v[a->n++] = x;
	return 0;
}

int sum_bad(int n)
{
	struct vec a = {0};
	int sum = 0;

	for (int i = 0; i < n; i++)
		if (vec_push(&a, i) < 0)
			return -1;
	for (int i = 0; i < a.n; i++)
		sum += a.v[i];
	return sum;
}
