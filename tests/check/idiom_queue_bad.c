// A queue that is filled and forgotten.
#include <stdlib.h>

struct qnode { int v; struct qnode *next; };
struct queue { struct qnode *head, **tail; };

static int q_put(struct queue *q, int v)
{
	struct qnode *n = malloc(sizeof(*n)); // LEAK(never-freed)

	if (!n)
		return -1;
	n->v = v;
	n->next = NULL;
	*q->tail = n;
	q->tail = &n->next;
	return 0;
}

int forgotten_bad(int n)
{
	struct queue q = { NULL, &q.head };
	int sum = 0;

	for (int i = 0; i < n; i++)
		q_put(&q, i);
	for (struct qnode *x = q.head; x; x = x->next)
		sum += x->v;
	return sum;
}
