// Gao et al., II-C5: what is allocated in one iteration is read in the next: the loop's
// body may not free it.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int changes(const char *const *words, int n)
{
	char *last = NULL;
	int count = 0;

	for (int i = 0; i < n; i++) {
		char *now = strdup(words[i]);

		if (last && strcmp(last, now) != 0)
			count++;
		free(last);
		last = now;
	}
	free(last);
	return count;
}

int main(void)
{
	static const char *const words[] = { "a", "a", "b", "b", "c" };

	printf("%d %d\n", changes(words, 5), changes(words, 0));
	return 0;
}
