// Where the loop is left, the name of the pointer means something else.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *s)
{
	char *p = strdup(s);
	int n = 0;

	for (int i = 0; s[i]; i++) {
		const char *p = "inner";

		if (s[i] == p[i % 5])
			return i;
		n++;
	}
	free(p);
	return n;
}

int main(void)
{
	printf("%d %d\n", f("xyz"), f("xnz"));
	return 0;
}
