// In the body of a loop, without braces; each round makes another one.
// LEAKS: 6
// PATCH: ^\+\t\tfree\(\w+\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *twice(const char *s)
{
	char *c = malloc(2 * strlen(s) + 1);

	if (!c)
		abort();
	sprintf(c, "%s%s", s, s);
	return c;
}

static void all(char **v, int n)
{
	for (int i = 0; i < n; i++)
		puts(twice(v[i]));
	while (n-- > 0)
		printf("%zu\n", strlen(twice(v[n])) + 1);
}

int main(void)
{
	char *v[] = { "a", "bc" };

	all(v, 2);
	all(v, 0);
	all(v, 1);
	return 0;
}
