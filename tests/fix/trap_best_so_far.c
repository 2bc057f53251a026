// The best one of a loop is kept; the second best is lost when a better one comes.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void longest(const char *const *w)
{
	char *best = NULL;

	for (int i = 0; w[i]; i++) {
		char *s = strdup(w[i]);

		if (!best || strlen(s) > strlen(best))
			best = s;
		else
			free(s);
	}
	printf("%s\n", best ? best : "-");
	free(best);
}

int main(void)
{
	static const char *const w[] = { "a", "abc", "ab", "abcd", NULL };

	longest(w);
	longest(w + 4);
	return 0;
}
