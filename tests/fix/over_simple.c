// Past the paper: the old value is freed before it is overwritten.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void join(const char *const *w, int n)
{
	char *all = strdup("");

	for (int i = 0; i < n; i++) {
		char *next = malloc(strlen(all) + strlen(w[i]) + 1);

		strcpy(next, all);
		strcat(next, w[i]);
		all = next;
	}
	puts(all);
	free(all);
}

int main(void)
{
	static const char *const w[] = { "ab", "cd" };

	join(w, 2);
	join(w, 0);
	return 0;
}
