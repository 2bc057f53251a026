// A doubly linked list on the stack, never cleared.
#include <stdlib.h>

struct link { struct link *prev, *next; int v; };

static void append(struct link *head, int v)
{
	struct link *l = malloc(sizeof(*l)); // LEAK(never-freed)

	if (!l)
		return;
	l->v = v;
	l->prev = head->prev;
	l->next = head;
	head->prev->next = l;
	head->prev = l;
}

int on_the_stack_bad(int n)
{
	struct link head = { &head, &head, 0 };
	int sum = 0;

	for (int i = 0; i < n; i++)
		append(&head, i);
	for (struct link *l = head.next; l != &head; l = l->next)
		sum += l->v;
	return sum;
}
