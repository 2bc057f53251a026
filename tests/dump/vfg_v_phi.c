// RUN: plumb dump vfg %s
// [V-PHI]: both objects flow into the phi of p.
#include <stdlib.h>

void phi(int n)
{
	char *p;

	if (n)
		p = malloc(1);
	else
		p = malloc(2);
	free(p);
}
