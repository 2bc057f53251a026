// scandir gives an array of entries, each on the heap.
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

int listed_ok(const char *path)
{
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort);

	if (n < 0)
		return -1;
	for (int i = 0; i < n; i++) {
		puts(list[i]->d_name);
		free(list[i]);
	}
	free(list);
	return n;
}

int listed_bad(const char *path)
{
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort); // LEAK(never-freed)

	for (int i = 0; i < n; i++)
		puts(list[i]->d_name);
	return n;
}
