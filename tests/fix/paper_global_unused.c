// Gao et al., II-C3: the object is stored in a global, but no caller looks at it: it can
// be freed in the procedure.
// LEAKS: 3
// KNOWN: it is freed before the next one is made, so that the last one stays
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *scratch;

static int reversed_first(const char *s)
{
	size_t n = strlen(s);
	int first;

	scratch = malloc(n + 1);
	for (size_t i = 0; i < n; i++)
		scratch[i] = s[n - 1 - i];
	scratch[n] = 0;
	first = scratch[0];
	return first;
}

int main(void)
{
	printf("%c", reversed_first("abc"));
	printf("%c", reversed_first("xyz"));
	printf("%c\n", reversed_first("q"));
	return 0;
}
