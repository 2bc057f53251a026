// A list freed by recursion: all of it, or only its head.
#include <stdlib.h>

struct node { struct node *next; int v; };

static struct node *cons(int v, struct node *next)
{
	struct node *n = malloc(sizeof(*n));

	if (!n)
		abort();
	n->v = v;
	n->next = next;
	return n;
}

static void list_free(struct node *n)
{
	if (!n)
		return;
	list_free(n->next);
	free(n);
}

int sum_ok(int a, int b)
{
	struct node *l = cons(a, cons(b, NULL));
	int s = l->v + l->next->v;

	list_free(l);
	return s;
}

int sum_bad(int a, int b)
{
	struct node *l = cons(a, cons(b, NULL)); // LEAK(never-freed)
	int s = l->v + l->next->v;

	free(l);
	return s;
}
