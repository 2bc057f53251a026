// Freed under a condition, used under its opposite.
#include <stdlib.h>
#include <string.h>

int peek_ok(const char *s, int done)
{
	char *p = strdup(s);
	int c = 0;

	if (!p)
		return -1;
	if (done)
		free(p);
	if (!done) {
		c = p[0];
		free(p);
	}
	return c;
}

int peek_bad(const char *s, int done, int show)
{
	char *p = strdup(s);
	int c = 0;

	if (!p)
		return -1;
	if (done)
		free(p);
	if (show)
		c = p[0]; // FN(vfg): USE-AFTER-FREE
	if (!done)
		free(p);
	return c;
}
