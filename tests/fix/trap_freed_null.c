// Freed and set to null on one path; a free at the end is safe for both.
// LEAKS: 1
// PATCH: ^\+.*free\(p\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *s, int how)
{
	char *p = strdup(s);
	int n = (int)strlen(p);

	if (how & 1) {
		free(p);
		p = NULL;
	}
	printf("%d %d\n", n, p == NULL);
	return n;
}

int main(void)
{
	f("abc", 1);
	f("ab", 0);
	return 0;
}
