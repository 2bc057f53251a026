/* an object, or NULL and a message, or NULL alone */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct args { int n; char flag[8]; };

static struct args *parse(char **v, int n, char **cause)
{
	struct args *a = calloc(1, sizeof(*a));

	if (!a)
		abort();
	for (int i = 0; i < n; i++) {
		if (v[i][0] != '-')
			break;
		if (v[i][1] == '?') {
			free(a);
			return NULL;
		}
		if (v[i][1] == '\0' || a->n == 8) {
			*cause = strdup("bad flag");
			free(a);
			return NULL;
		}
		a->flag[a->n++] = v[i][1];
	}
	return a;
}

struct args *command(char **v, int n, char **cause)
{
	char *error = NULL;
	struct args *a = parse(v, n, &error);

	if (a == NULL && error == NULL) {
		*cause = strdup("usage");
		return NULL;
	}
	if (a == NULL) {
		*cause = malloc(strlen(error) + 10);
		if (*cause)
			sprintf(*cause, "command: %s", error);
		free(error);
		return NULL;
	}
	return a;
}

int run(char **v, int n)
{
	char *cause = NULL;
	struct args *a = command(v, n, &cause);
	int ret = a ? a->n : -1;

	free(a);
	free(cause);
	return ret;
}
