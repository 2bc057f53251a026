/* The library, with one object for each pattern, so that they can be counted. */
#define _GNU_SOURCE
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static int is_wrong(const char *s)
{
	return strcmp(s, "no such thing") == 0;
}

const char *re_compile_pattern(const char *s, size_t n, struct re_pattern_buffer *to)
{
	if (is_wrong(s))
		return "it is none";
	to->buffer = malloc(1);
	to->re_nsub = n;
	return NULL;
}

int regcomp(regex_t *to, const char *s, int flags)
{
	if (is_wrong(s))
		return REG_EPAREN;
	to->buffer = malloc(1);
	to->fastmap = NULL;
	to->translate = NULL;
	to->re_nsub = 1;
	return 0;
}

void regfree(regex_t *r)
{
	free(r->buffer);
	free(r->fastmap);
	free(r->translate);
}
