// One layer says 0 for success, the next turns it round.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int dup_to(char **out, const char *s)
{
	char *p = strdup(s);

	if (!p)
		return 1;
	*out = p;
	return 0;
}

static bool copy(char **out, const char *s)
{
	return !dup_to(out, s);
}

int first_ok(const char *s)
{
	char *c;
	int r;

	if (!copy(&c, s))
		return -1;
	r = c[0];
	free(c);
	return r;
}

int first_bad(const char *s)
{
	char *c;

	if (copy(&c, s)) // LEAK(never-freed)
		return c[0];
	return -1;
}
