// A list that is built by its last node: which of the nodes is lost is asked of a pointer that came by several ways.
// LEAKS: 4
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *next;
};

static struct node *build(int n)
{
	struct node *head = NULL, *last = NULL;

	while (n--) {
		struct node *x = calloc(1, sizeof(*x));

		if (!x)
			return NULL;
		if (last)
			last->next = x;
		else
			head = x;
		last = x;
	}
	return head;
}

static void list_free(struct node *n)
{
	while (n) {
		struct node *next = n->next;

		free(n);
		n = next;
	}
}

int main(void)
{
	list_free(build(2));
	printf("%d\n", build(4) != NULL);
	return 0;
}
