// A flag that each round may turn over: what it is in a round is said by what it was in the one before.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *first_word(const char *def)
{
	char *word = malloc(strlen(def) + 1), *to;
	int quoted = 0;

	if (!word)
		exit(1);
	for (to = word; (quoted || !isspace((unsigned char)*def)) && *def != '\0';) {
		if (*def == '"') {
			quoted = !quoted;
			def++;
			continue;
		}
		*to++ = *def++;
	}
	*to = '\0';
	return word;
}

int length_bad(const char *def)
{
	char *word = malloc(strlen(def) + 1), *to;	// LEAK(conditional)
	int quoted = 0, n;

	if (!word)
		exit(1);
	for (to = word; (quoted || !isspace((unsigned char)*def)) && *def != '\0';) {
		if (*def == '"') {
			quoted = !quoted;
			def++;
			continue;
		}
		*to++ = *def++;
	}
	*to = '\0';
	if (*word == '\0')
		return -1;
	n = (int)(to - word);
	free(word);
	return n;
}

int length_ok(const char *def)
{
	char *word = first_word(def);
	int n = (int)strlen(word);

	free(word);
	return n;
}
