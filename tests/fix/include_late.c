// Headers are read behind declarations, too, and one of them once more: what a source needs of them cannot be told apart.
// LEAKS: 1
// PATCH: ^\+.*free\(p\);
#include <stdlib.h>

static int wanted = 3;

#include <stdio.h>
#include <stdlib.h>

#include <string.h>

static int f(const char *s)
{
	char *p = strdup(s);

	if ((int)strlen(p) != wanted)
		return 1;
	free(p);
	return 0;
}

int main(void)
{
	printf("%d%d\n", f("abc"), f("ab"));
	return 0;
}
