// A function that hands out two objects, and one that hands one out and returns another.
#include <stdlib.h>
#include <string.h>

static int split(const char *s, char **left, char **right)
{
	const char *c = strchr(s, '=');

	if (!c)
		return -1;
	*left = strndup(s, c - s);
	*right = strdup(c + 1);
	return 0;
}

int both_ok(const char *s)
{
	char *l = NULL, *r = NULL;

	if (split(s, &l, &r) < 0)
		return -1;
	free(l);
	free(r);
	return 0;
}

int right_forgotten_bad(const char *s)
{
	char *l = NULL, *r = NULL;

	if (split(s, &l, &r) < 0) // LEAK(never-freed)
		return -1;
	free(l);
	return r ? r[0] : 0;
}

static char *first_and_rest(const char *s, char **rest)
{
	*rest = strdup(s + 1);
	return strndup(s, 1);
}

void first_and_rest_ok(const char *s)
{
	char *rest, *first = first_and_rest(s, &rest);

	free(first);
	free(rest);
}

void first_forgotten_bad(const char *s)
{
	char *rest;

	first_and_rest(s, &rest); // LEAK(never-freed)
	free(rest);
}
