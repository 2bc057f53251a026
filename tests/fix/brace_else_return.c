// LEAKS: 1
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int half(const char *t)
{
	char *s = strdup(t);
	size_t n = strlen(s);

	if (n % 2 == 0)
		s[n / 2] = 0;
	else
		return -1;
	n = strlen(s);
	free(s);
	return (int)n;
}

int main(void)
{
	printf("%d %d\n", half("abcd"), half("abc"));
	return 0;
}
