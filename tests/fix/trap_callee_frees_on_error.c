// When it fails, the callee has freed the object already.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int prepare(char *s)
{
	if (s[0] == '!') {
		free(s);
		return -1;
	}
	s[0] = 'P';
	return 0;
}

static int run(const char *t)
{
	char *s = strdup(t);

	if (prepare(s) < 0)
		return -1;
	if (s[1] == '?')
		return -2;
	puts(s);
	free(s);
	return 0;
}

int main(void)
{
	printf("%d\n", run("abc"));
	printf("%d\n", run("!bc"));
	printf("%d\n", run("a?c"));
	return 0;
}
