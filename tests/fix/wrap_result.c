// No variable gets the result: as an argument, in an expression, in a condition, in a return.
// LEAKS: 6
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *upper(const char *s)
{
	char *t = strdup(s);

	if (t && t[0] >= 'a' && t[0] <= 'z')
		t[0] -= 'a' - 'A';
	return t;
}

static void show(const char *s)
{
	printf("<%s>\n", s);
}

static int length(const char *s)
{
	return (int)strlen(upper(s));
}

static int starts(const char *s)
{
	if (upper(s)[0] == 'A')
		return 1;
	return 0;
}

int main(void)
{
	int n;

	show(upper("abc"));
	printf("%s %d\n", upper("def"), length("ghi"));
	printf("%d\n", starts("abc"));
	printf("%d\n", starts("xyz"));
	n = strcmp(upper("b"), "B");
	printf("%d\n", n);
	return 0;
}
