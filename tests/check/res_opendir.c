// Directory streams, and what scandir and realpath give out.
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

int count_ok(const char *path)
{
	DIR *d = opendir(path);
	int n = 0;

	if (!d)
		return -1;
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

int has_bad(const char *path, const char *name)
{
	DIR *d = opendir(path); // LEAK(conditional)
	struct dirent *e;

	if (!d)
		return -1;
	while ((e = readdir(d)))
		if (!strcmp(e->d_name, name))
			return 1;
	closedir(d);
	return 0;
}

int same_place_bad(const char *a, const char *b)
{
	char *ra = realpath(a, NULL); // LEAK(conditional)
	char *rb = realpath(b, NULL);
	int same;

	if (!ra || !rb) {
		free(rb);
		return -1;
	}
	same = !strcmp(ra, rb);
	free(ra);
	free(rb);
	return same;
}

int into_own_buffer_ok(const char *a)
{
	char buf[PATH_MAX];
	char *r = realpath(a, buf);

	return r ? (int)strlen(r) : -1;
}
