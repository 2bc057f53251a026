// The leaking return is an argument of a macro.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHEN(cond, what) if (cond) { what; }

static int f(const char *s)
{
	char *p = strdup(s);

	WHEN(p[0] == 'x', return 1)
	free(p);
	return 0;
}

int main(void)
{
	printf("%d%d\n", f("x"), f("y"));
	return 0;
}
