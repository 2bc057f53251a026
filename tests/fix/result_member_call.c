// A table that compares by a function in one of its members.  For all that is known some tables come from a library;
// but what the program puts into that member are functions that keep nothing, so that only success keeps the entry.
// LEAKS: 3
// PATCH: ^\+.*if \(table_add\(t, e\) < 0\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	int key;
};

struct table {
	int (*compare)(const void *, const void *);
	void *v[4];
	int n, closed;
};

static int by_key(const void *a, const void *b)
{
	return ((const struct entry *)a)->key - ((const struct entry *)b)->key;
}

static struct table *table_new(int (*compare)(const void *, const void *))
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->compare = compare;
	return t;
}

static int table_add(struct table *t, void *p)
{
	int i = t->n;

	if (t->closed)
		return -1;
	while (i && t->compare(t->v[i - 1], p) > 0)
		i--;
	if (t->n == 4)
		return -1;
	memmove(&t->v[i + 1], &t->v[i], (t->n - i) * sizeof(t->v[0]));
	t->v[i] = p;
	t->n++;
	return 0;
}

static void fill(struct table *t, int n)
{
	for (int i = 0; i < n; i++) {
		struct entry *e = malloc(sizeof(*e));

		if (!e)
			return;
		e->key = n - i;
		table_add(t, e);
	}
}

int main(void)
{
	struct table *t = table_new(by_key), *same;
	char text[40];
	void *p = NULL;
	int sum = 0;

	snprintf(text, sizeof(text), "%p", (void *)t);
	if (sscanf(text, "%p", &p) != 1)
		return 1;
	same = p;
	fill(t, 2);
	fill(same, 4);
	same->closed = 1;
	fill(same, 1);
	for (int i = 0; i < same->n; i++) {
		sum += ((struct entry *)same->v[i])->key * (i + 1);
		free(same->v[i]);
	}
	printf("%d %d\n", same->n, sum);
	free(t);
	return 0;
}
