// A variable that is a pointer by the type of another one.
// LEAKS: 2
// PATCH: ^\+		free\(q\);$
// PATCH: ^\+		free\(r\);$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int copied(char *s, int n)
{
	__typeof__(s) q = strdup(s);

	if (!q)
		return -1;
	if (n)
		return 1;
	puts(q);
	free(q);
	return 0;
}

static int copied_too(const char *s, int n)
{
	__auto_type r = strdup(s);

	if (!r)
		return -1;
	if (n)
		return 1;
	puts(r);
	free(r);
	return 0;
}

int main(void)
{
	char text[] = "text";

	for (int n = 0; n < 2; n++)
		printf("%d %d\n", copied(text, n), copied_too(text, n));
	return 0;
}
