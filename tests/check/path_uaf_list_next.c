// The next pointer is read from the node that was just freed.
#include <stdlib.h>

struct node { struct node *next; };

void free_ok(struct node *n)
{
	struct node *next;

	for (; n; n = next) {
		next = n->next;
		free(n);
	}
}

void free_bad(struct node *n)
{
	for (; n; n = n->next) // FN(vfg): USE-AFTER-FREE
		free(n);
}
