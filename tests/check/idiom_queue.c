// A queue on the heap with head and tail, passed around.
#include <stdlib.h>

struct qnode { int v; struct qnode *next; };
struct queue { struct qnode *head, **tail; };

static void q_init(struct queue *q)
{
	q->head = NULL;
	q->tail = &q->head;
}

static int q_put(struct queue *q, int v)
{
	struct qnode *n = malloc(sizeof(*n));

	if (!n)
		return -1;
	n->v = v;
	n->next = NULL;
	*q->tail = n;
	q->tail = &n->next;
	return 0;
}

static int q_get(struct queue *q, int *v)
{
	struct qnode *n = q->head;

	if (!n)
		return 0;
	q->head = n->next;
	if (!q->head)
		q->tail = &q->head;
	*v = n->v;
	free(n);
	return 1;
}

int drained_ok(int n)
{
	struct queue q;
	int v, sum = 0;

	q_init(&q);
	for (int i = 0; i < n; i++)
		q_put(&q, i);
	while (q_get(&q, &v))
		sum += v;
	return sum;
}
