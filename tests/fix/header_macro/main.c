// A macro of a header returns.
// LEAKS: 1
// EXPECT: refused
// REFUSED: macro
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "guard.h"

static int f(const char *t)
{
	char *s = strdup(t);

	RETURN_UNLESS(s != NULL, -1);
	RETURN_UNLESS(s[0] != '#', -2);
	free(s);
	return 0;
}

int main(void)
{
	printf("%d %d\n", f("a"), f("#"));
	return 0;
}
