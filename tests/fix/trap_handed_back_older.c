// A callee returns what it is given, or frees it, or forgets it where it fails; one of its callers may give it what somebody has had before.
// LEAKS: 3
// EXPECT: either
// NEVER: ^\+.*free\(in\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *last;
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

static char *name_of(int old)
{
	char *p;

	if (old)
		return last;
	p = strdup("one");
	return p;
}

static int again(int old, const char *b)
{
	char *all = name_of(old);

	if (!all)
		return -1;
	all = append(all, b);
	if (!all)
		return 1;
	puts(all);
	if (all != last)
		free(all);
	return 0;
}

int main(void)
{
	printf("%d\n", join("one", "two", ""));
	printf("%d\n", join("one", "", "three"));
	printf("%d\n", join("one", "seven", ""));
	last = name_of(0);
	printf("%d\n", again(0, "two"));
	printf("%d\n", again(0, "seven"));
	printf("%d\n", again(1, ""));
	printf("%d\n", again(1, "seven"));
	puts(last ? last : "none");
	free(last);
	return 0;
}
