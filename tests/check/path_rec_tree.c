// A binary tree; the broken destructor goes to the left only.
#include <stdlib.h>

struct tree { struct tree *l, *r; int key; };

static int tree_insert(struct tree **t, int key)
{
	if (!*t) {
		*t = calloc(1, sizeof(**t)); // FN: LEAK@node: by deepest_bad()
		if (!*t)
			return -1;
		(*t)->key = key;
		return 0;
	}
	if (key == (*t)->key)
		return 1;
	return tree_insert(key < (*t)->key ? &(*t)->l : &(*t)->r, key);
}

static void tree_free_ok(struct tree *t)
{
	if (t) {
		tree_free_ok(t->l);
		tree_free_ok(t->r);
		free(t);
	}
}

static void tree_free_bad(struct tree *t)
{
	while (t) {
		struct tree *l = t->l;

		free(t);
		t = l;
	}
}

int deepest_ok(const int *v, int n)
{
	struct tree *t = NULL;
	int i, r;

	for (i = 0; i < n; i++)
		tree_insert(&t, v[i]);
	r = t ? t->key : 0;
	tree_free_ok(t);
	return r;
}

int deepest_bad(const int *v, int n)
{
	struct tree *t = NULL;
	int i, r;

	for (i = 0; i < n; i++)
		tree_insert(&t, v[i]); // FN: LEAK@node
	r = t ? t->key : 0;
	tree_free_bad(t);
	return r;
}
