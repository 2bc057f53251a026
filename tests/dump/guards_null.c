// RUN: plumb dump guards %s
// A test of the object's own address is decided: no variable.  So is one through a copy or a field.
#include <stdlib.h>

struct box { char *p; };

void direct(void)
{
	char *p = malloc(1);

	if (!p)
		return;
	free(p);
}

void copy(void)
{
	char *p = malloc(1), *q = p;

	if (q != NULL)
		free(p);
}

void field(void)
{
	struct box b;

	b.p = malloc(1);
	if (b.p)
		free(b.p);
}

void inverted(void)
{
	char *p = malloc(1);

	if (p)
		return;
	free(p);
}
