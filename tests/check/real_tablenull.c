/* false: a table is made where none is given, and every caller gives one */
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; char *key; void *data; };
struct table { unsigned n, used; struct item **buckets; };

static struct table *names, *values;

static struct table *table_create(unsigned n)
{
	struct table *t = malloc(sizeof(*t));
	if (!t)
		abort();
	t->n = n ? n : 128;
	t->used = 0;
	t->buckets = calloc(t->n, sizeof(*t->buckets));
	if (!t->buckets)
		abort();
	return t;
}

static struct item *insert(char *key, struct table *t)
{
	struct item *i;

	if (t == NULL)
		t = table_create(0);
	i = malloc(sizeof(*i));
	if (!i)
		abort();
	i->next = t->buckets[*key % t->n];
	t->buckets[*key % t->n] = i;
	i->key = key;
	i->data = NULL;
	t->used++;
	return i;
}

int set_name(const char *name)
{
	char *key = strdup(name);
	if (!key)
		abort();
	if (names == NULL)
		names = table_create(64);
	return insert(key, names)->data != NULL;
}

int set_value(const char *value)
{
	char *key = strdup(value);
	if (!key)
		abort();
	if (values == NULL)
		values = table_create(32);
	return insert(key, values)->data != NULL;
}
