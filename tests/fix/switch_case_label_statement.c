// Statements on the line of their case.
// LEAKS: 2
#include <stdio.h>
#include <stdlib.h>

static int pick(int i)
{
	int *v = calloc(4, sizeof *v);
	int r;

	if (!v)
		return -1;
	v[1] = 11; v[2] = 22;
	switch (i) {
	case 1: r = v[1]; free(v); break;
	case 2: r = v[2]; break;
	case 3: return 33;
	default: r = v[0]; free(v);
	}
	return r;
}

int main(void)
{
	printf("%d %d %d %d\n", pick(0), pick(1), pick(2), pick(3));
	return 0;
}
