// Gao et al., II-C2: the allocation comes back through a pointer to a pointer.
// LEAKS: 2
// PATCH: ^\+\s*free\((name|path)\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void join(const char *dir, const char *file, char **out)
{
	size_t n = strlen(dir) + strlen(file) + 2;

	*out = malloc(n);
	if (*out)
		snprintf(*out, n, "%s/%s", dir, file);
}

static int depth(const char *dir, const char *file)
{
	char *path = NULL;
	int n = 0;

	join(dir, file, &path);
	if (!path)
		return -1;
	for (char *c = path; *c; c++)
		n += *c == '/';
	return n;
}

int main(void)
{
	printf("%d %d\n", depth("/usr/lib", "x"), depth("a", "b/c"));
	return 0;
}
