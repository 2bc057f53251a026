// A queue is emptied by a loop: the nodes and what they carry.
#include <stdlib.h>
#include <string.h>

struct job { struct job *next; char *cmd; };
struct jobs { struct job *head; };

int jobs_add(struct jobs *q, const char *cmd)
{
	struct job *j = malloc(sizeof(*j)); // FN(vfg): LEAK@job: by local_bad()

	if (!j)
		return -1;
	j->cmd = strdup(cmd);
	if (!j->cmd) {
		free(j);
		return -1;
	}
	j->next = q->head;
	q->head = j;
	return 0;
}

void jobs_drain(struct jobs *q)
{
	struct job *j;

	while ((j = q->head)) {
		q->head = j->next;
		free(j->cmd);
		free(j);
	}
}

int local_ok(void)
{
	struct jobs q = { NULL };

	jobs_add(&q, "a");
	jobs_add(&q, "b");
	jobs_drain(&q);
	return 0;
}

int local_bad(int n)
{
	struct jobs q = { NULL };

	if (jobs_add(&q, "a") < 0) // FN(vfg): LEAK@job
		return -1;
	if (n > 3)
		return -1;
	jobs_drain(&q);
	return 0;
}
