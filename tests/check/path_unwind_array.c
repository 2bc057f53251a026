// An array filled element by element; a failure takes back those already there.
#include <stdlib.h>
#include <string.h>

char **copy_args_ok(char *const *argv, int n)
{
	char **copy = calloc(n + 1, sizeof(*copy));
	int i;

	if (!copy)
		return NULL;
	for (i = 0; i < n; i++) {
		copy[i] = strdup(argv[i]);
		if (!copy[i])
			goto fail;
	}
	return copy;
fail:
	while (i-- > 0)
		free(copy[i]);
	free(copy);
	return NULL;
}

char **copy_args_bad(char *const *argv, int n)
{
	char **copy = calloc(n + 1, sizeof(*copy));
	int i;

	if (!copy)
		return NULL;
	for (i = 0; i < n; i++) {
		copy[i] = strdup(argv[i]); // LEAK(conditional)
		if (!copy[i])
			goto fail;
	}
	return copy;
fail:
	free(copy);
	return NULL;
}
