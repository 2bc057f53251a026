// A list of things of any size keeps copies of what it is given, as bytes: what is in them is kept, too.
// LEAKS: 10
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
	char *items;
	size_t n, cap, size;
};

struct pair {
	char *name, *value;
};

static struct list words = { .size = sizeof(char *) }, pairs = { .size = sizeof(struct pair) }, loose = { .size = sizeof(char *) },
		   chars = { .size = sizeof(char *) };

static char *at(struct list *l, size_t pos)
{
	return l->items + pos * l->size;
}

static int set(struct list *l, void *item, size_t pos)
{
	if (pos >= l->n)
		return 0;
	memcpy(at(l, pos), item, l->size);
	return 1;
}

static int grow(struct list *l)
{
	if (l->n == l->cap) {
		char *more = realloc(l->items, (l->cap + 4) * l->size);

		if (!more)
			return 0;
		l->cap += 4;
		l->items = more;
	}
	l->n++;
	return 1;
}

static int add(struct list *l, void *item)
{
	return grow(l) && set(l, item, l->n - 1);
}

/* byte by byte */
static int put(struct list *l, void *item)
{
	if (!grow(l))
		return 0;
	for (size_t i = 0; i < l->size; i++)
		at(l, l->n - 1)[i] = ((char *)item)[i];
	return 1;
}

/* as if it were text */
static int push(struct list *l, char *item)
{
	if (!grow(l))
		return 0;
	memcpy(at(l, l->n - 1), item, l->size);
	return 1;
}

static void word(const char *s)
{
	char *w = strdup(s);

	if (w)
		add(&words, &w);
}

static void pair(const char *name, const char *value)
{
	char *n = strdup(name), *v = strdup(value);
	struct pair p;

	p.name = n;
	p.value = v;
	add(&pairs, &p);
}

static void loosely(const char *s)
{
	char *w = strdup(s);

	if (w)
		put(&loose, &w);
}

static void as_text(const char *s)
{
	char *w = strdup(s);

	if (w)
		push(&chars, (char *)&w);
}

int main(void)
{
	struct pair *p;

	word("a");
	word("b");
	pair("c", "d");
	loosely("e");
	as_text("f");
	p = (struct pair *)pairs.items;
	printf("%s %s %s %s %s %s\n", ((char **)words.items)[0], ((char **)words.items)[1], p->name, p->value, *(char **)loose.items,
	       *(char **)chars.items);
	return 0;
}
