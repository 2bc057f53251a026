// A tree built and freed recursively.
#include <stdlib.h>
#include <string.h>

struct tree { char *key; struct tree *l, *r; };

static struct tree *insert(struct tree *t, const char *key)
{
	int c;

	if (!t) {
		t = calloc(1, sizeof(*t));
		if (!t)
			exit(1);
		t->key = strdup(key);
		return t;
	}
	c = strcmp(key, t->key);
	if (c < 0)
		t->l = insert(t->l, key);
	else if (c > 0)
		t->r = insert(t->r, key);
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

void whole_life_ok(char **v, int n)
{
	struct tree *t = NULL;

	for (int i = 0; i < n; i++)
		t = insert(t, v[i]);
	tree_free(t);
}
