// The callback does not free.
#include <stdlib.h>
#include <string.h>

struct list { void *data; struct list *next; };

static void for_each(struct list *l, void (*fn)(void *data, void *arg), void *arg)
{
	for (; l; l = l->next)
		fn(l->data, arg);
}

static void count(void *data, void *arg)
{
	(void)data;
	++*(int *)arg;
}

int only_counted_bad(const char *s)
{
	struct list one = { strdup(s), NULL }; // LEAK(never-freed)
	int n = 0;

	for_each(&one, count, &n);
	return n;
}
