// putenv keeps the string itself.
// LEAKS: 0
// HELD: 1
// CFLAGS: -D_GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set(const char *name, const char *value)
{
	char *s = malloc(strlen(name) + strlen(value) + 2);

	if (!s)
		return -1;
	sprintf(s, "%s=%s", name, value);
	return putenv(s);
}

int main(void)
{
	set("HOME", "/nowhere");
	printf("%s\n", getenv("HOME"));
	return 0;
}
