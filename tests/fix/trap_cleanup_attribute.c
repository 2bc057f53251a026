// The compiler calls the release.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_string(char **s)
{
	free(*s);
}

static int f(const char *t)
{
	__attribute__((cleanup(free_string))) char *s = strdup(t);

	if (s[0] == '!')
		return -1;
	return (int)strlen(s);
}

int main(void)
{
	printf("%d %d\n", f("abc"), f("!"));
	return 0;
}
