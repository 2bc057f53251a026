// Gao et al., V-C, the pattern most often fixed: a return on the way to the free.
// LEAKS: 1
// ONCE: ^\+\s*free\(p\);$
#include <stdio.h>
#include <stdlib.h>

static int parse(int a, int b)
{
	int *p = malloc(2 * sizeof *p);
	int r;

	if (!p)
		abort();
	p[0] = a;
	p[1] = b;
	if (p[1] == 0) {
		printf("division by zero\n");
		return 0;
	}
	r = p[0] / p[1];
	free(p);
	return r;
}

int main(void)
{
	printf("%d\n", parse(6, 3));
	printf("%d\n", parse(6, 0));
	return 0;
}
