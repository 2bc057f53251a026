// The nodes are freed, their strings are not.
#include <stdlib.h>
#include <string.h>

struct node { char *s; struct node *next; };

void strings_lost_bad(char **v, int k)
{
	struct node *l = NULL, *next;

	for (int i = 0; i < k; i++) {
		struct node *n = malloc(sizeof(*n));

		n->s = strdup(v[i]); // LEAK(never-freed)
		n->next = l;
		l = n;
	}
	for (; l; l = next) {
		next = l->next;
		free(l);
	}
}
