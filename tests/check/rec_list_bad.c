// A list that is built and dropped.
#include <stdlib.h>

struct node { int v; struct node *next; };

static struct node *list_push(struct node *head, int v)
{
	struct node *n = malloc(sizeof(*n));

	if (!n)
		exit(1);
	n->v = v;
	n->next = head;
	return n;
}

int sum_bad(int k)
{
	struct node *l = NULL, *n;
	int sum = 0;

	for (int i = 0; i < k; i++)
		l = list_push(l, i); // LEAK(never-freed)
	for (n = l; n; n = n->next)
		sum += n->v;
	return sum;
}
