// facebook/infer 120: an element is appended to a list by walking to its end.  The tool took it for
// lost, though the list's destructor frees all of them.  A destructor that frees the first alone must
// be reported.
#include <stdlib.h>

struct node {
	const void *what;
	struct node *next;
};

struct queue {
	struct node *head;
};

static struct queue *queue_new(void)
{
	return calloc(1, sizeof(struct queue));
}

static void queue_link(struct queue *q, struct node *n)
{
	struct node *last;

	if (!q->head) {
		q->head = n;
		return;
	}
	for (last = q->head; last->next; last = last->next)
		;
	last->next = n;
}

static void nodes_free(struct node *n)
{
	if (!n)
		return;
	nodes_free(n->next);
	free(n);
}

static void queue_free(struct queue *q)
{
	nodes_free(q->head);
	free(q);
}

static void queue_free_first(struct queue *q)
{
	free(q->head);
	free(q);
}

static int queue_put_ok(struct queue *q, const void *what)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n)
		return -1;
	n->what = what;
	queue_link(q, n);
	return 0;
}

static int queue_put_bad(struct queue *q, const void *what)
{
	struct node *n = calloc(1, sizeof(*n)); // FN(vfg): LEAK@second

	if (!n)
		return -1;
	n->what = what;
	queue_link(q, n);
	return 0;
}

int two_ok(const char *a, const char *b)
{
	struct queue *q = queue_new();
	int ret = -1;

	if (!q)
		return -1;
	if (queue_put_ok(q, a) == 0 && queue_put_ok(q, b) == 0)
		ret = 0;
	queue_free(q);
	return ret;
}

int two_bad(const char *a, const char *b)
{
	struct queue *q = queue_new();
	int ret = -1;

	if (!q)
		return -1;
	if (queue_put_bad(q, a) == 0 && queue_put_bad(q, b) == 0) // FN(vfg): LEAK@second
		ret = 0;
	queue_free_first(q);
	return ret;
}
