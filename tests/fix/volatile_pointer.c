// LEAKS: 2
// EXPECT: either
#include <stdio.h>
#include <stdlib.h>

static int f(int v)
{
	int *volatile p = malloc(sizeof *p);
	int r;

	if (!p)
		return -1;
	*p = v;
	r = *p + 1;
	return r;
}

int main(void)
{
	printf("%d %d\n", f(1), f(2));
	return 0;
}
