// Two out-parameters: both or none.
#include <stdlib.h>
#include <string.h>

static int split(const char *s, char **head, char **tail)
{
	const char *eq = strchr(s, '=');

	if (!eq)
		return 0;
	*head = strndup(s, eq - s);
	if (!*head)
		return 0;
	*tail = strdup(eq + 1);
	if (!*tail) {
		free(*head);
		return 0;
	}
	return 1;
}

int setting_ok(const char *s)
{
	char *k, *v;
	int same;

	if (!split(s, &k, &v))
		return -1;
	same = strcmp(k, v) == 0;
	free(k);
	free(v);
	return same;
}

int setting_bad(const char *s)
{
	char *k, *v;
	int r = 0;

	if (!split(s, &k, &v)) // LEAK(conditional): the second one
		return -1;
	if (k[0]) {
		r = v[0];
		free(v);
	}
	free(k);
	return r;
}
