// Figure 7, [V-PHI].
#include <stdlib.h>

void phi_ok(int c)
{
	char *p;

	if (c)
		p = malloc(1);
	else
		p = malloc(2);
	free(p);
}

void phi_bad(int c)
{
	char *p, *q = malloc(3); // LEAK(conditional)

	if (c)
		p = q;
	else
		p = malloc(2);
	free(p);
}
