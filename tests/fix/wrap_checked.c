// The wrapper hands what it got through a check that returns it or does not return.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p)
{
	if (!p)
		abort();
	return p;
}

static void *xalloc(size_t n)
{
	return checked(malloc(n));
}

static char *xdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xalloc(n), s, n);
}

static int width(const char *s)
{
	char *copy = xalloc(strlen(s) + 1);

	strcpy(copy, s);
	if (copy[0] == '#')
		return -1;
	copy[strcspn(copy, " ")] = '\0';
	printf("[%s]\n", copy);
	free(copy);
	return (int)strlen(s);
}

static int first(const char *s)
{
	char *copy = xdup(s);
	int c = copy[0];

	return c;
}

int main(void)
{
	printf("%d %d %d\n", width("# no"), width("one two"), first("x"));
	return 0;
}
