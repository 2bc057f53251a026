// The callee only looks at the struct that it is given, but keeps what is in that: others set the name of the entry later.
// LEAKS: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	char *name;
};

struct wrap {
	struct entry *e;
	int n;
};

static struct entry *shown;

static int look(const struct wrap *w)
{
	shown = w->e;
	return w->n;
}

static void forget(void)
{
	puts(shown->name);
	free(shown->name);
	shown->name = NULL;
}

static void once(const char *name, int n)
{
	struct entry *e = malloc(sizeof(*e));
	struct wrap w = { e, n };

	if (!e)
		return;
	e->name = strdup(name);
	if (look(&w) > 1) {
		forget();
		free(e);
		return;
	}
	free(e->name);
	free(e);
}

int main(void)
{
	once("a", 1);
	once("b", 2);
	return 0;
}
