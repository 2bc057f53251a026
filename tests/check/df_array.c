// Arrays of pointers.
#include <stdlib.h>
#include <string.h>

void filled_and_freed_ok(void)
{
	char *v[8];

	for (int i = 0; i < 8; i++)
		v[i] = malloc(16);
	for (int i = 0; i < 8; i++)
		free(v[i]);
}

void filled_bad(void)
{
	char *v[8];

	for (int i = 0; i < 8; i++)
		v[i] = malloc(16); // LEAK(never-freed)
}

void heap_array_ok(int n)
{
	char **v = calloc(n, sizeof(*v));
	int i;

	if (!v)
		return;
	for (i = 0; i < n; i++)
		v[i] = malloc(16);
	for (i = 0; i < n; i++)
		free(v[i]);
	free(v);
}

void heap_array_elements_bad(int n)
{
	char **v = calloc(n, sizeof(*v));

	if (!v)
		return;
	for (int i = 0; i < n; i++)
		v[i] = malloc(16); // LEAK(never-freed)
	free(v);
}

void heap_array_itself_bad(int n)
{
	char **v = calloc(n, sizeof(*v)); // LEAK(never-freed)

	if (!v)
		return;
	for (int i = 0; i < n; i++)
		v[i] = malloc(16);
	for (int i = 0; i < n; i++)
		free(v[i]);
}

void freed_by_pointer_ok(void)
{
	char *v[3] = { strdup("a"), strdup("b"), NULL };

	for (char **p = v; p < v + 2; p++)
		free(*p);
}
