// Past the paper: the new value is computed from the old one: the order matters.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *quoted(const char *s)
{
	char *q = malloc(strlen(s) + 3);

	if (!q)
		abort();
	sprintf(q, "'%s'", s);
	return q;
}

static void show(const char *s, int times)
{
	char *t = quoted(s);

	while (--times > 0)
		t = quoted(t);
	puts(t);
	free(t);
}

int main(void)
{
	show("a", 1);
	show("b", 2);
	show("c", 3);
	return 0;
}
