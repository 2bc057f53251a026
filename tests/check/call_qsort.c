// Callbacks that the library calls: qsort, bsearch.
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	char *x = strdup(*(char *const *)a);
	char *y = strdup(*(char *const *)b);
	int r = x && y ? strcmp(x, y) : 0;

	free(x);
	free(y);
	return r;
}

static int by_copy(const void *a, const void *b)
{
	char *x = strdup(*(char *const *)a); // LEAK(never-freed)

	return x ? strcmp(x, *(char *const *)b) : 0;
}

int sorted_ok(char **v, int n)
{
	char **copy = malloc(n * sizeof(*copy));

	if (!copy)
		return -1;
	memcpy(copy, v, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), by_name);
	free(copy);
	return 0;
}

int sorted_bad(char **v, int n)
{
	char **copy = malloc(n * sizeof(*copy)); // FN(path): LEAK(never-freed)

	if (!copy)
		return -1;
	memcpy(copy, v, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), by_copy);
	return copy[0] != NULL;
}

int elements_survive_sorting_ok(int n)
{
	char **v = calloc(n, sizeof(*v));

	if (!v)
		return -1;
	for (int i = 0; i < n; i++)
		v[i] = malloc(8);
	qsort(v, n, sizeof(*v), by_name);
	for (int i = 0; i < n; i++)
		free(v[i]);
	free(v);
	return 0;
}
