// RUN: plumb dump pta %s
// A length that goes into a pointer by way of an uintptr_t is a number all the same: members of its type hold no pointers,
// those of uintptr_t may.
#include <stdint.h>
#include <stdlib.h>

struct list {
	size_t length;
	uintptr_t tag;
	void *data;
};

void number(struct list *l)
{
	uintptr_t n = l->length;

	l->data = (void *)n;
}

size_t made(void)
{
	struct list l;
	char *p = malloc(1);

	l.length = (size_t)((uintptr_t)p + 1);
	l.tag = (uintptr_t)p;
	number(&l);
	return l.length + l.tag;
}
