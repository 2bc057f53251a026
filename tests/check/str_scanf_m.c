// sscanf with %m allocates for each conversion that succeeds.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int word_ok(const char *s)
{
	char *w = NULL;

	if (sscanf(s, "%ms", &w) != 1)
		return -1;
	free(w);
	return 0;
}

int word_bad(const char *s)
{
	char *w = NULL;

	if (sscanf(s, "%ms", &w) != 1) // FN: LEAK(never-freed)
		return -1;
	return w[0];
}

int no_m_ok(const char *s)
{
	char w[32];
	int n;

	return sscanf(s, "%31s %d", w, &n) == 2 ? n : -1;
}
