// facebook/infer 86: an object with a flexible array member, filled in a loop and never freed: nothing
// was reported.
#include <stdlib.h>

struct vec {
	int n;
	int at[];
};

int filled_bad(int n)
{
	struct vec *v = malloc(sizeof(*v) + n * sizeof(v->at[0])); // LEAK(never-freed)

	if (!v)
		return 1;
	v->n = n;
	for (int i = 0; i < n; i++)
		v->at[i] = i;
	return 0;
}

int filled_ok(int n)
{
	struct vec *v = malloc(sizeof(*v) + n * sizeof(v->at[0]));

	if (!v)
		return 1;
	v->n = n;
	for (int i = 0; i < n; i++)
		v->at[i] = i;
	free(v);
	return 0;
}
