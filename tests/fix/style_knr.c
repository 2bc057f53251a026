// A definition in the old style, a label on the line of its statement.
// LEAKS: 2
// CFLAGS: -Wno-old-style-definition -Wno-deprecated-non-prototype -Wno-unknown-warning-option
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
old(s, n)
	const char *s;
	int n;
{
	char *p = strdup(s);

	if (n < 0)
		goto out;
	if (n == 0)
		{ puts(p); return 0; }
	free(p);
	return n;
out:	return -1;
}

int main(void)
{
	printf("%d %d %d\n", old("a", -1), old("b", 0), old("c", 1));
	return 0;
}
