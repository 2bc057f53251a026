// The brace of a block behind a label tells nothing of where that of an `if` is.
// LEAKS: 1
// PATCH: ^\+.*if \(n > 2\) \{$
// NEVER: ^\+\s*\{$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int length(const char *s, int n)
{
	char *p = strdup(s);

	if (!p)
		return -1;
	switch (n) {
	case 1:
	{
		long more = n;

		printf("%ld\n", more);
		break;
	}
	case 2:
	{
		long less = -n;

		printf("%ld\n", less);
		break;
	}
	}
	if (n > 2)
		return 0;
	n = (int)strlen(p);
	free(p);
	return n;
}

int main(void)
{
	printf("%d\n", length("a", 1));
	printf("%d\n", length("ab", 2));
	printf("%d\n", length("abc", 3));
	return 0;
}
