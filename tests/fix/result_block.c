// The result is needed no more after one statement, but what it was made for goes on; one that must be closed.
// LEAKS: 3
// NEVER: ^\+\s*\w+_result\d*;
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *say(const char *s)
{
	char *c = strdup(s);

	if (c)
		puts(c);
	return c;
}

static FILE *open_null(void)
{
	return fopen("/dev/null", "r");
}

static int run(int n)
{
	say("first");
	if (n) {
		puts("n");
		return 1;
	}
	open_null();
	puts("end");
	return 0;
}

int main(void)
{
	return run(1) + run(0) != 1;
}
