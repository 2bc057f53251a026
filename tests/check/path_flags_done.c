// `done` is set in the branch that also hands the object out.
#include <stdlib.h>
#include <string.h>

char *find_option_ok(char **argv, const char *name)
{
	char *result = NULL;
	int done = 0, i;

	for (i = 0; argv[i] && !done; i++) {
		char *key = strdup(argv[i]);

		if (!key)
			break;
		if (strcmp(key, name) == 0) {
			result = key;
			done = 1;
		}
		if (!done)
			free(key);
	}
	return result;
}

char *find_option_bad(char **argv, const char *name)
{
	char *result = NULL;
	int done = 0, i;

	for (i = 0; argv[i] && !done; i++) {
		char *key = strdup(argv[i]); // LEAK(conditional)

		if (!key)
			break;
		if (strcmp(key, name) == 0) {
			result = strchr(argv[i], '=');
			done = 1;
		}
		if (!done)
			free(key);
	}
	return result;
}
