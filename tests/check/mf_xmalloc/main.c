// The wrapper is in another file: the clang analyzer finds nothing then.
#include "util.h"

#include <stdlib.h>

void other_unit_ok(void)
{
	char *p = xmalloc(10);

	p[0] = 0;
	free(p);
}

void other_unit_bad(void)
{
	char *p = xmalloc(10); // LEAK(never-freed)

	p[0] = 0;
}

void strdup_bad(const char *s, int n)
{
	char *p = xstrdup(s); // LEAK(conditional)

	if (n)
		return;
	xfree(p);
}
