// A variable that begins as an allocator, and nothing beside it that frees: what it makes is lost all the same.
#include <stddef.h>
#include <stdlib.h>

void *(*get_memory)(size_t) = malloc;

void set_memory(void *(*get)(size_t))
{
	get_memory = get;
}

int made(void)
{
	int *p = get_memory(sizeof(*p)); // LEAK(never-freed)

	if (!p)
		return -1;
	*p = 3;
	return *p;
}
