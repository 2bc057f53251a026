/* The library, with one object for each thing, so that they can be counted. */
#define _GNU_SOURCE
#include <glob.h>
#include <iconv.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static int is_unknown(const char *s)
{
	return strcmp(s, "no such thing") == 0;
}

iconv_t iconv_open(const char *to, const char *from)
{
	return is_unknown(from) ? (iconv_t)-1 : malloc(strlen(to));
}

int iconv_close(iconv_t cd)
{
	free(cd);
	return 0;
}

int glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *g)
{
	if (is_unknown(pattern))
		return GLOB_NOMATCH;
	g->gl_pathv = malloc(sizeof(*g->gl_pathv));
	g->gl_pathc = 1;
	return 0;
}

void globfree(glob_t *g)
{
	free(g->gl_pathv);
	g->gl_pathc = 77;
}

int regcomp(regex_t *r, const char *pattern, int flags)
{
	if (is_unknown(pattern))
		return REG_EPAREN;
	r->buffer = malloc(1);
	r->re_nsub = 2;
	return 0;
}

void regfree(regex_t *r)
{
	free(r->buffer);
	r->re_nsub = 77;
}
