// Inline assembly may do anything with what it is given.
#include <stdlib.h>

void given_to_asm_ok(void)
{
	char *p = malloc(8);

	__asm__ volatile("" : : "r"(p) : "memory");
}

void barrier_bad(void)
{
	char *p = malloc(8); // LEAK(never-freed)

	__asm__ volatile("" : : : "memory");
	if (p)
		p[0] = 1;
}
