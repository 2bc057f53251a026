// A callee that cannot keep the struct frees what a member holds, through one of its arguments or another, or leaves it alone: where
// it fails the name may be gone.
// LEAKS: 2
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
	char *name;
	char *dir;
};

struct queue {
	int room, closed;
	struct job *last;
	struct queue *next;
};

static void drop(struct queue *q)
{
	if (q->last) {
		free(q->last->dir);
		free(q->last->name);
		free(q->last);
	}
	q->last = NULL;
}

static void forget_name(struct job *j)
{
	free(j->name);
}

/* Returns 1 if it was taken. */
static int push(struct queue *q, struct job *j)
{
	if (q->closed)
		return 0;
	if (q->room == 0) {
		forget_name(j);
		return 0;
	}
	drop(q);
	q->last = j;
	return 1;
}

static int push_named(struct queue *q, struct job *j, struct job *named)
{
	if (q->closed)
		return 0;
	if (q->room == 0) {
		free(named->name);
		return 0;
	}
	drop(q);
	q->last = j;
	return 1;
}

static struct job *job_new(const char *name)
{
	struct job *j = malloc(sizeof *j);

	if (!j)
		abort();
	j->name = strdup(name);
	j->dir = NULL;
	return j;
}

static int add(struct queue *q, const char *name)
{
	struct job *j = malloc(sizeof *j);

	if (!j)
		return -1;
	j->name = strdup(name);
	j->dir = NULL;
	if (!push(q, j)) {
		fprintf(stderr, "%s: not added\n", name);
		free(j);
		return -1;
	}
	return 0;
}

static int add_named(struct queue *q, const char *name)
{
	struct job *j = job_new(name);

	if (!push_named(q, j, j)) {
		fprintf(stderr, "%s: not added\n", name);
		free(j);
		return -1;
	}
	return 0;
}

int main(void)
{
	struct queue q = { 1, 0, NULL, NULL };
	int bad = 0;

	bad += add(&q, "one") < 0;
	bad += add_named(&q, "two") < 0;
	q.room = 0;
	bad += add(&q, "three") < 0;
	bad += add_named(&q, "four") < 0;
	q.closed = 1;
	bad += add(&q, "five") < 0;
	bad += add_named(&q, "six") < 0;
	printf("%s %d\n", q.last->name, bad);
	drop(&q);
	return 0;
}
