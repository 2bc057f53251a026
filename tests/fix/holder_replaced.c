// A new entry is compared with those of the table, and the one that it replaces is freed by the program's own function; then there is no room for it.
// LEAKS: 3
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

static int compare_entries(void *a, void *b)
{
	return strcmp(((struct entry *)a)->key, ((struct entry *)b)->key);
}

static void free_entry(void *p)
{
	struct entry *e = p;

	free(e->key);
	free(e->value);
	free(e);
}

static int table_find(struct table *t, void *key, void **found)
{
	for (int i = 0; i < t->n; i++)
		if (!t->compare(key, t->v[i])) {
			*found = t->v[i];
			return 0;
		}
	return -1;
}

static void table_delete(struct table *t, void *key, void (*destroy)(void *))
{
	for (int i = 0; i < t->n; i++)
		if (!t->compare(key, t->v[i])) {
			destroy(t->v[i]);
			t->v[i] = t->v[--t->n];
			return;
		}
}

static int table_insert(struct table *t, void *key)
{
	if (t->n == t->max)
		return -1;
	t->v[t->n++] = key;
	return 0;
}

static void set(struct table *t, const char *key, const char *value)
{
	struct entry *e = malloc(sizeof *e);
	void *old;

	if (!e)
		return;
	e->key = strdup(key);
	e->value = strdup(value);
	if (!table_find(t, e, &old))
		table_delete(t, e, free_entry);
	table_insert(t, e);
}

int main(void)
{
	struct table t = { .n = 0, .max = 2, .compare = compare_entries };
	void *found;

	set(&t, "a", "1");
	set(&t, "b", "2");
	set(&t, "a", "3");
	set(&t, "c", "4");
	printf("%d\n", table_find(&t, &(struct entry){ .key = "c" }, &found));
	for (int i = 0; i < t.n; i++) {
		printf("%s=%s\n", ((struct entry *)t.v[i])->key, ((struct entry *)t.v[i])->value);
		free_entry(t.v[i]);
	}
	return 0;
}
