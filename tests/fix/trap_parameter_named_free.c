// A parameter is called free.
// LEAKS: 1
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int reserve(int used, int free)
{
	int *slots = calloc(used + free + 1, sizeof *slots);

	if (!slots)
		return -1;
	for (int i = 0; i < used; i++)
		slots[i] = 1;
	return slots[used] + free;
}

int main(void)
{
	printf("%d\n", reserve(3, 4));
	return 0;
}
