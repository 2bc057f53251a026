// A goto past the free.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int load(const char *text)
{
	char *copy = strdup(text);
	int n;

	if (!copy)
		return -1;
	if (copy[0] != '{')
		goto bad;
	n = (int)strlen(copy);
	free(copy);
	return n;
bad:
	printf("bad: %s\n", text);
	return -2;
}

int main(void)
{
	printf("%d\n", load("{}"));
	printf("%d\n", load("[]"));
	return 0;
}
