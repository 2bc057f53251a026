// Two names for one object.
#include <stdlib.h>
#include <string.h>

int both_ok(const char *s)
{
	char *a = strdup(s), *b = a;

	if (a && a[0] == '/') {
		b = strdup(a + 1);
		free(a);
	}
	free(b);
	return 0;
}

int both_bad(const char *s)
{
	char *a = strdup(s), *b = a;

	if (a && a[0] == '/')
		b = strdup(a + 1);
	free(a);
	if (b)
		free(b); // FN(vfg): DOUBLE-FREE(high) via -6 -4 -2 0
	return 0;
}
