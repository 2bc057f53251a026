// Results that are thrown away with a cast, in a body without braces, and of what must be closed.
// LEAKS: 4
// PATCH: ^\+.*free\(copy\("a"\)\);$
// PATCH: ^\+.*free\(copy\("b"\)\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *s)
{
	char *c = strdup(s);

	if (c)
		puts(c);
	return c;
}

static void run(int n)
{
	(void)copy("a");
	if (n)
		copy("b");	/* for its output */
	else
		puts("none");
	for (int i = 0; i < n; i++)
		(void) copy("c");
}

int main(void)
{
	run(1);
	run(0);
	return 0;
}
