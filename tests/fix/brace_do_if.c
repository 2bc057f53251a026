// if in do, both without braces.
// LEAKS: 2
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int first_space(const char *t)
{
	char *s = strdup(t);
	int i = 0;

	do
		if (s[i] == ' ')
			return i;
	while (s[i++]);
	free(s);
	return -1;
}

int main(void)
{
	printf("%d %d %d\n", first_space("a b"), first_space("ab"), first_space(" "));
	return 0;
}
