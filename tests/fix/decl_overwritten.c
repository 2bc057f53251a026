// Lost by the statement after its declaration.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int greet(const char *who)
{
	char *s = strdup("nobody");
	int n;

	s = strdup(who);
	n = printf("hello %s\n", s);
	free(s);
	return n;
}

int main(void)
{
	int n = greet("a") + greet("world");

	printf("%d\n", n);
	return 0;
}
