#include "queue.h"

#include <stddef.h>

int schedule_ok(struct queue *q, const char *cmd)
{
	struct task *t = task_new(cmd);

	if (!t)
		return -1;
	return queue_push(q, t);
}

int schedule_bad(struct queue *q, const char *cmd, int dry_run)
{
	struct task *t = task_new(cmd); // LEAK(conditional)

	if (!t)
		return -1;
	if (dry_run)
		return 0;
	return queue_push(q, t);
}
