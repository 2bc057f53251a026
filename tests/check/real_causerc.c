/* -1 and a message, or 0 and a list: the caller frees what there is */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lookup(const char *name, int *error);
const char *capability(int i);

static int read_list(const char *name, char ***caps, unsigned *n, char **cause)
{
	int error;

	if (lookup(name, &error) != 0) {
		switch (error) {
		case 0:
			*cause = strdup("missing");
			break;
		case 1:
			*cause = strdup("hard copy");
			break;
		default:
			*cause = strdup("unknown");
			break;
		}
		return -1;
	}
	*n = 0;
	*caps = NULL;
	for (int i = 0; i < 7; i++) {
		if (!capability(i))
			continue;
		*caps = realloc(*caps, (*n + 1) * sizeof(**caps));
		if (!*caps)
			abort();
		(*caps)[(*n)++] = strdup(capability(i));
	}
	return 0;
}

int start(const char *term, int control)
{
	char **caps = NULL, *cause;
	unsigned n = 0;

	if (*term != '\0' && read_list(term, &caps, &n, &cause) != 0) {
		fprintf(stderr, "%s\n", cause);
		free(cause);
		return 1;
	}
	if (control)
		puts("control");
	for (unsigned i = 0; i < n; i++) {
		puts(caps[i]);
		free(caps[i]);
	}
	free(caps);
	return 0;
}
