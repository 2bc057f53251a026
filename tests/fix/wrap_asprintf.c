// LEAKS: 2
// PATCH: ^\+.*free\(s\);
// CFLAGS: -D_GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int label(int n, int width)
{
	char *s = NULL;

	if (asprintf(&s, "item %d", n) < 0)
		return -1;
	if ((int)strlen(s) > width) {
		printf("too wide\n");
		return width;
	}
	printf("%s\n", s);
	return (int)strlen(s);
}

int main(void)
{
	int n = label(1, 20) + label(100000, 8);

	printf("%d\n", n);
	return 0;
}
