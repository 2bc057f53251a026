// Declared in the head of a for, where the name ends with the loop: released on the ways out of it.
// LEAKS: 4
#include <stdio.h>
#include <stdlib.h>

static int first(int n)
{
	for (char *p = malloc(8);; n++) {
		if (!p)
			return -1;
		p[0] = (char)n;
		if (n == 3)
			return 3;
		if (p[0] > 1)
			break;
	}
	return n;
}

int main(void)
{
	printf("%d %d %d %d\n", first(0), first(2), first(3), first(9));
	return 0;
}
