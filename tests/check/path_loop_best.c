// The best candidate is kept, the loser goes.
#include <stdlib.h>
#include <string.h>

char *longest_ok(char *const *v, int n)
{
	char *best = NULL;
	int i;

	for (i = 0; i < n; i++) {
		char *c = strdup(v[i]);

		if (!c)
			continue;
		if (!best || strlen(c) > strlen(best)) {
			free(best);
			best = c;
		} else {
			free(c);
		}
	}
	return best;
}

char *longest_bad(char *const *v, int n)
{
	char *best = NULL;
	int i;

	for (i = 0; i < n; i++) {
		char *c = strdup(v[i]); // LEAK

		if (!c)
			continue;
		if (!best || strlen(c) > strlen(best))
			best = c;
		else
			free(c);
	}
	return best;
}
