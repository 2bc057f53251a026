// A doubly linked list with a sentinel on the stack.
#include <stdlib.h>

struct link { struct link *prev, *next; int v; };

static void append(struct link *head, int v)
{
	struct link *l = malloc(sizeof(*l));

	if (!l)
		return;
	l->v = v;
	l->prev = head->prev;
	l->next = head;
	head->prev->next = l;
	head->prev = l;
}

static void clear(struct link *head)
{
	struct link *l = head->next, *next;

	while (l != head) {
		next = l->next;
		free(l);
		l = next;
	}
	head->prev = head->next = head;
}

int on_the_stack_ok(int n)
{
	struct link head = { &head, &head, 0 };
	int sum = 0;

	for (int i = 0; i < n; i++)
		append(&head, i);
	for (struct link *l = head.next; l != &head; l = l->next)
		sum += l->v;
	clear(&head);
	return sum;
}
