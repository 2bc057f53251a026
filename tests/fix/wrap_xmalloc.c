// Wrappers: the release is the wrapper's partner.
// LEAKS: 1
// PATCH: ^\+.*xfree\(s\);
// NEVER: ^\+.*[^x]free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long in_use;

static void *xmalloc(size_t n)
{
	size_t *p = malloc(n + sizeof *p);

	if (!p) {
		fputs("out of memory\n", stderr);
		exit(1);
	}
	*p = n;
	in_use += (long)n;
	return p + 1;
}

static void xfree(void *p)
{
	size_t *q = p;

	if (!q)
		return;
	in_use -= (long)q[-1];
	free(q - 1);
}

static int length(const char *t)
{
	char *s = xmalloc(strlen(t) + 1);
	int n;

	strcpy(s, t);
	if (s[0] == '#')
		return 0;
	n = (int)strlen(s);
	xfree(s);
	return n;
}

int main(void)
{
	printf("%d\n", length("abc"));
	printf("%d\n", length("#bc"));
	return in_use < 0;
}
