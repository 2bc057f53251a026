// A byte order mark at the beginning, and CR LF in some lines only.
// LEAKS: 1
// PATCH: ^\+.*free\(p\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *s)
{
	char *p = strdup(s);

	if (*p == 0) {
		puts("empty");
		return 0;
	}
	free(p);
	return 1;
}

int main(void)
{
	printf("%d\n", f(""));
	printf("%d\n", f("x"));
	return 0;
}
