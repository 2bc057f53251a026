// strsep moves the pointer it is given: the start must be kept.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

int fields_ok(const char *s)
{
	char *copy = strdup(s), *rest = copy, *f;
	int n = 0;

	if (!copy)
		return -1;
	while ((f = strsep(&rest, ",")))
		n++;
	free(copy);
	return n;
}

int fields_bad(const char *s)
{
	char *rest = strdup(s), *f; // FN(vfg): LEAK
	int n = 0;

	if (!rest)
		return -1;
	while ((f = strsep(&rest, ",")))
		n++;
	free(rest);		/* null by now */
	return n;
}

int tokens_ok(const char *s)
{
	char *copy = strdup(s), *save, *t;
	int n = 0;

	if (!copy)
		return -1;
	for (t = strtok_r(copy, " ", &save); t; t = strtok_r(NULL, " ", &save))
		n++;
	free(copy);
	return n;
}

int tokens_bad(const char *s)
{
	char *copy = strdup(s), *t; // LEAK(never-freed)
	int n = 0;

	for (t = strtok(copy, " "); t; t = strtok(NULL, " "))
		n++;
	return n;
}
