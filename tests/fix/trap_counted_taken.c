// The function itself drops the reference that was counted for the state, by its own pointer to the list: a destructor that drops it
// again must not be called.
// LEAKS: 2
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

static struct state *state_new(struct list *list)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		abort();
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

static int start(struct list *list, unsigned limit)
{
	struct state *s = state_new(list);

	if (queued >= limit)
		list_free(list);
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

	printf("%d\n", start(list, 1));
	printf("%d\n", start(list, 1));
	printf("%d\n", start(list, 1));
	finish();
	printf("%s\n", list->text);
	list_free(list);
	return 0;
}
