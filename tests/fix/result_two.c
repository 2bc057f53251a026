// Two results in one statement.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *part(const char *s, size_t n)
{
	return strndup(s, n);
}

static void show(const char *s)
{
	printf("%s %s\n", part(s, 1), part(s, 2));
}

int main(void)
{
	show("abc");
	show("xyz");
	return 0;
}
