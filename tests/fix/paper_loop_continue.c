// Gao et al., II-C5: allocated, used and to be freed within one iteration.
// LEAKS: 2
// ONCE: ^\+\s*free\(word\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int vowels(const char *const *words, int n)
{
	int total = 0;

	for (int i = 0; i < n; i++) {
		char *word = strdup(words[i]);

		if (!word)
			break;
		if (word[0] == '#')
			continue;
		for (char *c = word; *c; c++)
			total += strchr("aeiou", *c) != NULL;
		free(word);
	}
	return total;
}

int main(void)
{
	static const char *const words[] = { "one", "#two", "three", "#", "five" };

	printf("%d\n", vowels(words, 5));
	return 0;
}
