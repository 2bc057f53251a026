// What is held when the program ends is no leak.
// LEAKS: 0
// HELD: 1
// EXIT: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse(const char *s)
{
	char *p = strdup(s);

	if (p[0] == '!') {
		printf("fatal: %s\n", p);
		exit(3);
	}
	free(p);
	return 0;
}

int main(void)
{
	parse("a");
	parse("!");
	return 0;
}
