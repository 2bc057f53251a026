// The break is the whole body of an if: braces are needed.
// LEAKS: 2
// PATCH: ^\+.*free\(n\);
#include <stdio.h>
#include <stdlib.h>

static int *boxed(int v)
{
	int *n = malloc(sizeof *n);

	if (!n)
		abort();
	*n = v;
	return n;
}

static int first_square_above(int limit)
{
	int i = 0;

	for (;;) {
		int *n = boxed(i * i);

		if (*n > limit) break;
		i++;
		free(n);
	}
	return i;
}

int main(void)
{
	printf("%d %d\n", first_square_above(10), first_square_above(99));
	return 0;
}
