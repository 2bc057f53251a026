// Braces must not make the else belong to another if.
// LEAKS: 2
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int kind(const char *t, int strict)
{
	char *s = strdup(t);
	int r = 0;

	if (strict) {
		if (s[0] == 'a')
			return 1;
		else
			r = 2;
	} else
		if (s[0] == 'b')
			return 3;
	free(s);
	return r;
}

int main(void)
{
	for (int strict = 0; strict < 2; strict++)
		printf("%d %d %d\n", kind("a", strict), kind("b", strict), kind("c", strict));
	return 0;
}
