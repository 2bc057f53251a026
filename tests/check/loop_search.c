// Searching with an object in hand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FILE *first_readable_ok(char **names, int n)
{
	for (int i = 0; i < n; i++) {
		FILE *f = fopen(names[i], "r");

		if (f)
			return f;
	}
	return NULL;
}

FILE *first_nonempty_bad(char **names, int n)
{
	for (int i = 0; i < n; i++) {
		FILE *f = fopen(names[i], "r"); // LEAK(conditional)

		if (f && getc(f) != EOF)
			return f;
	}
	return NULL;
}

FILE *first_nonempty_ok(char **names, int n)
{
	for (int i = 0; i < n; i++) {
		FILE *f = fopen(names[i], "r");

		if (!f)
			continue;
		if (getc(f) != EOF)
			return f;
		fclose(f);
	}
	return NULL;
}

char *longest_ok(char **names, int n)
{
	char *best = NULL;

	for (int i = 0; i < n; i++) {
		char *c = strdup(names[i]);

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

char *longest_bad(char **names, int n)
{
	char *best = NULL;

	for (int i = 0; i < n; i++) {
		char *c = strdup(names[i]); // FN(path): LEAK(conditional)

		if (!c)
			continue;
		if (!best || strlen(c) > strlen(best)) {
			free(best);
			best = c;
		}
	}
	return best;
}
