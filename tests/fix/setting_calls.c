// What is under #ifdef, and was compiled, is but a call that is given the object: without it, the object is lost just the same.
// LEAKS: 1
// CFLAGS: -DLOUD
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int length(const char *t)
{
	char *s = strdup(t);

	if (!s)
		return -1;
#ifdef LOUD
	puts(s);
#endif
	return (int)strlen(s);
}

int main(void)
{
	return length("abc") == 3 ? 0 : 1;
}
