// Gao et al., II-C1: uninitialised only on the way that returns before.
// LEAKS: 1
// ONCE: ^\+\s*free\(tmp\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int upper(const char *s)
{
	char *tmp;
	int n = 0;

	if (!s)
		return -1;
	if (!*s)
		return 0;
	tmp = strdup(s);
	for (char *c = tmp; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			n++;
	return n;
}

int main(void)
{
	printf("%d %d %d\n", upper(NULL), upper(""), upper("Hello World"));
	return 0;
}
