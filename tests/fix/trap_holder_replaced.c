// As holder_replaced.c, but to compare is to remember the key: it must not be freed with the entry.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	char *key;
	char *value;
};

struct table {
	void *v[2];
	int n, max;
	int (*compare)(void *a, void *b);
};

static char *last_key;

static int compare_entries(void *a, void *b)
{
	free(last_key);
	last_key = ((struct entry *)a)->key;
	((struct entry *)a)->key = strdup(last_key);
	return strcmp(last_key, ((struct entry *)b)->key);
}

static int table_insert(struct table *t, void *key)
{
	for (int i = 0; i < t->n; i++)
		if (!t->compare(key, t->v[i]))
			puts("again");
	if (t->n == t->max)
		return -1;
	t->v[t->n++] = key;
	return 0;
}

static void set(struct table *t, const char *key)
{
	struct entry *e = malloc(sizeof *e);

	if (!e)
		return;
	e->key = strdup(key);
	e->value = NULL;
	table_insert(t, e);
}

int main(void)
{
	struct table t = { .n = 0, .max = 2, .compare = compare_entries };

	set(&t, "a");
	set(&t, "b");
	set(&t, "a");
	for (int i = 0; i < t.n; i++) {
		puts(((struct entry *)t.v[i])->key);
		free(((struct entry *)t.v[i])->key);
		free(t.v[i]);
	}
	puts(last_key ? last_key : "none");
	free(last_key);
	return 0;
}
