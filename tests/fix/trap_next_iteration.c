// Freed by the next iteration; at the break the last one is lost.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int runs(const char *const *w, int n)
{
	char *prev = NULL;
	int r = 0;

	for (int i = 0; i < n; i++) {
		char *cur = strdup(w[i]);

		if (cur[0] == '.') {
			free(cur);
			return r;
		}
		if (!prev || strcmp(prev, cur) != 0)
			r++;
		free(prev);
		prev = cur;
	}
	free(prev);
	return r;
}

int main(void)
{
	static const char *const a[] = { "x", "x", "y" }, *const b[] = { "x", ".", "y" };

	printf("%d %d\n", runs(a, 3), runs(b, 3));
	return 0;
}
