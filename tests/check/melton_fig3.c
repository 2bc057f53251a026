// Xu and Zhang (QSIC 2008), Figure 3: the four ways to escape.  None is a leak of the
// function that allocates.
#include <stdlib.h>

struct link { struct link *next; };

void *shared;
struct link *chain;

void *returned(void)
{
	void *block = malloc(8);

	return block;
}

void escaped_by_global(void)
{
	shared = malloc(8);
}

void escaped_by_argument(void **out)
{
	*out = malloc(10);
}

void escaped_by_field(void)
{
	struct link *l = malloc(sizeof(*l));

	chain->next = l;
}
