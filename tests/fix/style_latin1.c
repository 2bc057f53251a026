// Not UTF-8: the bytes stay what they are.
// LEAKS: 1
// PATCH: ^\+.*free\(p\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *s)
{
	char *p = strdup(s);

	/* café ÿ */ if (strcmp(p, "café") == 0) { /* ü */ puts("Ärger"); return 1; } /* ° */
	free(p);
	return 0;
}

int main(void)
{
	printf("%d\n", f("café"));
	printf("%d\n", f("tea"));
	return 0;
}
