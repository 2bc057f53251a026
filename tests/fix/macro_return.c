// The return is inside of a macro: refused.
// LEAKS: 1
// EXPECT: refused
// REFUSED: macro
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(cond) do { if (!(cond)) return -1; } while (0)

static int parse(const char *s)
{
	char *copy = strdup(s);
	int n;

	REQUIRE(copy != NULL);
	REQUIRE(copy[0] == '(');
	n = (int)strlen(copy);
	free(copy);
	return n;
}

int main(void)
{
	printf("%d\n", parse("(a)"));
	printf("%d\n", parse("a"));
	return 0;
}
