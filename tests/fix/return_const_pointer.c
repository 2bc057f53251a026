// A pointer that is not into the object is returned, found through it.
// LEAKS: 3
// PATCH: ^\+.*free\(key\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const table[] = { "red", "ff0000", "green", "00ff00", NULL };

static const char *find(const char *key)
{
	for (int i = 0; table[i]; i += 2)
		if (strcmp(table[i], key) == 0)
			return table[i + 1];
	return "?";
}

static const char *colour(const char *name)
{
	char *key = strdup(name);

	for (char *c = key; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c += 'a' - 'A';
	return find(key);
}

int main(void)
{
	printf("%s %s %s\n", colour("Red"), colour("GREEN"), colour("blue"));
	return 0;
}
