// When realloc fails, the old block is lost.
// LEAKS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int grow(size_t to)
{
	char *p = malloc(4);

	if (!p)
		return -1;
	strcpy(p, "abc");
	p = realloc(p, to);
	if (!p)
		return -2;
	printf("%s\n", p);
	free(p);
	return 0;
}

int main(void)
{
	volatile size_t huge = (size_t)-1 / 4;

	printf("%d\n", grow(100));
	printf("%d\n", grow(huge));
	return 0;
}
