// As holder_each_round.c, but the struct of one round is looked at in the next, whether it was taken or not.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
	char *name;
	struct user *before;
};

struct table {
	void *v[2];
	int n;
};

static int table_insert(struct table *t, void *key)
{
	if (t->n == 2)
		return -1;
	t->v[t->n++] = key;
	return 0;
}

static void read_users(struct table *t, const char *const *names)
{
	struct user *last = NULL;

	for (; *names; names++) {
		struct user *entry = calloc(1, sizeof *entry);

		if (!entry)
			return;
		entry->name = strdup(*names);
		entry->before = last;
		if (last)
			printf("%s after %s\n", entry->name, last->name);
		table_insert(t, entry);
		last = entry;
	}
}

int main(void)
{
	static const char *const names[] = { "a", "b", "c", NULL };
	struct table t = { .n = 0 };

	read_users(&t, names);
	for (int i = 0; i < t.n; i++) {
		struct user *u = t.v[i];

		puts(u->name);
		free(u->name);
		free(u);
	}
	return 0;
}
