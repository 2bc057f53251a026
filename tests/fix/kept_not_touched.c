// A callee that cannot keep the struct has not looked at it: what its members hold is still there.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
	char *name;
	char *dir;
};

struct link {
	void *data;
	struct link *next;
};

struct queue {
	int room;
	struct link *first;
};

static void job_free(void *data)
{
	struct job *j = data;

	free(j->dir);
	free(j->name);
	free(j);
}

static void *pop(struct queue *q)
{
	struct link *l = q->first;
	void *data;

	if (!l)
		return NULL;
	data = l->data;
	q->first = l->next;
	q->room++;
	free(l);
	return data;
}

/* Returns 1 if it was taken; then the one of that kind which came last may be dropped for it. */
static int push(struct queue *q, void *data, int instead)
{
	struct link *l;

	if (q == NULL || data == NULL)
		return 0;
	if (instead && q->first)
		job_free(pop(q));
	if (q->room == 0) {
		fprintf(stderr, "full\n");
		return 0;
	}
	l = malloc(sizeof *l);
	if (!l)
		abort();
	q->room--;
	l->data = data;
	l->next = q->first;
	q->first = l;
	return 1;
}

/* All of it is lost. */
static int add(struct queue *q, const char *name, const char *dir)
{
	struct job *j = malloc(sizeof *j);

	if (!j)
		return -1;
	j->name = strdup(name);
	j->dir = strdup(dir);
	return push(q, j, 0) ? 0 : -1;
}

/* What is in it is lost. */
static int add_freed(struct queue *q, const char *name)
{
	struct job *j = malloc(sizeof *j);

	if (!j)
		return -1;
	j->name = strdup(name);
	j->dir = NULL;
	if (!push(q, j, name[0] == '!')) {
		fprintf(stderr, "%s: not added\n", name);
		free(j);
		return -1;
	}
	return 0;
}

int main(void)
{
	struct queue q = { 2, NULL };
	struct job *j;
	int bad = 0;

	bad += add(&q, "one", "/") < 0;
	bad += add_freed(&q, "two") < 0;
	bad += add(&q, "three", "/tmp") < 0;
	bad += add_freed(&q, "four") < 0;
	bad += add_freed(&q, "!five") < 0;
	while ((j = pop(&q))) {
		printf("%s in %s\n", j->name, j->dir ? j->dir : "-");
		job_free(j);
	}
	printf("%d\n", bad);
	return 0;
}
