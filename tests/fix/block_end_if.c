// The object lives in the block of an if.
// LEAKS: 2
// ONCE: ^\+\s*free\(name\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int visit(const char *s, int loud)
{
	int n = 0;

	if (loud) {
		char *name = strdup(s);

		name[0] = '!';
		puts(name);
		n = (int)strlen(name);
	}
	n += 100;
	return n;
}

int main(void)
{
	printf("%d\n", visit("abc", 0));
	printf("%d\n", visit("abc", 1));
	printf("%d\n", visit("abcdef", 1));
	return 0;
}
