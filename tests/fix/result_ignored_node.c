// The tree makes a node for what it is given; without memory for one it returns -1, and nobody asks.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	void *key;
	struct node *left, *right;
};

struct tree {
	struct node *root;
	int room;
	int (*compare)(const void *, const void *);
};

static struct node *node_new(struct tree *t, void *key)
{
	struct node *n;

	if (!t->room--)
		return NULL;
	n = calloc(1, sizeof *n);
	if (!n)
		return NULL;
	n->key = key;
	return n;
}

static int tree_insert(struct tree *t, void *key)
{
	struct node *n = t->root;

	if (!n) {
		n = node_new(t, key);
		if (!n)
			return -1;
		t->root = n;
		return 0;
	}
	for (;;) {
		if (t->compare(key, n->key) < 1) {
			struct node *q = n->left;

			if (!q) {
				q = node_new(t, key);
				if (!q)
					return -1;
				n->left = q;
				return 0;
			}
			n = q;
		} else {
			struct node *q = n->right;

			if (!q) {
				q = node_new(t, key);
				if (!q)
					return -1;
				n->right = q;
				return 0;
			}
			n = q;
		}
	}
}

static void tree_free(struct node *n)
{
	if (!n)
		return;
	tree_free(n->left);
	puts(n->key);
	free(n->key);
	tree_free(n->right);
	free(n);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void add_words(struct tree *t, const char *const *w)
{
	for (; *w; w++) {
		char *copy = strdup(*w);

		if (!copy)
			break;
		tree_insert(t, copy);
	}
}

int main(void)
{
	static const char *const w[] = { "m", "c", "x", "a", NULL };
	struct tree t = { NULL, 3, by_text };

	add_words(&t, w);
	tree_free(t.root);
	return 0;
}
