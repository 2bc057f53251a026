// A constructor gets its object through an out-parameter, fills it, and hands it out.
#include <stdlib.h>
#include <string.h>

struct item { char *name; int n; };

static int item_alloc(struct item **out)
{
	struct item *it = calloc(1, sizeof(*it));

	if (!it)
		return -1;
	*out = it;
	return 0;
}

static struct item *item_new(const char *name)
{
	struct item *it;

	if (item_alloc(&it) < 0)
		return NULL;
	it->name = strdup(name); // FN(path): LEAK(conditional) // FP(never-freed,path)
	return it;
}

int both_freed_ok(const char *name)
{
	struct item *it = item_new(name);

	if (!it)
		return -1;
	free(it->name);
	free(it);
	return 0;
}

int name_forgotten_bad(const char *name)
{
	struct item *it = item_new(name);

	if (!it)
		return -1;
	free(it);
	return 0;
}
