// Freed in a round and again in the next, unless it is made anew.
#include <stdlib.h>

int more(void);

int rounds_ok(void)
{
	char *p = malloc(4);
	int n = 0;

	while (p && more()) {
		free(p);
		p = malloc(4);
		n++;
	}
	free(p);
	return n;
}

int rounds_bad(void)
{
	char *p = malloc(4);
	int n = 0;

	while (p && more()) {
		free(p); // FN(vfg): DOUBLE-FREE
		n++;
	}
	free(p); // FN(vfg): DOUBLE-FREE: after a round
	return n;
}
