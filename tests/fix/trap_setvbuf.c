// A stream keeps the buffer it is given.
// LEAKS: 0
// HELD: 1
#include <stdio.h>
#include <stdlib.h>

static int with_buffer(size_t n)
{
	char *b = malloc(n);

	if (!b)
		return -1;
	return setvbuf(stdout, b, _IOFBF, n);
}

int main(void)
{
	int r = with_buffer(256);

	for (int i = 0; i < 40; i++)
		printf("line %d\n", i);
	printf("%d\n", r);
	return 0;
}
