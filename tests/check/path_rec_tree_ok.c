// The same tree, whole and right, in a program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree { struct tree *l, *r; char *key; };

static struct tree *tree_add(struct tree *t, const char *key)
{
	int c;

	if (!t) {
		t = calloc(1, sizeof(*t));
		if (!t)
			return NULL;
		t->key = strdup(key);
		if (!t->key) {
			free(t);
			return NULL;
		}
		return t;
	}
	c = strcmp(key, t->key);
	if (c < 0)
		t->l = tree_add(t->l, key);
	else if (c > 0)
		t->r = tree_add(t->r, key);
	return t;
}

static void tree_free(struct tree *t)
{
	if (!t)
		return;
	tree_free(t->l);
	tree_free(t->r);
	free(t->key);
	free(t);
}

int main(int argc, char **argv)
{
	int round, i;

	for (round = 0; round < 3; round++) {
		struct tree *t = NULL;

		for (i = 1; i < argc; i++)
			t = tree_add(t, argv[i]);
		if (t)
			puts(t->key);
		tree_free(t);
	}
	return 0;
}
