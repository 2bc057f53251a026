// What a call returns is a pointer to const: the new variable is one, too, and free() wants another.
// LEAKS: 5
// PATCH: ^\+.*free\(\(void \*\)name\(3\)\);
// PATCH: ^\+.*free\(\(void \*\)get_result\);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *get(const char *s)
{
	if (!s)
		return NULL;
	return strdup(s);
}

static void use(const char *f)
{
	const char *word;

	if (!(word = get(f)) && !(word = getenv("PLUMB_NO_SUCH")))
		word = "none";
	printf("%s\n", word);
}

static const char *name(int n)
{
	char *p = malloc(16);

	if (!p)
		exit(1);
	sprintf(p, "%d", n);
	return p;
}

static void alone(void)
{
	name(3);
	puts("alone");
}

int main(void)
{
	use("a");
	use("b");
	use(NULL);
	printf("%s\n", name(1));
	printf("%s %c\n", "name", *name(2));
	alone();
	return 0;
}
