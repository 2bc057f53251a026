// RUN: plumb dump mssa %s
// [I-ADD]: address() takes the address of a field and so neither reads nor modifies: ref {} mod {}.
#include <stdlib.h>

struct box { long n; char *p; };

static char **address(struct box *b)
{
	return &b->p;
}

void user(void)
{
	struct box b;

	*address(&b) = malloc(1);
	free(b.p);
}
