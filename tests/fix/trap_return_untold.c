// The callee returns null on a way on which it has kept the object, too: its result does not tell.
// LEAKS: 1
// EXPECT: refused
// REFUSED: no variable holds the object
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	char *name;
	struct node *next;
};

static struct node *list;
static int room = 1;

/* The node that was first before, if there is room. */
static struct node *put(char *name)
{
	struct node *before = list, *n;

	if (room-- <= 0)
		return NULL;
	n = malloc(sizeof(*n));
	if (!n)
		return NULL;
	n->name = name;
	n->next = before;
	list = n;
	return before;
}

static struct node *put_copy(const char *text)
{
	char *name = strdup(text);

	if (!name)
		return NULL;
	return put(name);
}

int main(void)
{
	printf("%d %d\n", put_copy("one") != NULL, put_copy("two") != NULL);
	printf("%s\n", list->name);
	free(list->name);
	free(list);
	return 0;
}
