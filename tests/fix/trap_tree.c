// A destructor of trees frees what it may be given itself, and below that what somebody may still hold, or has freed already.
// LEAKS: 12
// EXPECT: either
// PATCH: ^\+.*t->r = NULL; tree_free\(t\);
#include <stdio.h>
#include <stdlib.h>

struct tree {
	struct tree *l, *r;
	int v;
};

static struct tree *tree_new(int depth)
{
	struct tree *t;

	if (!depth)
		return NULL;
	t = malloc(sizeof(*t));
	if (!t)
		abort();
	t->v = depth;
	t->l = tree_new(depth - 1);
	t->r = tree_new(depth - 1);
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

static int in_hand(int depth, int more)
{
	struct tree *t = tree_new(depth), *u = t->l;

	if (more) {
		puts("more");
		return u->v;
	}
	tree_free(t);
	return 0;
}

static int freed(int depth, int more)
{
	struct tree *t = tree_new(depth);

	if (more) { tree_free(t->r); return 1; }
	tree_free(t);
	return 0;
}

static int freed_and_told(int depth, int more)
{
	struct tree *t = tree_new(depth);

	if (more) { tree_free(t->r); t->r = NULL; return 1; }
	tree_free(t);
	return 0;
}

static struct tree *leaf(int v)
{
	struct tree *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->v = v;
	return t;
}

static struct tree *fork_new(int v)
{
	struct tree *t = leaf(v);

	t->l = leaf(v + 1);
	t->r = leaf(v + 2);
	return t;
}

static int fork_in_hand(int v, int more)
{
	struct tree *t = fork_new(v), *u = t->l;

	if (more)
		return u ? u->v : 0;
	tree_free(t);
	return 0;
}

static int fork_freed(int v, int more)
{
	struct tree *t = fork_new(v);

	if (more) {
		free(t->r);
		return 1;
	}
	tree_free(t);
	return 0;
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		printf("%d %d %d\n", in_hand(2, i), freed(2, i), freed_and_told(2, i));
		printf("%d %d\n", fork_in_hand(5, i), fork_freed(5, i));
	}
	return 0;
}
