// p is set anew by the body of a while.
// LEAKS: 3
#include <stdio.h>
#include <stdlib.h>

static void last_power(int limit)
{
	int v = 1;
	int *p = NULL;

	while ((v *= 2) < limit)
		p = malloc(sizeof *p);
	if (p) {
		*p = v;
		printf("%d\n", *p);
		free(p);
	}
}

int main(void)
{
	last_power(1);
	last_power(4);
	last_power(20);
	last_power(2);
	return 0;
}
