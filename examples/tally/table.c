#include "tally.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 256 };

static size_t slot_of(const struct table *t, const char *name)
{
	size_t h = 5381;

	for (; *name; name++)
		h = h * 33 + (unsigned char)*name;
	return h % t->nslots;
}

void table_init(struct table *t)
{
	t->nslots = SLOTS;
	t->used = 0;
	t->slots = xmalloc(t->nslots * sizeof(*t->slots));
	memset(t->slots, 0, t->nslots * sizeof(*t->slots));
}

static void counter_free(struct counter *c)
{
	free(c->name);
	free(c);
}

void table_release(struct table *t)
{
	for (size_t i = 0; i < t->nslots; i++)
		while (t->slots[i]) {
			struct counter *c = t->slots[i];

			t->slots[i] = c->next;
			counter_free(c);
		}
	free(t->slots);
}

struct counter *table_find(const struct table *t, const char *name)
{
	for (struct counter *c = t->slots[slot_of(t, name)]; c; c = c->next)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

struct counter *table_add(struct table *t, const char *name)
{
	struct counter *c = table_find(t, name);
	size_t i = slot_of(t, name);

	if (c)
		return c;
	c = xmalloc(sizeof(*c));
	c->name = xstrndup(name, strlen(name));
	c->n = 0;
	c->next = t->slots[i];
	t->slots[i] = c;
	t->used++;
	return c;
}

void table_drop(struct table *t, const char *name)
{
	for (struct counter **p = &t->slots[slot_of(t, name)]; *p; p = &(*p)->next) {
		struct counter *c = *p;

		if (strcmp(c->name, name) != 0)
			continue;
		*p = c->next;
		counter_free(c);
		t->used--;
		return;
	}
}

static int larger_first(const void *a, const void *b)
{
	const struct counter *x = *(struct counter *const *)a, *y = *(struct counter *const *)b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return strcmp(x->name, y->name);
}

struct counter **table_sorted(const struct table *t)
{
	struct counter **all = xmalloc(t->used * sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < t->nslots; i++)
		for (struct counter *c = t->slots[i]; c; c = c->next)
			all[n++] = c;
	qsort(all, n, sizeof(*all), larger_first);
	return all;
}
