// The loop is a macro, its body is text: the break can be edited.
// LEAKS: 1
// ONCE: ^\+.*free\(w\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACH(i, list) for (int i = 0; (list)[i]; i++)

static int find(const char *const *list, char c)
{
	int at = -1;

	EACH (i, list) {
		char *w = strdup(list[i]);

		if (w[0] == c) {
			at = i;
			break;
		}
		free(w);
	}
	return at;
}

int main(void)
{
	static const char *const list[] = { "ab", "cd", "ef", NULL };

	printf("%d %d\n", find(list, 'c'), find(list, 'z'));
	return 0;
}
