// Only the allocation is a macro; the return is text: fixed.
// LEAKS: 1
// ONCE: ^\+\s*free\(v\);$
#include <stdio.h>
#include <stdlib.h>

#define NEW(type, n) ((type *)calloc((n), sizeof(type)))

static long product(int n)
{
	long *v = NEW(long, n + 1);
	long r;

	if (!v)
		return -1;
	v[0] = 1;
	for (int i = 1; i <= n; i++)
		v[i] = v[i - 1] * i;
	r = v[n];
	if (r > 1000) {
		printf("large\n");
		return 0;
	}
	free(v);
	return r;
}

int main(void)
{
	printf("%ld\n", product(5));
	printf("%ld\n", product(10));
	return 0;
}
