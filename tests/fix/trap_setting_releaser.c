// Under another setting the program's releaser only counts down, and somebody else has the object still.
// LEAKS: 2
// EXPECT: refused
// REFUSED: under other settings `item_drop` is defined otherwise
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	int users;
	char *name;
};

static struct item *item_new(const char *name)
{
	struct item *it = malloc(sizeof(*it));

	if (!it)
		exit(1);
	it->users = 1;
	it->name = strdup(name);
	return it;
}

static void item_drop(struct item *it)
{
#ifdef SHARED
	if (--it->users > 0)
		return;
#endif
	free(it->name);
	free(it);
}

static int width(const char *name)
{
	struct item *it = item_new(name);
	int n = it->name ? (int)strlen(it->name) : 0;

	if (n > 3)
		return n;
	item_drop(it);
	return 0;
}

int main(void)
{
	printf("%d %d\n", width("abc"), width("abcdef"));
	return 0;
}
