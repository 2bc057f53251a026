// A default made by the function when the caller gives none.
#include <stdlib.h>
#include <string.h>

int default_ok(const char *name)
{
	char *mine = NULL;
	int n;

	if (!name)
		name = mine = strdup("default");
	n = (int)strlen(name);
	free(mine);
	return n;
}

int default_bad(const char *name)
{
	if (!name)
		name = strdup("default"); // LEAK(never-freed)
	return (int)strlen(name);
}

int default_flag_ok(char *name)
{
	int made = name == NULL;
	int n;

	if (made)
		name = strdup("default");
	n = (int)strlen(name);
	if (made)
		free(name);
	return n;
}
