// A list freed by a loop, right and wrong.
#include <stdlib.h>
#include <string.h>

struct node { char *s; struct node *next; };

static struct node *push(struct node *head, const char *s)
{
	struct node *n = malloc(sizeof(*n));

	n->s = strdup(s);
	n->next = head;
	return n;
}

void freed_ok(char **v, int k)
{
	struct node *l = NULL, *next;

	for (int i = 0; i < k; i++)
		l = push(l, v[i]);
	for (; l; l = next) {
		next = l->next;
		free(l->s);
		free(l);
	}
}

void pop_ok(char **v, int k)
{
	struct node *l = NULL;

	for (int i = 0; i < k; i++)
		l = push(l, v[i]);
	while (l) {
		struct node *n = l;

		l = n->next;
		free(n->s);
		free(n);
	}
}
