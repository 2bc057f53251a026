// RUN: plumb dump mssa %s
// [I-COPY]: copying pointers to memory neither reads nor modifies it: copy() has ref {} mod {}.
#include <stdlib.h>

static char **copy(char **q, int n)
{
	char **p = q;

	if (n)
		p = q + 1;
	return p;
}

void user(int n)
{
	char *v[2];

	*copy(v, n) = malloc(1);
	free(v[1]);
}
