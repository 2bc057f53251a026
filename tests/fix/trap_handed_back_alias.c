// A callee returns what it is given, or frees it, or forgets it where it fails; one of its callers counts on that, by another variable.
// LEAKS: 2
// EXPECT: either
// NEVER: ^\+.*free\(in\)
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

static int again(const char *a, const char *b)
{
	char *all = strdup(a), *old = all;

	if (!all)
		return -1;
	all = append(all, b);
	if (!all) {
		puts(old);
		free(old);
		return 1;
	}
	puts(all);
	free(all);
	return 0;
}

int main(void)
{
	printf("%d\n", join("one", "two", ""));
	printf("%d\n", join("one", "", "three"));
	printf("%d\n", join("one", "seven", ""));
	printf("%d\n", again("one", "two"));
	printf("%d\n", again("one", ""));
	printf("%d\n", again("one", "seven"));
	return 0;
}
