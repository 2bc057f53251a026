// What the loop finds is used after it.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find(const char *const *w, char c)
{
	char *hit = NULL;

	for (int i = 0; w[i]; i++) {
		char *s = strdup(w[i]);

		if (s[0] == c) {
			hit = s;
			break;
		}
		free(s);
	}
	if (!hit)
		return -1;
	printf("%s\n", hit);
	return (int)strlen(hit);
}

int main(void)
{
	static const char *const w[] = { "ab", "cde", NULL };

	printf("%d\n", find(w, 'c'));
	printf("%d\n", find(w, 'x'));
	return 0;
}
