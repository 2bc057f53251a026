// Library functions that return a pointer into their argument.
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

int chr_ok(const char *s)
{
	char *copy = strdup(s), *c;

	if (!copy)
		return -1;
	c = strchr(copy, '=');
	if (c)
		*c = 0;
	free(copy);
	return c != NULL;
}

int chr_bad(const char *s)
{
	char *c = strchr(strdup(s), '='); // LEAK(never-freed)

	return c ? c[1] : 0;
}

char *tail_ok(const char *s)
{
	char *copy = strdup(s), *c, *r;

	if (!copy)
		return NULL;
	c = strrchr(copy, '/');
	r = strdup(c ? c + 1 : copy);
	free(copy);
	return r;
}

/* The caller gets a pointer into the middle and cannot free it; but holds it. */
int same_as_argument_ok(char *into, const char *s)
{
	char *r = strcpy(into, s);

	return r[0];
}

int returned_argument_ok(const char *s)
{
	char *r = strcpy(malloc(strlen(s) + 1), s);
	int c = r[0];

	free(r);
	return c;
}
