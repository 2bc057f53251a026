// A callee that keeps what it is given returns a pointer, or null and has not kept it; nobody asks.  One of them is given a new object at once.
// LEAKS: 2
// ONCE: ^\+\s*if \(ADD\(q, name_result\) == NULL\)$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADD(q, s) add_at(q, s, __LINE__)

struct job {
	char *name;
	int line;
	struct job *next;
};

struct queue {
	struct job *first;
	int room;
};

static struct job *add_at(struct queue *q, char *name, int line)
{
	struct job *j;

	if (q->room == 0 || !(j = malloc(sizeof(*j))))
		return NULL;
	q->room--;
	j->name = name;
	j->line = line;
	j->next = q->first;
	q->first = j;
	return j;
}

static char *name(int n)
{
	char *s = malloc(8);

	if (s)
		snprintf(s, 8, "job%d", n % 100);
	return s;
}

static void fill(struct queue *q, int n)
{
	if (n > 0)
		ADD(q, name(n));
}

static void fill_named(struct queue *q, const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		return;
	ADD(q, copy);
}

int main(void)
{
	struct queue q = { NULL, 2 };

	fill(&q, 1);
	fill_named(&q, "two");
	fill(&q, 3);
	fill_named(&q, "four");
	while (q.first) {
		struct job *j = q.first;

		q.first = j->next;
		puts(j->name);
		free(j->name);
		free(j);
	}
	return 0;
}
