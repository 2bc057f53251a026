// A pointer into the object is returned: whoever gets it cannot free it, and nobody
// may free the object before.
// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path)
{
	char *copy = strdup(path);
	char *slash = strrchr(copy, '/');

	return slash ? slash + 1 : "none";
}

int main(void)
{
	const char *a = base_name("/usr/bin/cc"), *b = base_name("cc");

	printf("%s %s\n", a, b);
	return 0;
}
