// The tokens are inside of the copy, and are kept in an array.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int split(const char *s)
{
	char *copy = strdup(s);
	char *word[4];
	int n = 0;

	for (char *w = strtok(copy, " "); w && n < 4; w = strtok(NULL, " "))
		word[n++] = w;
	copy = NULL;
	for (int i = n; i-- > 0;)
		printf("%s\n", word[i]);
	return n + (copy != NULL);
}

int main(void)
{
	printf("%d\n", split("a b c"));
	printf("%d\n", split(""));
	return 0;
}
