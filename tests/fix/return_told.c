// What the callee returns tells whether it kept the object, and is returned as it is: a pointer is asked, too.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	char *name;
	struct node *next;
};

static struct node *list;
static int room = 1;

/* Null: there is no room, and the name is still the caller's. */
static struct node *put(char *name)
{
	struct node *n;

	if (room-- <= 0)
		return NULL;
	n = malloc(sizeof(*n));
	if (!n)
		return NULL;
	n->name = name;
	n->next = list;
	list = n;
	return n;
}

static struct node *put_copy(const char *text)
{
	char *name = strdup(text);

	if (!name)
		return NULL;
	return put(name);
}

static struct node *put_if_long(const char *text)
{
	char *name = strdup(text);

	if (name && strlen(name) > 3)
		return put(name);
	free(name);
	return NULL;
}

/* The other way round: null if it was kept. */
static const char *take(char *name)
{
	struct node *n = room-- > 0 ? malloc(sizeof(*n)) : NULL;

	if (!n)
		return "no room";
	n->name = name;
	n->next = list;
	list = n;
	return NULL;
}

static const char *take_copy(const char *text)
{
	char *name = strdup(text);

	if (!name)
		return "no memory";
	return take(name);
}

static void clear(void)
{
	while (list) {
		struct node *next = list->next;

		free(list->name);
		free(list);
		list = next;
	}
}

int main(void)
{
	printf("%d %d\n", put_copy("one") != NULL, put_copy("two") != NULL);
	room = 1;
	printf("%d %d %d\n", put_if_long("three") != NULL, put_if_long("four") != NULL, put_if_long("x") != NULL);
	room = 1;
	const char *first = take_copy("five"), *second = take_copy("six");
	printf("%s %s\n", first ? first : "-", second ? second : "-");
	clear();
	return 0;
}
