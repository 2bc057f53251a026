// Two objects of one declaration, two more statements until they are dead.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cmp(const char *a, const char *b)
{
	char *x = strdup(a), *y = strdup(b);
	int r = strcmp(x, y), s;

	s = (r > 0) - (r < 0);
	printf("%s %s\n", a, b);
	return s;
}

int main(void)
{
	printf("%d\n", cmp("a", "b"));
	return 0;
}
