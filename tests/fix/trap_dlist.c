// A node is taken out of a list with two directions; only one path frees it.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *prev, *next;
	int v;
};

static struct node list = { &list, &list, 0 };

static void append(int v)
{
	struct node *n = malloc(sizeof *n);

	if (!n)
		abort();
	n->v = v;
	n->prev = list.prev;
	n->next = &list;
	list.prev->next = n;
	list.prev = n;
}

static int take(int quiet)
{
	struct node *n = list.next;
	int v;

	if (n == &list)
		return -1;
	n->prev->next = n->next;
	n->next->prev = n->prev;
	v = n->v;
	if (quiet)
		return v;
	printf("took %d\n", v);
	free(n);
	return v;
}

int main(void)
{
	for (int i = 1; i < 4; i++)
		append(i);
	for (int i = 0; i < 4; i++)
		printf("%d\n", take(i == 1));
	return 0;
}
