// The result is only ever an argument of another call.
// LEAKS: 2
// PATCH: ^\+.*char \*(\w+) = strdup\(a\);$
// PATCH: ^\+.*strlen\(\w+\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int show(const char *a)
{
	return (int)strlen(strdup(a));
}

int main(void)
{
	printf("%d %d\n", show("abc"), show(""));
	return 0;
}
