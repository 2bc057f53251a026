// The result of an allocating call is thrown away.
// LEAKS: 2
// PATCH: ^\+\tfree\(say\("hello"\)\);$
// PATCH: ^\+\tfree\(say\("again"\)\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *say(const char *s)
{
	char *c = strdup(s);

	puts(c);
	return c;
}

static void greet(void)
{
	char *c;

	say("hello");
	c = say("there");
	free(c);
	say("again");
}

int main(void)
{
	greet();
	return 0;
}
