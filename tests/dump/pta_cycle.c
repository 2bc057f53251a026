// RUN: plumb dump pta %s
// A cycle of copies through memory and a recursive structure: the sets close.
#include <stdlib.h>

struct node { struct node *next; };

struct node *push(struct node *head, int n)
{
	while (n-- > 0) {
		struct node *x = malloc(sizeof(*x));

		x->next = head;
		head = x;
	}
	return head;
}

void whole(void)
{
	struct node *l = push(NULL, 3), *next;

	for (; l; l = next) {
		next = l->next;
		free(l);
	}
}
