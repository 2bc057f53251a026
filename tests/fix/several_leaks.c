// Several functions with a leak each; one diff ends them all.
// LEAKS: 6
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int a(const char *s)
{
	char *p = strdup(s);

	if (*p == 'x')
		return 1;
	free(p);
	return 0;
}

static void b(const char *s)
{
	char *p = strdup(s);

	puts(p);
}

static int c(const char *s)
{
	char *p = strdup(s), *q = strdup(s);

	if (*p == 'x') {
		free(p);
		return 1;
	}
	if (*q == 'y') {
		free(q);
		return 2;
	}
	free(q);
	free(p);
	return 0;
}

int main(void)
{
	printf("%d%d\n", a("x"), a("y"));
	b("x");
	b("y");
	b("z");
	printf("%d%d%d\n", c("x"), c("y"), c("z"));
	return 0;
}
