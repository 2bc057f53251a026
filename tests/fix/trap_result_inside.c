// What is returned points into the result.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *tail(const char *s)
{
	return strchr(strdup(s), '=');
}

int main(void)
{
	char *t = tail("=value");

	puts(t);
	free(t);	/* it begins with it */
	return 0;
}
