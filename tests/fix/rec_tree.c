// A tree is lost at one return; it has a recursive destructor.
// LEAKS: 3
// KNOWN: what this call returns is not always a new object
#include <stdio.h>
#include <stdlib.h>

struct tree {
	struct tree *l, *r;
	int v;
};

static struct tree *tree_add(struct tree *t, int v)
{
	if (!t) {
		t = calloc(1, sizeof *t);
		if (!t)
			abort();
		t->v = v;
		return t;
	}
	if (v < t->v)
		t->l = tree_add(t->l, v);
	else
		t->r = tree_add(t->r, v);
	return t;
}

static int tree_max(const struct tree *t)
{
	while (t->r)
		t = t->r;
	return t->v;
}

static void tree_free(struct tree *t)
{
	if (!t)
		return;
	tree_free(t->l);
	tree_free(t->r);
	free(t);
}

static int largest(const int *v, int n)
{
	struct tree *t = NULL;
	int m;

	for (int i = 0; i < n; i++)
		t = tree_add(t, v[i]);
	if (!t)
		return -1;
	m = tree_max(t);
	if (m > 100)
		return 100;
	tree_free(t);
	return m;
}

int main(void)
{
	static const int a[] = { 3, 9, 4 }, b[] = { 50, 500, 5 };

	printf("%d %d %d\n", largest(a, 3), largest(b, 3), largest(a, 0));
	return 0;
}
