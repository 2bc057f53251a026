// The result goes to somebody who keeps it, always or under a condition.
// LEAKS: 0
// HELD: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *kept[4];
static int n;

static void keep(const char *s)
{
	kept[n++ % 4] = s;
}

static void look(const char *s)
{
	if (s[0] == 'k')
		keep(s);
	else
		free((void *)s);
}

int main(void)
{
	keep(strdup("always"));
	look(strdup("k"));
	look(strdup("x"));
	printf("%s %s\n", kept[0], kept[1]);
	return 0;
}
