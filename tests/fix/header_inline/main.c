// The leak is in a static inline function of a header of the program: it is a file as
// any other, and edited once, though two units have it.
// LEAKS: 2
// PATCH: ^\+\+\+ b/text\.h
// PATCH: ^\+.*free\(copy\);
#include <stdio.h>
#include "text.h"

int other(const char *s);

int main(void)
{
	printf("%d %d\n", count_char("banana", 'a'), count_char("", 'x'));
	printf("%d\n", other("n"));
	return 0;
}
