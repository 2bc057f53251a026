// RUN: plumb dump fix %s
// The callee frees what it is given on one of its ways; all callers take it to be freed.
#include <stdlib.h>
#include <string.h>

extern int limit;

static int maybe_free(char *p)
{
	if (limit) {
		free(p);
		return 1;
	}
	return 1;
}

int gives(const char *s)
{
	char *p = strdup(s);

	return maybe_free(p);
}
