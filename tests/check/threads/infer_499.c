// facebook/infer 499: an object is returned inside a wrapper that a callee makes; its destructor frees
// both.  A destructor that frees the wrapper alone must be reported.
#include <stdlib.h>

struct box {
	int *inside;
};

static struct box *wrap(int *p)
{
	struct box *b = malloc(sizeof(*b));

	if (!b)
		exit(1);
	b->inside = p;
	return b;
}

static struct box *box_new(int v)
{
	int *p = malloc(sizeof(*p));

	if (!p)
		exit(1);
	*p = v;
	return wrap(p);
}

static struct box *box_new_bad(int v)
{
	int *p = malloc(sizeof(*p)); // LEAK@inside

	if (!p)
		exit(1);
	*p = v;
	return wrap(p);
}

int both_ok(void)
{
	struct box *b = box_new(3);
	int v = *b->inside;

	free(b->inside);
	free(b);
	return v;
}

int outside_bad(void)
{
	struct box *b = box_new_bad(3); // LEAK@inside
	int v = *b->inside;

	free(b);
	return v;
}
