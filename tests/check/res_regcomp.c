// Compiled regular expressions are value objects of the library.
#include <regex.h>
#include <stdlib.h>

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
