// The whole function comes out of a macro: refused.
// LEAKS: 2
// EXPECT: refused
// REFUSED: macro
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_OF(name, copy)				\
	static int name(const char *s)			\
	{						\
		char *p = copy(s);			\
							\
		return p ? (int)strlen(p) : -1;		\
	}

LENGTH_OF(dup_length, strdup)

int main(void)
{
	printf("%d %d\n", dup_length("abc"), dup_length(""));
	return 0;
}
