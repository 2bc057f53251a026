// A returned condition with side effects, evaluated exactly once.
// LEAKS: 3
// PATCH: ^\+.*free\(s\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;

static int tick(const char *s)
{
	return ++calls + (int)strlen(s);
}

static _Bool odd(const char *t)
{
	char *s = strdup(t);

	return s && s[0] != '-' && tick(s) % 2;
}

int main(void)
{
	int a = odd("a"), b = odd("bb"), c = odd("-");

	printf("%d %d %d, %d calls\n", a, b, c, calls);
	return 0;
}
