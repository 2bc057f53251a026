/*
 * A table that is made when the first name is put into it: that a later call leaves it alone hangs on what the pointer is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
	char **bucket;
	unsigned n, used;
};

static struct table *table_new(unsigned n)
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

static const char *table_put(struct table *t, const char *name)
{
	if (t->used == t->n || !(t->bucket[t->used] = strdup(name))) // FP(conditional,vfg,all)
		return NULL;
	return t->bucket[t->used++];
}

static void table_free(struct table *t)
{
	for (unsigned i = 0; i < t->used; i++)
		free(t->bucket[i]);
	free(t->bucket);
	free(t);
}

static void fill(struct table **t, const char *name)
{
	if (!*t)
		*t = table_new(7);
	if (!*t)
		abort();
	if (!table_put(*t, name))
		puts("full");
}

static void names_ok(int n, char **names)
{
	struct table *t = NULL;

	for (int i = 0; i < n; i++)
		fill(&t, names[i]);
	if (t)
		table_free(t);
}

int main(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		names_ok(i, argv);
	return 0;
}
