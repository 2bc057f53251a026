// RUN: plumb dump callgraph %s
// Function pointers are resolved while solving: from a table, from a field, and one that comes from outside.
#include <stdlib.h>

struct ops { void *(*get)(size_t); void (*put)(void *); };

static void *my_get(size_t n) { return malloc(n); }
static void my_put(void *p) { free(p); }

static const struct ops mine = { my_get, my_put }, libc = { malloc, free };

void by_table(int n, void (*theirs)(void *))
{
	const struct ops *o = n ? &mine : &libc;

	o->put(o->get(8));
	theirs(NULL);
}
