// facebook/infer 1785: the elements of an array are allocated by one function and freed by another
// one.
#include <stdlib.h>

static void fill(int **slot, int n)
{
	for (int i = 0; i < n; i++) {
		slot[i] = malloc(sizeof(int));
		if (slot[i])
			*slot[i] = i;
	}
}

static void fill_bad(int **slot, int n)
{
	for (int i = 0; i < n; i++) {
		slot[i] = malloc(sizeof(int)); // FN(path): LEAK@slot
		if (slot[i])
			*slot[i] = i;
	}
}

static void drain(int **slot, int n)
{
	for (int i = 0; i < n; i++)
		free(slot[i]);
}

int all_ok(void)
{
	int **slot = calloc(2, sizeof(*slot));

	if (!slot)
		return -1;
	fill(slot, 2);
	drain(slot, 2);
	free(slot);
	return 0;
}

int one_short_bad(void)
{
	int **slot = calloc(2, sizeof(*slot));

	if (!slot)
		return -1;
	fill_bad(slot, 2); // FN(path): LEAK@slot
	drain(slot, 1);
	free(slot);
	return 0;
}

int none_bad(void)
{
	int **slot = calloc(2, sizeof(*slot));

	if (!slot)
		return -1;
	for (int i = 0; i < 2; i++)
		slot[i] = malloc(sizeof(int)); // LEAK(never-freed)
	free(slot);
	return 0;
}
