// The label is reached with and without the object.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int load(const char *text)
{
	char *copy;
	int n;

	if (!text)
		goto bad;
	copy = strdup(text);
	if (copy[0] != '{') {
		printf("no brace\n");
		goto bad;
	}
	if (copy[1] != '}')
		goto bad;
	n = (int)strlen(copy);
	free(copy);
	return n;
bad:
	return -2;
}

int main(void)
{
	printf("%d\n", load("{}"));
	printf("%d\n", load("[]"));
	printf("%d\n", load("{]"));
	printf("%d\n", load(NULL));
	return 0;
}
