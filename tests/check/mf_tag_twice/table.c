#include <stdlib.h>
#include "table.h"

struct table {
	const char **bucket;
	unsigned n, used;
};

struct table *table_new(unsigned n)
{
	struct table *t = malloc(sizeof(*t));

	if (!t)
		return NULL;
	t->used = 0;
	t->n = n;
	t->bucket = calloc(n, sizeof(*t->bucket));
	if (!t->bucket) {
		free(t);
		return NULL;
	}
	return t;
}

const char *table_put(struct table *t, const char *name)
{
	if (t->used == t->n || !name)
		return NULL;
	t->bucket[t->used] = name;
	return t->bucket[t->used++];
}

void table_free(struct table *t)
{
	free(t->bucket);
	free(t);
}
