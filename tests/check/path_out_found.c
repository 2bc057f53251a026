// 1: found, *out is the caller's; 0: not found; negative: error.
#include <stdlib.h>
#include <string.h>

struct env { const char *name, *value; };

static int lookup(const struct env *e, int n, const char *name, char **out)
{
	int i;

	for (i = 0; i < n; i++) {
		if (strcmp(e[i].name, name) != 0)
			continue;
		*out = strdup(e[i].value);
		return *out ? 1 : -1;
	}
	return 0;
}

int has_ok(const struct env *e, int n, const char *name)
{
	char *v;
	int r = lookup(e, n, name, &v);

	if (r > 0)
		free(v);
	return r;
}

int has_bad(const struct env *e, int n, const char *name)
{
	char *v;
	int r = lookup(e, n, name, &v); // LEAK

	if (r < 0)
		free(v);
	return r;
}
