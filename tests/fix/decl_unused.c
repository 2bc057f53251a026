// Never used after its declaration.
// LEAKS: 2
// PATCH: ^\+.*free\(p\);
#include <stdio.h>
#include <stdlib.h>

static int can_allocate(size_t n)
{
	void *p = malloc(n);

	return p != NULL;
}

int main(void)
{
	volatile size_t huge = (size_t)-1 / 4;

	printf("%d %d %d\n", can_allocate(1), can_allocate(100), can_allocate(huge));
	return 0;
}
