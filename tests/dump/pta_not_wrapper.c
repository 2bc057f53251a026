// RUN: plumb dump callgraph %s
// Not allocators: the object is kept elsewhere before it is returned, so that others know it.
#include <stdlib.h>

static char *last;
struct list { char *item; };

char *kept(void)
{
	return last = malloc(8);
}

char *listed(struct list *l)
{
	l->item = malloc(8);
	return l->item;
}

char *fresh(void)
{
	char *p = malloc(8);

	if (p)
		*p = 0;
	return p;
}
