// An iterator of the program's own that calls back.
#include <stdlib.h>
#include <string.h>

struct list { void *data; struct list *next; };

static void for_each(struct list *l, void (*fn)(void *data, void *arg), void *arg)
{
	for (; l; l = l->next)
		fn(l->data, arg);
}

static void free_data(void *data, void *arg)
{
	(void)arg;
	free(data);
}

static void count(void *data, void *arg)
{
	(void)data;
	++*(int *)arg;
}

int freed_by_callback_ok(const char *s)
{
	struct list one = { strdup(s), NULL };
	int n = 0;

	for_each(&one, count, &n);
	for_each(&one, free_data, NULL);
	return n;
}

static void free_arg(void *data, void *arg)
{
	(void)data;
	free(arg);
}

int freed_as_argument_ok(void)
{
	struct list one = { NULL, NULL };

	for_each(&one, free_arg, malloc(8));
	return 0;
}
