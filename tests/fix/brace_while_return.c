// A return as the whole body of a while.
// LEAKS: 1
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int starts(const char *t, char c)
{
	char *s = strdup(t);

	while (s[0] == c)
		return 1;
	free(s);
	return 0;
}

int main(void)
{
	printf("%d %d\n", starts("abc", 'a'), starts("abc", 'b'));
	return 0;
}
