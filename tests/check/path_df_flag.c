// The same flag before both frees, once negated and once not.
#include <stdlib.h>

int close_ok(int keep)
{
	char *p = malloc(4);

	if (!keep)
		free(p);
	if (keep)
		free(p);
	return 0;
}

int close_bad(int keep, int force)
{
	char *p = malloc(4);

	if (!keep)
		free(p);
	if (keep || force)
		free(p); // FN(vfg): DOUBLE-FREE(high) via -5 -3 -2 -1 0
	return 0;
}
