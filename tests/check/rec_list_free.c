// A list freed recursively.
#include <stdlib.h>

struct node { int v; struct node *next; };

static void list_free(struct node *n)
{
	if (!n)
		return;
	list_free(n->next);
	free(n);
}

static struct node *list_push(struct node *head, int v)
{
	struct node *n = malloc(sizeof(*n));

	if (!n)
		exit(1);
	n->v = v;
	n->next = head;
	return n;
}

int sum_ok(int k)
{
	struct node *l = NULL, *n;
	int sum = 0;

	for (int i = 0; i < k; i++)
		l = list_push(l, i);
	for (n = l; n; n = n->next)
		sum += n->v;
	list_free(l);
	return sum;
}
