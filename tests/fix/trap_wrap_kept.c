// The result is in no variable because the callee keeps it, or frees it, or gives it back.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *name;

static void keep(char *s)
{
	free(name);
	name = s;
}

static int eat(char *s)
{
	int r = s[0];

	free(s);
	return r;
}

static char *back(char *s)
{
	s[0] = 'B';
	return s;
}

int main(void)
{
	char *p;

	keep(strdup("one"));
	keep(strdup("two"));
	printf("%s %d\n", name, eat(strdup("three")));
	p = back(strdup("xy"));
	puts(p);
	free(p);
	keep(NULL);
	return 0;
}
