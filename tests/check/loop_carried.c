// What one iteration leaves to the next.
#include <stdlib.h>
#include <string.h>

int previous_freed_ok(char **v, int n)
{
	char *last = NULL;

	for (int i = 0; i < n; i++) {
		char *cur = strdup(v[i]);

		if (last && cur && !strcmp(last, cur)) {
			free(cur);
			continue;
		}
		free(last);
		last = cur;
	}
	free(last);
	return 0;
}

int previous_lost_bad(char **v, int n)
{
	char *last = NULL;

	for (int i = 0; i < n; i++) {
		char *cur = strdup(v[i]); // LEAK

		if (last && cur && !strcmp(last, cur)) {
			free(cur);
			continue;
		}
		last = cur;
	}
	free(last);
	return 0;
}

int lazily_made_ok(int n)
{
	char *tmp = NULL;

	for (int i = 0; i < n; i++) {
		if (!tmp)
			tmp = malloc(64);
		if (tmp)
			tmp[0] = (char)i;
	}
	free(tmp);
	return n;
}

int lazily_made_bad(int n)
{
	char *tmp = NULL;

	for (int i = 0; i < n; i++) {
		if (!tmp)
			tmp = malloc(64); // LEAK(never-freed)
		if (tmp)
			tmp[0] = (char)i;
	}
	return n;
}
