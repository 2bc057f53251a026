// Each round of a loop makes a struct with a text of its own; what a full table does not take is lost, with the text.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
	char *name;
	char *pass;
};

struct table {
	void *v[2];
	int n;
	int (*compare)(void *arg, void *a, void *b);
};

static int compare_users(void *arg, void *a, void *b)
{
	struct user *x = a, *y = b;

	(void)arg;
	return strcmp(x->name, y->name);
}

static int table_insert(struct table *t, void *key)
{
	int i = 0;

	if (t->n == 2)
		return -1;
	while (i < t->n && t->compare(NULL, key, t->v[i]) > 0)
		i++;
	memmove(t->v + i + 1, t->v + i, (size_t)(t->n - i) * sizeof *t->v);
	t->v[i] = key;
	t->n++;
	return 0;
}

static void read_users(struct table *t, char (*lines)[8], int n)
{
	for (int i = 0; i < n; i++) {
		char *line = lines[i], *sep = strchr(line, ':');
		struct user *entry;
		size_t len;

		if (!sep)
			continue;
		entry = calloc(1, sizeof *entry);
		len = strlen(line) + 1;
		entry->name = malloc(len);
		*sep = 0;
		memcpy(entry->name, line, len);
		entry->pass = entry->name + (sep - line) + 1;
		table_insert(t, entry);
	}
}

int main(void)
{
	char lines[5][8] = { "b:1", "a:22", "none", "d:3", "c:44" };
	struct table t = { .n = 0, .compare = compare_users };

	read_users(&t, lines, 5);
	for (int i = 0; i < t.n; i++) {
		struct user *u = t.v[i];

		printf("%s %s\n", u->name, u->pass);
		free(u->name);
		free(u);
	}
	return 0;
}
