// queue_push() owns the task in any case.
#include "queue.h"

#include <stdlib.h>
#include <string.h>

struct task *task_new(const char *cmd)
{
	struct task *t = malloc(sizeof(*t));

	if (!t)
		return NULL;
	t->next = NULL;
	t->cmd = strdup(cmd);
	if (!t->cmd) {
		free(t);
		return NULL;
	}
	return t;
}

void task_free(struct task *t)
{
	if (t) {
		free(t->cmd);
		free(t);
	}
}

int queue_push(struct queue *q, struct task *t)
{
	if (q->n >= q->limit) {
		task_free(t);
		return -1;
	}
	t->next = q->head;
	q->head = t;
	q->n++;
	return 0;
}
