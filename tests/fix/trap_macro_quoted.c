// As result_ignored_pointer.c, but the macro also prints the text of its argument: a name in its place would be printed instead.
// LEAKS: 2
// EXPECT: partial
// LEFT: 1
// REFUSED: name\(n\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADD(q, s) add_at(q, s, #s)

struct job {
	char *name;
	const char *what;
	struct job *next;
};

struct queue {
	struct job *first;
	int room;
};

static struct job *add_at(struct queue *q, char *name, const char *what)
{
	struct job *j;

	if (q->room == 0 || !(j = malloc(sizeof(*j))))
		return NULL;
	q->room--;
	j->name = name;
	j->what = what;
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
		printf("%s %s\n", j->name, j->what);
		free(j->name);
		free(j);
	}
	return 0;
}
