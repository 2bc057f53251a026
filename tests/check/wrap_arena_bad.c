// An arena that is never released.
#include <stdlib.h>
#include <string.h>

struct chunk { struct chunk *next; size_t used; char mem[4000]; };
struct arena { struct chunk *chunks; };

static void *arena_alloc(struct arena *a, size_t n)
{
	struct chunk *c = a->chunks;

	if (!c || c->used + n > sizeof(c->mem)) {
		c = malloc(sizeof(*c)); // LEAK(never-freed)
		if (!c)
			abort();
		c->used = 0;
		c->next = a->chunks;
		a->chunks = c;
	}
	c->used += n;
	return c->mem + c->used - n;
}

int not_released_bad(const char *s)
{
	struct arena a = {0};
	char *x = arena_alloc(&a, strlen(s) + 1);

	strcpy(x, s);
	return x[0];
}
