// if in for in if, none with braces.
// LEAKS: 2
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int has_pair(const char *t, int check)
{
	char *s = strdup(t);

	if (check)
		for (int i = 0; s[i]; i++)
			if (s[i] == s[i + 1])
				return i;
	free(s);
	return -1;
}

int main(void)
{
	printf("%d %d %d %d\n", has_pair("abba", 1), has_pair("abba", 0), has_pair("abc", 1),
	       has_pair("aa", 1));
	return 0;
}
