// A statement that is one word of a macro, which ends with its own semicolon.
// LEAKS: 1
// EXPECT: fixed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rounds;

static void grow(int n)
{
	rounds += n;
}

#define GROW if (rounds < 2)	\
	grow(1);

static int length(const char *s)
{
	char *p = strdup(s);
	int n;

	GROW;
	if (!p)
		return -1;
	n = (int)strlen(p);
	GROW
	if (n > 3)
		return 3;
	free(p);
	return n;
}

int main(void)
{
	printf("%d %d %d\n", length("abc"), length("abcdef"), rounds);
	return 0;
}
