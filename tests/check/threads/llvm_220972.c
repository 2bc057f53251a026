// llvm/llvm-project 220972: a pointer that was a uintptr_t for a while, and had nothing added to it,
// is still the same.
#include <stdint.h>
#include <stdlib.h>

void as_number_ok(void)
{
	uintptr_t v = (uintptr_t)malloc(1);

	v += 0;
	free((void *)v);
}

void marked_ok(void)
{
	uintptr_t v = (uintptr_t)malloc(1);

	v |= 1;
	free((void *)(v & ~(uintptr_t)1));
}

void as_number_bad(int n)
{
	uintptr_t v = (uintptr_t)malloc(1); // LEAK(conditional)

	v += 0;
	if (n < 0)
		return;
	free((void *)v);
}
