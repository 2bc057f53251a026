// A tree whose destructor forgets the keys.
#include <stdlib.h>
#include <string.h>

struct tree { char *key; struct tree *l, *r; };

static struct tree *leaf(const char *key)
{
	struct tree *t = calloc(1, sizeof(*t));

	if (!t)
		exit(1);
	t->key = strdup(key); // LEAK(never-freed)
	return t;
}

static void tree_free(struct tree *t)
{
	if (!t)
		return;
	tree_free(t->l);
	tree_free(t->r);
	free(t);
}

void keys_lost_bad(const char *a, const char *b)
{
	struct tree *t = leaf(a);

	t->l = leaf(b);
	tree_free(t);
}
