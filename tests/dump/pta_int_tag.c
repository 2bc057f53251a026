// RUN: plumb dump pta %s
// A tag in the low bits of a pointer leaves it a pointer, in variables, parameters, results and members.
#include <stdint.h>
#include <stdlib.h>

struct link {
	unsigned long next;
	uint32_t flags;
};

static unsigned long marked(char *p)
{
	return (unsigned long)p | 1;
}

static char *plain(unsigned long p)
{
	return (char *)(p & ~1ul);
}

char *tagged(struct link *l, int yes)
{
	uintptr_t t = (uintptr_t)malloc(1) | 2;

	if (yes)
		t = (uintptr_t)malloc(2) | 4;
	l->flags |= 4;
	l->next = marked(malloc(3));
	if (yes > 1)
		return (char *)(l->next ^ 1);
	if (yes < 0)
		return plain(marked(malloc(4)));
	return (char *)(t & ~(uintptr_t)7);
}
