// A callee returns what it is given, or frees it and returns what it has made instead, but forgets it where that fails.
// LEAKS: 2
// PATCH: ^\+.*free\(in\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t limit = 8;

static char *append(char *in, const char *s)
{
	size_t n = strlen(in);
	char *out;

	if (*s == '\0')
		return in;
	out = malloc(n + strlen(s) < limit ? n + strlen(s) + 1 : (size_t)-1 / 4);
	if (out == NULL)
		return out;
	memcpy(out, in, n);
	strcpy(out + n, s);
	free(in);
	return out;
}

static int join(const char *a, const char *b, const char *c)
{
	char *all = strdup(a);

	if (!all)
		return -1;
	all = append(all, b);
	if (!all)
		return 1;
	all = append(all, c);
	if (!all)
		return 2;
	puts(all);
	free(all);
	return 0;
}

int main(void)
{
	printf("%d\n", join("one", "two", ""));
	printf("%d\n", join("one", "", "three"));
	printf("%d\n", join("one", "seven", ""));
	return 0;
}
