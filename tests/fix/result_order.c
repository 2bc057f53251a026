// Another argument has an effect: the calls must stay in the order in which the compiler has them.
// LEAKS: 2
// NEVER: ^\+\tchar \*\w+ = label\(
// PATCH: ^\+.*\(\w+ = label\(s\)\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count;

static int next(void)
{
	return ++count;
}

static char *label(const char *s)
{
	char *p = malloc(strlen(s) + 20);

	if (!p)
		abort();
	sprintf(p, "%s-%d", s, ++count);
	return p;
}

static void show(const char *s)
{
	printf("%d %s %d\n", next(), label(s), count);
}

int main(void)
{
	show("a");
	show("b");
	return 0;
}
