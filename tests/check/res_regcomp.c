// Compiled regular expressions are value objects of the library.
#define _GNU_SOURCE
#include <regex.h>
#include <stdlib.h>
#include <string.h>

int match_ok(const char *pat, const char *s)
{
	regex_t re;
	int r;

	if (regcomp(&re, pat, REG_NOSUB) != 0)
		return -1;
	r = regexec(&re, s, 0, NULL, 0);
	regfree(&re);
	return r == 0;
}

int match_bad(const char *pat, const char *s)
{
	regex_t re;

	if (regcomp(&re, pat, REG_NOSUB) != 0) // LEAK(never-freed)
		return -1;
	return regexec(&re, s, 0, NULL, 0) == 0;
}

int error_path_bad(const char *pat, const char *s)
{
	regex_t re;
	regmatch_t m[1];

	if (regcomp(&re, pat, 0) != 0) // LEAK(conditional)
		return -1;
	if (regexec(&re, s, 1, m, 0) != 0)
		return 0;
	regfree(&re);
	return 1;
}

/* what the buffer has is used again */
int room_ok(const char *s)
{
	struct re_pattern_buffer pat;

	memset(&pat, 0, sizeof(pat));
	pat.buffer = malloc(100);
	pat.allocated = 100;
	if (re_compile_pattern(s, strlen(s), &pat))
		return 0;
	regfree(&pat);
	return 1;
}

int room_bad(const char *s)
{
	struct re_pattern_buffer pat;

	memset(&pat, 0, sizeof(pat));
	if (re_compile_pattern(s, strlen(s), &pat)) // LEAK(never-freed)
		return 0;
	return (int)pat.re_nsub;
}

/* regfree() frees the map, too */
int map_ok(const char *s)
{
	struct re_pattern_buffer pat;

	memset(&pat, 0, sizeof(pat));
	pat.fastmap = malloc(256);
	if (re_compile_pattern(s, strlen(s), &pat)) {
		free(pat.fastmap);
		return 0;
	}
	regfree(&pat);
	return 1;
}

int map_bad(const char *s)
{
	struct re_pattern_buffer pat;

	memset(&pat, 0, sizeof(pat));
	pat.fastmap = malloc(256); // FN(vfg): LEAK(conditional)
	if (re_compile_pattern(s, strlen(s), &pat))
		return 0;
	regfree(&pat);
	return 1;
}
