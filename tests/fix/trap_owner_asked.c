// The program asks whether an object is its own by comparing addresses: on the other side it is not freed, whatever can be there.
// LEAKS: 0
// EXPECT: refused
// REFUSED: asks owns\(\)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool {
	char *start, *end;
	struct pool *next;
};

static int owns(const struct pool *p, const char *s)
{
	for (; p; p = p->next)
		if (s >= p->start && s < p->end)
			return 1;
	return 0;
}

static char *copy(const char *s)
{
	char *p = malloc(strlen(s) + 1);

	return p ? strcpy(p, s) : NULL;
}

static int length(const struct pool *pool, const char *s)
{
	char *name = copy(s);
	int n;

	if (!name)
		return -1;
	n = (int)strlen(name);
	if (!owns(pool, name))
		free(name);
	return n;
}

int main(void)
{
	static char text[64];
	struct pool first = { text, text + sizeof(text), NULL };

	printf("%d %d\n", length(&first, "abc"), length(NULL, "abcd"));
	return 0;
}
