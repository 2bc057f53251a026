// The whole patch is compared: tabs, braces as the file has them.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find(const char *const *list, const char *what)
{
	int i;

	for (i = 0; list[i]; i++) {
		char *item = strdup(list[i]);

		if (strcmp(item, what) == 0)
			return i;
		if (item[0] == '*') {
			printf("wildcard\n");
			break;
		}
		free(item);
	}
	return -1;
}

int main(void)
{
	static const char *const list[] = { "a", "b", "*", "c", NULL };

	printf("%d\n", find(list, "a"));
	printf("%d\n", find(list, "b"));
	printf("%d\n", find(list, "c"));
	return 0;
}
