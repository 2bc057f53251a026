// What a function makes where it is given nothing, and whether anybody gives it nothing.
#include <stdlib.h>

struct box { int n; };

static struct box *kept;

int next(void);

static int always_given(struct box *b)
{
	if (!b) {
		b = calloc(1, sizeof(*b));
		if (!b)
			return -1;
	}
	b->n = next();
	return b->n;
}

int given_ok(void)
{
	struct box b = { 0 };

	if (!kept) {
		kept = calloc(1, sizeof(*kept));
		if (!kept)
			return -1;
	}
	return always_given(kept) + always_given(&b);
}

static int not_always_given(struct box *b)
{
	if (!b) {
		b = calloc(1, sizeof(*b)); // LEAK(never-freed)
		if (!b)
			return -1;
	}
	b->n = next();
	return b->n;
}

int given_bad(int quick)
{
	struct box b = { 0 };

	return not_always_given(quick ? NULL : &b);
}

static int unknown_given(struct box *b)
{
	if (!b) {
		b = calloc(1, sizeof(*b)); // LEAK(never-freed)
		if (!b)
			return -1;
	}
	b->n = next();
	return b->n;
}

int passed_on_bad(struct box *b)
{
	return unknown_given(b);
}

static int by_pointer(struct box *b)
{
	if (!b) {
		b = calloc(1, sizeof(*b)); // LEAK(never-freed)
		if (!b)
			return -1;
	}
	b->n = next();
	return b->n;
}

int table_bad(int (**out)(struct box *))
{
	struct box b = { 0 };

	*out = by_pointer;
	return by_pointer(&b);
}

/* given or not, one is made and lost */
static int lost_anyway(struct box *b)
{
	struct box *mine = calloc(1, sizeof(*mine)); // LEAK(never-freed)

	if (!mine)
		return -1;
	mine->n = b ? b->n : 0;
	return mine->n;
}

int lost_bad(void)
{
	struct box b = { 0 };

	return lost_anyway(&b);
}
