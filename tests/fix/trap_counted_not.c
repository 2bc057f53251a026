// The list was not counted for the state: a destructor that drops it, for others that have theirs, must not be called.
// LEAKS: 2
// HELD: 4
// EXPECT: either
// NEVER: ^\+.*state_free\(t->yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
	int references;
	char *text;
};

struct client {
	char *name;
	int references;
};

struct state {
	struct list *list;
	char *cmd;
	struct {
		int line;
		struct client *c;
	} at;
};

struct task {
	struct state *yes;
	int id;
};

static void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		abort();
	return p;
}

static char *xstrdup(const char *s)
{
	char *p = strdup(s);

	if (!p)
		abort();
	return p;
}

static struct list *list_new(const char *s)
{
	struct list *l = xcalloc(1, sizeof(*l));

	l->references = 1;
	l->text = xstrdup(s);
	return l;
}

static void list_free(struct list *l)
{
	if (--l->references != 0)
		return;
	free(l->text);
	free(l);
}

static struct client *client_new(const char *s)
{
	struct client *c = xcalloc(1, sizeof(*c));

	c->references = 1;
	c->name = xstrdup(s);
	return c;
}

static void client_unref(struct client *c)
{
	c->references--;
	if (c->references == 0) {
		free(c->name);
		free(c);
	}
}

static struct state *state_new(struct list *list, const char *cmd, struct client *c)
{
	struct state *s = xcalloc(1, sizeof(*s));

	if (!cmd) {
		s->list = list;
		return s;
	}
	s->cmd = xstrdup(cmd);

	printf("state of %s\n", s->cmd);
	s->at.c = c;
	if (s->at.c != NULL)
		s->at.c->references++;
	return s;
}

static void state_free(struct state *s)
{
	if (s->list != NULL)
		list_free(s->list);
	if (s->at.c != NULL)
		client_unref(s->at.c);
	free(s->cmd);
	free(s);
}

/* The other kind: it has all it frees. */
static struct state *state_copy(const struct state *from)
{
	struct state *s = xcalloc(1, sizeof(*s));

	s->list = from->list;
	if (s->list)
		s->list->references++;
	s->cmd = xstrdup(from->cmd ? from->cmd : "copy");
	return s;
}

static struct task *queue[4];
static unsigned queued;

static int task_run(struct task *t, unsigned limit)
{
	if (queued >= limit)
		return -1;
	t->id = (int)queued;
	queue[queued++] = t;
	return 0;
}

static int start(struct list *list, struct client *c, unsigned limit)
{
	struct task *t = xcalloc(1, sizeof(*t));

	t->yes = state_new(list, NULL, c);
	if (task_run(t, limit) < 0) {
		puts("no room");
		free(t);
		return -1;
	}
	return t->id;
}

int main(void)
{
	struct list *list = list_new("all");
	struct client *c = client_new("me");

	printf("%d\n", start(list, c, 2));
	printf("%d\n", start(list, c, 2));
	printf("%d\n", start(list, c, 2));
	printf("%d\n", start(list, c, 2));
	{
		struct state *s = state_copy(queue[0]->yes), *other = state_new(NULL, "one", c), *third = state_new(NULL, "two", c);

		puts(s->cmd);
		state_free(s);
		state_free(other);
		state_free(third);
	}
	printf("%s %s\n", list->text, c->name);
	list_free(list);
	client_unref(c);
	return 0;
}
