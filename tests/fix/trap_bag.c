// The callee puts the object into the caller's bag, if there is room.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>

struct bag {
	int *item[2];
	int n;
};

static int bag_add(struct bag *b, int *p)
{
	if (b->n >= 2)
		return -1;
	b->item[b->n++] = p;
	return 0;
}

static int add(struct bag *b, int v)
{
	int *p = malloc(sizeof *p);
	int err;

	if (!p)
		abort();
	*p = v;
	err = bag_add(b, p);
	if (err)
		return err;
	return 0;
}

int main(void)
{
	struct bag b = { .n = 0 };

	for (int i = 1; i < 4; i++)
		printf("%d\n", add(&b, i));
	while (b.n > 0) {
		printf("%d\n", *b.item[--b.n]);
		free(b.item[b.n]);
	}
	return 0;
}
