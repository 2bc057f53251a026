// Handed to functions that call themselves and each other; a local struct of theirs holds it for a while.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cursor {
	const char *at, *end;
	int depth;
};

static int group(struct cursor *c);

static int item(struct cursor *c)
{
	if (c->at < c->end && *c->at == '(') {
		c->at++;
		c->depth++;
		return group(c);
	}
	if (c->at < c->end)
		c->at++;
	return 1;
}

static int group(struct cursor *c)
{
	int n = 0;

	while (c->at < c->end && *c->at != ')')
		n += item(c);
	if (c->at < c->end)
		c->at++;
	return n;
}

static int count(const char *s)
{
	struct cursor c = { s, s + strlen(s), 0 };

	return group(&c) + c.depth;
}

static int measure(const char *s)
{
	char *copy = malloc(strlen(s) + 3);
	int n;

	if (!copy)
		return -1;
	sprintf(copy, "(%s)", s);
	n = count(copy);
	if (n > 5)
		return 5;
	return n;
}

int main(void)
{
	printf("%d %d %d\n", measure("ab"), measure("(a)(b)"), measure("abcdefgh"));
	return 0;
}
