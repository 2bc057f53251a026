// The result is in no variable, and that in a loop: each is released in its round, on some
// rounds there is none.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int seen(const char *s)
{
	return s && s[0] == 'x';
}

static int count(const char *const *v)
{
	int n = 0;

	for (; *v; v++)
		if ((*v)[0] != '#' && seen(strdup(*v)))
			n++;
	return n;
}

int main(void)
{
	static const char *const v[] = { "x", "#", "y", "#", "x", NULL };

	printf("%d\n", count(v));
	return 0;
}
