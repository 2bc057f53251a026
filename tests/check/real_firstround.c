/* allocated in the first round only: n is never NULL (rsize never 0) again */
#include <stdlib.h>
struct b { struct b *next; int v; };
struct b *copy(struct b *ba)
{
	struct b *nb = NULL, *n = NULL, *e;
	for (e = ba; e; e = e->next) {
		if (n == 0) {
			nb = malloc(sizeof *nb);
			if (!nb) abort();
			n = nb;
		} else {
			n->next = malloc(sizeof *n);
			n = n->next;
			if (!n) abort();
		}
		n->v = e->v;
		n->next = NULL;
	}
	return nb;
}
