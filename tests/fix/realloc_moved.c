// The old pointer is dead after realloc: freeing it would be wrong.
// LEAKS: 2
// NEVER: free\(old\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int longer(const char *s)
{
	char *old = strdup(s), *new;

	if (!old)
		return -1;
	new = realloc(old, strlen(s) + 10);
	if (!new) {
		free(old);
		return -1;
	}
	strcat(new, " and more");
	puts(new);
	return (int)strlen(new);
}

int main(void)
{
	int n = longer("this");

	n += longer("a longer text than that one");
	printf("%d\n", n);
	return 0;
}
