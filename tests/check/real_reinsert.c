/* what has just been taken out of a table is not found there when it is put back */
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; char *key; void *data; };
struct table { struct item *first; };

static struct item *table_search(const char *key, struct table *t)
{
	struct item *i;

	for (i = t->first; i; i = i->next)
		if (strcmp(i->key, key) == 0)
			return i;
	return NULL;
}

static struct item *table_remove(const char *key, struct table *t)
{
	struct item **at, *i;

	for (at = &t->first; (i = *at); at = &i->next)
		if (strcmp(i->key, key) == 0) {
			*at = i->next;
			return i;
		}
	return NULL;
}

static struct item *table_insert(char *key, struct table *t)
{
	struct item *i = table_search(key, t);

	if (i == NULL) {
		i = malloc(sizeof(*i));
		if (!i)
			abort();
		i->next = t->first;
		i->key = key;
		t->first = i;
	}
	return i;
}

int hide(const char *name, struct table *t)
{
	struct item *old = table_remove(name, t), *new;
	char *copy;

	if (!old)
		return -1;
	copy = strdup(name); // FP(conditional)
	if (!copy)
		abort();
	new = table_insert(copy, t);
	new->data = old->data;
	free(old->key);
	free(old);
	return 0;
}
