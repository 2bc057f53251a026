/* an array and its length through two out-parameters: length 0, no array */
#include <stdlib.h>
#include <string.h>

static void split(const char *s, char ***out, unsigned *n)
{
	const char *end;

	*out = NULL;
	*n = 0;
	for (; *s; s = *end ? end + 1 : end) {
		end = strchrnul(s, ':');
		if (end == s)
			continue;
		*out = realloc(*out, (*n + 1) * sizeof(**out));
		if (!*out)
			abort();
		(*out)[(*n)++] = strndup(s, (size_t)(end - s));
	}
}

char *first(const char *s)
{
	char **v, *p;
	unsigned n;

	split(s, &v, &n);
	if (n == 0)
		return NULL;
	p = v[0];
	for (unsigned i = 1; i < n; i++)
		free(v[i]);
	free(v);
	return p;
}
