// Repeated expansion of a string: each round replaces the old by the new.
#include <stdlib.h>
#include <string.h>

static char *expand_one(const char *s)
{
	const char *p = strchr(s, '$');
	char *t;

	if (!p)
		return NULL;
	t = malloc(strlen(s) + 5);
	if (!t)
		return NULL;
	memcpy(t, s, p - s);
	strcpy(t + (p - s), "HOME");
	strcat(t, p + 1);
	return t;
}

char *expand_ok(const char *s)
{
	char *cur = strdup(s), *next;

	while (cur && (next = expand_one(cur))) {
		free(cur);
		cur = next;
	}
	return cur;
}

char *expand_bad(const char *s)
{
	char *cur = strdup(s), *next; // LEAK(overwritten)

	while (cur && (next = expand_one(cur))) // LEAK(overwritten)
		cur = next;
	return cur;
}
