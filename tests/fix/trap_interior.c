// A pointer into the object outlives the pointer to its beginning.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int extension(const char *file)
{
	char *copy = strdup(file);
	char *dot = strrchr(copy, '.');
	int n = 0;

	if (dot) {
		*dot++ = 0;
		n = printf("%s\n", dot);
		n += (int)strlen(dot);
	}
	return n;
}

int main(void)
{
	int n = extension("a.tar.gz") + extension("none");

	printf("%d\n", n);
	return 0;
}
