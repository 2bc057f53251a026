// The function that makes the state shows its text to somebody, by the state: a destructor that frees the text must not be called.
// LEAKS: 7
// HELD: 1
// EXPECT: either
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
	struct state *yes, *no;
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

static char *last_cmd;

static void remember(struct state *s)
{
	last_cmd = s->cmd;
}

static struct state *state_new(struct list *list, const char *cmd, struct client *c)
{
	struct state *s = xcalloc(1, sizeof(*s));

	if (!cmd) {
		s->list = list;
		s->list->references++;
		return s;
	}
	s->cmd = xstrdup(cmd);

	remember(s);
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

static int start(struct list *list, const char *cmd, struct client *c, unsigned limit)
{
	struct task *t = xcalloc(1, sizeof(*t));

	t->yes = state_new(list, NULL, c);
	if (cmd)
		t->no = state_new(NULL, cmd, c);
	if (task_run(t, limit) < 0) {
		puts("no room");
		free(t);
		return -1;
	}
	return t->id;
}

static void finish(void)
{
	while (queued > 0) {
		struct task *t = queue[--queued];

		if (t->no)
			state_free(t->no);
		state_free(t->yes);
		free(t);
	}
}

int main(void)
{
	struct list *list = list_new("all");
	struct client *c = client_new("me");

	printf("%d\n", start(list, "one", c, 2));
	printf("%d\n", start(list, NULL, c, 2));
	printf("%d\n", start(list, "two", c, 2));
	printf("%d\n", start(list, NULL, c, 2));
	printf("last: %s\n", last_cmd);
	finish();
	printf("%s %s\n", list->text, c->name);
	list_free(list);
	client_unref(c);
	return 0;
}
