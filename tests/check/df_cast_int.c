// Through integers.
#include <stdint.h>
#include <stdlib.h>

void through_intptr_ok(void)
{
	intptr_t n = (intptr_t)malloc(8);

	free((void *)n);
}

void through_intptr_bad(void)
{
	intptr_t n = (intptr_t)malloc(8); // LEAK(never-freed)

	if (n == 0)
		return;
	*(char *)n = 1;
}

/* The lowest bit of an aligned pointer as a flag. */
void tagged_pointer_ok(int flag)
{
	uintptr_t t = (uintptr_t)malloc(8);

	if (flag)
		t |= 1;
	free((void *)(t & ~(uintptr_t)1));
}

void tagged_pointer_bad(int flag)
{
	uintptr_t t = (uintptr_t)malloc(8); // LEAK(conditional)

	if (flag)
		t |= 1;
	if (t & 1)
		return;
	free((void *)t);
}

struct handle { uint64_t h; };

void handle_in_struct_ok(void)
{
	struct handle h;

	h.h = (uint64_t)(uintptr_t)malloc(8);
	free((void *)(uintptr_t)h.h);
}

void handle_in_struct_bad(void)
{
	struct handle h;

	h.h = (uint64_t)(uintptr_t)malloc(8); // LEAK(never-freed)
	if (h.h & 1)
		h.h = 0;
}
