// RUN: plumb dump ir %s
// Short circuits, conditional and statement expressions, comma, pointer arithmetic.

struct node {
	struct node *next;
	char *name;
	int tags[4];
};

extern int ready(struct node *);

int both(struct node *a, struct node *b)
{
	return a && b && (ready(a) || !ready(b));
}

char *pick(struct node *n, char *s)
{
	return n ? n->name : s ?: "none";
}

int statement(int x)
{
	return ({ int y = x; y++; y * 2; });
}

long walk(struct node *n, char *p, int i)
{
	char *q = p + i;
	struct node *third = &n[2];

	for (; n; n = n->next, i++)
		n->tags[i & 3] = *q++ - *--p;
	return q - p + (third - n) + third->tags[1];
}
