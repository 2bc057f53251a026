// The file ends without a newline, and with the function that is mended.
// LEAKS: 1
// PATCH: ^\\ No newline at end of file
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void f(const char *s);

int main(void)
{
	f("last");
	return 0;
}

static void f(const char *s)
{
	char *p = strdup(s);

	puts(p);
}