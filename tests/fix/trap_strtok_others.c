// The caller goes on with the text of the callee, whether it means to or not: it cannot be freed there.
// LEAKS: 1
// EXPECT: refused
// REFUSED: it may be kept by strtok
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int first_of(const char *s)
{
	char *copy = strdup(s);
	char *w = strtok(copy, " ");

	return w ? w[0] : 0;
}

int main(void)
{
	int c = first_of("ab cd ef");
	char *w;

	while ((w = strtok(NULL, " ")))
		printf("%c %s\n", c, w);
	return 0;
}
