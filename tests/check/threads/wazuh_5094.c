// wazuh/wazuh 5094: a lower-case copy is made for each element of a loop, and lost where the element
// is passed over.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char *lower(const char *s)
{
	char *copy = strdup(s), *p;

	if (!copy)
		return NULL;
	for (p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

int count_ok(const char *const *names, int n, const char *skip)
{
	int found = 0;

	for (int i = 0; i < n; i++) {
		char *name = lower(names[i]);

		if (!name)
			break;
		if (strcmp(name, skip) == 0) {
			free(name);
			continue;
		}
		found++;
		free(name);
	}
	return found;
}

int count_bad(const char *const *names, int n, const char *skip)
{
	int found = 0;

	for (int i = 0; i < n; i++) {
		char *name = lower(names[i]); // LEAK(conditional)

		if (!name)
			break;
		if (strcmp(name, skip) == 0)
			continue;
		found++;
		free(name);
	}
	return found;
}
