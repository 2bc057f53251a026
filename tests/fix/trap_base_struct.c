// A struct that begins like a smaller one is known as that: what is put behind the end of it is kept all the same.
// LEAKS: 3
// EXPECT: refused
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { TEXT, NUMBER };

struct node {
	enum kind kind;
};

struct value {
	enum kind kind;
	int column;
	char *text;
};

#define TEXT_OF(n) (((struct value *)(n))->text)

static struct node *value_new(enum kind kind, int column)
{
	struct node *n = malloc(sizeof(struct value));

	if (!n)
		abort();
	n->kind = kind;
	((struct value *)n)->column = column;
	return n;
}

static void node_free(struct node *n)
{
	if (!n)
		return;
	if (n->kind == TEXT)
		free(TEXT_OF(n));
	free(n);
}

static struct node *parse_all(const char *s);

static struct node *parse(const char *s, struct node *last)
{
	struct node *n;

	switch (*s) {
	case 0:
		return last;
	case '"':
		n = value_new(TEXT, -1);
		TEXT_OF(n) = strdup(s);
		return n;
	case '(':
		return parse_all(s + 1);
	default:
		return value_new(NUMBER, -1);
	}
}

/* one that is followed by another is lost */
static struct node *parse_all(const char *s)
{
	struct node *n = NULL;

	for (;;) {
		struct node *next = parse(s, n);

		if (next == n)
			return n;
		n = next;
		s++;
	}
}

int main(void)
{
	struct node *n = parse_all("1\"");

	if (n && n->kind == TEXT)
		printf("%s\n", TEXT_OF(n));
	node_free(n);
	n = parse_all("\"2");
	printf("%d\n", n->kind);
	node_free(n);
	return 0;
}
