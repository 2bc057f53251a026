// Pointers behind a header: nobody here knows how to release them, or it is not always the same header.
// LEAKS: 4
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nothing in the program releases it. */
static char *counted(const char *s)
{
	size_t *p = malloc(sizeof(*p) + strlen(s) + 1);

	if (!p)
		exit(1);
	*p = strlen(s);
	return strcpy((char *)(p + 1), s);
}

static int first(const char *s)
{
	char *p = counted(s);

	return p[0];
}

/* The header is short or long. */
static char *tagged(const char *s, int more)
{
	char *p = malloc(strlen(s) + 20);

	if (!p)
		exit(1);
	p[0] = more ? 'l' : 's';
	strcpy(p + 8, s);
	strcpy(p + 16, s);
	return more ? p + 16 : p + 8;
}

static void tagged_free(char *s)
{
	if (s)
		free(s - 8);
}

static int last(const char *s, int more)
{
	char *p = tagged(s, more);
	int c = p[0];

	if (c == 'x' && !more) {
		tagged_free(p);
		return 0;
	}
	return c;
}

/* It may be kept, and the start of it, too. */
static char *newest;

static char *kept(const char *s)
{
	char *p = malloc(8 + strlen(s) + 1);

	if (!p)
		exit(1);
	newest = p;
	return strcpy(p + 8, s);
}

static int looked_at(const char *s)
{
	return kept(s)[0];
}

int main(void)
{
	printf("%d %d\n", first("a"), last("b", 0));
	printf("%d %d\n", last("b", 1), last("x", 0));
	printf("%d\n", looked_at("c"));
	printf("%d\n", looked_at("d"));
	puts(newest + 8);
	free(newest);
	return 0;
}
