// A unit of a library: the callee puts the object into the caller's bag, if there is room.
// UNITS: lib.c
// LEAKS: 2
// EXPECT: either
#include <stdlib.h>
#include <string.h>
#include "bag.h"

static int bag_add(struct bag *b, char *p)
{
	if (b->n >= 2)
		return -1;
	b->item[b->n++] = p;
	return 0;
}

int bag_copy(struct bag *b, const char *s)
{
	char *p = strdup(s);
	int err;

	if (!p)
		return -1;
	err = bag_add(b, p);
	if (err)
		return err;
	return 0;
}

int bag_copy_blindly(struct bag *b, const char *s)
{
	char *p = strdup(s);

	bag_add(b, p);
	return b->n;
}
