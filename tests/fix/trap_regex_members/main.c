// regfree() also frees the map and the table that the program has put into the pattern: it does harm where the program frees
// the map itself, or the table is nobody's to free.  A pattern that is none leaves nothing to release.
// LEAKS: 6
// EXPECT: partial
// LEFT: 3
// UNITS: main.c
// PATCH: ^\+.*regfree\(&mapped\);
// PATCH: ^\+.*regfree\(&plain\);
// NEVER: ^\+.*regfree\(&(checked|folded|shared|freed)\);
// REFUSED: folded: regfree\(\) would also free members
#define _GNU_SOURCE
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char lower[256];
static unsigned char *table;

static const char *compile(struct re_pattern_buffer *to, const char *s)
{
	return re_compile_pattern(s, strlen(s), to);
}

static int check(const char *s)
{
	struct re_pattern_buffer checked;
	const char *err;

	memset(&checked, 0, sizeof checked);
	checked.fastmap = malloc(256);
	err = compile(&checked, s);
	if (!err) {
		regfree(&checked);
		return 1;
	}
	free(checked.fastmap);
	puts(err);
	return 0;
}

static int fold(const char *s)
{
	struct re_pattern_buffer folded;

	memset(&folded, 0, sizeof folded);
	folded.translate = lower;
	if (re_compile_pattern(s, strlen(s), &folded))
		return 0;
	return (int)folded.re_nsub;
}

static int share(const char *s)
{
	struct re_pattern_buffer shared;

	memset(&shared, 0, sizeof shared);
	shared.translate = table;
	if (re_compile_pattern(s, strlen(s), &shared))
		return 0;
	return (int)shared.re_nsub;
}

static int unmap(const char *s)
{
	struct re_pattern_buffer freed;
	int n = 0;

	memset(&freed, 0, sizeof freed);
	freed.fastmap = malloc(256);
	if (!re_compile_pattern(s, strlen(s), &freed))
		n = (int)freed.re_nsub;
	free(freed.fastmap);
	return n;
}

static int map(const char *s)
{
	struct re_pattern_buffer mapped;

	memset(&mapped, 0, sizeof mapped);
	mapped.fastmap = malloc(256);
	if (re_compile_pattern(s, strlen(s), &mapped)) {
		free(mapped.fastmap);
		return 0;
	}
	return (int)mapped.re_nsub;
}

static int groups(const char *s)
{
	regex_t plain;

	if (regcomp(&plain, s, 0))
		return 0;
	return (int)plain.re_nsub;
}

int main(void)
{
	static const char *const s[] = { "(a)", "no such thing" };

	table = malloc(256);
	for (int i = 0; i < 2; i++)
		printf("%d %d %d %d %d %d\n", check(s[i]), fold(s[i]), share(s[i]), unmap(s[i]), map(s[i]), groups(s[i]));
	free(table);
	return 0;
}
