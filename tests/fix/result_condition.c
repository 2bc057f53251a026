// A result is used in a condition, of which it is the first part, or a later one that is not always reached.
// LEAKS: 4
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *lower(const char *s)
{
	char *c = strdup(s);

	for (char *p = c; p && *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return c;
}

static int same(const char *a, const char *b)
{
	if (strcmp(lower(a), b) == 0)
		return 1;
	puts("differs");
	return 0;
}

static int longer(const char *a, size_t n)
{
	if (n > 1 && strlen(lower(a)) > n)
		return 1;
	return 0;
}

int main(void)
{
	printf("%d %d\n", same("Ab", "ab"), same("Ab", "abc"));
	printf("%d %d %d\n", longer("abc", 1), longer("abc", 2), longer("a", 3));
	return 0;
}
