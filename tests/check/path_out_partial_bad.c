// When the second allocation fails, the first is left in the out-parameter, and the
// caller takes the error for "nothing there".
#include <stdlib.h>
#include <string.h>

static int split(const char *s, char **head, char **tail)
{
	const char *eq = strchr(s, '=');

	if (!eq)
		return -1;
	*head = strndup(s, eq - s);
	if (!*head)
		return -1;
	*tail = strdup(eq + 1);
	if (!*tail)
		return -1;
	return 0;
}

int setting(const char *s)
{
	char *k, *v;
	int same;

	if (split(s, &k, &v) < 0) // LEAK(conditional)
		return -1;
	same = strcmp(k, v) == 0;
	free(k);
	free(v);
	return same;
}
