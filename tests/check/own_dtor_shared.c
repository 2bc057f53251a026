// What the freed holder leaves behind is held by somebody else: names are kept once for all.
#include <stdlib.h>
#include <string.h>

struct name {
	char *text;
	struct name *next;
};

struct item {
	const char *name;
	int value;
	struct item *next;
};

static struct name *names;

static const char *intern(const char *text)
{
	struct name *n;

	for (n = names; n; n = n->next)
		if (strcmp(n->text, text) == 0)
			return n->text;
	n = malloc(sizeof(*n));
	if (!n)
		exit(2);
	n->text = strdup(text);
	n->next = names;
	names = n;
	return n->text;
}

static struct item *item_new(const char *name, int value)
{
	struct item *i = malloc(sizeof(*i));

	if (!i)
		exit(2);
	i->name = intern(name);
	i->value = value;
	i->next = NULL;
	return i;
}

static void item_free(struct item *i)
{
	free(i);
}

int main(int argc, char **argv)
{
	int sum = 0;

	for (int k = 0; k < argc; k++) {
		struct item *i = item_new(argv[k], k);

		sum += i->value + (int)strlen(i->name);
		item_free(i);
	}
	return sum > 100;
}
