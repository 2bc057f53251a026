// The inner of two calls makes a string that nobody has afterwards.
// LEAKS: 2
// PATCH: ^\+\tchar \*(\w+) = join\(dir, "/"\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *a, const char *b)
{
	char *s = malloc(strlen(a) + strlen(b) + 1);

	if (!s)
		abort();
	strcpy(s, a);
	return strcat(s, b);
}

static char *path(const char *dir, const char *file)
{
	return join(join(dir, "/"), file);
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		char *p = path("usr", i ? "lib" : "bin");

		puts(p);
		free(p);
	}
	return 0;
}
