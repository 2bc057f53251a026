// Under another setting the program's allocator gives what it was given: that must not be released.
// LEAKS: 1
// EXPECT: refused
// REFUSED: under other settings `text_copy` is defined otherwise
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text_copy(const char *s)
{
#ifdef SHARED
	return (char *)s;
#else
	return strdup(s);
#endif
}

static int length(int n)
{
	char *p = text_copy("text");

	if (!p)
		return -1;
	return (int)strlen(p) + n;
}

int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", length(argc));
	return 0;
}
