// A list whose elements another list has got as well: its destructor would free them.
// LEAKS: 2
// KNOWN: free(m) leaves the array, which list_free(m) would release
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	char *name;
};

struct list {
	struct item **items;
	size_t n, cap;
};

static struct list *list_new(void)
{
	struct list *l = malloc(sizeof(*l));

	if (!l)
		exit(1);
	l->n = l->cap = 0;
	l->items = NULL;
	return l;
}

static struct item *item_new(const char *s)
{
	struct item *r = malloc(sizeof(*r));

	if (!r)
		exit(1);
	r->name = strdup(s);
	return r;
}

static void item_free(struct item *r)
{
	if (r) {
		free(r->name);
		free(r);
	}
}

static void list_free(struct list *l)
{
	if (l) {
		free(l->items);
		free(l);
	}
}

static void list_deep_free(struct list *l)
{
	if (l) {
		for (size_t i = 0; i < l->n; i++)
			item_free(l->items[i]);
		free(l->items);
		free(l);
	}
}

static struct item *list_item(const struct list *l, size_t i)
{
	return i < l->n ? l->items[i] : NULL;
}

static void list_push(struct list *l, const struct item *r)
{
	if (l->n + 1 > l->cap) {
		l->cap = l->cap ? 2 * l->cap : 4;
		l->items = realloc(l->items, l->cap * sizeof(*l->items));
		if (!l->items)
			exit(1);
	}
	l->items[l->n++] = (struct item *)r;
}

static void list_cat(struct list *left, const struct list *right)
{
	for (size_t i = 0; i < right->n; i++)
		list_push(left, list_item(right, i));
}

static struct list *list_of(const char *s)
{
	struct list *l = list_new();

	for (; *s; s++)
		list_push(l, item_new(s));
	if (l->n == 0) {
		list_free(l);
		return NULL;
	}
	return l;
}

static size_t length(const char *a, const char *b)
{
	struct list *l = list_of(a), *m = list_of(b);
	size_t n = 0;

	if (l && m)
		list_cat(l, m);
	else if (m)
		l = m;
	if (!l)
		return 0;
	for (size_t i = 0; i < l->n; i++)
		n += strlen(list_item(l, i)->name);
	list_deep_free(l);
	return n;
}

int main(void)
{
	printf("%zu %zu %zu\n", length("abc", "de"), length("", "f"), length("", ""));
	return 0;
}
