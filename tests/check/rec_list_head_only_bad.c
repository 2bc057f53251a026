// Only the head is freed.
#include <stdlib.h>

struct node { int v; struct node *next; };

int head_only_bad(int k)
{
	struct node *l = NULL;

	for (int i = 0; i < k; i++) {
		struct node *n = malloc(sizeof(*n)); // FN(path): LEAK(conditional) all but the head

		n->v = i;
		n->next = l;
		l = n;
	}
	free(l);
	return k;
}

int two_nodes_ok(void)
{
	struct node *a = malloc(sizeof(*a));

	a->next = malloc(sizeof(*a));
	a->next->v = 0;
	free(a->next);
	free(a);
	return 0;
}

int second_forgotten_bad(void)
{
	struct node *a = malloc(sizeof(*a));

	a->next = malloc(sizeof(*a)); // LEAK(never-freed)
	a->next->v = 0;
	free(a);
	return 0;
}
