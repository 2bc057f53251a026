// A macro with a goto, and a label where the object is not released.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(x) do { if ((x) < 0) goto fail; } while (0)

static int step(const char *s, int i)
{
	return s[i] == '!' ? -1 : 0;
}

static int walk(const char *s)
{
	char *copy = strdup(s);
	int n;

	TRY(step(copy, 0));
	TRY(step(copy, 1));
	n = (int)strlen(copy);
	free(copy);
	return n;
fail:
	return -1;
}

int main(void)
{
	printf("%d %d\n", walk("ab"), walk("a!"));
	return 0;
}
