// LEAKS: 1
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int last(const char *t)
{
	char *s = strdup(t);
	int c;

	if (!*s) return -1;
	c = s[strlen(s) - 1];
	free(s);
	return c;
}

int main(void)
{
	printf("%d %c\n", last(""), last("xyz"));
	return 0;
}
