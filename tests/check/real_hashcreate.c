/* a table that a wrapper of malloc() made is there, so that the insertion takes the key */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; char *key; char *data; };
struct table { struct item *first; int n; };

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (p == NULL) {
		fprintf(stderr, "no memory\n");
		exit(2);
	}
	return p;
}

static char *save(const char *s)
{
	return strcpy(xmalloc(strlen(s) + 1), s);
}

struct table *table_create(void)
{
	struct table *t = xmalloc(sizeof(*t));

	t->first = NULL;
	t->n = 0;
	return t;
}

struct item *table_search(char *key, struct table *t, int create)
{
	struct item *i;

	if (t == NULL || (!create && t->n == 0))
		return NULL;
	for (i = t->first; i; i = i->next)
		if (strcmp(i->key, key) == 0)
			return i;
	if (!create)
		return NULL;
	i = xmalloc(sizeof(*i));
	i->next = t->first;
	i->key = key;
	i->data = NULL;
	t->first = i;
	t->n++;
	return i;
}

int table_insert(struct table *t, char *key, const char *value)
{
	struct item *i = table_search(key, t, 1);

	if (i == NULL)
		return -1;
	if (i->key != key)
		free(key);
	free(i->data);
	i->data = value ? save(value) : NULL;
	return 0;
}

struct var { struct table *t; char *value; };

void convert(struct var *v)
{
	struct table *t = table_create();

	if (v->value)
		table_insert(t, save("0"), v->value);
	free(v->value);
	v->value = NULL;
	v->t = t;
}
