// RUN: plumb dump mssa %s
// Only memory that nobody out of sight can reach is tracked: local.p is, what hangs on a global or was
// given to unknown code is not.
#include <stdlib.h>

struct box { char *p; };

struct box *global;
void unknown(struct box *b);

void escaped(void)
{
	struct box *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b)), *c = malloc(sizeof(*c));

	a->p = malloc(1);
	b->p = malloc(2);
	c->p = malloc(3);
	global = a;
	unknown(b);
	free(c->p);
	free(c);
}
