// A handle with callbacks and user data, as libraries have; nothing here leaks.
#include <stdlib.h>
#include <string.h>

typedef int (*handler)(void *data, const char *ev);

struct hook { struct hook *next; handler fn; void *data; char *name; };
struct bus { struct hook *hooks; char *last; };

struct bus *bus_new(void)
{
	return calloc(1, sizeof(struct bus));
}

int bus_on(struct bus *b, const char *name, handler fn, void *data)
{
	struct hook *h = malloc(sizeof(*h));

	if (!h)
		return -1;
	h->name = strdup(name);
	if (!h->name) {
		free(h);
		return -1;
	}
	h->fn = fn;
	h->data = data;
	h->next = b->hooks;
	b->hooks = h;
	return 0;
}

int bus_emit(struct bus *b, const char *name)
{
	struct hook *h;
	char *copy = strdup(name);
	int n = 0;

	if (!copy)
		return -1;
	for (h = b->hooks; h; h = h->next)
		if (strcmp(h->name, name) == 0)
			n += h->fn(h->data, name);
	free(b->last);
	b->last = copy;
	return n;
}

void bus_free(struct bus *b)
{
	struct hook *h, *next;

	for (h = b->hooks; h; h = next) {
		next = h->next;
		free(h->name);
		free(h);
	}
	free(b->last);
	free(b);
}
