// The callee frees it on one of its paths.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int consume(char *s, int done)
{
	int n = (int)strlen(s);

	if (done)
		free(s);
	return n;
}

static int run(const char *t, int done)
{
	char *s = strdup(t);
	int n = consume(s, done);

	printf("%d\n", n);
	return n;
}

int main(void)
{
	run("abc", 1);
	run("defg", 0);
	return 0;
}
