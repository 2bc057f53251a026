// RUN: plumb dump pta %s
// A struct that begins with a smaller one is made, and kept, as the smaller one: members behind its end have cells of their own.
#include <stdlib.h>
#include <string.h>

struct node {
	int kind;
};

struct value {
	struct node base;
	char *text;
};

static struct node *value_new(int kind)
{
	struct node *n = malloc(sizeof(struct value));

	n->kind = kind;
	((struct value *)n)->text = NULL;
	return n;
}

struct node *parse(const char *s)
{
	struct node *n = value_new(1);

	((struct value *)n)->text = strdup(s);
	return n;
}
