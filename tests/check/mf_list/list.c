// A list library and a program that uses it.
#include "list.h"

#include <stdlib.h>

int list_add(struct list *l, void *data)
{
	struct link *n = malloc(sizeof(*n));

	if (!n)
		return -1;
	n->data = data;
	n->next = l->head;
	l->head = n;
	return 0;
}

void list_clear(struct list *l, void (*drop)(void *))
{
	struct link *n = l->head, *next;

	for (; n; n = next) {
		next = n->next;
		if (drop)
			drop(n->data);
		free(n);
	}
	l->head = NULL;
}
