// At the end the pointer no longer points to the beginning: free would be called with
// an address inside of the object.
// LEAKS: 2
// NEVER: ^\+\s*free\(p\);
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int skip_spaces(const char *s)
{
	char *p = strdup(s);
	int n = 0;

	while (*p == ' ') {
		p++;
		n++;
	}
	printf("%s\n", p);
	return n;
}

int main(void)
{
	int n = skip_spaces("  a") + skip_spaces("b");

	printf("%d\n", n);
	return 0;
}
