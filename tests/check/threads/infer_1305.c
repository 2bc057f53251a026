// facebook/infer 1305: two allocations; the first is lost if the second fails, the second always.
// Both were missed.
#include <stdlib.h>

int *pair_bad(int n)
{
	int *a, *b;

	a = malloc(n * sizeof(*a)); // LEAK(conditional)
	if (!a)
		return NULL;
	b = malloc(n * sizeof(*b)); // LEAK(never-freed)
	if (!b)
		return NULL;
	return a;
}

int *pair_ok(int n)
{
	int *a, *b;

	a = malloc(n * sizeof(*a));
	if (!a)
		return NULL;
	b = malloc(n * sizeof(*b));
	if (!b) {
		free(a);
		return NULL;
	}
	free(b);
	return a;
}
