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

	if (sscanf(s, "%ms", &w) != 1) // LEAK(never-freed)
		return -1;
	return w[0];
}

int no_m_ok(const char *s)
{
	char w[32];
	int n;

	return sscanf(s, "%31s %d", w, &n) == 2 ? n : -1;
}

int two_ok(const char *s)
{
	char *key = NULL, *value = NULL;
	int n = sscanf(s, "%*d %m[^=] = %ms", &key, &value);

	if (n == 2) {
		free(key);
		free(value);
	} else if (n == 1) {
		free(key);
	}
	return n;
}

int two_bad(const char *s)
{
	char *key, *value;

	if (sscanf(s, "%m[^]=]%%=%ms", &key, &value) != 2) // LEAK(conditional): the key, if there is no value
		return -1;
	free(key);
	free(value);
	return 0;
}
