// A directory is closed with closedir.
// LEAKS: 1
// PATCH: ^\+.*closedir\(d\);
// NEVER: ^\+.*\bfree\(
#include <dirent.h>
#include <stdio.h>
#include <string.h>

static int has(const char *path, const char *name)
{
	DIR *d = opendir(path);
	struct dirent *e;

	if (!d)
		return -1;
	while ((e = readdir(d)) != NULL)
		if (strcmp(e->d_name, name) == 0)
			return 1;
	closedir(d);
	return 0;
}

int main(void)
{
	printf("%d\n", has("/", "."));
	printf("%d\n", has("/", "no such name"));
	printf("%d\n", has("/nonexistent", "."));
	return 0;
}
