// The callee owns its argument in any case: it frees it where it does not keep it.
#include <stdlib.h>
#include <string.h>

struct queue { char *job; int closed; };

static int queue_put(struct queue *q, char *job)
{
	if (q->closed || q->job) {
		free(job);
		return -1;
	}
	q->job = job;
	return 0;
}

int submit_ok(struct queue *q, const char *cmd)
{
	char *job = strdup(cmd);

	if (!job)
		return -1;
	return queue_put(q, job);
}

int submit_bad(struct queue *q, const char *cmd)
{
	char *job = strdup(cmd); // LEAK(conditional)

	if (!job)
		return -1;
	if (!cmd[0])
		return -1;
	return queue_put(q, job);
}

int submit_twice_bad(struct queue *q, const char *cmd)
{
	char *job = strdup(cmd);

	if (!job)
		return -1;
	if (queue_put(q, job) < 0) {
		free(job); // FN(vfg): DOUBLE-FREE
		return -1;
	}
	return 0;
}
