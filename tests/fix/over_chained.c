// Past the paper: two objects, one pointer, straight on.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int both(const char *a, const char *b)
{
	char *s;
	int n;

	s = strdup(a);
	n = (int)strlen(s);
	s = strdup(b);
	n = 10 * n + (int)strlen(s);
	free(s);
	return n;
}

int main(void)
{
	printf("%d\n", both("abc", "d"));
	printf("%d\n", both("", "de"));
	return 0;
}
