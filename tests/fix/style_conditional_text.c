// Preprocessor conditionals around the place.
// LEAKS: 2
// CFLAGS: -DLOUD
// KNOWN: what returns under #ifdef is another way under another setting; a person sees that both lose nothing
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int f(const char *t)
{
	char *s = strdup(t);

	if (s[0] == 'x')
#ifdef LOUD
	{
		puts("loud");
		return 1;
	}
#else
		return 2;
#endif
	if (s[0] == 'y') {
#if 0
		puts("never");
#endif
		return 3;
	}
	free(s);
	return 0;
}

int main(void)
{
	printf("%d%d%d\n", f("x"), f("y"), f("z"));
	return 0;
}
