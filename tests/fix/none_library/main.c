// Functions of the library that say by -1, or by another result, that there is nothing to give back.
// LEAKS: 5
// UNITS: main.c
// PATCH: ^\+.*iconv_close\(cd\);
// PATCH: ^\+.*if \(cd != \(void \*\)-1\)
// PATCH: ^\+.*globfree\(&g\);
// PATCH: ^\+.*regfree\(&r\);
// PATCH: ^\+.*free\(w\);
#define _GNU_SOURCE
#include <glob.h>
#include <iconv.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int convert(const char *from, int n)
{
	iconv_t cd = iconv_open("UTF-8", from);

	if (cd == (iconv_t)-1)
		return -1;
	if (n < 0)
		return -2;
	iconv_close(cd);
	return n;
}

static int is_known(const char *from)
{
	iconv_t cd = iconv_open("UTF-8", from);
	int known = cd != (iconv_t)-1;

	printf("%s: %d\n", from, known);
	return known;
}

static int count(const char *pattern)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g) != 0)
		return -1;
	return (int)g.gl_pathc;
}

/* How many groups there are is in the struct, too. */
static int groups(const char *pattern)
{
	regex_t r;

	if (regcomp(&r, pattern, REG_EXTENDED) != 0)
		return -1;
	return (int)r.re_nsub;
}

static int first_of(const char *s)
{
	char *w = NULL;

	if (sscanf(s, "%ms", &w) != 1)
		return -1;
	return w[0];
}

int main(void)
{
	printf("%d %d\n", convert("known", 1), convert("known", -1));
	printf("%d\n", convert("no such thing", 1));
	printf("%d %d\n", is_known("known"), is_known("no such thing"));
	printf("%d %d\n", count("/"), count("no such thing"));
	printf("%d %d\n", groups("(a)(b)"), groups("no such thing"));
	printf("%d %d\n", first_of("word"), first_of(""));
	return 0;
}
