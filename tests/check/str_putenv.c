// The environment keeps what putenv is given and copies what setenv is given.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int putenv_ok(const char *val)
{
	char *s = malloc(strlen(val) + 8);

	if (!s)
		return -1;
	sprintf(s, "MODE=%s", val);
	return putenv(s);
}

int setenv_bad(const char *val)
{
	char *s = malloc(strlen(val) + 8); // LEAK(never-freed)

	if (!s)
		return -1;
	sprintf(s, "x%s", val);
	return setenv("MODE", s, 1);
}

int setenv_ok(const char *val)
{
	char *s = strdup(val);
	int r = s ? setenv("MODE", s, 1) : -1;

	free(s);
	return r;
}
