#include <stdlib.h>

static void drop(void *p)
{
	if (p)
		*(char *)p = 0;
}

void b_bad(void)
{
	drop(malloc(8)); // LEAK(never-freed)
}
