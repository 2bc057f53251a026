// A literal or a copy.
#include <stdlib.h>
#include <string.h>

static const char *const unknown = "unknown";
static char fallback[16];

void not_the_literal_ok(const char *s)
{
	const char *name = s ? strdup(s) : unknown;

	if (name != unknown)
		free((char *)name);
}

void not_the_global_ok(const char *s)
{
	char *name = *s ? strdup(s) : fallback;

	if (name && name != fallback)
		free(name);
}

void not_the_argument_ok(char *s, int upper)
{
	char *t = s;

	if (upper)
		t = strdup(s);
	if (t != s)
		free(t);
}

void not_the_argument_bad(char *s, int upper)
{
	char *t = s;

	if (upper)
		t = strdup(s); // LEAK(never-freed)
	if (t)
		t[0] = 'A';
}
