// The low bit of the address says something.
// LEAKS: 1
// EXPECT: either
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uintptr_t stack[4];
static int depth;

static int push(int v, int tag)
{
	int *p = malloc(sizeof *p);

	if (!p)
		return -1;
	*p = v;
	if (depth == 2)
		return 0;
	stack[depth++] = (uintptr_t)p | (tag != 0);
	return 1;
}

int main(void)
{
	push(1, 0);
	push(2, 1);
	push(3, 1);
	while (depth > 0) {
		uintptr_t w = stack[--depth];
		int *p = (int *)(w & ~(uintptr_t)1);

		printf("%d %d\n", *p, (int)(w & 1));
		free(p);
	}
	return 0;
}
