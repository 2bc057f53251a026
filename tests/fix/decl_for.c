// Declared in the head of a for.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int dots(const char *t)
{
	int n = 0;

	for (char *s = strdup(t), *c = s; *c; c++)
		n += *c == '.';
	return n;
}

int main(void)
{
	printf("%d %d\n", dots("a.b.c"), dots(""));
	return 0;
}
