// Two calls make the state: one counts the list for it, one does not.  A destructor that drops the list must not be called for what may be
// of the second.
// LEAKS: 5
// EXPECT: either
// NEVER: ^\+.*state_free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
	int references;
	char *text;
};

struct state {
	struct list *list;
};

static struct list *list_new(const char *s)
{
	struct list *l = calloc(1, sizeof(*l));

	if (!l)
		abort();
	l->references = 1;
	l->text = strdup(s);
	return l;
}

static void list_free(struct list *l)
{
	if (--l->references != 0)
		return;
	free(l->text);
	free(l);
}

static struct state *state_new(struct list *list, int borrow)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		abort();
	if (borrow) {
		s->list = list;
		return s;
	}
	s->list = list;
	s->list->references++;
	return s;
}

static void state_free(struct state *s)
{
	if (s->list != NULL)
		list_free(s->list);
	free(s);
}

static struct state *queue[4];
static unsigned queued;

static int task_run(struct state *t, unsigned limit)
{
	if (queued >= limit)
		return -1;
	queue[queued++] = t;
	return 0;
}

static int start(struct list *list, int borrow, unsigned limit)
{
	struct state *s;

	if (borrow)
		s = state_new(list, 1);
	else
		s = state_new(list, 0);
	if (task_run(s, limit) < 0) {
		puts("no room");
		return -1;
	}
	return 0;
}

static void finish(void)
{
	while (queued > 0)
		state_free(queue[--queued]);
}

int main(void)
{
	struct list *list = list_new("all");

	printf("%d\n", start(list, 0, 1));
	printf("%d\n", start(list, 0, 1));
	printf("%d\n", start(list, 1, 1));
	printf("%d\n", start(list, 1, 1));
	finish();
	printf("%s\n", list->text);
	list_free(list);
	return 0;
}
