// A wrapper with a free list: objects come from it or from malloc, and go back to it.
#include <stdlib.h>

struct cell { struct cell *next; int val; };

static struct cell *free_list;

static struct cell *cell_get(void)
{
	struct cell *c = free_list;

	if (c)
		free_list = c->next;
	else
		c = malloc(sizeof(*c)); // FP(conditional,vfg,all) // FP(never-freed,path)
	return c;
}

static void cell_put(struct cell *c)
{
	c->next = free_list;
	free_list = c;
}

void put_back_ok(void)
{
	struct cell *c = cell_get();

	if (!c)
		return;
	c->val = 3;
	cell_put(c);
}

void not_put_back_bad(void)
{
	struct cell *c = cell_get(); // FN: LEAK(never-freed)

	if (c)
		c->val = 3;
}

void one_way_bad(int n)
{
	struct cell *c = cell_get(); // FN: LEAK(conditional)

	if (!c || n > 3)
		return;
	cell_put(c);
}
