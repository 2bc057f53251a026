// The struct is on the stack, its address goes through a pointer.
#include <stdlib.h>

struct box { void *p; int n; };

static void box_fill(struct box *b, int n)
{
	b->p = malloc(n);
	b->n = n;
}

static void box_release(struct box *b)
{
	free(b->p);
	b->p = NULL;
}

void value_object_ok(void)
{
	struct box b;

	box_fill(&b, 3);
	box_release(&b);
}

void value_object_bad(void)
{
	struct box b;

	box_fill(&b, 3); // LEAK(never-freed)
	b.n = 0;
}

int value_object_error_bad(int n)
{
	struct box b;

	box_fill(&b, 3); // LEAK(conditional)
	if (n < 0)
		return -1;
	box_release(&b);
	return 0;
}

void two_of_them_bad(void)
{
	struct box a, b;

	box_fill(&a, 3);
	box_fill(&b, 4); // LEAK(never-freed)
	box_release(&a);
}
