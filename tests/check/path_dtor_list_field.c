// The destructor frees the head of a list that it ought to walk.
#include <stdlib.h>

struct item { struct item *next; int v; };
struct bag { struct item *first; };

static int bag_add(struct bag *b, int v)
{
	struct item *i = malloc(sizeof(*i)); // FN(vfg): LEAK@item: by sum_bad()

	if (!i)
		return -1;
	i->v = v;
	i->next = b->first;
	b->first = i;
	return 0;
}

static void bag_release_ok(struct bag *b)
{
	struct item *i, *next;

	for (i = b->first; i; i = next) {
		next = i->next;
		free(i);
	}
}

static void bag_release_bad(struct bag *b)
{
	free(b->first);
}

int sum_ok(int a, int c)
{
	struct bag b = { NULL };
	int r;

	bag_add(&b, a);
	bag_add(&b, c);
	r = b.first ? b.first->v : 0;
	bag_release_ok(&b);
	return r;
}

int sum_bad(int a, int c)
{
	struct bag b = { NULL };
	int r;

	bag_add(&b, a); // FN(vfg): LEAK@item
	bag_add(&b, c);
	r = b.first ? b.first->v : 0;
	bag_release_bad(&b);
	return r;
}
