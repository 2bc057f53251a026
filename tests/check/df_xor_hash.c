// The address used as a number only: hashing a pointer keeps nothing.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

unsigned hashed_bad(void)
{
	char *p = malloc(8); // LEAK(never-freed)

	return (unsigned)((uintptr_t)p >> 4);
}

void printed_bad(void)
{
	void *p = malloc(8); // LEAK(never-freed)

	printf("%p\n", p);
}

int compared_bad(const void *other)
{
	void *p = malloc(8); // LEAK(never-freed)

	return p == other;
}

int compared_ok(const void *other)
{
	void *p = malloc(8);
	int r = p < other;

	free(p);
	return r;
}
