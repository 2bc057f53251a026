// Ownership is taken only on success; the caller must look.
#include <stdlib.h>
#include <string.h>

struct bag { void *item[4]; int n; };

static int bag_add(struct bag *b, void *p)
{
	if (b->n >= 4)
		return -1;
	b->item[b->n++] = p;
	return 0;
}

int looked_ok(struct bag *b)
{
	void *p = malloc(8);

	if (bag_add(b, p) != 0) {
		free(p);
		return -1;
	}
	return 0;
}

int not_looked_bad(struct bag *b)
{
	void *p = malloc(8); // LEAK(conditional)

	bag_add(b, p);
	return 0;
}

int looked_and_lost_bad(struct bag *b)
{
	void *p = malloc(8); // LEAK(conditional)
	int err = bag_add(b, p);

	if (err)
		return err;
	return 0;
}

int passed_up_bad(struct bag *b)
{
	return bag_add(b, malloc(8)); // LEAK(conditional)
}
