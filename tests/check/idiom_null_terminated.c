// Arrays of strings that end in null.
#include <stdlib.h>
#include <string.h>

char **split_ok(const char *s, int n)
{
	char **v = calloc(n + 1, sizeof(*v));
	int i;

	if (!v)
		return NULL;
	for (i = 0; i < n; i++) {
		v[i] = strndup(s + i, 1);
		if (!v[i]) {
			while (i-- > 0)
				free(v[i]);
			free(v);
			return NULL;
		}
	}
	return v;
}

static void strv_free(char **v)
{
	if (!v)
		return;
	for (char **p = v; *p; p++)
		free(*p);
	free(v);
}

int used_ok(const char *s)
{
	char **v = split_ok(s, 3);

	if (!v)
		return -1;
	strv_free(v);
	return 0;
}

int used_bad(const char *s, int n)
{
	char **v = split_ok(s, 3); // LEAK(conditional)

	if (!v)
		return -1;
	if (n > 3)
		return 1;
	strv_free(v);
	return 0;
}
