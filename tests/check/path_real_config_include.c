// Files that include files: each level has a name and a stream of its own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_file_ok(const char *dir, const char *name, int depth)
{
	char line[200], *path;
	FILE *f;
	int err = 0;

	if (depth > 5)
		return -1;
	path = malloc(strlen(dir) + strlen(name) + 2);
	if (!path)
		return -1;
	sprintf(path, "%s/%s", dir, name);
	f = fopen(path, "r");
	free(path);
	if (!f)
		return -1;
	while (!err && fgets(line, sizeof(line), f))
		if (strncmp(line, "include ", 8) == 0)
			err = read_file_ok(dir, line + 8, depth + 1);
	fclose(f);
	return err;
}

static int read_file_bad(const char *dir, const char *name, int depth)
{
	char line[200], *path;
	FILE *f;

	if (depth > 5)
		return -1;
	path = malloc(strlen(dir) + strlen(name) + 2); // LEAK(conditional)
	if (!path)
		return -1;
	sprintf(path, "%s/%s", dir, name);
	f = fopen(path, "r"); // LEAK(conditional)
	if (!f)
		return -1;
	free(path);
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, "include ", 8) == 0 &&
		    read_file_bad(dir, line + 8, depth + 1) < 0)
			return -1;
	fclose(f);
	return 0;
}

int load(const char *dir)
{
	return read_file_ok(dir, "main", 0) + read_file_bad(dir, "main", 0);
}
