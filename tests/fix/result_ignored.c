// Who keeps the object says by its result that it did not; nobody asks.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct set {
	char *v[2];
	int n;
};

struct pair {
	char *key;
	char *value;
};

struct pairs {
	struct pair *v[1];
	int n;
};

static int set_add(struct set *s, char *x)
{
	if (s->n == 2)
		return -1;
	s->v[s->n++] = x;
	return 0;
}

static int pairs_add(struct pairs *s, struct pair *x)
{
	if (s->n)
		return 1;
	s->v[s->n++] = x;
	return 0;
}

static void add_word(struct set *s, const char *w)
{
	char *copy = strdup(w);

	if (!copy)
		return;
	set_add(s, copy);
	puts(w);
}

static void add_pair(struct pairs *s, int key)
{
	struct pair *p = calloc(1, sizeof *p);

	if (!p)
		return;
	printf("%d\n", key);
	pairs_add(s, p);
}

int main(void)
{
	struct set s = { .n = 0 };
	struct pairs t = { .n = 0 };

	add_word(&s, "a");
	add_word(&s, "b");
	add_word(&s, "c");
	add_pair(&t, 1);
	add_pair(&t, 2);
	while (s.n) {
		puts(s.v[--s.n]);
		free(s.v[s.n]);
	}
	while (t.n)
		free(t.v[--t.n]);
	return 0;
}
