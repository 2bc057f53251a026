// The result tells whether there is something to free.
#include <stdlib.h>
#include <string.h>

struct req { char *path; int ok; };

static int parse(struct req *r, const char *s)
{
	if (*s != '/')
		return 0;
	r->path = strdup(s);
	r->ok = 1;
	return 1;
}

int only_if_parsed_ok(const char *s)
{
	struct req r = {0};

	if (!parse(&r, s))
		return -1;
	free(r.path);
	return 0;
}

int by_the_flag_ok(const char *s)
{
	struct req r = {0};

	parse(&r, s);
	if (r.ok)
		free(r.path);
	return 0;
}

static char *get(const char *s, int *needs_free)
{
	*needs_free = 0;
	if (*s == '$') {
		*needs_free = 1;
		return strdup(s + 1);
	}
	return (char *)s;
}

int told_by_outparam_ok(const char *s)
{
	int owned;
	char *t = get(s, &owned);
	int n = (int)strlen(t);

	if (owned)
		free(t);
	return n;
}
