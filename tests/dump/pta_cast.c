// RUN: plumb dump pta %s
// Pointers survive integers, unions and container_of.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

union u { void *p; uintptr_t n; };
struct link { struct link *next; };
struct item { long id; struct link link; };

void casts(void)
{
	uintptr_t n = (uintptr_t)malloc(1);
	union u u;
	struct item *it = malloc(sizeof(*it));
	struct link *l = &it->link;

	u.n = (uintptr_t)malloc(2);
	free((void *)n);
	free(u.p);
	free((struct item *)((char *)l - offsetof(struct item, link)));
}
