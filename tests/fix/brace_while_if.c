// if in while, both without braces.
// LEAKS: 2
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int has_digit(const char *t)
{
	char *s = strdup(t);
	size_t i = strlen(s);

	while (i-- > 0)
		if (s[i] >= '0' && s[i] <= '9')
			return (int)i;
	free(s);
	return -1;
}

int main(void)
{
	printf("%d %d %d\n", has_digit("a1b2"), has_digit("xyz"), has_digit("0"));
	return 0;
}
