// The callee frees its argument when it fails, and so does the caller.
#include <stdlib.h>
#include <string.h>

static int check(char *s)
{
	if (strlen(s) > 8) {
		free(s);
		return -1;
	}
	return 0;
}

int name_ok(const char *in)
{
	char *s = strdup(in);

	if (!s || check(s) < 0)
		return -1;
	free(s);
	return 0;
}

int name_bad(const char *in)
{
	char *s = strdup(in);

	if (!s)
		return -1;
	if (check(s) < 0) {
		free(s); // FN(vfg): DOUBLE-FREE(medium) via -5 -3 -1 0
		return -1;
	}
	free(s);
	return 0;
}
