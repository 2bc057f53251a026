// The returned expression reads the object: it is saved first.
// LEAKS: 2
// PATCH: ^\+.*free\(v\);
#include <stdio.h>
#include <stdlib.h>

static int fib(int n)
{
	int *v = calloc(n + 2, sizeof *v);

	if (!v)
		abort();
	v[1] = 1;
	for (int i = 2; i <= n; i++)
		v[i] = v[i - 1] + v[i - 2];
	return v[n];
}

int main(void)
{
	printf("%d %d\n", fib(1), fib(20));
	return 0;
}
