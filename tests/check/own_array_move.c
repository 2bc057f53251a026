// Elements moved down an array, taken out, put at its end.
#include <stdlib.h>
#include <string.h>

struct vec { char **v; int n; };

void remove_at_ok(struct vec *a, int k)
{
	free(a->v[k]);
	memmove(a->v + k, a->v + k + 1, (a->n - k - 1) * sizeof(*a->v));
	a->n--;
}

char *pop_ok(struct vec *a)
{
	return a->n ? a->v[--a->n] : NULL;
}

int local_vec_ok(int n)
{
	struct vec a = { calloc(n, sizeof(char *)), 0 };

	if (!a.v)
		return -1;
	while (a.n < n)
		a.v[a.n++] = malloc(4);
	while (a.n)
		free(pop_ok(&a));
	free(a.v);
	return 0;
}

int popped_and_dropped_bad(int n)
{
	struct vec a = { calloc(n, sizeof(char *)), 0 };

	if (!a.v)
		return -1;
	while (a.n < n)
		a.v[a.n++] = malloc(4); // LEAK(never-freed)
	while (a.n)
		pop_ok(&a);
	free(a.v);
	return 0;
}
